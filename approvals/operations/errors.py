class NotOpen(Exception):
    """The card is used, expired, replaced or another conversation's. Tell the customer; nothing was changed."""


class NotPermitted(Exception):
    """This member of staff may not decide. The attempt is in the audit log."""


class OverAuthority(Exception):
    """The amount is above what this member of staff may approve; the request still waits for somebody who may."""


class NotCorrectable(Exception):
    """This request cannot be reduced so; the message says why. Nothing was changed."""


class AlreadyDecided(Exception):
    """Somebody decided before, or the request ended otherwise; the message says who and when."""


class Stale(Exception):
    """The facts changed since the customer agreed, so nothing ran; the message says what."""


class RequestNotFound(Exception):
    """There is no such request."""


class Unreadable(Exception):
    """The stored call is none that this version knows: end the request as stale."""
