"""How a message is cut into the pieces that the learned reading knows."""

import pytest

from conversations.readings.pieces import SPECIAL, Pieces, marks_of

KNOWN = [
    *SPECIAL,
    "burn",
    "##ed",
    "##t",
    "my",
    "hand",
    "cafe",
    "!",
    "*",
    "f",
    "face",
    "with",
    "joy",
    "1000",
    "email",
    "w",
]


def cut(text: str) -> list[str]:
    return [KNOWN[number] for number in Pieces(KNOWN).cut(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Burned my hand", ["burn", "##ed", "my", "hand"]),
        ("burnt!", ["burn", "##t", "!"]),
        ("Café", ["cafe"]),
        ("cinder my", ["[UNK]", "my"]),
        ("my\u200b ha\u00adnd", ["my", "hand"]),
        ("1234567", ["1000"]),
        ("a.b@example.com", ["email"]),
        ("", []),
    ],
)
def test_a_word_is_cut_from_the_left_into_the_longest_known_pieces(text: str, pieces: list[str]) -> None:
    assert cut(text) == pieces


def test_a_picture_is_read_by_its_name() -> None:
    assert cut("\U0001f602") == ["face", "with", "[UNK]", "[UNK]", "joy"]


def test_the_same_again_and_again_says_no_more_than_three_times() -> None:
    assert cut("!" * 50) == ["!"] * 3
    assert cut("f" + "*" * 5) == ["f", "*", "*", "*"]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("WHERE IS MY ORDER", ["[SHOUTED]"]),
        ("I want it NOW please", ["[STRESSED]"]),
        ("my order W1234567", []),
        ("the XL one", []),
        ("is the TV here", []),
    ],
)
def test_shouting_survives_small_letters(text: str, marks: list[str]) -> None:
    assert marks_of(text) == marks
    assert cut(text)[: len(marks)] == marks
