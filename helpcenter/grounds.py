"""Whether what a reply says of the shop's rules rests on something: a passage it cites, or the shop's head policy.

Sentence by sentence. A number (a time, an amount, a share) must stand in what the sentence rests on; a rule without
a number must be cited, or be said by a line of the head policy.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from helpcenter.citations import MARK, Source, list_marks
from helpcenter.words import list_words
from policy.one_source import UNITS, WORDS

# The share of a sentence's words that one line of the head policy must say, and the least number of them; less where
# that line has the sentence's numbers too.
HEAD_SHARE, LEAST_WORDS = 0.5, 2
NUMBER_SHARE = 0.3
_BLOCK = re.compile(r"(?:[^\n]|\n(?!\s*\n))+")
# A list or a table may have its mark in the paragraph before or behind it.
_ROWS = re.compile(r"\s*(?:(?:[-*\u2022|]|\d{1,2}[.)])[^\n]*(?:\n[ \t]*|$))+")
# A mark behind the full stop still belongs to the sentence before it.
_END = re.compile(r"[.!?\u2026][\"'\u2019\u201d)]*(?:\s?\[\d[\d, ]{0,40}\])*(?:\s+|$)|\n+")
_NUMBER = rf"(?:\d[\d,]{{0,12}}(?:\.\d{{1,2}})?|{'|'.join(WORDS)})"
_TIME = re.compile(
    rf"\b(?P<low>{_NUMBER})(?:\s?(?:-|–|to|or)\s?(?P<high>{_NUMBER}))?[\s-]{{1,2}}"
    rf"(?:(?:business|working|calendar|full)[\s-])?(?P<unit>{'|'.join(UNITS)}|hour|minute)s?\b",
    re.IGNORECASE,
)
_SHARE = re.compile(rf"\b(?P<low>{_NUMBER})\s?(?:%|percent\b|per cent\b)", re.IGNORECASE)
_MONEY = re.compile(
    rf"[$€£]\s?(?P<low>{_NUMBER})|\b(?P<high>{_NUMBER})\s?(?:USD|EUR|GBP|dollars?|euros?)\b", re.IGNORECASE
)
_PLAIN = re.compile(r"(?<![\w#.])\d[\d,]{0,12}(?:\.\d{1,2})?(?!\w)")
# What is no statement: a question, an offer, and the word that something is not known.
_OPEN = re.compile(
    r"\?[\"'\u2019\u201d)]*\s*(?:\[[\d, ]+\]\s*)*$"
    r"|\b(?:could ?n[o']t|couldn’t|can ?not|can['’]t|did ?n[o'’]t|do(?:es)? ?n[o'’]t|do(?:es)? not|did not|not) "
    r"(?:be )?(?:find|found|know|sure|say|see|mention|cover|answer)\b|\bno (?:information|article|answer|record)\b"
    r"|\bi (?:can|could|will|would|am|have)\b|\bi['’](?:ll|d|m|ve)\b|\blet me\b|\bshall i\b|\bwould you like\b"
    r"|^\W*(?:please|tell me|just tell|thank|sorry|you['’]re welcome)\b|\btalk to a person\b",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"\byou (?:can|may|cannot|can ?not|can['’]t|must|need to|have to|will|get|receive|pay|do not|don['’]t)\b"
    r"|\b(?:we|the shop) (?:also |only |do not |don['’]t |never |always |can |cannot |can['’]t )?"
    r"(?:ship|deliver|accept|offer|take|charge|refund|send|keep|check|cover|sell|replace|repair|pay|allow|have|give)"
    r"|\b(?:is|are) (?:not |always |also |usually )?"
    r"(?:free|possible|available|accepted|covered|valid|included|excluded|charged|allowed|needed|required|open)\b"
    r"|\b(?:costs?|takes?|lasts?|expires?|usually|normally|within|up to|at no cost|free of charge)\b"
    r"|\b(?:deliver(?:y|ies)|shipping|returns?|refunds?|exchanges?|gift cards?|invoices?|warrant(?:y|ies)|orders?)"
    r" (?:is|are|can|cannot|may|must|go|goes|arrives?|comes?)\b",
    re.IGNORECASE,
)
# Outside of questions about the shop only a time that a rule sets is looked at, and not what happens to one order.
_GENERAL = re.compile(
    r"\b(?:return|refund|exchang|cancel|deliver|ship|warrant|guarant|gift card|report|repl[yi]|bank)\w*", re.IGNORECASE
)
_SETS = re.compile(r"\b(?:within|up to|for|in|after|until|takes?|window|policy|usually|always|normally)\b", re.I)
_ONE_CASE = re.compile(r"#W\d|\b(?:ago|your (?:order|parcel|package|item)s?|this order|tracking)\b", re.IGNORECASE)


class Fault(NamedTuple):
    """`start` and `end` are places in the text; `why` is told to the model."""

    start: int
    end: int
    why: str


def find_citation_faults(
    text: str, retrieved: Sequence[Source], head_facts: Sequence[str], *, asked: bool = True, shown: str = ""
) -> list[Fault]:
    """What a reply says of the shop that it has nothing to rest on.

    `retrieved`: the passages found in this turn. `head_facts`: the rules that the prompt holds. `asked`: the customer
    asked about the shop, so that rules without numbers count too. `shown`: numbers of the customer's own orders.
    """
    known = {source.n: source for source in retrieved}
    faults = [
        Fault(mark.start(), mark.end(), f"[{n}] was not found in this turn")
        for mark in MARK.finditer(text)
        for n in list_marks(mark[0])
        if n not in known
    ]
    heads = [(_read(line), line) for line in head_facts]
    blocks = list(_BLOCK.finditer(text))
    for place, block in enumerate(blocks):
        near = (
            blocks[max(place - 1, 0) : place + 2]
            if _ROWS.fullmatch(block[0]) and not MARK.search(block[0])
            else [block]
        )
        cited = [known[n] for one in near for n in list_marks(one[0]) if n in known]
        for start, sentence in _split(block[0], block.start()):
            if why := _find_fault(sentence, cited, heads, shown, asked=asked):
                faults.append(Fault(start, start + len(sentence), why))
    return sorted(faults)


def _find_fault(
    sentence: str, cited: list[Source], heads: list[tuple[frozenset[str], str]], shown: str, *, asked: bool
) -> str:
    numbers = _list_numbers(sentence)
    if (
        (sentence.endswith(":") and not numbers)
        or _OPEN.search(sentence)
        or not (_is_rule(sentence, numbers) if asked else _sets_time(sentence))
    ):
        return ""
    said = MARK.sub(" ", sentence).strip()
    backing = [" ".join((source.title, source.heading, source.text)) for source in cited]
    if cited and _all_stand_in(numbers, backing, shown):
        return ""
    words = {word for word in list_words(said) if not word.isdigit()}
    if numbers:
        near = [line for head, line in heads if _shares(words, head, NUMBER_SHARE, 1)]
        backed = any(_all_stand_in(numbers, [line, *backing], shown) for line in near)
    else:
        backed = any(_shares(words, head, HEAD_SHARE, LEAST_WORDS) for head, _ in heads)
    if backed:
        return ""
    if cited:
        return f"the passage cited does not say {_quote(said)}"
    return f"nothing that was found or that the shop's rules say bears out {_quote(said)}"


def states_number(text: str) -> bool:
    """Whether it names a time, an amount or a share."""
    return bool(_list_numbers(text))


def _quote(said: str) -> str:
    return f"“{said[:120]}”"


def _is_rule(sentence: str, numbers: set[tuple[Decimal, str]]) -> bool:
    return bool(numbers or _RULE.search(sentence))


def _sets_time(sentence: str) -> bool:
    times = _TIME.search(sentence) or _SHARE.search(sentence)
    return bool(times and _GENERAL.search(sentence) and _SETS.search(sentence)) and not _ONE_CASE.search(sentence)


@lru_cache(maxsize=512)
def _read(line: str) -> frozenset[str]:
    return frozenset(list_words(line))


def _shares(words: set[str], head: frozenset[str], share: float, least: int) -> bool:
    common = len(words & head)
    return common >= max(1, min(least, len(words)), share * len(words))


def _all_stand_in(numbers: set[tuple[Decimal, str]], texts: Iterable[str], shown: str) -> bool:
    """Whether each number is one of these texts', whatever unit it is counted in there, or one of the customer's."""
    left = {*numbers}
    for text in texts:
        plain = _list_plain(text)
        left = {one for one in left - _list_numbers(text) if one[0] not in plain}
    return not left or {value for value, _ in left} <= _list_plain(shown)


def _list_numbers(text: str) -> set[tuple[Decimal, str]]:
    """Times in days, hours or minutes, shares and amounts."""
    found: set[tuple[Decimal, str]] = set()
    for one in _TIME.finditer(text):
        unit = one["unit"].lower()
        days = UNITS.get(unit)
        for number in filter(None, (one["low"], one["high"])):
            found.add((_value(number) * (days or 1), "day" if days else unit))
    for pattern, unit in ((_SHARE, "share"), (_MONEY, "money")):
        for one in pattern.finditer(text):
            number = next(filter(None, one.groupdict().values()))
            found.add((_value(number), unit))
    return found


def _list_plain(text: str) -> set[Decimal]:
    return {_value(found[0]) for found in _PLAIN.finditer(text)}


def _value(number: str) -> Decimal:
    word = WORDS.get(number.lower())
    return Decimal(word if word is not None else number.replace(",", ""))


def _split(block: str, offset: int) -> Iterator[tuple[int, str]]:
    start = 0
    for end in _END.finditer(block):
        if block[start : end.end()].strip():
            yield offset + start, block[start : end.end()].rstrip()
        start = end.end()
    if block[start:].strip():
        yield offset + start, block[start:].rstrip()
