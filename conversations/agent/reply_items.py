"""Which items of an order a sentence names, and where it says that money goes: against what the call was about."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from conversations.agent.reply_books import Attempt

Found = Mapping[str, Any]
_WORD = re.compile(r"[a-z]{3,}")
_TARGETS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"\b(?:to|on|onto|into) (?:your|the|a) (?:\w+ )?{name}\b"))
    for kind, name in (
        ("gift_card", "gift ?card"),
        ("paypal", "paypal"),
        ("credit_card", "(?:visa|mastercard|amex|credit card|debit card)"),
    )
)
_BOTH = re.compile(r"\b(?:both|all)(?: of)?(?: the| your)? items\b")
_LEFT_OUT = re.compile(r"\b(?:not|without|except|apart from|keep|stays?|only|just|remains?|left)\b|n't\b")
# Of "Mug Set" it is the word before that says what it is.
_GENERIC = frozenset({"set", "kit", "pack", "pair", "case", "box", "bundle"})
_METHOD = re.compile(r"(gift_card|paypal|credit_card)_")


def is_about_others(text: str, one: Attempt, orders: Mapping[str, Found], *, denied: bool) -> bool:
    """Whether the text names items that the call did not touch, of its order or of another one.

    Denied: and none that it did touch.
    """
    rows = _rows(one.found) or _rows(orders.get(one.order, {}))
    said = set(_WORD.findall(text))
    said |= {word.removesuffix("s") for word in said}
    elsewhere = _words(row for order, found in orders.items() if order != one.order for row in _rows(found))
    if rows and one.order and said & (elsewhere - _words(rows)) and not said & _words(rows):
        return True
    given = [one.given.get(name) for name in ("item_ids", "new_item_ids")]
    touched = [item for ids in given if isinstance(ids, list) for item in ids]
    if not touched or not rows:
        return False
    mine = _words(row for row in rows if row.get("item_id") in touched)
    others = _words(row for row in rows if row.get("item_id") not in touched) - mine
    if denied:
        return bool(said & others) and not said & mine
    return bool(others) and bool(said & others or _BOTH.search(text)) and not _LEFT_OUT.search(text)


def goes_elsewhere(text: str, done: Sequence[Attempt]) -> bool:
    """Whether it says that money goes to a kind of payment method that none of these calls gave any to."""
    named = {kind for kind, target in _TARGETS if target.search(text)}
    paid = [_list_methods(one) for one in done]
    return bool(named and paid and all(paid)) and named.isdisjoint(set().union(*paid))


def _list_methods(one: Attempt) -> set[str]:
    """The kinds of the methods that the rows of a call name for its money; nothing where they name none."""
    history = one.found.get("payment_history")
    booked = [row for row in history if isinstance(row, dict)] if isinstance(history, list) else []
    ids = [row.get("payment_method_id") for row in booked if row.get("transaction_type") == "refund"]
    ids += [one.found.get("return_payment_method_id"), one.found.get("exchange_payment_method_id")]
    return {found[1] for found in map(_METHOD.match, map(str, ids)) if found}


def _rows(found: Found) -> list[Any]:
    rows = found.get("items")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _words(rows: Iterable[Found]) -> set[str]:
    """The word of each name that says what it is, the last one ("Desk Lamp"), in the singular too."""
    names = ([word for word in _WORD.findall(str(row.get("name", "")).lower()) if word not in _GENERIC] for row in rows)
    words = {name[-1] for name in names if name}
    return words | {word.removesuffix("s") for word in words}
