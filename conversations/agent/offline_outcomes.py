"""What came of an action's call, in the customer's words. Only a result that shows the change says it is done."""

import re
from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum, auto

from conversations.agent.offline_payment import tell_method
from conversations.agent.offline_variants import tell_options
from conversations.agent.offline_words import POLICY, join_words, money, parse_json, sum_by_method, tell_destination
from conversations.agent.protocol import Block

NOT_RUN = "Not run: "
BEING_PROCESSED = "Being processed: "
NOTE_START = "Note: "
CANCEL_TOOL = "cancel_pending_order"
RETURN_TOOL = "return_delivered_order_items"
EXCHANGE_TOOL = "exchange_delivered_order_items"
MODIFY_TOOL = "modify_pending_order_items"
PAYMENT_TOOL = "modify_pending_order_payment"
ADDRESS_TOOL = "modify_pending_order_address"
HOME_TOOL = "modify_user_address"


class Outcome(StrEnum):
    """How an action's call ended, as far as its result says."""

    DONE = auto()
    NO = auto()
    ELSE = auto()
    EXPIRED = auto()
    STALE = auto()
    DECLINED = auto()
    REFUSED = auto()
    LATE = auto()
    BUSY = auto()
    PERSON = auto()
    PROCESSING = auto()
    UNKNOWN = auto()


NOT_RUN_STARTS = (
    ("the customer said no", Outcome.NO),
    ("the customer answered with something else", Outcome.ELSE),
    ("the card expired", Outcome.EXPIRED),
    ("declined by a member of staff", Outcome.DECLINED),
    ("the order changed", Outcome.STALE),
    ("nobody decided in time", Outcome.LATE),
    ("one action at a time", Outcome.BUSY),
    ("a person took over", Outcome.PERSON),
)
TOLD_CANCEL = {
    Outcome.DONE: "Order {order} is cancelled.{more}",
    Outcome.NO: "Okay, I left order {order} as it is. Nothing was changed.",
    Outcome.ELSE: "I closed the card for order {order}. Nothing was changed.",
    Outcome.EXPIRED: "The card for order {order} has expired. Nothing was changed.",
    Outcome.STALE: "Order {order} changed in the meantime, so it was not cancelled. Nothing was changed.",
    Outcome.DECLINED: "A colleague declined to cancel order {order}.{more} Nothing was changed.",
    Outcome.REFUSED: "Order {order} can’t be cancelled: {more}. Nothing was changed.",
    Outcome.LATE: "Nobody decided in time, so order {order} was not cancelled. Nothing was changed.",
    Outcome.BUSY: "I can do one thing at a time, so order {order} was left as it is. Nothing was changed.",
    Outcome.PERSON: "A person took over, so I did not cancel order {order}. Nothing was changed.",
    Outcome.PROCESSING: "Order {order} is cancelled. The money is being processed; I’ll write once it is confirmed.",
    Outcome.UNKNOWN: "I have no confirmation that order {order} is cancelled. A person can check it.",
}
TOLD = {
    Outcome.DONE: "{more}",
    Outcome.NO: "Okay, I did not {what}. Nothing was changed.",
    Outcome.ELSE: "I closed the card, so I did not {what}. Nothing was changed.",
    Outcome.EXPIRED: "The card has expired, so I did not {what}. Nothing was changed.",
    Outcome.STALE: "It changed in the meantime, so I did not {what}. Nothing was changed.",
    Outcome.DECLINED: "A colleague declined to {what}.{more} Nothing was changed.",
    Outcome.REFUSED: "I can’t {what}: {more}. Nothing was changed.",
    Outcome.LATE: "Nobody decided in time, so I did not {what}. Nothing was changed.",
    Outcome.BUSY: "I can do one thing at a time, so I did not {what}. Nothing was changed.",
    Outcome.PERSON: "A person took over, so I did not {what}. Nothing was changed.",
    Outcome.PROCESSING: "Order {order} is changed. The money is being processed; I’ll write once it is confirmed.",
    Outcome.UNKNOWN: "I have no confirmation that I could {what}. A person can check it.",
}
WHAT = {
    CANCEL_TOOL: "cancel order {order}",
    RETURN_TOOL: "return items of order {order}",
    EXCHANGE_TOOL: "exchange items of order {order}",
    MODIFY_TOOL: "change items of order {order}",
    PAYMENT_TOOL: "change the payment of order {order}",
    ADDRESS_TOOL: "change the address of order {order}",
    HOME_TOOL: "change the default address of your account",
}
# The tools' errors that a customer can do something about, by their beginning.
REASONS = (
    ("Error: non-pending order cannot be cancelled", "it is no longer pending"),
    ("Error: non-pending order", "the order is no longer pending, or its items were changed before"),
    ("Error: non-delivered order", "the order is not delivered, or was returned or exchanged before"),
    ("Error: insufficient gift card balance", "there is not enough money on the gift card"),
    ("Error: the new payment method should be different", "the order is paid that way already"),
    ("Error: there should be exactly one payment", "the order was paid in more than one payment"),
    ("Error: payment method should be either", "the money can only go to the original payment method or a gift card"),
    ("Error: payment method not found", "that payment method is not in your account"),
    ("Error: new item", "the wanted item is not available"),
    ("Error: some item not found", "an item is not in the order"),
    ("Error: order not found", "the order is not in your account"),
    ("Error: user not found", "I can’t find the account"),
)


def read_outcome(tool: str, given: Block, result: str, is_error: bool) -> Outcome:
    if result.startswith(NOT_RUN):
        rest = result.removeprefix(NOT_RUN)
        return next((outcome for start, outcome in NOT_RUN_STARTS if rest.startswith(start)), Outcome.BUSY)
    if result.startswith(BEING_PROCESSED):
        return Outcome.PROCESSING
    if result.startswith((POLICY, *(start for start, _ in REASONS))):
        return Outcome.REFUSED
    shows = SHOWS.get(tool)
    if not is_error and shows is not None and shows(parse_json(result), given):
        return Outcome.DONE
    return Outcome.UNKNOWN


def _list_rows(found: Block, key: str) -> list[Block]:
    """The objects of a list in a result; none where the result holds something else."""
    rows = found.get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _list_ids(found: Block, key: str) -> set[str]:
    ids = found.get(key)
    return {str(one) for one in ids} if isinstance(ids, list) else set()


def _shows_return(order: Block, given: Block) -> bool:
    wanted = set(given.get("item_ids", []))
    return order.get("status") == "return requested" and wanted <= _list_ids(order, "return_items")


def _shows_exchange(order: Block, given: Block) -> bool:
    wanted = set(given.get("new_item_ids", []))
    return order.get("status") == "exchange requested" and wanted <= _list_ids(order, "exchange_new_items")


def _shows_items(order: Block, given: Block) -> bool:
    held = {item.get("item_id") for item in _list_rows(order, "items")}
    return str(order.get("status", "")).startswith("pending (item") and set(given.get("new_item_ids", [])) <= held


def _shows_payment(order: Block, given: Block) -> bool:
    paid = [row for row in _list_rows(order, "payment_history") if row.get("transaction_type") == "payment"]
    return bool(paid) and paid[-1].get("payment_method_id") == given.get("payment_method_id")


def _shows_address(found: Block, given: Block) -> bool:
    address = found.get("address")
    return isinstance(address, dict) and all(
        str(address.get(part)) == str(value) for part, value in given.items() if part not in {"order_id", "user_id"}
    )


SHOWS: dict[str, Callable[[Block, Block], bool]] = {
    CANCEL_TOOL: lambda order, _: order.get("status") == "cancelled",
    RETURN_TOOL: _shows_return,
    EXCHANGE_TOOL: _shows_exchange,
    MODIFY_TOOL: _shows_items,
    PAYMENT_TOOL: _shows_payment,
    ADDRESS_TOOL: _shows_address,
    HOME_TOOL: _shows_address,
}


def leave_out(given: Block, result: str) -> Block:
    """A call's input after staff reduced it: of its items those that the result shows."""
    found = parse_json(result)
    shown = _list_ids(found, "return_items") | _list_ids(found, "exchange_items")
    shown |= {str(item.get("item_id")) for item in _list_rows(found, "items")} if "new_item_ids" in given else set()
    by = "new_item_ids" if "new_item_ids" in given and not _list_ids(found, "exchange_items") else "item_ids"
    places = [place for place, item in enumerate(given.get(by, [])) if item in shown]
    lists = {name: given[name] for name in ("item_ids", "new_item_ids") if name in given}
    return given | {name: [items[place] for place in places] for name, items in lists.items()} if places else given


def tell_outcome(tool: str, given: Block, result: str, is_error: bool, methods: Block) -> str:
    """What the customer hears about one action's call."""
    outcome, more = read_outcome(tool, given, result, is_error), ""
    order_id = str(given.get("order_id", ""))
    if outcome is Outcome.DONE:
        more = _tell_done(tool, given, parse_json(result), methods)
    elif outcome is Outcome.DECLINED:
        note = result.partition(NOTE_START)[2].strip()
        more = f" Their note: “{note}”" if note else ""
    elif outcome is Outcome.REFUSED:
        more = _read_refusal(result)
    told = TOLD_CANCEL if tool == CANCEL_TOOL else TOLD
    # The note and the names come from outside, so they are put in last and not read as a template.
    what = WHAT.get(tool, "do it").format(order=order_id)
    return told[outcome].format(order=order_id, what=what, more=more)


def _read_refusal(result: str) -> str:
    if result.startswith(POLICY):
        reason = re.sub(r"^R\d+\b[\s:,]*", "", result.removeprefix(POLICY)).strip().rstrip(".")
        return reason or "it is no longer pending"
    return next(reason for start, reason in REASONS if result.startswith(start))


def _tell_done(tool: str, given: Block, found: Block, methods: Block) -> str:
    order_id = given.get("order_id", "")
    pays = tell_method(str(given.get("payment_method_id", "")), methods)
    if tool == CANCEL_TOOL:
        return _tell_refunds(found, methods)
    if tool == RETURN_TOOL:
        items = [item for item in _list_rows(found, "items") if item.get("item_id") in given["item_ids"]]
        total = money(sum((item["price"] for item in items), Decimal(0)))
        names = join_words([str(item["name"]) for item in items] or ["the items"])
        return (
            f"The return of {names} from order {order_id} is requested. "
            f"{total} goes to your {pays} once the items are back."
        )
    if tool == EXCHANGE_TOOL:
        difference = found.get("exchange_price_difference")
        return f"The exchange in order {order_id} is requested.{_tell_difference(difference, pays)}"
    if tool == MODIFY_TOOL:
        names = _list_new(found, given)
        return f"Order {order_id} is changed: it now holds {names}.{_tell_booked(found, pays)}"
    if tool == PAYMENT_TOOL:
        return f"Order {order_id} is now paid with your {pays}. The first payment goes back to where it came from."
    address = ", ".join(str(given[part]) for part in ("address1", "address2", "city") if given.get(part))
    line = f"{address}, {given.get('state', '')} {given.get('zip', '')}, {given.get('country', '')}"
    whose = f"Order {order_id} now goes to" if tool == ADDRESS_TOOL else "The default address of your account is now"
    return f"{whose} {line}."


def _list_new(found: Block, given: Block) -> str:
    new = [item for item in _list_rows(found, "items") if item.get("item_id") in given.get("new_item_ids", [])]
    told = (f"{item.get('name')} ({tell_options(item.get('options', {}))})" for item in new)
    return join_words(list(told) or ["the new items"])


def _tell_difference(difference: object, pays: str) -> str:
    if not isinstance(difference, Decimal) or not difference:
        return ""
    if difference > 0:
        return f" The difference of {money(difference)} is paid with your {pays}."
    return f" The difference of {money(-difference)} goes back to your {pays}."


def _tell_booked(order: Block, pays: str) -> str:
    last = (_list_rows(order, "payment_history") or [{}])[-1]
    amount = last.get("amount", Decimal(0))
    return _tell_difference(amount if last.get("transaction_type") == "payment" else -amount, pays)


def _tell_refunds(order: Block, methods: Block) -> str:
    sums = sum_by_method(order, "refund").items()
    return "".join(f" {money(amount)} goes back to {tell_destination(method, methods)}." for method, amount in sums)
