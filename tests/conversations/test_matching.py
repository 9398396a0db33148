"""How a message is folded before anything is looked for in it."""

import pytest

from conversations.readings.matching import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("I’M HERE", "i'm here"),
        ("ki\u200bll", "kill"),
        # A Ukrainian i, a Cyrillic K in capitals, a Greek o and alpha: each in a word with Latin letters.
        ("I will k\u0456ll you", "i will kill you"),
        ("\u041aILL", "kill"),
        ("d\u03bfllar b\u03b1nk", "dollar bank"),
        ("\uff52efund", "refund"),
        # Words of other languages, and accents, stay.
        ("\u043f\u0440\u0438\u0432\u0435\u0442", "\u043f\u0440\u0438\u0432\u0435\u0442"),
        ("caf\u00e9", "caf\u00e9"),
        ("", ""),
    ],
)
def test_a_letter_in_a_foreign_dress_is_known(text: str, folded: str) -> None:
    assert fold(text) == folded
