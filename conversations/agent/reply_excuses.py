"""What has the words of a claim and is none: what happens in general, a count of none, a repeated word, a denied list.

Each excuse was made for true replies that were held back, and narrowed until the plain lies of its shape were held
again (`replies_found.json`): the second reading hears nothing in most of those, so each has to be tight by itself.
"""

import re

from conversations.agent.reply_said import Claim
from conversations.agent.reply_text import Sentence

# What can be done to any order, and after it what then happens, in the present: not with this one order, or a sum.
_POSSIBLE = re.compile(
    r"\b(?:an?|any|every|each|pending|unsent|delivered|such|(?<!your )(?<!the )(?<!these )(?:orders|items))\b"
    r"(?: (?!your\b|it\b)[\w'-]+){0,8}? (?:can|could|may|might) (?:\w+ )?be (?:cancelled|returned|exchanged|refunded)\b"
    r"|\ban? (?:cancell|return)ed (?:order|item) (?:is|gets)\b"
)
_OF_ONE = re.compile(
    r"^\s*(?:and |so |then )*(?:it|it's|this|that|everything|both|all)\b"
    r"|\b(?:your|the (?!money|refund|amount|sum|payment|price))\b[^,]*? (?:is|are|get|gets)\b"
    r"|\b(?:your order|yours|#?w\d+|today|now|so)\b|[$€£]\s?\d"
)
# "Returns started: 0", "changes made: none".
_COUNTED_NONE = re.compile(
    r"(?: (?:so far|yet|today|here|to date|in (?:this|the) chat))?\s*:\s*(?:0|none|nothing|zero)\s*"
    r"(?:$|[.,;!)|\n](?!\d))"
)
# "Cancelled? Not yet."
_REPEATED = re.compile(r"\W*(?:already |all )?(?:\w+ed|done)(?:,? (?:and|or) \w+ed)*\s*\?\W*")
_NO = re.compile(
    r"\W*(?:(?:sadly|unfortunately|sorry|i'm afraid|oh|well|still),? )?"
    r"(?:nope|nah|not|never|nothing|none|neither|hold|no\b(?! problem| worr| doubt))\b|[^,;]*(?:\bnot\b|n't\b)"
)
# "Nothing has been changed, cancelled or refunded": a list that ends with "or" and a deed.
_LISTED = re.compile(r",\s*(?:\w+ly\s+)?")
_LIST_GOES_ON = re.compile(
    r"\w+(?: (?:it|them|that|this|anything|(?:your|the) \w+))?(?:,\s*[\w' ]{1,30})*,?\s+(?:or|nor)"
    r" (?:(?:\w+ly|otherwise) )?(?:\w+ed|sent|done|made|taken|set|dealt)\b"
)
_ENDS_LIST = re.compile(r"\b(?:or|nor)\s+(?:\w+ly\s+)?$")
_INSTEAD = re.compile(r"\b(?:instead|rather)\b")
_DENIED_LIST = re.compile(
    r"\b(?:nothing|none|neither)\b(?: of \w+)?(?: (?:has|have|was|were|is|are|got))?(?: been)?"
    r"(?: (?:\w+ed|sent|done|made),)+\s*(?:or |nor )?$"
)
# "All I've done is look", and no deed behind it.
_ALL_DONE = re.compile(r"\ball (?:that )?(?:i|we)(?: have|'ve)?$")
_DEED_AFTER = re.compile(
    r"(?<!not )\b(?:cancel|refund|return|exchang|swap|chang|updat|switch|process|issu|send|sent|escalat)"
)


def is_in_general(claim: Claim, sentence: Sentence) -> bool:
    """Whether before it the sentence says what can be done to any order, and the claim names none of its own."""
    before = _POSSIBLE.search(sentence.text, 0, claim.start - sentence.start)
    return before is not None and not _OF_ONE.search(claim.clause)


def is_counted_none(sentence: Sentence, at: int) -> bool:
    """Whether behind the word that ends at `at` of the sentence a colon and a count of none follow."""
    return _COUNTED_NONE.match(sentence.text, at) is not None


def is_repeated(sentence: Sentence, following: list[Sentence]) -> bool:
    """Whether it only repeats what was asked, and the next sentence denies it."""
    return bool(_REPEATED.fullmatch(sentence.text) and following and _NO.match(following[0].text))


def is_listed(text: str, start: int, end: int) -> bool:
    """Whether a comma joins two deeds of one list, from the end of the first to the start of the second."""
    goes_on = _LISTED.fullmatch(text, start, end) and _LIST_GOES_ON.match(text, end)
    return bool(goes_on) and not _INSTEAD.search(text)


def is_denied_in_list(text: str, start: int) -> bool:
    """Whether the deed at `start` stands in a list of which nothing was done."""
    left = text[:start]
    in_list = _ENDS_LIST.search(left) or _LIST_GOES_ON.match(text, start)
    return bool(in_list and _DENIED_LIST.search(left)) and not _INSTEAD.search(text)


def is_all_there_is(word: str, left: str, rest: str) -> bool:
    """ "All I've done is look at it": whether "done" is said of no deed."""
    return word == "done" and bool(_ALL_DONE.search(left)) and not _DEED_AFTER.search(rest)
