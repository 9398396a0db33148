"""What a claim is about, by the nouns beside its verb."""

import re
from collections.abc import Sequence

from conversations.agent.reply_words import NOUNS, Form, Kind, Word

_MONEY = re.compile(
    r"\b(?:money|refund|amount|payment|sum|funds|total|difference|dollars|usd|euros?)\b|[$€£]\s?\d"
    r"|(?<![\d.])\d+\.\d\d(?!\d)"
    r"|\byou\b(?= (?:in full|back))"
)
_PERSON = re.compile(
    r"\b(?:person|people|colleagues?|team|agent|manager|staff|human|specialist|department|supervisor|warehouse|carrier"
    r"|someone|somebody|ticket|support|case|complaint|matter|neighbou?r|manufacturer|supplier|bank|police|courier"
    r"|accounting|finance|boss|management)\b"
)
_TO_PERSON = re.compile(rf"\bto (?:a|an|my|our|the|one of (?:my|our|the)) (?:\w+ )?{_PERSON.pattern}")
_SPEED = re.compile(r"\b(?:express|expedited|priority|overnight|next[- ]day|same[- ]day|faster)\b")
_NEW = re.compile(r"\b(?:new|replacements?|another|substitute)\b")
_MAIL = re.compile(r"\b(?:receipt|invoice|copy)\b")
_OTHER_MAIL = re.compile(r"\b(?:label|instructions|confirmation|code|link|courier)\b")
_ADDRESS = re.compile(r"\b(?:address|destination)\b")
_OWN = re.compile(r"\b(?:default|account|profile|home)\b")
_PAYMENT = re.compile(r"\b(?:payment|paypal|gift card|visa|mastercard|credit card|card)\b")
_THE = re.compile(r"\b(?:the|our|your)\s+$")
_ITEMS = re.compile(r"\bitems\b")
_WISHES = re.compile(
    r"\b(?:newsletter|preferences?|notifications?|subscri\w+|unsubscri\w+|delivery updates|review requests)\b"
)
# Whoever it is that was told, it was somebody else than the customer.
_TELLING = frozenset({"notified", "informed", "alerted", "contacted", "messaged", "let"})
_TO_YOU = re.compile(r"\s*(?:you|yourself|myself)\b")
# No message preference of this desk.
_NO_WISH = re.compile(r"\b(?:text messages?|sms|push messages?|phone calls?|catalogues?|catalogs?)\b")
_LOGIN = re.compile(r"\b(?:e-?mail address|e-?mail|phone|name|password|stored)\b")
# Without a noun these say "done" all the same; "processed" and "received" may only be an order's status.
_PLAINLY = re.compile(
    r"done|approved|granted|all set|all done|good to go|taken care of|took care of|sorted|handled|completed|finished"
    r"|resolved|carried out|went through|gone through|worked|succeeded|executed|settled|arranged|put through|complete"
    r"|successful|through|in place|taking care of|handle|take care of|carry out|do (?:that|it|this)|finish|cancelled"
    r"|implemented"
)
# "I've issued it again": whatever it is, it was done.
_AS_OBJECT = re.compile(r"\s+(?:it|that|this|everything|them|both)\b(?! (?:was|is|were|are|your|the)\b)")
_FOR = frozenset({"arranged", "organised", "organized", "asked", "requested"})
# "Has been lodged": of what has no name here.
_OPENED = frozenset(
    ("opened", "recorded", "submitted", "filed", "requested", "scheduled", "booked", "logged", "triggered", "arranged")
)
_PERFECT = re.compile(r"\b(?:has|have) (?:\w+ )?been $")
_NO_DEED = frozenset({"received", "confirmed", "opened", "prepared", "recorded", "handled", "made", "logged"})
_AN_ORDER = re.compile(r"\b(?:payment(?! change)|order|parcel|package|shipment|delivery)\b|#?w\d{4,}")
_IT = re.compile(r"\b(?:it|that|this|everything|request|all)\b|'s\b")


def find_kind(word: Word, words: Sequence[Word], text: str, ours: bool) -> Kind | None:
    """The kind of a claim; None where the word claims nothing, like "sent" of a parcel."""
    if word.form is Form.NOW:
        return word.kind
    left, right = _sides(word, words, text)
    near = f"{right} \n {left}" if ours else f"{left} \n {right}"
    match word.kind:
        case None:
            return _find_by_noun(word, left, right, ours)
        case Kind.RETURN:
            return Kind.REFUND if _MONEY.search(near) else Kind.RETURN
        case Kind.RECEIPT:
            return _read_sending(near)
        case Kind.PERSON:
            return _read_passing_on(word, left, right, ours)
        case Kind.CHANGE:
            return _read_change(word, near)
        case kind:
            return kind


def _read_passing_on(word: Word, left: str, right: str, ours: bool) -> Kind | None:
    if not ours and "carrier" in right and _AN_ORDER.search(left):
        return None
    told = word.text in _TELLING and not _TO_YOU.match(right if ours else left)
    if told or (ours and (word.text == "escalated" or "for review" in right)):
        return Kind.PERSON
    near = f"{left} {right}"
    return Kind.PERSON if _PERSON.search(near) else Kind.REFUND if _MONEY.search(near) else None


def _sides(word: Word, words: Sequence[Word], text: str) -> tuple[str, str]:
    """The clause before and behind the word, up to the next verbs that are no infinitive."""
    cuts = [other for other in words if other.form is not Form.BASE and other is not word]
    # "The shipping department" is no verb.
    cuts = [other for other in cuts if not (other.form is Form.DOING and _THE.search(text[: other.start]))]
    start = max((other.end for other in cuts if other.end <= word.start), default=0)
    end = min((other.start for other in cuts if other.start >= word.end), default=len(text))
    return text[start : word.start], text[word.end : end]


def _find_by_noun(word: Word, left: str, right: str, ours: bool) -> Kind | None:
    # "Payment was made, hence a cancellation": what it was stands near.
    for side in (right, left) if ours else (left, right.split(",", maxsplit=1)[0]):
        found = [(one.start(), kind) for kind, noun in NOUNS for one in noun.finditer(side)]
        if found:
            # The first noun behind the verb, the last before it.
            kind = min(found)[1] if side is right else max(found)[1]
            return None if word.text == "received" and kind in (Kind.ADDRESS, Kind.HOME) else kind
    if word.form is Form.STATE and word.text.endswith(("way", "progress", "back")):
        return Kind.REFUND if _MONEY.search(left) or word.text.endswith("back") else None
    if ours and word.form is Form.PAST and _AS_OBJECT.match(right) and word.text not in _NO_DEED:
        return Kind.ANY
    if ours and word.form is Form.PAST and word.text in _FOR and right.startswith(" for "):
        return Kind.OTHER
    if not ours and word.text in _OPENED and _PERFECT.search(left):
        return Kind.OTHER
    everything = word.text == "processed" and "everything" in right
    if not (everything or _PLAINLY.fullmatch(word.text)) or (not ours and _AN_ORDER.search(left)):
        return None
    if word.form is Form.STATE and word.text in {"complete", "successful", "through", "in place", "final"}:
        return Kind.ANY if _IT.search(left) else None
    return Kind.ANY


def _read_sending(near: str) -> Kind | None:
    if _TO_PERSON.search(near):
        return Kind.PERSON
    if _OTHER_MAIL.search(near):
        return Kind.OTHER
    if _MAIL.search(near):
        return Kind.RECEIPT
    if _NEW.search(near) and not _ADDRESS.search(near):
        return Kind.EXCHANGE
    return Kind.REFUND if _MONEY.search(near) else None


def _read_change(word: Word, near: str) -> Kind:
    if _NO_WISH.search(near):
        return Kind.OTHER
    if word.text.startswith("unsub") or _WISHES.search(near):
        return Kind.PREFERENCE
    if _LOGIN.search(near) or _SPEED.search(near):
        return Kind.OTHER
    if _ADDRESS.search(near):
        return Kind.HOME if _OWN.search(near) else Kind.ADDRESS
    items, payment = _ITEMS.search(near), _PAYMENT.search(near)
    if items and (not payment or items.start() < payment.start()):
        return Kind.ITEMS
    return Kind.PAYMENT if payment else Kind.CHANGE


def find_part(left: str) -> Kind:
    """What is said to be as it was: a part of the order, or all of it."""
    for kind, part in ((Kind.ITEMS, r"\bitems?\b"), (Kind.PAYMENT, r"\bpayment\b"), (Kind.ADDRESS, r"\baddress\b")):
        if re.search(part, left):
            return kind
    return Kind.ANY
