"""A reply cut into sentences and clauses, in plain letters, with the way back to the places in the reply."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

# What looks like another letter on the screen, and what is not seen at all.
_LOOKALIKES = str.maketrans("аеорсухіѕԁոАЕОРСУХІ’‘ʼ`´′\ufffd“”«»–—\u00a0", "aeopcyxisdnAEOPCYXI'''''''\"\"\"\"-- ")
_UNSEEN = re.compile(r"[*_~\u00ad\u200b-\u200f\u2060\ufeff]")
_SENTENCE_END = re.compile(r"[.!?\u2026]+[\"')\]]*(?=\s|$)|\n")
LONGEST = 400
# A clause begins behind these; behind the weak ones only if what follows can stand alone.
_STRONG = re.compile(
    r"[:;()]|\s-+\s|,?\s+(?=(?:but|because|since|although|though|while|so|however|whereas|now that|if|when|whenever"
    r"|after|before|until|unless|whether|in case|as soon as|as long as|provided|once (?:you|we|i|it|that|this|they|the"
    r"|your|both|everything|a|an|all|there|approved|confirmed|done|received))\b)"
    r"|,\s*(?=as\b)"
)
_WEAK = re.compile(r",\s+(?:(?:and|or|then)\s+)?|\s+(?:and|or|then)\s+(?!\d)")
_ALONE = re.compile(
    r"(?:(?:and|or|then|also|now|already|just|otherwise|yes|no|sure|okay)\s+)*"
    r"(?:i|i'\w+|we|we'\w+|you|you'\w+|it|it's|they|they'\w+|this|that|that's|there|your|the|our|my|a|an|all|both"
    r"|nothing|everything|somebody|someone|order|order's|#?w\d+|\$?\d\S*|\w+ing)\b"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|will|would|can|could|may|might|must|shall|should|get"
    r"|gets|got|goes|go|went|take|takes|need|want|hold|holds|\w+'(?:s|ve|ll|re|m|d)|\w+n't|cannot|\w+ed|sent|gave|made"
    r"|put|paid|set)\b"
)


@dataclass(frozen=True)
class Clause:
    """`start` is its place in the plain text; `sentence` and `opens` say what it is part of and how it begins."""

    text: str
    start: int
    sentence: "Sentence"

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True)
class Sentence:
    text: str
    start: int

    @property
    def asks(self) -> bool:
        return self.text.rstrip("\"') ").endswith("?")

    def clauses(self) -> list[Clause]:
        return [Clause(self.text[start:end], self.start + start, self) for start, end in _cut(self.text)]


class Plain:
    """The reply in small plain letters; `place(n)` is where its letter `n` stands in the reply."""

    _places: Sequence[int]

    def __init__(self, text: str) -> None:
        if text.isascii() and not _UNSEEN.search(text):
            self.text = text.lower()
            self._places = range(len(text) + 1)
            self.sentences = tuple(_list_sentences(self.text))
            return
        letters: list[str] = []
        places: list[int] = []
        for place, given in enumerate(text):
            letter = given if given.isascii() else unicodedata.normalize("NFKC", given).translate(_LOOKALIKES)
            if _UNSEEN.fullmatch(letter):
                continue
            letters.append(letter.lower())
            places += [place] * len(letter.lower())
        self.text = "".join(letters)
        self._places = [*places, len(text)]
        self.sentences = tuple(_list_sentences(self.text))

    def place(self, at: int) -> int:
        return self._places[at]


def _list_sentences(text: str) -> Iterator[Sentence]:
    start = 0
    for found in _SENTENCE_END.finditer(text):
        if text[start : found.end()].strip():
            yield _sentence(text, start, found.end())
        start = found.end()
    if text[start:].strip():
        yield _sentence(text, start, len(text))


@lru_cache(maxsize=1024)
def _cut(text: str) -> tuple[tuple[int, int], ...]:
    """Where the clauses of a sentence begin and end."""
    cuts = [0]
    for piece in _pieces(text, _STRONG, 0):
        cuts += [piece[0]] if piece[0] else []
        cuts += [start for start, _ in _weak_pieces(*piece, text) if start > piece[0]]
    whole = ((a, b) for a, b in zip(cuts, [*cuts[1:], len(text)], strict=True) if b > a)
    # Words without end are looked at in lengths that cost the same each.
    return tuple((at, min(at + LONGEST, b)) for a, b in whole for at in range(a, b, LONGEST))


def _sentence(text: str, start: int, end: int) -> Sentence:
    begun = start + len(text[start:end]) - len(text[start:end].lstrip())
    return Sentence(text[begun:end], begun)


def _pieces(text: str, cut: re.Pattern[str], start: int) -> list[tuple[int, int]]:
    starts = [start, *(found.end() for found in cut.finditer(text, start) if found.end() > start)]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _weak_pieces(start: int, end: int, text: str) -> Iterator[tuple[int, int]]:
    """Cut at "and" only where the rest has a subject and a verb of its own: "cancelled and refunded" stays one."""
    yield start, end
    for found in _WEAK.finditer(text, start, end):
        rest = text[found.end() : end]
        if _ALONE.match(rest) and _VERB.search(rest):
            yield found.end(), end
