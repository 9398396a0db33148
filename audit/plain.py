"""Any value as plain JSON of bounded size: what a model sends is recorded whatever it is, on both engines."""

import math
import re
from collections.abc import Callable, Collection
from itertools import islice
from typing import Any

UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
DEEPEST = 8
MOST_NAMES, MOST_ITEMS = 40, 100
# Of one whole value: parts of any kind, and characters. Several times what a model's longest reply can hold.
MOST_PARTS, MOST_LETTERS = 2_000, 100_000
CUT = "\u2026"


def make_text(text: str) -> str:
    """The text with U+FFFD for what a database cannot hold: NUL, other controls, half a character."""
    return UNREADABLE.sub("\ufffd", text)


def make_plain(value: Any) -> Any:
    """The value as JSON with an ellipsis for what is too deep or too much; never raises for anything JSON can say."""
    return _Room().fit(value, DEEPEST)


def map_names(pairs: Collection[tuple[str, Any]], rename: Callable[[str], str]) -> dict[str, Any]:
    """The pairs under new names; two that get the same name are numbered, so that neither is lost."""
    renamed: dict[str, Any] = {}
    for name, item in pairs:
        new = rename(name)
        while new in renamed:
            new += f" ({len(renamed) + 1})"
        renamed[new] = item
    return renamed


class _Room:
    def __init__(self) -> None:
        self.parts = MOST_PARTS
        self.letters = MOST_LETTERS

    def fit(self, value: Any, depth: int) -> Any:
        self.parts -= 1
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return value if value.bit_length() < 64 else self._text(spell_int(value))
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        if isinstance(value, str):
            return self._text(value)
        if not isinstance(value, dict | list | tuple):
            return self._text(str(value))
        if depth == 0 or self.parts <= 0:
            return CUT
        if isinstance(value, dict):
            pairs = [(str(name), self.fit(item, depth - 1)) for name, item in islice(value.items(), MOST_NAMES)]
            return map_names(pairs, self._text)
        return [self.fit(item, depth - 1) for item in value[:MOST_ITEMS]]

    def _text(self, text: str) -> str:
        kept = text[: max(self.letters, 0)]
        self.letters -= len(kept)
        if len(kept) < len(text):
            # At a space: half an address would no longer be known for one, and not be masked.
            kept = kept[: max(kept.rfind(" "), 0)] + CUT
        return make_text(kept)


def spell_int(value: int) -> str:
    """A whole number as text; Python refuses to write very long ones in decimal."""
    return str(value) if value.bit_length() < 8_000 else hex(value)
