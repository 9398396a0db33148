"""What a shop's agent must not promise: gifts, guarantees, an admission of guilt, or that somebody calls."""

import re
from collections.abc import Iterator

from conversations.agent.reply_books import Books
from conversations.agent.reply_fault import Fault
from conversations.agent.reply_figures import AMOUNT
from conversations.agent.reply_text import Clause, Plain
from conversations.agent.reply_words import ASKING, CONDITION, HARMLESS_NO
from helpcenter.citations import MARK

PROMISES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (what, re.compile(pattern))
    for what, pattern in (
        (
            "a gift or discount",
            r"\b(?:discount\w*|coupons?|vouchers?|promo(?:tional)? codes?|goodwill|on the house|complimentary"
            r"|price match\w*|loyalty points?|\d+ ?% (?:off|back)|\d+ percent (?:off|back)"
            r"|a free (?!to\b|of\b)\w+|(?:small|little) (?:present|gift|something|extra)"
            r"|free (?:\w+ )?(?:shipping|delivery|upgrade)|(?:shipping|delivery) (?:is|will be) free"
            r"|for free|at no (?:extra )?(?:cost|charge)|free of charge"
            r"|waive\w* (?:the |your |any )?\w*\s?fees?)\b",
        ),
        (
            "compensation",
            r"\bcompensat\w+|\bmake it up to you\b|\bcover (?:all |any )?(?:of )?your (?:costs|damages?|losses)",
        ),
        ("a guarantee", r"\bguarante\w+|\bwarrant(?:y|ies)\b|\bi promise\b|\bwe promise\b|\byou have my word\b"),
        (
            "an admission",
            r"\b(?:our|my|the shop's) (?:own )?fault\b|\bliab(?:le|ility)\b|\bnegligen\w+"
            r"|\blegally (?:responsible|obliged|bound)"
            r"|\bfull responsibility\b|\bwe (?:admit|were wrong|broke the law|owe you)\b|\bdefective product line\b",
        ),
        (
            "that somebody gets in touch",
            r"\b(?:someone|somebody|a (?:\w+ )?(?:colleague|person|agent|manager|specialist|supervisor|representative)"
            r"|(?:the|our|my) (?:driver|courier|carrier|accountants?|bookkeep\w+|supervisor|boss)|a colleague of mine"
            r"|some(?:body|one) from our \w+|our (?:\w+ )?(?:team|staff|manager|experts?|specialists?|colleagues?)"
            r"|one of (?:us|our \w+)|we|they)"
            r"(?: will|'ll| is going to| are going to)(?: \w+ly| soon| also)?"
            r" (?:call|phone|telephone|ring|contact|reach out|get back|be in touch|get in touch|e-?mail|visit|write"
            r"|follow up)\b",
        ),
    )
)
# What the help center may say in other words; what of it costs nothing only from some amount on, must name that.
_FREE = re.compile(r"for free|at no (?:extra )?(?:cost|charge)|free of charge")
_FREE_FROM = re.compile(r"(?:shipping|delivery) (?:is|will be) free")
_SAID_FREE = re.compile(r"\bfree\b|\bnot charge\b|\bno charge\b")
_DENIED = re.compile(r"\b(?:not|never|nothing|no|none|cannot|without|unable|\w+n't)\b")
_BY_PERSON = re.compile(r"\b(?:person|colleague|team|staff|human|manager)\b")


def find_faults(plain: Plain, books: Books) -> Iterator[Fault]:
    for sentence in plain.sentences:
        for clause in sentence.clauses():
            yield from _find_in(clause, plain, books)


def _find_in(clause: Clause, plain: Plain, books: Books) -> Iterator[Fault]:
    text = HARMLESS_NO.sub(lambda found: "," * len(found[0]), clause.text)
    if clause.sentence.asks and ASKING.match(text):
        return
    if CONDITION.match(text):
        return
    for what, pattern in PROMISES:
        found = pattern.search(text)
        if (
            found is None
            or _is_denied(what, found, text)
            or found[0] in books.help
            or _is_cited(found[0], clause, books)
        ):
            continue
        if what != "that somebody gets in touch" and _BY_PERSON.search(text) and not re.search(r"\b(?:i|we)\b", text):
            continue
        start, end = clause.start + found.start(), clause.start + found.end()
        yield Fault("promise", plain.place(start), plain.place(end), f"it promises {what}, which the shop does not")


def _is_denied(what: str, found: re.Match[str], text: str) -> bool:
    """Its own "no cost" denies nothing, nor does what is promised: "I promise you won't"."""
    rest = text[: found.start()] if what == "a guarantee" else text[: found.start()] + text[found.end() :]
    return bool(_DENIED.search(rest))


def _is_cited(said: str, clause: Clause, books: Books) -> bool:
    """Whether the sentence names a passage for this, and what was found says that something costs nothing."""
    sentence = clause.sentence.text
    if not MARK.search(sentence) or not _SAID_FREE.search(books.help):
        return False
    return bool(_FREE.fullmatch(said) or (_FREE_FROM.fullmatch(said) and AMOUNT.search(sentence)))
