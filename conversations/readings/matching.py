"""How a message is folded and how a table of rules is looked through."""

import re
import unicodedata

EMAIL = re.compile(r"\b[\w.+-]{1,64}@[\w.-]+")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))

Rule = tuple[tuple[str, ...], re.Pattern[str]]

# Small letters of other alphabets that look like ours, Cyrillic and Greek, as in "kill" with a Ukrainian "i".
_CYRILLIC, _AS_CYRILLIC = (
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442"
    "\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d",
    "abekmhopctyxijshdqw",
)
_GREEK, _AS_GREEK = "\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b7", "aeikvoptuxn"
_LOOK_ALIKE = str.maketrans(_CYRILLIC + _GREEK, _AS_CYRILLIC + _AS_GREEK)
_WORD = re.compile(r"\w+")
_LATIN = re.compile(r"[a-z]")


def fold(text: str) -> str:
    """Lower case, one kind of apostrophe, nothing that prints no mark, and no letter in a foreign dress."""
    visible = (char for char in unicodedata.normalize("NFKC", text.translate(_APOSTROPHES)))
    line = "".join(char for char in visible if unicodedata.category(char) != "Cf").casefold()
    return line if line.isascii() else _WORD.sub(_undress, line)


def _undress(word: re.Match[str]) -> str:
    """Letters that only look like ours, in a word that has some of ours; a whole word of another language stays."""
    return word[0].translate(_LOOK_ALIKE) if _LATIN.search(word[0]) else word[0]


def make_rules(*rows: tuple[str, str]) -> list[Rule]:
    return [(tuple(hints.split()), re.compile(pattern)) for hints, pattern in rows]


def any_of(rules: list[Rule], line: str) -> bool:
    """Whether a rule holds; a rule is tried only when one of its hints occurs, which keeps long messages fast."""
    return any(pattern.search(line) for hints, pattern in rules if any(hint in line for hint in hints))
