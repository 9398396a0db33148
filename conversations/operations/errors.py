class Blank(Exception):
    """The message holds nothing readable; nothing was stored."""


class MessageTooLong(Exception):
    """Over the limit of characters; nothing was stored."""


class UnderReview(Exception):
    """A request of this chat waits for a person, so the message was not stored. The text says what is waited for."""


class ConversationClosed(Exception):
    """Closed for longer than it can be reopened: start a new conversation."""


class OtherCustomer(Exception):
    """A proof of somebody else than the customer who was verified in this chat first; nothing was changed."""


class TakenOver(Exception):
    """Staff hold the chat, so the agent is silent: drop what it wanted to say."""


class NotHeld(Exception):
    """This member of staff does not hold the chat: take it over first."""


class NotClosed(Exception):
    """The ticket is still open, so nobody can say yet whether it needed a person."""
