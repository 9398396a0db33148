"""What one message of a customer says, by fixed rules: the wish, and the details it names."""

import re
from dataclasses import dataclass
from functools import lru_cache

from conversations.agent.offline_address import cut_addresses
from conversations.agent.offline_kinds import Kind, Wish
from conversations.agent.offline_wishes import NOT_ORDER, REFUND_WHEN, UNCANCEL, read_wishes
from conversations.agent.offline_words import ORDER_SLOTS, Slot

NO_LONGER_NEEDED = "no longer needed"
BY_MISTAKE = "ordered by mistake"


@dataclass(frozen=True, kw_only=True)
class Said:
    """One reading. `wishes` holds only what the words name by themselves; `manner` is there for the rest."""

    text: str
    wishes: tuple[Wish, ...]
    manner: Kind
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
    # Nothing but a no: what follows "no" in "no, the blue one" is a correction.
    refusal: bool

    @property
    def wish(self) -> Kind | None:
        return self.wishes[0].kind if self.wishes else None

    @property
    def topic(self) -> str:
        return self.wishes[0].topic if self.wishes else ""


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


ORDER = _compile(r"(?<![\w#])#?w(\d{4,12})\b")
EMAIL = _compile(r"[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
POSTCODE = r"(?:[a-z]\d[a-z] ?\d[a-z]\d|[a-z]{1,2}\d[a-z\d]? \d[a-z]{2})"
ZIP = _compile(rf"(?<![\w#.$-])(?:\d{{5}}(?:-\d{{4}})?|{POSTCODE})(?![\w-])")
ZIP_ANSWER = _compile(r"\b(?=[a-z]*\d)[a-z0-9]{2,5}(?:[ -](?=[a-z]*\d)[a-z0-9]{2,4})?\b")
WORD = r"\b[^\W\d_]{1,40}(?:['’-][^\W\d_]{1,40}){0,3}"
NAME_INTRODUCED = _compile(rf"\b(?:my name is|my name['’]s|name:|this is|i am|i['’]m|it['’]s)\s+({WORD})\s+({WORD})")
NAME_FORMAL = _compile(rf"\b(?:my name is|my name['’]s|name:)\s+({WORD})\s+({WORD})")
NAME_BEFORE_ZIP = _compile(
    rf"({WORD})\s+({WORD}),?\s+(?:and\s+)?(?:my\s+)?"
    rf"(?:(?:zip|postal|post)(?: ?code)?(?: is)?:?\s+)?(?:\d{{5}}|{POSTCODE})\b"
)
NAME_ALONE = _compile(rf"^\W*({WORD})\s+({WORD}(?:\s+{WORD})?)\W*$")
NOT_NAMES = re.compile(
    r"\b(?:an?|and|the|my|is|zip|code|in|at|to|of|not|no|yes|sorry|here|looking|just|i|it|order"
    r"|email)\b",
    re.IGNORECASE,
)

MISTAKE = _compile(
    r"\bmist?ake|\baccident|\bby error\b|\bdidn['’]?t mean to\b|\btwice\b|\bduplicate|\bdouble (?:order|click)"
    r"|\bwrong (?!(?:order )?number|order\b|address|card|price)\w|\bunintention|\bmis-?click|\bclicked\b|\boops\b"
    r"|\bwithout (?:asking|permission|my (?:knowledge|permission)|telling|me knowing)\b|\bnot supposed to\b"
    r"|\bin error\b"
    r"|\b(?:kids?|child(?:ren)?|son|daughter|toddler|cat) (?:\w+ )?(?:ordered|bought|pressed|clicked|placed)\b"
)
NOT_NEEDED = _compile(
    r"\bno longer (?:need|want|require|interested)|\b(?:don['’]?t|do not) (?:really |actually |even )?(?:need"
    r"|want|like)\b"
    r"|\bchang(?:ed?|ing) my mind|\bcheaper\b|\b(?:not|isn't|aren't) (?:really )?(?:needed|want|wanted"
    r"|necessary)\b|\belsewhere\b"
    r"|\btoo (?:expensive|late|slow|long)\b|\bbetter (?:price|deal|offer|one)\b|\balready (?:have|got|own|bought)\b"
    r"|\b(?:got|have|bought) (?:one|it|them) (?:already|from|as a|in|at|somewhere)\b|\bcan't afford\b|\bno need\b"
    r"|\b(?:won't|not) (?:be )?need|\bneed (?:it|them) anymore\b|\bno use for\b|\bunwanted\b"
    r"|\bplans (?:have )?changed\b"
    r"|\b(?:need|want)(?: it| them)? (?:no more|no longer|any ?more|any longer)\b|\bnot interested\b|\bdon't need\b"
)
YES = _compile(r"^\W*(?:yes|yeah|yep|yup|sure|ok|okay|please do|go ahead|do it|i do|right)\b")
NO = _compile(
    r"^\W*(?:no(?! longer)|nope|nah|never ?mind|stop|forget it|leave it|keep it"
    r"|(?:i )?(?:don['’]?t|do not|can['’]?t|cannot)|i forgot|i have no)\b"
)
REFUSAL = _compile(
    r"\W*(?:no|nope|nah|don['’]?t)(?:\W+(?:no|thanks?|thank|you|sorry|please|i|do|it|that|not|don['’]?t|want"
    r"|really))*\W*"
)
STOP = _compile(
    r"\bnever ?mind\b|\bforget (?:it|about it|that)\b|^\W*(?:please )?(?:stop|leave it|keep it)\b"
    r"|\b(?:don['’]?t|do not) (?:want to |bother|do (?:it|that|anything)"
    r"|(?:return|exchange|change|swap) (?:it|anything|them)\b)"
    r"|\b(?:keep|leave) (?:the|my|this) order\b|\b(?:changed my mind)\b|\bi(?:['’]ll| will) keep (?:it|them)\b"
)
NEITHER = _compile(r"^\W*(?:neither|none)\b")
# "Another one" and "instead" may be said of an item, a card or an address; these mean an order or a line of a list.
OTHER = _compile(
    r"\b(?:other|another|different) order\b|\bother one\b|\b(?:the|that) other\b|\bi meant\b"
    r"|\bnot (?:that|this) (?:one|order)\b"
)
ALSO = _compile(r"\b(?:too|also|as well)\b")
LONGEST_REFUSAL = 60
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


# Each step of a turn reads the whole conversation again.
@lru_cache(maxsize=256)
def read_words(text: str, slot: Slot | None) -> Said:
    """The customer's words, read with what the last reply asked for: `Nora Quill` is a name only as an answer."""
    denied = [*UNCANCEL.findall(text), *NOT_ORDER.findall(text)]
    kept = NOT_ORDER.sub(" ", UNCANCEL.sub(" ", text))
    no = bool(NO.search(text) or UNCANCEL.search(text) or (slot is Slot.WHICH and NEITHER.search(text)))
    other = bool(OTHER.search(kept))
    wishes = read_wishes(text)
    # The ZIP code and the names in an address to send to say nothing about who writes.
    about = cut_addresses(text)
    first_name, last_name = _read_name(about, slot)
    # "The zip should be …" beside an address speaks of that.
    places = any(wish.kind in {Kind.ADDRESS, Kind.HOME} for wish in wishes)
    return Said(
        text=text,
        wishes=wishes,
        manner=next((kind for kind, pattern in MANNERS if pattern.search(kept)), Kind.UNCLEAR),
        orders=_read_orders(kept),
        rejected=_read_orders(" ".join(denied)),
        email=_read_email(text),
        first_name=first_name,
        last_name=last_name,
        zip="" if places and not first_name else _read_zip(about, slot),
        reason=""
        if UNCANCEL.search(text) and not any(w.kind is Kind.CANCEL for w in wishes)
        else _read_reason(kept, slot, other),
        pick=_read_pick(kept, slot),
        yes=bool(YES.search(kept)),
        no=no,
        other=other,
        also=bool(ALSO.search(kept)),
        every=bool(EVERY.search(kept)),
        refers_back=bool(BACK.search(kept) or REFUND_WHEN.search(kept)),
        question="?" in kept,
        refusal=bool(STOP.search(text) or (len(text) <= LONGEST_REFUSAL and REFUSAL.fullmatch(text))),
    )


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
    if slot is Slot.NAME or (slot is Slot.EMAIL and text.istitle()):
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
    asked = slot in {Slot.WHICH, Slot.REASON, *ORDER_SLOTS}
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
