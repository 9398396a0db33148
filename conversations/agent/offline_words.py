"""The offline model's sentences, and what its own questions look like when it meets them again in the history."""

import json
import re
from collections.abc import Iterable
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


QUESTIONS = {
    Slot.EMAIL: "What is the e-mail address of your account?",
    Slot.NAME: "What are your first and last name?",
    Slot.ZIP: "What is your ZIP code?",
    Slot.ORDER: "What is the order number?",
    Slot.WHICH: "Which one should I cancel?",
    Slot.REASON: "Is it no longer needed, or was it ordered by mistake?",
    Slot.AGAIN: "Tell me if you still want to cancel it.",
    Slot.PERSON: "fetch a person for you.",
}
NOTHING = "Nothing was changed."
NOT_RUN = "Not run: "
POLICY = "Policy: "
NOTE_START = "Note: "

STATUSES = {
    "pending": "still pending",
    "pending (items modified)": "still pending, with changed items",
    "pending (item modified)": "still pending, with changed items",
    "pending (items modifed)": "still pending, with changed items",
    "return requested": "delivered, and a return is requested",
    "exchange requested": "delivered, and an exchange is requested",
}


class Outcome(StrEnum):
    """How a cancel call ended, as far as its result says."""

    DONE = auto()
    NO = auto()
    ELSE = auto()
    EXPIRED = auto()
    STALE = auto()
    DECLINED = auto()
    REFUSED = auto()
    BUSY = auto()
    PERSON = auto()
    UNKNOWN = auto()


NOT_RUN_STARTS = (
    ("the customer said no", Outcome.NO),
    ("the customer answered with something else", Outcome.ELSE),
    ("the card expired", Outcome.EXPIRED),
    ("declined by a member of staff", Outcome.DECLINED),
    ("the order changed", Outcome.STALE),
    ("one action at a time", Outcome.BUSY),
    ("a person took over", Outcome.PERSON),
)


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


def read_outcome(result: str, is_error: bool) -> Outcome:
    if result.startswith(NOT_RUN):
        rest = result.removeprefix(NOT_RUN)
        return next((outcome for start, outcome in NOT_RUN_STARTS if rest.startswith(start)), Outcome.BUSY)
    if result.startswith((POLICY, "Error: non-pending order")):
        return Outcome.REFUSED
    if not is_error and parse_json(result).get("status") == "cancelled":
        return Outcome.DONE
    return Outcome.UNKNOWN


TOLD = {
    Outcome.DONE: "Order {order} is cancelled.{more}",
    Outcome.NO: "Okay, I left order {order} as it is. Nothing was changed.",
    Outcome.ELSE: "I closed the card for order {order}. Nothing was changed.",
    Outcome.EXPIRED: "The card for order {order} has expired. Nothing was changed.",
    Outcome.STALE: "Order {order} changed in the meantime, so it was not cancelled. Nothing was changed.",
    Outcome.DECLINED: "A colleague declined to cancel order {order}.{more} Nothing was changed.",
    Outcome.REFUSED: "Order {order} can’t be cancelled: {more}. Nothing was changed.",
    Outcome.BUSY: "I can do one thing at a time, so order {order} was left as it is. Nothing was changed.",
    Outcome.PERSON: "A person took over, so I did not cancel order {order}. Nothing was changed.",
    Outcome.UNKNOWN: "I have no confirmation that order {order} is cancelled. A person can check it.",
}


def tell_outcome(order_id: str, result: str, is_error: bool, methods: Block) -> str:
    """What the customer hears about one cancel call. Only a result that shows the cancelled order says it is done."""
    outcome, more = read_outcome(result, is_error), ""
    if outcome is Outcome.DONE:
        more = _tell_refunds(parse_json(result), methods)
    elif outcome is Outcome.DECLINED:
        note = result.partition(NOTE_START)[2].strip()
        more = f" Their note: “{note}”" if note else ""
    elif outcome is Outcome.REFUSED:
        more = _read_refusal(result)
    return TOLD[outcome].format(order=order_id, more=more)


def _read_refusal(result: str) -> str:
    reason = re.sub(r"^R\d+\b[\s:,]*", "", result.removeprefix(POLICY)) if result.startswith(POLICY) else ""
    return reason.strip().rstrip(".") or "it is no longer pending"


def _tell_refunds(order: Block, methods: Block) -> str:
    sums = _sum_by_method(order, "refund").items()
    return "".join(f" {money(amount)} goes back to {_destination(method, methods)}." for method, amount in sums)


def _sum_by_method(order: Block, kind: str) -> dict[str, Decimal]:
    sums: dict[str, Decimal] = {}
    for row in order.get("payment_history", []):
        if row.get("transaction_type") == kind:
            method = str(row.get("payment_method_id", ""))
            sums[method] = sums.get(method, Decimal(0)) + row["amount"]
    return sums


def _destination(method_id: str, methods: Block, timed: bool = True) -> str:
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
    paid = sum(_sum_by_method(order, "payment").values(), Decimal(0))
    return money(paid or sum((item["price"] for item in order.get("items", [])), Decimal(0)))


def tell_order(order: Block, methods: Block) -> str:
    """One order with its state, items, total, tracking numbers and refunds."""
    names = [str(item["name"]) for item in order.get("items", [])]
    parts = [f"Order {order['order_id']} is {tell_status(order)}" + (f": {join_words(names)}." if names else ".")]
    parts.append(f"Total {tell_total(order)}.")
    tracking = [str(number) for row in order.get("fulfillments", []) for number in row.get("tracking_id", [])]
    if tracking:
        parts.append(f"Tracking number{'s' if len(tracking) > 1 else ''} {join_words(tracking)}.")
    for method, amount in _sum_by_method(order, "refund").items():
        parts.append(f"A refund of {money(amount)} to {_destination(method, methods, timed=False)} is booked.")
    return " ".join(parts)


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
