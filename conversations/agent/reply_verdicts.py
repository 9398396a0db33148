"""Each claim of a reply against the calls and orders of the conversation."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import chain

from conversations.agent import reply_languages, reply_learned
from conversations.agent.reply_books import Attempt, Books, Outcome, list_booked, list_prices, sum_all
from conversations.agent.reply_claims import list_claims
from conversations.agent.reply_fault import Fault
from conversations.agent.reply_figures import list_amounts
from conversations.agent.reply_items import goes_elsewhere, is_about_others
from conversations.agent.reply_said import Claim, Says
from conversations.agent.reply_text import Plain
from conversations.agent.reply_words import Kind
from policy.actions import ACTIONS

CANCEL, ADDRESS, ITEMS, PAYMENT, HOME, RETURN, EXCHANGE, REFUND, RECEIPT, PREFERENCE = (
    "cancel_pending_order",
    "modify_pending_order_address",
    "modify_pending_order_items",
    "modify_pending_order_payment",
    "modify_user_address",
    "return_delivered_order_items",
    "exchange_delivered_order_items",
    "issue_refund",
    "resend_receipt",
    "update_preference",
)
# Which actions bear a claim of each kind out.
BEARS: Mapping[Kind, frozenset[str]] = {
    Kind.CANCEL: frozenset({CANCEL}),
    Kind.REFUND: frozenset({CANCEL, REFUND, ITEMS, PAYMENT, EXCHANGE}),
    Kind.RETURN: frozenset({RETURN}),
    Kind.EXCHANGE: frozenset({EXCHANGE, ITEMS}),
    Kind.CHANGE: frozenset({ADDRESS, ITEMS, PAYMENT, HOME, EXCHANGE, PREFERENCE}),
    Kind.ADDRESS: frozenset({ADDRESS, HOME}),
    Kind.HOME: frozenset({HOME}),
    Kind.PAYMENT: frozenset({PAYMENT}),
    Kind.ITEMS: frozenset({ITEMS, EXCHANGE}),
    Kind.PREFERENCE: frozenset({PREFERENCE}),
    Kind.RECEIPT: frozenset({RECEIPT}),
    Kind.PERSON: frozenset(),
    Kind.SHIPPED: frozenset(),
    Kind.OTHER: frozenset(),
    Kind.BESIDES: frozenset({RECEIPT, PREFERENCE}),
    Kind.ANY: frozenset(ACTIONS),
}
# What an order's status says was done, whoever did it.
STATUSES: Mapping[Kind, tuple[str, ...]] = {
    Kind.CANCEL: ("cancelled",),
    Kind.RETURN: ("return requested",),
    Kind.EXCHANGE: ("exchange requested", "pending (item modified)"),
    Kind.CHANGE: ("pending (item modified)",),
    Kind.ITEMS: ("pending (item modified)",),
    Kind.ANY: (),
}
NO_CHANGE = frozenset({RECEIPT})
_IN_PART = re.compile(r"\b(?:one of|(?:for|with) the (?:first|second|other)|partly|partially|in part|some of)\b")
_MOVED = re.compile(r"\b(?:now|from|moved|instead|changed|updated)\b")
_TURNED_ON = re.compile(r"\b(?:back on|on again|turned on|switched on|re-?subscribed|re-?enabled|subscribed)\b")


def find_faults(plain: Plain, books: Books) -> Iterator[Fault]:
    admitted = False
    known: dict[int, bool] = {}
    for claim in chain(list_claims(plain), reply_languages.list_claims(plain)):
        why = _judge(claim, books)
        # "A return is requested" and then "nothing was changed": of what was asked now.
        is_faulty = bool(why) and not (admitted and claim.kind is Kind.ANY and claim.says is Says.NOT_DONE)
        if is_faulty:
            yield _fault(plain, claim, why)
        known[claim.start] = is_faulty or known.get(claim.start, False)
        admitted = admitted or (not why and claim.says is Says.DONE and not claim.ours and claim.kind is not Kind.ANY)
    for claim, why in reply_learned.list_unproven(plain, known, lambda claim: _judge_learned(claim, books)):
        yield _fault(plain, claim, why)


def _fault(plain: Plain, claim: Claim, why: str) -> Fault:
    kind = "failed" if claim.says in (Says.FAILED, Says.NOT_DONE) else "done"
    return Fault(kind, plain.place(claim.start), plain.place(claim.end), why)


def _judge_learned(claim: Claim, books: Books) -> str:
    """ "It is set to ship to 18 Tannery Row" reads the order out."""
    if claim.kind is Kind.CHANGE and not _MOVED.search(claim.clause):
        streets = (str(order.get("address", {}).get("address1", "")).lower() for order in books.orders.values())
        if any(street and street in claim.clause for street in streets):
            return ""
    return _judge(claim, books)


def _judge(claim: Claim, books: Books) -> str:
    if claim.says in (Says.FAILED, Says.NOT_DONE):
        return (
            "it says that something was not done, and a tool result shows that it was" if _is_done(claim, books) else ""
        )
    if claim.kind is Kind.PERSON:
        return "" if books.has_person else "it says that a person has this, and nothing in this chat went to one"
    if not _is_borne_out(claim, books):
        return f"it says that something was or is being {claim.kind}, and no tool result shows that"
    if claim.kind is Kind.REFUND and not _are_right(claim, books):
        return "it names an amount that goes back, and no tool result shows that amount"
    if claim.kind is Kind.REFUND and goes_elsewhere(
        claim.clause, [one for one in _relevant(claim, books) if one.changed]
    ):
        return "it names a way in which money goes back, and the tool results show another"
    return ""


def _is_borne_out(claim: Claim, books: Books) -> bool:
    tried = _relevant(claim, books)
    if claim.kind is Kind.ANY and _IN_PART.search(claim.clause):
        return any(one.changed for one in tried)
    if claim.kind is Kind.PREFERENCE and _TURNED_ON.search(claim.clause):
        tried = [one for one in tried if one.given.get("value") != "off"]
    if any(one.changed and is_about_others(claim.clause, one, books.orders, denied=False) for one in tried):
        tried = [one for one in tried if _bears(claim, one, books)]
        return bool(tried)
    if claim.orders:
        return all(
            any(_bears(claim, one, books) for one in _last_of(tried, order)) or _is_status(claim, order, books)
            for order in claim.orders
        )
    if claim.several and len({one.order for one in tried if _bears(claim, one, books)}) < 2:
        return False
    near = [one for one in tried if not books.focus or not one.order or one.order in books.focus]
    if near and _bears(claim, near[-1], books):
        return True
    return any(_is_status(claim, order, books) for order in books.focus or books.orders)


def _last_of(tried: list[Attempt], order: str) -> list[Attempt]:
    """Of each action its last call on this order."""
    return [*{one.action: one for one in tried if one.order == order}.values()]


def _relevant(claim: Claim, books: Books) -> list[Attempt]:
    bears = BEARS[claim.kind]
    if claim.kind is Kind.REFUND and claim.says is Says.DOING:
        bears = bears | {RETURN}
    return [one for one in books.attempts if one.action in bears]


def _bears(claim: Claim, one: Attempt, books: Books) -> bool:
    if is_about_others(claim.clause, one, books.orders, denied=False):
        return False
    if claim.kind is not Kind.REFUND or one.action == RETURN:
        return one.changed
    if claim.says is Says.DOING:
        return one.changed and (not one.found or bool(_list_flows(one)))
    return one.outcome is Outcome.DONE and (bool(_list_flows(one)) if one.found else one.action in {CANCEL, REFUND})


def _is_status(claim: Claim, order: str, books: Books) -> bool:
    """Whether the order as shown says so itself; who did it, it does not say."""
    found = books.orders.get(order)
    if found is None or (claim.ours and claim.says is Says.DONE) or claim.says is Says.DOING:
        return False
    if claim.kind is Kind.REFUND:
        return bool(list_booked(found, "refund"))
    if claim.kind is Kind.SHIPPED:
        return bool(found.get("fulfillments"))
    return found.get("status") in STATUSES.get(claim.kind, ())


def _is_done(claim: Claim, books: Books) -> bool:
    """Whether what is denied is the case: its last call on that order changed something."""
    tried = _relevant(claim, books)
    if claim.kind is Kind.ANY:
        tried = [one for one in tried if one.action not in NO_CHANGE] if claim.says is Says.NOT_DONE else tried
    orders = claim.orders or tuple(books.focus)
    if orders:
        tried = [one for one in tried if one.order in orders or not one.order]
    tried = [one for one in tried if not is_about_others(claim.sentence, one, books.orders, denied=True)]
    if claim.several or len(claim.orders) > 1:
        return any(one.changed for one in tried)
    if claim.kind is Kind.REFUND and not _relevant(claim, books):
        shown = [books.orders.get(order, {}) for order in orders or books.orders]
        return not claim.ours and any(list_booked(order, "refund") for order in shown)
    if claim.kind is Kind.REFUND:
        return bool(tried) and _denies_money(claim, tried[-1])
    if not tried or not tried[-1].changed:
        return not claim.ours and any(_is_status(claim, order, books) for order in claim.orders)
    return True


def _denies_money(claim: Claim, last: Attempt) -> bool:
    if last.outcome is Outcome.DONE:
        return bool(_list_flows(last)) if last.found else last.action in {CANCEL, REFUND}
    return last.outcome is Outcome.PROCESSING and claim.says is Says.FAILED


def _list_flows(one: Attempt) -> set[Decimal]:
    """The sums that this call gave back, or will once the items are there."""
    flows = {*sum_all(list_booked(one.found, "refund"))}
    rows = one.found.get("items")
    rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    if one.action in (RETURN, REFUND):
        mine = [row for row in rows if row.get("item_id") in one.given.get("item_ids", [])]
        flows |= {*sum_all(list_prices({"items": mine}, "items"))}
    elif one.action == CANCEL:
        flows |= {*sum_all(list_prices(one.found, "items"))}
    difference = one.found.get("exchange_price_difference")
    if isinstance(difference, Decimal | int | float) and difference < 0:
        flows.add(abs(Decimal(str(difference))))
    return flows


def _are_right(claim: Claim, books: Books) -> bool:
    """The amounts beside a claim of money against those that really go back."""
    named = list_amounts(claim.clause)
    done = [one for one in _relevant(claim, books) if one.changed]
    if not named or any(not one.found for one in done):
        return True
    flows = {flow for one in done for flow in _list_flows(one)}
    for order in claim.orders or books.focus or books.orders:
        flows |= {*sum_all(list_booked(books.orders.get(order, {}), "refund"))}
    return {*named} <= flows
