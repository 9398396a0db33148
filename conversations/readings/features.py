"""What the learned reading sees of a message: its words, pairs of words, the families they belong to, and its marks.

The trainer and the reading share this module, so that both always see the same.
"""

import re
from itertools import combinations, pairwise

from conversations.readings.concepts import write_out, write_out_word
from conversations.readings.matching import fold
from conversations.readings.words_anger import ANGER
from conversations.readings.words_harm import HARM
from conversations.readings.words_law import LAW

_LEXICONS = (("L", LAW), ("H", HARM), ("A", ANGER))
# An address or an order's number says nothing of a mood.
_NAMES = re.compile(r"(?<!\S)\S{1,80}@\S+|#?\b[wW]\d{4,}\b")
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
_TOKEN = re.compile(r"[a-z]+|\d+|[!?]+|\.{2,}|[^\x00-\x7f]|[£$€%&*\"]")
_CAPITALS = re.compile(r"\b[A-Z]{3,}\b")
# More families than this in one sentence say nothing by their pairs, and cost time.
MOST_FAMILIES = 13
STEM = 5


def features_of(text: str) -> set[str]:
    """Names of everything the message has."""
    text = _NAMES.sub(" ", text)
    sentences = [words for part in _SENTENCE.findall(fold(text)) if (words := _tokens_of(part))]
    found = set(_marks_of(text, sentences))
    for words in sentences:
        found.update(f"w {word}" for word in words)
        found.update(f"s {word[:STEM]}" for word in words if len(word) > STEM)
        found.update(f"b {one} {two}" for one, two in pairwise(["<", *words, ">"]))
        found.update(_families_of([word for word in words if word.isalpha()]))
    return found


def _tokens_of(part: str) -> list[str]:
    return [word for found in _TOKEN.findall(write_out(part)) for word in write_out_word(_plain(found))]


def _plain(token: str) -> str:
    if token[0].isdigit():
        return "#"
    return "!!" if token[0] in "!?" and len(token) > 1 else token


def _families_of(words: list[str]) -> set[str]:
    found: set[str] = set()
    families: set[str] = set()
    for letter, lexicon in _LEXICONS:
        tagged = lexicon.tag(words)
        for at, (_, names) in enumerate(tagged):
            for name in (f"{letter}{name}" for name in names):
                families.add(name)
                if at:
                    found.add(f"p {tagged[at - 1][0]} {name}")
                if at + 1 < len(tagged):
                    found.add(f"n {name} {tagged[at + 1][0]}")
    found.update(f"f {name}" for name in families)
    if len(families) <= MOST_FAMILIES:
        found.update(f"t {one} {two}" for one, two in combinations(sorted(families), 2))
    return found


def _marks_of(text: str, sentences: list[list[str]]) -> list[str]:
    letters = [char for char in text if char.isalpha()]
    shouts = len(letters) > 8 and sum(char.isupper() for char in letters) > 0.7 * len(letters)
    stressed = not shouts and _CAPITALS.search(text)
    words = sum(map(len, sentences))
    return [
        f"x length {min(6, words // 6)}",
        f"x sentences {min(4, len(sentences))}",
        *(["x shouts"] if shouts else []),
        *(["x stressed"] if stressed else []),
    ]
