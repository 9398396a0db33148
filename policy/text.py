"""Which texts can be seen, and which stay on their line."""

import re
import unicodedata

# Letters that print nothing: Hangul fillers and the empty Braille pattern.
FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# Line breaks and other controls, and the marks that turn the reading direction of what follows.
BREAKS_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def is_blank(text: str) -> bool:
    """Whether nothing of it can be seen: only spaces, controls, fillers and marks with nothing to stand on."""
    return all(letter in FILLERS or unicodedata.category(letter)[0] in "ZCM" for letter in text)


def is_one_line(text: str) -> bool:
    """Whether it stays where it is put: a text that breaks its line could rewrite the card around it."""
    return BREAKS_A_LINE.search(text) is None
