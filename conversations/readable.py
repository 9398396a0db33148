"""Text as every database and screen can hold it."""

import re
import unicodedata

UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def make_readable(text: str) -> str:
    """The text without outer space; what cannot be stored or shown (NUL, half a character) becomes U+FFFD."""
    return UNREADABLE.sub("\ufffd", text).strip()


def is_blank(text: str) -> bool:
    """Whether nothing of it can be seen: only spaces, controls and marks of no width."""
    return not any(unicodedata.category(letter)[0] not in "ZC" for letter in text)
