"""Text as search compares it: words without case, accents and endings, and one word for what is said in many ways."""

import re
import threading
import unicodedata
from collections.abc import Callable
from functools import lru_cache

import snowballstemmer

from helpcenter.vocabulary import MEANS, SAME, STOP

WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)*")
LONGEST_WORD = 40
GENERAL = STOP | SAME.keys() | set(SAME.values()) | set(re.findall("[a-z]{4,}", " ".join(MEANS.values())))
_MEANS = re.compile(r"\b(?:" + "|".join(f"(?P<{first}>{wording})" for first, wording in MEANS.items()) + r")\b")


def split(text: str) -> list[str]:
    """Every word as it was typed, without case, accents and apostrophes."""
    folded = unicodedata.normalize("NFKD", text.replace("’", "'").casefold())
    letters = "".join(character for character in folded if not unicodedata.combining(character))
    return [word.replace("'", "") for word in WORD.findall(letters) if len(word) <= LONGEST_WORD]


def list_words(text: str, mend: Callable[[str], str] = str) -> list[str]:
    """The stems of what the text is about, in order; `mend` sees each word before anything is made of it."""
    said = " ".join(mend(word) for word in split(text))
    return [stem(word) for word in _MEANS.sub(_name, said).split() if word not in STOP]


def _name(found: re.Match[str]) -> str:
    return f" {found.lastgroup} "


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    return str(_own.stemmer.stemWord(SAME.get(word, word)))


class _Own(threading.local):
    """A stemmer keeps the word it works on, so each thread has one of its own."""

    def __init__(self) -> None:
        self.stemmer = snowballstemmer.stemmer("english")


_own = _Own()
