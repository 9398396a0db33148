"""Misspelt words brought back to the passages' spelling, without a walk over every word that there is."""

from collections.abc import Iterable, Iterator

SHORTEST = 5
# With one letter changed, shorter words are too often others of the language: writing is not waiting.
LONG = 8


class Speller:
    """Knows each word by what is left of it when one letter is missing, so that a look-up costs a word's length."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = frozenset(known)
        self._near: dict[str, list[str]] = {}
        for word in self._known:
            if len(word) >= SHORTEST and word.isalpha():
                for rest in _shorten(word):
                    self._near.setdefault(rest, []).append(word)

    def mend(self, word: str) -> str:
        """A misspelt word as it is spelt, where exactly one slip parts them; short words are left alone."""
        if word in self._known or len(word) < SHORTEST or not word.isalpha():
            return word
        near = {
            known
            for rest in _shorten(word)
            for known in self._near.get(rest, ())
            if known[0] == word[0] and _slipped(word, known)
        }
        return near.pop() if len(near) == 1 else word


def _shorten(word: str) -> Iterator[str]:
    yield word
    yield from {word[:at] + word[at + 1 :] for at in range(len(word))}


def _slipped(word: str, known: str) -> bool:
    """One letter lost, added, in a long word changed, or two neighbours swapped."""
    if len(word) == len(known):
        differ = [at for at in range(len(word)) if word[at] != known[at]]
        if len(differ) == 1:
            return len(word) >= LONG
        return len(differ) == 2 and word[differ[0]] == known[differ[1]] and word[differ[1]] == known[differ[0]]
    long, short = (word, known) if len(word) > len(known) else (known, word)
    return len(long) - len(short) == 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
