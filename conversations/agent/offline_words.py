"""The offline model's sentences, and what its own questions look like when it meets them again in the history."""

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from enum import StrEnum, auto

from conversations.agent.protocol import Block


class Slot(StrEnum):
    """What the last reply asked for. The model keeps no state, so it knows this by its own closing sentence."""

    EMAIL = auto()
    NAME = auto()
    ZIP = auto()
    ORDER = auto()
    WHICH = auto()
    REASON = auto()
    AGAIN = auto()
    PERSON = auto()
    RETURN_ORDER = auto()
    SWAP_ORDER = auto()
    PAYMENT_ORDER = auto()
    ADDRESS_ORDER = auto()
    RETURN_ITEMS = auto()
    SWAP_ITEMS = auto()
    OPTION = auto()
    REFUND_TO = auto()
    DIFFERENCE = auto()
    METHOD = auto()
    SCOPE = auto()
    NEW_ADDRESS = auto()
    STREET = auto()
    CITY = auto()
    STATE = auto()
    NEW_ZIP = auto()
    COUNTRY = auto()
    WHAT = auto()
    BACK = auto()
    PRODUCT = auto()
    STILL = auto()


QUESTIONS = {
    Slot.EMAIL: "What is the e-mail address of your account?",
    Slot.NAME: "What are your first and last name?",
    Slot.ZIP: "What is your ZIP code?",
    Slot.ORDER: "What is the order number?",
    Slot.WHICH: "Which one should I cancel?",
    Slot.REASON: "Is it no longer needed, or was it ordered by mistake?",
    Slot.AGAIN: "Tell me if you still want to cancel it.",
    Slot.PERSON: "fetch a person for you.",
    Slot.RETURN_ORDER: "From which order should I return something?",
    Slot.SWAP_ORDER: "In which order should I change something?",
    Slot.PAYMENT_ORDER: "Which order should be paid differently?",
    Slot.ADDRESS_ORDER: "Which order should go to the new address?",
    Slot.RETURN_ITEMS: "Which items should I return?",
    Slot.SWAP_ITEMS: "Which items should I change?",
    Slot.OPTION: "Which one would you like instead?",
    Slot.REFUND_TO: "Where should the money go?",
    Slot.DIFFERENCE: "Which one should I use for the price difference?",
    Slot.METHOD: "Which payment method should I use instead?",
    Slot.SCOPE: "Is it for one order, or is it the default address of your account?",
    Slot.NEW_ADDRESS: "What is the new address, with street, city, state and ZIP code?",
    Slot.STREET: "What are the street and the house number?",
    Slot.CITY: "Which city is it in?",
    Slot.STATE: "Which state is it in?",
    Slot.NEW_ZIP: "What is the ZIP code of the new address?",
    Slot.COUNTRY: "Which country is it in?",
    Slot.WHAT: "Should I change its items, its address or how it is paid?",
    Slot.BACK: "Would you like to exchange it for another one, or to return it for your money?",
    Slot.PRODUCT: "Which product do you mean?",
    Slot.STILL: "Tell me if I should still do it.",
}
# Answers to these questions may be a place in the list that stands above the question.
LIST_SLOTS = frozenset(
    {
        Slot.RETURN_ITEMS,
        Slot.SWAP_ITEMS,
        Slot.OPTION,
        Slot.REFUND_TO,
        Slot.DIFFERENCE,
        Slot.METHOD,
        Slot.PRODUCT,
    }
)
ORDER_SLOTS = frozenset({Slot.RETURN_ORDER, Slot.SWAP_ORDER, Slot.PAYMENT_ORDER, Slot.ADDRESS_ORDER})
ADDRESS_SLOTS = frozenset({Slot.NEW_ADDRESS, Slot.STREET, Slot.CITY, Slot.STATE, Slot.NEW_ZIP, Slot.COUNTRY})
NOTHING = "Nothing was changed."
POLICY = "Policy: "

STATUSES = {
    "pending": "still pending",
    "pending (items modified)": "still pending, with changed items",
    "pending (item modified)": "still pending, with changed items",
    "pending (items modifed)": "still pending, with changed items",
    "return requested": "delivered, and a return is requested",
    "exchange requested": "delivered, and an exchange is requested",
}
# A refund's own status, which only one that is not through has.
REFUNDS = {
    None: "is booked",
    "pending": "is being processed",
    "failed": "did not go through; a person takes care of it",
}


def find_slot(text: str) -> Slot | None:
    """What a stored reply asked for, by its last sentence."""
    return next((slot for slot, question in QUESTIONS.items() if text.rstrip().endswith(question)), None)


def parse_json(text: str) -> Block:
    """The object a tool returned, or an empty one where it returned something else."""
    try:
        found = json.loads(text, parse_float=Decimal, parse_int=Decimal)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def sum_by_method(order: Block, kind: str) -> dict[str, Decimal]:
    sums: dict[str, Decimal] = {}
    for row in order.get("payment_history", []):
        if row.get("transaction_type") == kind:
            method = str(row.get("payment_method_id", ""))
            sums[method] = sums.get(method, Decimal(0)) + row["amount"]
    return sums


def tell_destination(method_id: str, methods: Block, timed: bool = True) -> str:
    method = methods.get(method_id, {})
    source = str(method.get("source") or method_id.rpartition("_")[0])
    if source == "gift_card":
        return "your gift card at once" if timed else "your gift card"
    days = " in 5 to 7 business days" if timed else ""
    if source == "credit_card":
        last_four = method.get("last_four")
        return ("your card ending in " + str(last_four) if last_four else "your card") + days
    return ("your PayPal account" if source == "paypal" else "the way you paid") + days


def money(amount: Decimal) -> str:
    return f"${amount:,.2f}"


def join_words(words: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *head, last = words
    return f"{', '.join(head)} and {last}" if head else last


def tell_status(order: Block) -> str:
    status = str(order.get("status", "unknown"))
    return STATUSES.get(status, status)


def tell_total(order: Block) -> str:
    """What was paid; before any payment, what the items cost."""
    paid = sum(sum_by_method(order, "payment").values(), Decimal(0))
    return money(paid or sum((item["price"] for item in order.get("items", [])), Decimal(0)))


def tell_order(order: Block, methods: Block) -> str:
    """One order with its state, items, total, tracking numbers and refunds."""
    names = [str(item["name"]) for item in order.get("items", [])]
    parts = [f"Order {order['order_id']} is {tell_status(order)}" + (f": {join_words(names)}." if names else ".")]
    parts.append(f"Total {tell_total(order)}.")
    tracking = [str(number) for row in order.get("fulfillments", []) for number in row.get("tracking_id", [])]
    if tracking:
        parts.append(f"Tracking number{'s' if len(tracking) > 1 else ''} {join_words(tracking)}.")
    return " ".join([*parts, *_tell_refunds(order, methods)])


def _tell_refunds(order: Block, methods: Block) -> Iterator[str]:
    rows = order.get("payment_history", [])
    for standing, words in REFUNDS.items():
        part = {"payment_history": [row for row in rows if row.get("status") == standing]}
        for method, amount in sum_by_method(part, "refund").items():
            yield f"A refund of {money(amount)} to {tell_destination(method, methods, timed=False)} {words}."


def tell_address(order: Block) -> str:
    """Where an order goes; nothing where that is not known."""
    address = order.get("address", {})
    parts = [
        str(address[part]) for part in ("address1", "address2", "city", "state", "zip", "country") if address.get(part)
    ]
    return f"It goes to {', '.join(parts)}." if parts else ""


def list_choices(orders: Iterable[Block], details: Iterable[str]) -> list[str]:
    """A numbered line an order: number, first item, and a detail of each."""
    lines = []
    for place, (order, detail) in enumerate(zip(orders, details, strict=True), start=1):
        names = [str(item["name"]) for item in order.get("items", [])]
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        lines.append(f"{place}. {order['order_id']}: {names[0] if names else 'no items'}{more}, {detail}")
    return lines


def tell_orders(orders: list[Block], count: int, methods: Block) -> str:
    """All orders that were looked up, with their states, out of the `count` there are."""
    if not orders:
        return "I can’t see any orders in your account."
    if len(orders) == 1:
        return tell_order(orders[0], methods)
    lines = "\n".join(list_choices(orders, map(tell_status, orders)))
    which = f"{len(orders)} of your {count} orders" if count > len(orders) else f"your {count} orders"
    return f"Here are {which}:\n{lines}\nGive me an order number and I’ll tell you more."
