"""From a typed reply to plain words: one spelling for each, and no words at all where something odd was typed."""

import re
import unicodedata
from collections.abc import Iterable

MAX_LENGTH = 240
# A phrase of a payment method is one word: "yes, to my gift card" names one detail.
PAYMENTS = frozenset(
    {"gift_card", "credit_card", "debit_card", "paypal", "original_payment_method"}
    | {"visa", "mastercard", "amex", "store_credit"}
)

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))
_SMILES = "👍👌✅🙏🙂😊"
_SKIN = re.compile(f"(?<=[{_SMILES}])[\ufe0f\U0001f3fb-\U0001f3ff]+")
_KNOWN = re.compile(rf"[A-Za-z0-9\s.,!;:)'#$£€–—{_SMILES}-]*")
# A reply that trails off is doubt, or the first half of a message still being typed.
_TRAILS_OFF = re.compile(r"\.\s*\.|[,;:–—-]\s*$")
_GAP = re.compile(
    rf"(?:[\s!;]|[.,](?!\d)|(?<=\s)-|-(?=\s)|[–—]|(?<=[a-z0-9.!])(?=[{_SMILES}])|(?<=[{_SMILES}]))+",
)
ORDER = re.compile(r"#?[a-z]+\d+|#\d+")
AMOUNT = re.compile(r"[$£€]\d[\d,]*(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?::\d\d)?")
_PARTS = f"{AMOUNT.pattern}|{ORDER.pattern}"
_DETAIL = re.compile(rf"{_PARTS}|[a-z_]+|{_NUMBER.pattern}")
_WORD = re.compile(rf"{_PARTS}|[a-z_']+|{_NUMBER.pattern}|[{_SMILES}]|:-?\)")
_NAMES = re.compile(r"\b(?:(gift|credit|debit) card|original payment method|store credit)\b")
# What a keyboard makes of plain letters and marks; every other look-alike is a character that no plain yes has.
_WIDE = {0xFF01 + at: 0x21 + at for at in range(94)} | {0x3000: " ", 0xA0: " ", 0x2026: "..."}
_CHEERY = re.compile(r"\b(right|correct)-o\b")
_STRETCHED = re.compile(r"([a-z])\1{2,}")
_SHORT = {"'s": "is", "'re": "are", "'m": "am", "'d": "would", "'ll": "will", "'ve": "have"}
_LONG = {"lets": "let us", "let's": "let us", "dont": "do not", "don't": "do not", "thats": "that is", "its": "it is",
         "im": "i am", "ive": "i have", "id": "i would", "youve": "you have", "thatll": "that will"}  # fmt: skip
# Long words of agreement; nothing that speaks against it begins like one and is one letter longer or shorter.
_MENDED = (
    "absolutely",
    "address",
    "agree",
    "ahead",
    "alright",
    "approve",
    "awesome",
    "cancel",
    "certainly",
    "confirm",
    "confirmed",
    "continue",
    "correct",
    "definitely",
    "details",
    "everything",
    "exactly",
    "excellent",
    "exchange",
    "great",
    "information",
    "looks",
    "perfect",
    "please",
    "proceed",
    "refund",
    "return",
    "right",
    "sounds",
    "thanks",
    "wonderful",
    "works",
)
_YES = re.compile(r"y[a-z]es|ye[a-z]s|yes[a-z]")


def split_reply(reply: str, *, known: frozenset[str]) -> tuple[str, ...]:
    """The reply's words; none where it holds a character, mark or shape that a plain yes has not."""
    if len(reply) > MAX_LENGTH:
        return ()
    text = _SKIN.sub("", reply.translate(_APOSTROPHES).translate(_WIDE))
    if not _KNOWN.fullmatch(text) or _TRAILS_OFF.search(text):
        return ()
    parts = [part for part in _GAP.split(_join_names(text.casefold())) if part]
    if not all(_WORD.fullmatch(part) for part in parts):
        return ()
    return tuple(word for part in parts for word in _spell_out(part, known))


def split_asked(asked: str) -> tuple[str, ...]:
    """The words of what was asked, as a reply would repeat them."""
    text = unicodedata.normalize("NFKC", asked.translate(_APOSTROPHES)).casefold()
    found = (word for part in _GAP.split(_join_names(text)) for word in _DETAIL.findall(part))
    return tuple(plain_amount(word) if AMOUNT.fullmatch(word) else word for word in found)


def plain_amount(word: str) -> str:
    return word.replace(",", "").removesuffix(".00")


def _join_names(text: str) -> str:
    text = _NAMES.sub(lambda name: name[0].replace(" ", "_"), text)
    # "All right" is what "alright" is, often a polite no; "right-o" is what "right" is.
    return _CHEERY.sub(r"\1", text.replace("all right", "alright"))


def _spell_out(word: str, known: frozenset[str]) -> Iterable[str]:
    if AMOUNT.fullmatch(word):
        return [plain_amount(word)]
    if ORDER.fullmatch(word):
        return [word]
    word = _STRETCHED.sub(r"\1", word)
    # An apostrophe typed where nothing was left out ("that' correct").
    bare = word.strip("'") if word.endswith("'") and not word.startswith("'") else word
    word = bare if bare in known else _mend(bare)
    if word in _LONG:
        return _LONG[word].split()
    stem, mark, tail = word.rpartition("'")
    return [stem, _SHORT[mark + tail]] if stem and mark + tail in _SHORT else [word]


def _mend(word: str) -> str:
    """A word of agreement with one letter lost, added or swapped; of "yes" only one with a letter too many."""
    if _YES.fullmatch(word):
        return "yes"
    return next((right for right in _MENDED if word[:1] == right[0] and _slipped(word, right)), word)


def _slipped(word: str, right: str) -> bool:
    if len(word) == len(right):
        return any(word == right[:at] + right[at + 1] + right[at] + right[at + 2 :] for at in range(len(right) - 1))
    long, short = (word, right) if len(word) > len(right) else (right, word)
    return len(long) - len(short) == 1 and any(short == long[:at] + long[at + 1 :] for at in range(len(long)))
