"""What a stretch of a conversation can be about."""

from dataclasses import dataclass
from enum import StrEnum, auto


class Kind(StrEnum):
    """The subjects. From GREETING on: small talk, answered with one sentence."""

    CANCEL = auto()
    RETURN = auto()
    SWAP = auto()
    PAYMENT = auto()
    ADDRESS = auto()
    HOME = auto()
    CHANGE = auto()
    PRODUCTS = auto()
    STATUS = auto()
    PERSON = auto()
    HELP = auto()
    OTHER = auto()
    VERIFY = auto()
    STOPPED = auto()
    GREETING = auto()
    THANKS = auto()
    BYE = auto()
    MACHINE = auto()
    YES = auto()
    NO = auto()
    UNCLEAR = auto()


# HELP: a question that the help center may answer.
# CHANGE: a change is wanted, but not said of what. HOME: the account's default address.
CHANGES = frozenset({Kind.RETURN, Kind.SWAP, Kind.PAYMENT, Kind.ADDRESS, Kind.HOME, Kind.CHANGE})
ACTIONS = CHANGES | {Kind.CANCEL}
SCOPE_OPEN, BACK_OPEN = "scope", "back"

RULES_OF_THE_SHOP = "answer questions about shop rules"
PRODUCT_QUESTIONS = "answer product questions"
MAKE_REFUNDS = "make refunds"
NO_RETURN = "make refunds without a return"
CHANGE_ACCOUNT = "change an account"
STORED_METHODS = "add or change stored payment methods"
SAME_ITEMS = "take several of the same item"
DAMAGED = "help with damaged or missing items"
# Nothing that the desk's tools can do, and nothing to talk over either: a person takes these at once.
HANDED_OVER = frozenset({NO_RETURN, CHANGE_ACCOUNT, STORED_METHODS, SAME_ITEMS})


@dataclass(frozen=True)
class Wish:
    """One wish. `topic`: what to call it where it cannot be done; SCOPE_OPEN: not said whose address;
    BACK_OPEN: an item is not right, but it is not said whether to return or to exchange it."""

    kind: Kind
    text: str
    topic: str = ""
