"""What one message of a customer says, by fixed rules: the wish, and the details it names."""

import re
from dataclasses import dataclass
from enum import StrEnum, auto

from conversations.agent.offline_words import Slot

NO_LONGER_NEEDED = "no longer needed"
BY_MISTAKE = "ordered by mistake"


class Kind(StrEnum):
    """What a stretch of the conversation is about. From GREETING on: small talk, answered with one sentence."""

    CANCEL = auto()
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


@dataclass(frozen=True, kw_only=True)
class Said:
    """One reading. `wish` is set only where the words name one by themselves; `manner` is there for the rest."""

    text: str
    wish: Kind | None
    manner: Kind
    topic: str
    orders: tuple[str, ...]
    rejected: tuple[str, ...]
    email: str
    first_name: str
    last_name: str
    zip: str
    reason: str
    pick: int
    yes: bool
    no: bool
    other: bool
    also: bool
    every: bool
    refers_back: bool
    question: bool


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


ORDER = _compile(r"(?<![\w#])#?w(\d{4,12})\b")
EMAIL = _compile(r"[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
ZIP = _compile(r"(?<![\w#.$-])\d{5}(?:-\d{4})?(?![\w-])")
ZIP_ANSWER = _compile(r"\b(?=[a-z]*\d)[a-z0-9]{2,5}(?:[ -](?=[a-z]*\d)[a-z0-9]{2,4})?\b")
WORD = r"\b[^\W\d_]{1,40}(?:['’-][^\W\d_]{1,40}){0,3}"
NAME_INTRODUCED = _compile(rf"\b(?:my name is|my name['’]s|name:|this is|i am|i['’]m|it['’]s)\s+({WORD})\s+({WORD})")
NAME_FORMAL = _compile(rf"\b(?:my name is|my name['’]s|name:)\s+({WORD})\s+({WORD})")
NAME_BEFORE_ZIP = _compile(rf"({WORD})\s+({WORD}),?\s+(?:and\s+)?(?:my\s+)?(?:zip(?: code)?(?: is)?:?\s+)?\d{{5}}\b")
NAME_ALONE = _compile(rf"^\W*({WORD})\s+({WORD}(?:\s+{WORD})?)\W*$")
NOT_NAMES = re.compile(
    r"\b(?:an?|and|the|my|is|zip|code|in|at|to|of|not|no|yes|sorry|here|looking|just|i|it|order|email)\b", re.IGNORECASE
)

CANCEL_WORD = r"(?:cancel(?:l?ing|l?ation)?|call(?:ing)? off)"
UNCANCEL = _compile(
    rf"\b(?:don['’]?t|do not|never|not|stop)\s+(?:want (?:you )?to |wish to )?{CANCEL_WORD}\b"
    r"(?:[^.,;!?]{0,40}?\bw\d+| it| that)?"
)
NOT_ORDER = _compile(r"\bnot\s+(?:the\s+)?(?:order\s+)?#?w\d{4,12}\b")
CANCEL = _compile(
    rf"\b{CANCEL_WORD}\b(?! (?:policy|fee|policies|fees))"
    r"|\b(?:want|need|like|please|get|have)\b[^.?!]{0,60}\bcancell?ed\b|\bstop (?:my|the|this|that) order"
)
CANCEL_ASKED = _compile(r"\b(?:did|have|has|was|were) (?:you|it|my order|the order)\b[^.!]{0,40}\bcancel")
CANCEL_RULES = _compile(rf"\b(?:fees?|policy|policies|cost|charge)\b[^.?!]{{0,40}}\b{CANCEL_WORD}\b")
NOT_AN_ORDER = _compile(
    rf"\b{CANCEL_WORD} (?:my |the |this |a )?(?:account|subscription|return|exchange|card|membership)"
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
REFUND_WHEN = _compile(r"\b(?:when|where|how long|how much)\b[^.?!]{0,60}\b(?:refund\w*|money|get back)\b")
CHANGE = r"(?:chang(?:e|ing)|modify|update|edit|switch|correct|add|remove|delete|close)"
TOPICS = tuple(
    (topic, _compile(pattern))
    for topic, pattern in (
        ("return items", r"\breturn(?:s|ing)?\b|\bsend (?:it|them|this|these) back\b"),
        ("exchange items", r"\bexchang(?:e|ing)|\bswap|\breplace(?:ment)?\b"),
        ("change an account", rf"\b{CHANGE}\b[^.?!]{{0,40}}\b(?:account|password|e-?mail|phone|name)\b|\bpassword\b"),
        ("change an address", rf"\b{CHANGE}\b[^.?!]{{0,40}}\baddress|\b(?:new|different) address\b"),
        ("change a payment", rf"\b{CHANGE}\b[^.?!]{{0,40}}\b(?:payment|card|paypal)\b|\bpay with\b"),
        ("change items", rf"\b{CHANGE}\b[^.?!]{{0,40}}\b(?:items?|size|colou?r|order|product)\b"),
        (
            "help with damaged or missing items",
            r"\b(?:damaged|broken|defective|missing|never (?:arrived|received|got|came))\b",
        ),
        ("make refunds", r"\b(?:refund\w*|money back|compensat\w+)\b"),
        ("cancel anything but orders", NOT_AN_ORDER.pattern),
        ("answer questions about the account", r"\b(?:my|the) (?:account|profile|e-?mail|points)\b[^.!]{0,40}\?"),
        (
            "answer questions about shop rules",
            r"\b(?:policy|policies|fees?|warranty|invoice|receipt|discount|coupon)\b",
        ),
        (
            "answer product questions",
            r"\b(?:in stock|available|do you (?:have|sell)|recommend|how much|prices?|products?)\b",
        ),
    )
)
ASIDES = frozenset(topic for topic, _ in TOPICS[:6])
STATUS = _compile(
    r"\bwhere(?:['’]?s| is| are)?\b|\bstatus\b|\btrack(?:ing)?\b|\bwhen (?:will|does|do|is)\b|\bshipped\b|\barriv"
    r"|\bdeliver|\bmy orders\b|\borders do i\b|\border history\b|\blook up\b|\bcheck\b|\bshow\b|\blist\b|\bcancell?ed\b"
    r"|\bwhat(?:['’]s| is| was) in\b|\bwhat.{0,20}\borders?\b|\bwhich (?:items|orders)\b|\bdid you cancel\b"
)
MISTAKE = _compile(
    r"\bmistake|\baccident|\bby error\b|\bdidn['’]?t mean to (?:order|buy)|\btwice\b|\bduplicate"
    r"|\bwrong (?:one|item|size|colou?r|thing|product)"
)
NOT_NEEDED = _compile(
    r"\bno longer (?:need|want)|\b(?:don['’]?t|do not) (?:really )?(?:need|want|like)\b|\bchang(?:ed?|ing) my mind"
    r"|\bcheaper\b|\bnot (?:needed|want)\b|\belsewhere\b|\btoo (?:expensive|late|slow|long)\b"
    r"|\bbetter (?:price|deal|offer)\b"
)
YES = _compile(r"^\W*(?:yes|yeah|yep|yup|sure|ok|okay|please do|go ahead|do it|i do|right)\b")
NO = _compile(
    r"^\W*(?:no(?! longer)|nope|nah|never ?mind|stop|forget it|leave it|keep it"
    r"|(?:i )?(?:don['’]?t|do not|can['’]?t|cannot)|i forgot|i have no)\b"
)
NEITHER = _compile(r"^\W*(?:neither|none)\b")
OTHER = _compile(
    r"\b(?:other|another|different) (?:one|order)|\bthe other\b|\binstead\b|\bi meant\b"
    r"|\bnot (?:that|this) (?:one|order)\b"
)
ALSO = _compile(r"\b(?:too|also|as well)\b")
EVERY = _compile(
    r"\b(?:both|all(?: of them| my (?:pending )?orders| (?:the )?orders| three| four)?|every order|each of them)\b"
)
BACK = _compile(r"\b(?:it|that|this|that one|this one)\b")
PICKS = (("last", -1), ("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5))
MANNERS = (
    (Kind.THANKS, _compile(r"\bthank|\bthx\b|\bcheers\b|^\W*(?:great|perfect|nice)\b")),
    (Kind.BYE, _compile(r"\b(?:good)?bye\b|\bsee you\b|\bthat['’]?s all\b|\bnothing else\b")),
    (Kind.GREETING, _compile(r"^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day))\b")),
    (Kind.YES, YES),
    (Kind.NO, NO),
)


def read_words(text: str, slot: Slot | None) -> Said:
    """The customer's words, read with what the last reply asked for: `Nora Quill` is a name only as an answer."""
    denied = [*UNCANCEL.findall(text), *NOT_ORDER.findall(text)]
    kept = NOT_ORDER.sub(" ", UNCANCEL.sub(" ", text))
    no = bool(NO.search(text) or UNCANCEL.search(text) or (slot is Slot.WHICH and NEITHER.search(text)))
    other = bool(OTHER.search(kept))
    wish, topic = _read_wish(kept)
    first_name, last_name = _read_name(text, slot)
    return Said(
        text=text,
        wish=wish,
        manner=next((kind for kind, pattern in MANNERS if pattern.search(kept)), Kind.UNCLEAR),
        topic=topic,
        orders=_read_orders(kept),
        rejected=_read_orders(" ".join(denied)),
        email=_read_email(text),
        first_name=first_name,
        last_name=last_name,
        zip=_read_zip(text, slot),
        reason="" if UNCANCEL.search(text) and wish is not Kind.CANCEL else _read_reason(kept, slot, other),
        pick=_read_pick(kept, slot),
        yes=bool(YES.search(kept)),
        no=no,
        other=other,
        also=bool(ALSO.search(kept)),
        every=bool(EVERY.search(kept)),
        refers_back=bool(BACK.search(kept) or REFUND_WHEN.search(kept)),
        question="?" in kept,
    )


def _read_wish(text: str) -> tuple[Kind | None, str]:
    """The wish and, for what cannot be done yet, its name. A cancellation may carry such a topic beside it."""
    topic = next((topic for topic, pattern in TOPICS if pattern.search(text)), "")
    if MACHINE.search(text):
        return Kind.MACHINE, ""
    if PERSON.search(text):
        return Kind.PERSON, ""
    if CANCEL.search(text) and not any(p.search(text) for p in (NOT_AN_ORDER, CANCEL_ASKED, CANCEL_RULES)):
        return Kind.CANCEL, topic if topic in ASIDES else ""
    if CANCEL_ASKED.search(text) or REFUND_WHEN.search(text):
        return Kind.STATUS, ""
    if topic:
        return Kind.OTHER, topic
    return (Kind.STATUS if STATUS.search(text) else None), ""


def _read_orders(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"#W{digits}" for digits in ORDER.findall(text)))


def _read_email(text: str) -> str:
    found = EMAIL.search(text)
    return found.group().strip(".'-") if found else ""


def _read_zip(text: str, slot: Slot | None) -> str:
    found = ZIP.findall(text) or (ZIP_ANSWER.findall(text) if slot is Slot.ZIP else [])
    return found[-1] if found else ""


def _read_name(text: str, slot: Slot | None) -> tuple[str, str]:
    patterns = [NAME_FORMAL, NAME_BEFORE_ZIP]
    if slot in {Slot.EMAIL, Slot.NAME, Slot.ZIP}:
        patterns += [NAME_INTRODUCED]
    if slot is Slot.NAME:
        patterns += [NAME_ALONE]
    for pattern in patterns:
        for found in pattern.finditer(text):
            first, last = found.groups()
            if not NOT_NAMES.search(f"{first} {last}"):
                return first, last
    return "", ""


def _read_reason(text: str, slot: Slot | None, other: bool) -> str:
    if MISTAKE.search(text) and not other:
        return BY_MISTAKE
    if NOT_NEEDED.search(text):
        return NO_LONGER_NEEDED
    if slot is not Slot.REASON:
        return ""
    return {1: NO_LONGER_NEEDED, 2: BY_MISTAKE}.get(_read_pick(text, Slot.REASON), "")


def _read_pick(text: str, slot: Slot | None) -> int:
    """The place in the last list, from 1, or -1 for the last; 0 where none is named."""
    asked = slot in {Slot.WHICH, Slot.REASON}
    end = r"\b" if asked else r"(?:\W*$| please\b)"
    for word, place in PICKS:
        if re.search(rf"\b(?:the )?{word}(?: (?:one|order)\b|{end})(?! name)", text, re.IGNORECASE):
            return place
    found = re.search(r"(?<![\w#.$])(\d)(?:st|nd|rd|th)?\.?(?![\w.])", text) if asked else None
    return int(found.group(1)) if found else 0


def names_item(text: str, names: list[str]) -> bool:
    """Whether the words hold a telling word of one item's name; a plural counts."""
    words = {word.removesuffix("s") for word in re.findall(r"[\w'’-]+", text.lower())}
    told = {word.removesuffix("s") for name in names for word in name.lower().split()}
    return any(len(word) > 2 for word in words & told)
