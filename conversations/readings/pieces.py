"""A message cut into the pieces of words that the learned reading knows by number (WordPiece: Schuster, Nakajima 2012).

The trainer and the reading share this module, so that both always see the same.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import groupby

from conversations.readings.matching import EMAIL, fold

UNKNOWN, START, END, SHOUTED, STRESSED = "[UNK]", "[CLS]", "[SEP]", "[SHOUTED]", "[STRESSED]"
SPECIAL = (UNKNOWN, START, END, SHOUTED, STRESSED)
# Of a longer word only so many letters are read: nobody's word is longer, and what was cut is kept.
LONGEST_WORD = 40
# "!!!!!!!!" says no more than "!!!", and would push words out of sight.
MOST_ALIKE = 3
LEAST_CAPITALS = 10
_WORD = re.compile(r"[^\W_]+|[^\s]")
_ALIKE = re.compile(rf"(\W)\1{{{MOST_ALIKE},}}")
_LONG_NUMBER = re.compile(r"\d{4,}")
_STRESSED = re.compile(r"(?<![A-Z] )\b[A-Z]{3,}\b(?! [A-Z]{2})")


class Pieces:
    """Cuts texts by a list of known pieces; a piece within a word begins with ##."""

    def __init__(self, known: list[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(known)}
        self.start, self.end = self._numbers[START], self._numbers[END]
        self._cut_word = lru_cache(maxsize=8192)(self._cut)

    def cut(self, text: str) -> list[int]:
        """Numbers of the text's pieces in order, without start and end."""
        found = [number for word in _words_of(text) for number in self._cut_word(word[:LONGEST_WORD])]
        short = [number for number, run in groupby(found) for _ in zip(range(MOST_ALIKE), run, strict=False)]
        return [*(self._numbers[mark] for mark in marks_of(text)), *short]

    def _cut(self, word: str) -> tuple[int, ...]:
        """The longest known piece from the left, again and again; a word that has none is unknown."""
        numbers, at = [], 0
        while at < len(word):
            before = "##" if at else ""
            ends = range(len(word), at, -1)
            end = next((end for end in ends if before + word[at:end] in self._numbers), 0)
            if not end:
                return (self._numbers[UNKNOWN],)
            numbers.append(self._numbers[before + word[at:end]])
            at = end
        return tuple(numbers)


def marks_of(text: str) -> list[str]:
    """What small letters would lose: that all of it is shouted, or a word of it."""
    letters = [char for char in text if char.isalpha()]
    capitals = sum(char.isupper() for char in letters)
    if capitals >= LEAST_CAPITALS and capitals > 0.7 * len(letters):
        return [SHOUTED]
    return [STRESSED] if _STRESSED.search(text) else []


def _words_of(text: str) -> list[str]:
    line = _ALIKE.sub(lambda run: run[1] * MOST_ALIKE, fold(EMAIL.sub(" email ", text)))
    plain = "".join(_plain(char) for char in unicodedata.normalize("NFD", line))
    return _WORD.findall(_LONG_NUMBER.sub("1000", plain))


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    """A letter without its accent, and a picture as its name."""
    kind = unicodedata.category(char)
    if kind == "Mn":
        return ""
    return f" {unicodedata.name(char, '').lower()} " if kind == "So" else char
