"""Text as every database and screen can hold it."""

import re
from typing import Any

UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def make_readable(text: str) -> str:
    """The text without outer space; what cannot be stored or shown (NUL, half a character) becomes U+FFFD."""
    return UNREADABLE.sub("\ufffd", text).strip()


def make_all_readable(value: Any) -> Any:
    """The JSON value with every text in it readable, at every depth; spaces stay."""
    if isinstance(value, str):
        return UNREADABLE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {make_all_readable(key): make_all_readable(item) for key, item in value.items()}
    return [make_all_readable(item) for item in value] if isinstance(value, list) else value
