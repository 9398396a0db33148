"""What a rule may look at: read from the database at the moment of deciding, never taken from the model."""

from dataclasses import dataclass
from typing import Literal

Holder = Literal["agent", "person", "nobody"]


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The state of one conversation, one customer and the order an action names. Amounts in minor units."""

    # Who is asking.
    verified: bool
    own: bool = True
    # What was said: the customer's yes to exactly this action, a person's approval of exactly this request.
    confirmed: bool = False
    approved: bool = False
    # Who holds the chat, and what else is open in it.
    holder: Holder = "agent"
    under_review: bool = False
    card_open: bool = False
    # Money: what this action gives back, what the order can still give back, what was granted without a person.
    money_back: int = 0
    # What a change of the payment method takes from one method and gives back to another.
    money_moved: int = 0
    refundable: int = 0
    granted_alone: int = 0
    # Why the payment gateway cannot carry it out without a person, or nothing.
    by_hand: str = ""
