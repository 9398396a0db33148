"""A customer's message with its slips mended: order numbers, contractions and the usual words in one form."""

import re
from functools import lru_cache

EMAIL_LIKE = re.compile(r"[^\s@]{1,64}@\S{1,255}")
NUMBERS = (
    # "W 4402817", "w-4402817", "# w4402817", "W 440 2817"
    re.compile(r"(?<![\w#$.@+-])#?\s?w[ -]?(\d{4,12})\b", re.IGNORECASE),
    re.compile(r"(?<![\w#$.@+-])#?\s?w[ -]?(\d{3}[ -]\d{4})\b", re.IGNORECASE),
    re.compile(r"(?<![\w#])#\s?(\d{6,8})\b"),
    re.compile(r"(?<![\w#$.@+/:-])(\d{6,8})(?![\w/-]|\.\d)"),
)
NO_ORDER_BEFORE = re.compile(r"\b(?:phone|tracking|tel|mobile|card|call|dob)\b[^.\n]{0,20}$", re.IGNORECASE)
SHORT = {
    "dont": "don't", "cant": "can't", "wont": "won't", "didnt": "didn't", "doesnt": "doesn't", "isnt": "isn't",
    "wasnt": "wasn't", "arent": "aren't", "havent": "haven't", "hasnt": "hasn't", "wouldnt": "wouldn't",
    "shouldnt": "shouldn't", "couldnt": "couldn't", "im": "i'm", "ive": "i've", "youre": "you're", "thats": "that's",
    "whats": "what's", "wheres": "where's", "hows": "how's", "theres": "there's", "shouldve": "should've",
    "u": "you", "ur": "your", "pls": "please", "plz": "please", "plse": "please", "thx": "thanks", "wanna": "want to",
    "gonna": "going to", "gotta": "have to", "lemme": "let me", "gimme": "give me", "cuz": "because", "bc": "because",
    "tho": "though", "w/": "with", "w/o": "without", "b4": "before", "oder": "order", "ordr": "order",
    "adres": "address", "cancell": "cancel", "cancelation": "cancellation", "acct": "account", "tmrw": "tomorrow",
    "somethin": "something", "wich": "which", "recieve": "receive",
}  # fmt: skip
# "id" and "ill" are words too; before these they are contractions.
I_WOULD = re.compile(r"\bid (?=(?:like|rather|love|prefer|want|need|be|also|just|really|appreciate)\b)", re.IGNORECASE)
I_WILL = re.compile(r"\bill (?=(?:send|ship|keep|take|return|be|have|just|bring|pay|go|need|mail)\b)", re.IGNORECASE)
SPELLED = frozenset(
    [
        "cancel",
        "canceled",
        "cancelled",
        "cancelling",
        "cancellation",
        "return",
        "returned",
        "returning",
        "refund",
        "refunded",
        "exchange",
        "exchanged",
        "replace",
        "replacement",
        "change",
        "changed",
        "changing",
        "switch",
        "address",
        "payment",
        "deliver",
        "delivered",
        "delivery",
        "account",
        "received",
        "receive",
        "ordered",
        "mistake",
        "accident",
        "original",
        "discount",
        "different",
        "difference",
        "instead",
        "shipping",
        "shipped",
        "shipment",
        "available",
        "tracking",
        "package",
        "product",
        "mastercard",
        "everything",
        "because",
        "anymore",
        "please",
        "update",
        "remove",
        "delete",
        "modify",
        "wrong",
        "order",
        "credit",
        "should",
        "another",
        "backpack",
        "keyboard",
        "headphones",
    ]
)
ENDINGS = ("s", "d", "ed", "er", "ing", "es", "ly", "r")
# Words of their own that stand one slip from one of the above.
OTHER_WORDS = frozenset(
    [
        "charge",
        "chance",
        "charges",
        "changes",
        "older",
        "border",
        "produce",
        "pleased",
        "cancels",
        "returns",
        "refunds",
        "addresses",
        "statue",
        "updated",
        "upgrade",
        "update",
        "wrung",
        "strong",
        "stitch",
        "swatch",
        "credits",
        "edit",
        "deliverer",
        "reclaim",
        "discounts",
        "packages",
        "switched",
        "removed",
        "deleted",
        "receiver",
        "accounts",
        "mistakes",
    ]
)
WORD = re.compile(r"(?<![\w@'’.-])[a-z]+/?o?(?![\w@'’-])", re.IGNORECASE)
SHORTEST = 5


def mend(text: str) -> str:
    """What was meant, as far as slips of the keyboard hide it; addresses, names and e-mails stay as they are."""
    text = text.replace("\x00", " ").replace("’", "'").replace("‘", "'").replace("`", "'")
    text = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text))
    kept: list[str] = []

    def put_away(found: re.Match[str]) -> str:
        kept.append(found.group())
        return f"\x00{len(kept) - 1}\x00"

    text = EMAIL_LIKE.sub(put_away, text)
    for pattern in NUMBERS:
        text = pattern.sub(_tell_number, text)
    text = WORD.sub(lambda found: _spell(found.group()), text)
    text = I_WILL.sub("I'll ", I_WOULD.sub("I'd ", text))
    return re.sub(r"\x00(\d+)\x00", lambda found: kept[int(found.group(1))], text)


def _tell_number(found: re.Match[str]) -> str:
    before = NO_ORDER_BEFORE.search(found.string[max(0, found.start() - 40) : found.start()])
    if before and "order" not in before.group().lower():
        return found.group()
    lead = " " if found.group()[:1].isspace() else ""
    return f"{lead}#W{re.sub(r'[ -]', '', found.group(1))}"


@lru_cache(maxsize=4096)
def _spell(word: str) -> str:
    low = word.lower()
    if low in SHORT:
        return SHORT[low]
    if len(low) < SHORTEST or low in SPELLED or low in OTHER_WORDS:
        return word
    if any(low.endswith(end) and low.removesuffix(end) in SPELLED | OTHER_WORDS for end in ENDINGS):
        return word
    return next((right for right in sorted(SPELLED) if len(right) > SHORTEST and is_slip(low, right)), word)


def is_slip(word: str, right: str) -> bool:
    """Whether one letter is missing, added, wrong or swapped with its neighbour; the first one must be right."""
    if word[:1] != right[:1] or abs(len(word) - len(right)) > 1 or word == right:
        return False
    at = next((n for n, (a, b) in enumerate(zip(word, right, strict=False)) if a != b), min(len(word), len(right)))
    if len(word) > len(right):
        return word[at + 1 :] == right[at:]
    if len(word) < len(right):
        return word[at:] == right[at + 1 :]
    swapped = word[at : at + 2] == right[at : at + 2][::-1] and word[at + 2 :] == right[at + 2 :]
    return swapped or word[at + 1 :] == right[at + 1 :]
