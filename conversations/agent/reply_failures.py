"""What a reply says did not come about, in words that name no action: "it failed", "it is still active"."""

import re
from collections.abc import Iterator

from conversations.agent.reply_chain import read_chain
from conversations.agent.reply_said import Claim, Says
from conversations.agent.reply_subjects import find_kind, find_part
from conversations.agent.reply_text import Clause
from conversations.agent.reply_words import Form, Kind, Word

_UNDOING = re.compile(r"\b(?:revers|undo|reinstat|reactivat|restor|un-?cancel)\w*")
# What is said of the rest denies nothing of what was done.
OF_THE_REST = re.compile(
    r"\b(?:nothing|anything|everything|anyone) else\b"
    r"|\bother (?:orders?|items?|changes?|details?|things?|settings?|parts?)\b"
    r"|\b(?:further|additional|more) (?:changes?|updates?)\b|\brest of\b|\bapart from\b|\bexcept\b|\bremaining\b"
)
# None of several: denies the one that was done too.
NONE_OF = re.compile(r"\b(?:neither|none|not one|no orders?)\b(?! (?:other|else)\b)")
_STILL = re.compile(
    r"\bstill (?:addressed|going|being sent|shipping|paid|charged|billed) (?:to|with|by|on)\b"
    r"|\b(?:still|remains?|stays?|is|are) (?:active|open|pending|in place|valid|uncancell?ed"
    r"|(?:exactly )?as (?:it|they) (?:is|was|were|are))\b"
    r"|\b(?:stays?|stayed|remains?|remained) the way (?:it|they) (?:is|was|were|are)\b"
    r"|\bnewsletter is still on\b|\bno (?:cancellation|return|exchange|refund|swap)s?\b[^,]{0,20}"
    r"\b(?:exists?|taken place|took place|happened|on record)\b"
    r"|\b(?:unchanged|untouched)\b|\b(?:stays?|remains?|left) as (?:it|they) (?:is|was|were|are)\b"
)
_AS_IT_WAS = re.compile(r"\bas (?:it|they)\b|\bthe way\b|un(?:changed|touched)")
_NAMED = {
    "cancellation": Kind.CANCEL,
    "return": Kind.RETURN,
    "exchange": Kind.EXCHANGE,
    "swap": Kind.EXCHANGE,
    "refund": Kind.REFUND,
}
_WRONG = re.compile(
    r"\b(?:failed|fails|unsuccessful|went wrong|rejected|refused|declined|impossible|no success|bounced"
    r"|unable to (?:do|complete))\b|(?:\bnot|n't) (?:possible|work|go through|successful"
    r"|succeed)(?:ed)?\b"
)
_IMPERSONAL = re.compile(
    r"\b(?:could(?: not|n't)|unable to|not able to|n't able to|failed to) (?:do|complete|make|finish|get)\b"
)


def _of_what_stays(text: str) -> Kind:
    if none := re.match(r"no (\w+?)s?\b", text):
        return _NAMED[none[1]]
    if "newsletter" in text:
        return Kind.PREFERENCE
    if re.search(r"\b(?:addressed|going|sent|shipping)\b", text):
        return Kind.ADDRESS
    return Kind.PAYMENT if re.search(r"\b(?:paid|charged|billed)\b", text) else Kind.CANCEL


def read_failures(clause: Clause, text: str, orders: tuple[str, ...]) -> Iterator[Claim]:
    """ "It failed", "the order is still active", "everything stays as it was"."""
    for pattern, says in ((_STILL, Says.NOT_DONE), (_WRONG, Says.FAILED), (_IMPERSONAL, Says.FAILED)):
        found = pattern.search(text)
        if found is None:
            continue
        left = read_chain(text[: found.start()])
        if pattern is _WRONG and _UNDOING.search(text[: found.start()]):
            continue
        if left.may or (pattern is not _WRONG and left.denied) or (pattern is _STILL and OF_THE_REST.search(text)):
            continue
        start, end = found.span()
        if pattern is _STILL:
            kind = find_part(text[: found.start()]) if _AS_IT_WAS.search(found[0]) else _of_what_stays(found[0])
        else:
            kind = find_kind(Word(None, Form.STATE, start, end, found[0]), [], text, False) or Kind.ANY
        several, whole = bool(NONE_OF.search(text)), clause.sentence.text
        yield Claim(kind, says, clause.start + start, clause.start + end, orders, False, several, text, whole)
