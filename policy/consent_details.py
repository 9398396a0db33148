"""What of a card a reply may repeat without being taken for a change of it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from policy.consent_spelling import AMOUNT, ORDER, PAYMENTS, split_asked


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# One row an action, as a verb and as a noun; a later one can be part of an earlier ("exchange: return A, refund $5").
_ACTIONS = (
    (_set("cancel canceling cancelling"), _set("cancellation cancelation")),
    (_set("exchange exchanging"), _set("exchange exchanges")),
    (_set("return returning"), _set("return returns")),
    (
        _set("change changing modify modifying update updating"),
        _set("change changes modification modifications update updates"),
    ),
    (_set("refund refunding"), _set("refund refunds")),
)
# "I want it cancelled": "changed" may be of the card.
_PAST = {
    _ACTIONS[0][0]: _set("cancelled canceled"),
    _ACTIONS[1][0]: _set("exchanged"),
    _ACTIONS[2][0]: _set("returned"),
}
# These are said of much else.
_ACTIONS_ON_ORDERS = (
    (_set("pay paying"), _set("payment")),
    (_set("send sending ship shipping"), _set("shipment")),
)
# To a card that names none of those: what people confirm elsewhere, with the nouns that stand for the whole of it.
_VERBS = _set(
    "book reserve schedule arrange add create buy purchase get order send transfer pay play start watch hear "
    "listen stream rent hire save cast show visit view see display"
)
_DOING = _set(
    "booking reserving scheduling arranging adding creating buying purchasing ordering sending transferring "
    "paying playing starting watching hearing listening streaming renting hiring"
)
_SERVICES = _set(
    "booking reservation reservations appointment table room rooms house car cab ride taxi flight event calendar "
    "ticket tickets song movie music visit trip bus train seat seats"
)
_NOUNS = _SERVICES | _set("transaction transfer payment money order purchase")
_GOODS = _set("order orders item items refund")
# Nouns that name the whole of what is asked; "item" to a card with "items" on it is another thing.
_OBJECTS = _set("order items item request")
# "#7" may be a flat.
_NUMBER = re.compile(r"(?:#|[a-z])[a-z]*\d{4,}")
# A whole of two: to a card with three items "both" is a choice.
_TWO = frozenset({("2", "items"), ("two", "items")})
_WHOSE = _set("your the my a")
_BACK, _PAID = _set("refund refunded back"), _set("pay charge charged")
_BELOW_ZERO = re.compile(r"-[$£€]|[$£€]-")
_TURNS = _set("no not without only except instead than or")


@dataclass(frozen=True, kw_only=True)
class Details:
    """Sets of words for the grammar, and the passage that may be repeated word for word."""

    sets: Mapping[str, frozenset[str]]
    passage: Mapping[str, frozenset[str]]


def find_details(asked: str) -> Details:
    """The card's own details, and only where it names one of the kind.

    "Yes, refund $40" to a card with $40 and $100 on it may be a change. Items are never repeated: naming one of two may
    mean "only this one".
    """
    words = split_asked(asked)
    ours = bool(_GOODS & set(words)) or any(map(_NUMBER.fullmatch, words))
    kinds = _ACTIONS + (_ACTIONS_ON_ORDERS if ours else ())
    named = [row for row in kinds if not (row[0] | row[1]).isdisjoint(words)]
    # "You return the car on Monday" is about no order of ours.
    strict = ours or (bool(named) and _SERVICES.isdisjoint(words))
    cancels = bool(named) and named[0] is _ACTIONS[0]
    # A card that cancels and exchanges is no card of ours; nothing about its action can be repeated safely.
    mixed = cancels and (_ACTIONS[1] in named or _ACTIONS[2] in named)
    orders = {word.lstrip("#") for word in words if ORDER.fullmatch(word)}
    nothing: frozenset[str] = frozenset()
    verbs, nouns = (named[0] if named and not mixed else (nothing, nothing)) if strict else (_VERBS | _DOING, _NOUNS)
    return Details(
        sets={
            "ACT": verbs,
            "DEED": nouns,
            # Told to do it is agreement enough where nothing is taken back; "cancel it" may mean the request.
            "TOLD": nothing if strict else _VERBS,
            "TAKE": nothing if strict else frozenset({"take"}),
            "OBJECT": _OBJECTS & set(words) if strict else _NOUNS,
            "THING": nothing if strict else _NOUNS,
            "ORDER": _only(orders) | {f"#{number}" for number in _only(orders)},
            "AMOUNT": _only(word for word in words if AMOUNT.fullmatch(word)),
            "PAYMENT": _only(PAYMENTS & set(words)),
            "IT": nothing if strict else frozenset({"it"}),
            "FLOW": _follow_money(words, pays=bool(_BELOW_ZERO.search(asked))),
            "MONEY": _set("refund money") if {"refund", "refunds", "back"} & set(words) else nothing,
            # To a card that cancels, "cancel it" is no refusal and no yes.
            "CALL_OFF": nothing if "cancel" in asked.casefold() else frozenset({"cancel"}),
            **_list_ways_to_say_it(words, verbs),
        },
        # "With subtitles" is not in "with no subtitles", although every word of it is.
        passage={} if strict or _TURNS & set(words) else _follow(words),
    )


def _list_ways_to_say_it(words: tuple[str, ...], verbs: frozenset[str]) -> dict[str, frozenset[str]]:
    """What a reply may say of the card in other words than the card's own, where that leaves no choice."""
    pairs, nothing = set(pairwise(words)), frozenset[str]()
    takes_back = verbs in (_ACTIONS[0][0], _ACTIONS[2][0])
    return {
        "BOTH": frozenset({"both"}) if _TWO & pairs else nothing,
        # Why somebody cancels or returns; of an exchange it may be the exchange itself.
        "NEED": frozenset({"need"}) if takes_back else nothing,
        "ACTED": _PAST.get(verbs, nothing),
        "ADDRESS": frozenset({"address"}) & frozenset(words),
        "NEWER": frozenset({"new"}) if ("new", "address") in pairs else nothing,
        "ALTER": _ACTIONS[3][0] if "another" in words else nothing,
        "SHIP": _set("send ship deliver") if "address" in words else nothing,
        "PAYWITH": _only(_list_paid_with(words)),
    }


def _list_paid_with(words: tuple[str, ...]) -> frozenset[str]:
    """Methods that the card pays with: of two methods on it, one may be where the money comes from."""
    after_with = {pair[1] for pair in pairwise(word for word in words if word not in _WHOSE) if pair[0] == "with"}
    return PAYMENTS & after_with


def _follow_money(words: tuple[str, ...], *, pays: bool) -> frozenset[str]:
    """What is done with the money that the card names, where it goes one way only."""
    paid = pays or not _PAID.isdisjoint(words)
    # "You get back -$5.00" is paid.
    back = not pays and not _BACK.isdisjoint(words)
    if back == paid:
        return frozenset()
    return _set("refund send put credit") if back else _set("charge bill")


def _only(found: Iterable[str]) -> frozenset[str]:
    values = frozenset(found)
    return values if len(values) == 1 else frozenset()


def _follow(words: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    """Every word of what was asked, with the words that follow it somewhere."""
    after: dict[str, set[str]] = defaultdict(set)
    for at, word in enumerate(words):
        after[word].update(words[at + 1 : at + 2])
    return {word: frozenset(following) for word, following in after.items()}
