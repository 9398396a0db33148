"""What a rule may look at: read from the database at the moment of deciding, never taken from the model."""

from dataclasses import dataclass
from typing import Literal

from policy.levels import Strength

Holder = Literal["agent", "person", "nobody"]


@dataclass(frozen=True, kw_only=True)
class Facts:
    """The state of one conversation, one customer and the order an action names. Amounts in minor units.

    Ages are whole days before now, a day begun not counted.
    """

    # Who is asking, and how surely that is known; the weakest step unless the session says more.
    verified: bool
    strength: Strength = Strength.LOOKUP
    own: bool = True
    # What was said: the customer's yes to exactly this action, a person's approval of exactly this request.
    confirmed: bool = False
    approved: bool = False
    # Who holds the chat, and what else is open in it.
    holder: Holder = "agent"
    under_review: bool = False
    card_open: bool = False
    # What the conversation is about, and whether the action belongs to that.
    intent: str = ""
    in_scope: bool = True
    # Money: what this action gives back, what the order can still give back, what was granted without a person.
    money_back: int = 0
    # What a change of the payment method takes from one method and gives back to another.
    money_moved: int = 0
    refundable: int = 0
    granted_alone: int = 0
    # Whether each payment it gives back still has that much to give.
    fits_payments: bool = True
    # Ages of the customer's earlier refunds (granted, on their way, unknown and done), and of those without a return.
    refund_ages: tuple[int, ...] = ()
    no_return_ages: tuple[int, ...] = ()
    # The customer's orders that arrived, and how many of them went back or would after this action.
    arrived_orders: int = 0
    returned_orders: int = 0
    # The order's own state; days since it arrived are unknown where the shop keeps no date.
    order_status: str = ""
    shipment_status: str = ""
    days_since_delivery: int | None = None
    # Why the payment gateway cannot carry it out without a person, or nothing.
    by_hand: str = ""
