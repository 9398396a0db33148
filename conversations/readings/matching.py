"""How a message is folded and how a table of rules is looked through."""

import re
import unicodedata

EMAIL = re.compile(r"\b[\w.+-]{1,64}@[\w.-]+")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´′", "'"))

Rule = tuple[tuple[str, ...], re.Pattern[str]]


def fold(text: str) -> str:
    """Lower case, one kind of apostrophe, and nothing that prints no mark."""
    visible = (char for char in unicodedata.normalize("NFKC", text.translate(_APOSTROPHES)))
    return "".join(char for char in visible if unicodedata.category(char) != "Cf").casefold()


def make_rules(*rows: tuple[str, str]) -> list[Rule]:
    return [(tuple(hints.split()), re.compile(pattern)) for hints, pattern in rows]


def any_of(rules: list[Rule], line: str) -> bool:
    """Whether a rule holds; a rule is tried only when one of its hints occurs, which keeps long messages fast."""
    return any(pattern.search(line) for hints, pattern in rules if any(hint in line for hint in hints))
