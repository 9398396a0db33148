"""What a message asks for, by fixed rules: one wish or several, each with the part of the message it stands in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum, auto


class Kind(StrEnum):
    """What a stretch of the conversation is about. From GREETING on: small talk, answered with one sentence."""

    CANCEL = auto()
    RETURN = auto()
    SWAP = auto()
    PAYMENT = auto()
    ADDRESS = auto()
    HOME = auto()
    CHANGE = auto()
    PRODUCTS = auto()
    STATUS = auto()
    PERSON = auto()
    OTHER = auto()
    VERIFY = auto()
    STOPPED = auto()
    GREETING = auto()
    THANKS = auto()
    BYE = auto()
    MACHINE = auto()
    YES = auto()
    NO = auto()
    UNCLEAR = auto()


# CHANGE: a change is wanted, but not said of what. HOME: the account's default address.
CHANGES = frozenset({Kind.RETURN, Kind.SWAP, Kind.PAYMENT, Kind.ADDRESS, Kind.HOME, Kind.CHANGE})
ACTIONS = CHANGES | {Kind.CANCEL}
MOST_WISHES = 6
SCOPE_OPEN = "scope"


@dataclass(frozen=True)
class Wish:
    """One wish. `topic`: what to call it where it cannot be done, or SCOPE_OPEN where it is not said whose address."""

    kind: Kind
    text: str
    topic: str = ""


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


CANCEL_WORD = r"(?:cancel(?:l?ing|l?ation)?|call(?:ing)? off)"
UNCANCEL = _compile(
    rf"\b(?:don['’]?t|do not|never|not|stop|instead of|rather than)\s+(?:want (?:you )?to |wish to )?{CANCEL_WORD}\b"
    r"(?:[^.,;!?]{0,40}?\bw\d+| it| that)?"
)
NOT_ORDER = _compile(r"\bnot\s+(?:the\s+)?(?:order\s+)?#?w\d{4,12}\b")
NEGATED = _compile(
    r"\b(?:instead of|rather than|not|don['’]?t|do not|never)\s+(?:want (?:you )?to |wish to |want |an? |the |to )*"
    r"(?:return|exchang|swap|replac)\w*"
)
CANCEL = _compile(
    rf"\b{CANCEL_WORD}\b(?! (?:policy|fee|policies|fees))"
    r"|\b(?:want|need|like|please|get|have)\b[^.?!]{0,60}\bcancell?ed\b|\bstop (?:my|the|this|that) order"
)
CANCEL_ASKED = _compile(r"\b(?:did|have|has|was|were) (?:you|it|my order|the order)\b[^.!]{0,40}\bcancel")
CANCEL_RULES = _compile(rf"\b(?:fees?|policy|policies|cost|charge)\b[^.?!]{{0,40}}\b{CANCEL_WORD}\b")
NOT_AN_ORDER = _compile(
    rf"\b{CANCEL_WORD} (?:my |the |this |a )?(?:account|subscription|return|exchange|card|membership)"
)
SINGLE_ITEM = _compile(
    rf"\b(?:{CANCEL_WORD}|remove|drop|delete)\s+(?:"
    r"(?:just|only)\s+(?!(?:the |my |this |that )?(?:orders?\b|#?w\d|it\b|that\b))"
    r"|(?:one of|part of|an? item|one item|some items?|the items?)\b"
    r"|(?:the|my)\s(?!(?:whole |entire )?orders?\b)[^.?!#]{1,40}?\b(?:from|in|of|out of|off)\s"
    r"(?:my |the |this )?(?:order|#?w\d))"
    r"|\btake\b[^.?!]{1,40}\b(?:out of|off)\b[^.?!]{0,10}\border"
)
PEOPLE = r"(?:person|human|agent|representative|someone|somebody|colleague|operator|supervisor|manager|staff)"
PERSON = _compile(
    rf"\b(?:talk|speak|chat|connect|transfer|put|pass)\b[^.?!]{{0,30}}\b{PEOPLE}\b|\b(?:real|live|actual) {PEOPLE}\b"
    rf"|\b(?:get|fetch|want|need|give|call|send)\b[^.?!]{{0,20}}\b(?:person|human|representative|colleague|supervisor|manager)\b"
    rf"|^\W*(?:a )?{PEOPLE},?(?: please)?\W*$|\bhuman (?:please|help|being)\b"
)
MACHINE = _compile(
    r"\b(?:are|is) (?:you|this|it) (?:a |an |really |just )*(?:ro)?(?:bot|human|person|real|machine|ai|computer)\b"
)
REFUND_WHEN = _compile(r"\b(?:when|where|how long|how much)\b[^.?!]{0,60}\b(?:refund\w*|money|get back|my return)\b")
CHANGE = r"(?:chang(?:e|ing)|modify(?:ing)?|updat(?:e|ing)|edit|switch|correct|add|remove|delete|close)"
FORMS = r"(?:payments?|card|paypal|visa|mastercard|amex|gift ?card)"

RULES_OF_THE_SHOP = "answer questions about shop rules"
PRODUCT_QUESTIONS = "answer product questions"
# The first that holds, in this order, names the wish.
ROWS: tuple[tuple[Kind, str, re.Pattern[str]], ...] = tuple(
    (kind, topic, _compile(pattern))
    for kind, topic, pattern in (
        (Kind.OTHER, "cancel anything but orders", NOT_AN_ORDER.pattern),
        (
            Kind.OTHER,
            RULES_OF_THE_SHOP,
            r"\breturns? (?:policy|policies|label|window)\b|\bhow (?:do|does|long)\b[^.?!]{0,40}\breturns?\b",
        ),
        (
            Kind.OTHER,
            "give discounts or match prices",
            r"\b(?:discounts?|coupons?|promo(?:tion)?s?|price[- ]?match\w*|match (?:the|that|this|their) price)\b",
        ),
        (
            Kind.OTHER,
            "make refunds without a return",
            r"\b(?:refund\w*|money)\b[^.?!]{0,60}\b(?:without|instead of)\b[^.?!]{0,30}\b(?:return|send)"
            r"|\b(?:partial|half) refund\b|\bkeep\b[^.?!]{0,40}\b(?:refund|money back)\b",
        ),
        (Kind.OTHER, "write invoices", r"\b(?:invoices?|receipts?)\b"),
        (Kind.OTHER, "tell about returns and exchanges", r"\bundo\b|\btake back my (?:return|exchange)\b"),
        (Kind.SWAP, "exchange items", r"\bexchang(?:e|ing)\b|\bswap(?:ping)?\b|\breplac(?:e|ing|ement)\b"),
        (
            Kind.RETURN,
            "return items",
            r"\breturn(?:s|ing)?\b"
            r"|\b(?:send|give)(?:ing)? (?:it|them|this|these|that|both|everything|(?:the|my) [\w ]{1,30}?) back\b",
        ),
        (
            Kind.ADDRESS,
            "change an address",
            rf"\b{CHANGE}\b[^.?!]{{0,60}}\baddress|\b(?:new|different|another|other|wrong) address\b"
            r"|\b(?:ship|send|deliver|redirect|reroute)\b[^.?!]{0,40}\bto\b[^.?!]{0,20}"
            r"(?:\b\d{1,6} [a-z]|\baddress\b|\bmy (?:home|office|work)\b)"
            r"|\bi(?:['’]ve| have)?(?: just)? moved\b|\baddress (?:is|was) wrong\b"
            r"|\buse (?:my|the) [a-z ]{0,20}address\b"
            rf"|\b{CHANGE}\b[^.?!]{{0,40}}\b(?:apartment|apt|suite|unit|zip(?: code)?|street|city)\b"
            r"|,\s?[a-z]{2},? \d{5}\b",
        ),
        (
            Kind.SWAP,
            "change items",
            r"\b(?:change|switch|modify) (?:the|my) (?!(?:\w+ )?(?:payment|order|card|address|default|shipping)\b)"
            r"[\w ]{1,40}? (?:to|into|for) "
            r"(?!(?:(?:my|the|a|another) )?(?:\w+ )?(?:paypal|visa|mastercard|amex|card|gift))",
        ),
        (
            Kind.PAYMENT,
            "change a payment",
            rf"\b{CHANGE}\b[^.?!]{{0,60}}\b{FORMS}\b|\bpay\b[^.?!]{{0,40}}\b(?:with|by|using|via)\b|\bpayment method\b"
            rf"|\b(?:use|charge)\b[^.?!]{{0,30}}\b{FORMS}\b",
        ),
        (
            Kind.OTHER,
            "change an account",
            rf"\b{CHANGE}\b[^.?!]{{0,40}}\b(?:account|password|e-?mail|phone|name)\b|\bpassword\b",
        ),
        (Kind.OTHER, "cancel single items", SINGLE_ITEM.pattern),
        (
            Kind.OTHER,
            "place new orders",
            r"\b(?:place|make|create) (?:an? |another |new )*order\b"
            r"|\b(?:buy|purchase|reorder|order (?:an?|another|some|one more))\b"
            r"|\badd\b[^.?!]{1,40}\bto (?:my|the|this) (?:order|cart)\b",
        ),
        (
            Kind.SWAP,
            "change items",
            rf"\b{CHANGE}\b[^.?!]{{0,60}}\b(?:items?|sizes?|colou?rs?|product|variant|version|options?|model|finish)\b"
            r"|\b(?:different|another|bigger|smaller|larger) (?:size|colou?r|version|model|variant)\b"
            r"|\b(?:change|switch|modify|update)\b(?! my mind)[^.?!]{1,60}\b(?:to|into|for)\b",
        ),
        (Kind.CHANGE, "change items", r"\b(?:change|modify|update|edit|changing|modifying)\b[^.?!]{0,30}\border\b"),
        (
            Kind.SWAP,
            "change items",
            r"\b(?:change|switch|modify) (?:one of (?:my|the)|both|the|my|these|those) (?!mind\b)\w",
        ),
        (
            Kind.OTHER,
            "help with damaged or missing items",
            r"\b(?:damaged|broken|defective|missing|never (?:arrived|received|got|came))\b",
        ),
        (Kind.OTHER, "make refunds", r"\b(?:refund\w*|money back|compensat\w+)\b"),
        (
            Kind.OTHER,
            "answer questions about the account",
            r"\b(?:my|the) (?:account|profile|e-?mail|points)\b[^.!]{0,40}\?",
        ),
        (Kind.OTHER, RULES_OF_THE_SHOP, r"\b(?:policy|policies|fees?|warranty)\b"),
        (
            Kind.PRODUCTS,
            PRODUCT_QUESTIONS,
            r"\b(?:in stock|available|do you (?:have|sell|offer|carry)|you sell"
            r"|recommend|how much|prices?|products?|catalog(?:ue)?|come in|cheapest)\b"
            r"|\b(?:what|which)\b[^.?!]{0,30}\b(?:colou?rs?|sizes?|options?|variants?|versions?|finish(?:es)?|models?|kinds?)\b",
        ),
        (
            Kind.STATUS,
            "",
            r"\bwhere(?:['’]?s| is| are)?\b|\bstatus\b|\btrack(?:ing)?\b|\bwhen (?:will|does|do|is)\b"
            r"|\bshipped\b|\barriv"
            r"|\bdeliver|\bmy orders\b|\borders do i\b|\border history\b"
            r"|\blook up\b|\bcheck\b|\bshow\b|\blist\b|\bcancell?ed\b"
            r"|\bwhat(?:['’]s| is| was) in\b|\bwhat.{0,20}\borders?\b|\bwhich (?:items|orders)\b|\bdid you cancel\b",
        ),
    )
)
ACCOUNT = _compile(r"\b(?:default|account|profile|home address|on file|future orders)\b")
ONE_ORDER = _compile(r"\border\b|#?w\d{4}|\bship|\bdeliver|\bpackage\b|\bparcel\b|\bsend\b|\bredirect|\breroute")
# Where a new wish may begin; between two of these a message is read as one.
JOINT = _compile(r"(?<=[.!?;\n])\s+|,?\s+(?:and|then|but|plus|also|afterwards)\s+")
ASKS = _compile(r"\?|^\W*(?:where|when|what|which|how|show|list|track|status|check)\b|\bstatus of\b")
# Of a payment in words like these an order's payment is meant, not where the difference or the refund goes.
WHOLE_PAYMENT = _compile(r"\border\b|#?w\d{4}|\bpayment method\b")
# Words about what is left over after a swap or a return ask for no change of an order's payment.
LEFT_OVER = _compile(r"\b(?:difference|extra|rest|remainder|balance|refund|money back)\b")


def read_wishes(text: str) -> tuple[Wish, ...]:
    """The wishes in their order. One alone gets the whole message; with several, each gets the part it stands in."""
    if MACHINE.search(text):
        return (Wish(Kind.MACHINE, text),)
    if PERSON.search(text):
        return (Wish(Kind.PERSON, text),)
    parts = list(_split(text))
    if len(parts) > 1:
        found = _join_parts([(part, _classify(part)) for part in parts])
        if len(found) > 1:
            return tuple(told for wish in found[:MOST_WISHES] for told in _tell_addresses(wish))
        if found and found[0].kind in ACTIONS:
            return _tell_addresses(replace(found[0], text=text))
    whole = _classify(text)
    return _tell_addresses(whole) if whole else ()


def _split(text: str) -> Iterator[str]:
    start = 0
    for joint in JOINT.finditer(text):
        yield text[start : joint.end()]
        start = joint.end()
    yield text[start:]


def _join_parts(parts: list[tuple[str, Wish | None]]) -> list[Wish]:
    """What has no wish of its own, or only speaks about another part's wish, belongs to that one."""
    strong = {wish.kind for _, wish in parts if wish is not None and wish.kind in ACTIONS - {Kind.CHANGE}}
    found: list[Wish] = []
    lead = ""
    for part, wish in parts:
        last = found[-1] if found else None
        if wish is None or (strong and _is_aside(part, wish)) or (last and _belongs(part, wish, last)):
            if last:
                found[-1] = replace(last, text=last.text + part)
            else:
                lead += part
            continue
        found.append(replace(wish, text=lead + part))
        lead = ""
    return found


def _is_aside(part: str, wish: Wish) -> bool:
    """ "It arrived yesterday" or "and I get a refund" beside an action is a remark about it."""
    if wish.kind in {Kind.STATUS, Kind.PRODUCTS}:
        return not ASKS.search(part)
    return wish.kind is Kind.CHANGE or wish.topic in {"make refunds", "help with damaged or missing items"}


def _belongs(part: str, wish: Wish, last: Wish) -> bool:
    if wish.kind is Kind.PAYMENT and last.kind in {Kind.SWAP, Kind.RETURN}:
        return not WHOLE_PAYMENT.search(part)
    if wish.kind is last.kind and wish.kind is not Kind.OTHER:
        return not (re.search(r"#?w\d{4}", part, re.IGNORECASE) and re.search(r"#?w\d{4}", last.text, re.IGNORECASE))
    return False


def _classify(text: str) -> Wish | None:
    kept = NEGATED.sub(" ", NOT_ORDER.sub(" ", UNCANCEL.sub(" ", text)))
    if SINGLE_ITEM.search(kept):
        return Wish(Kind.OTHER, text, "cancel single items")
    if CANCEL.search(kept) and not any(p.search(kept) for p in (NOT_AN_ORDER, CANCEL_ASKED, CANCEL_RULES)):
        return Wish(Kind.CANCEL, text)
    if CANCEL_ASKED.search(kept) or REFUND_WHEN.search(kept):
        return Wish(Kind.STATUS, text)
    found = next((Wish(kind, text, topic) for kind, topic, pattern in ROWS if pattern.search(kept)), None)
    only_left_over = found is not None and found.kind is Kind.PAYMENT and LEFT_OVER.search(kept)
    return None if only_left_over and not WHOLE_PAYMENT.search(kept) else found


def _tell_addresses(wish: Wish) -> tuple[Wish, ...]:
    """An address is an order's, the account's, both, or it is not said whose."""
    if wish.kind is not Kind.ADDRESS:
        return (wish,)
    asked = re.sub(r"\bfuture orders\b", "default", wish.text, flags=re.IGNORECASE)
    # "Use my default address for the order" speaks of where to, not of what to change.
    towards = re.search(r"\b(?:to|use) (?:my|the) (?:default|account|profile|home)\b", asked, re.IGNORECASE)
    account, order = bool(ACCOUNT.search(asked)) and not towards, bool(ONE_ORDER.search(asked)) or bool(towards)
    if account and order:
        return (wish, replace(wish, kind=Kind.HOME))
    if account:
        return (replace(wish, kind=Kind.HOME),)
    return (wish if order else replace(wish, topic=SCOPE_OPEN),)
