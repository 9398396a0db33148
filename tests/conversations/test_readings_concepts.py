"""Families of words and patterns of them, which carry the readings of danger over to wordings nobody listed."""

import time

import pytest

from conversations.readings import is_angry, legal_threat, safety_concern
from conversations.readings.concepts import Lexicon, sentences_of


def test_short_forms_are_written_out_and_fillers_dropped() -> None:
    assert sentences_of("i'll really sue. u can't!") == [["i", "will", "sue"], ["you", "can", "not"]]


@pytest.mark.parametrize(
    ("pattern", "line", "heard"),
    [
        ("burn* my @BODY", "it burned my hand", True),
        ("burn* my @BODY", "it burned my toast", False),
        ("burn* ~2 @BODY", "it burnt the whole left arm", False),
        ("burn* ~3 @BODY", "it burnt the whole left arm", True),
        ("big/huge/- toe", "toe", True),
        ("sore _ toe", "a sore old toe", True),
        ("^ useless $", "useless", True),
        ("^ useless $", "useless lid", False),
        ("sore toe+", "sore toes", True),
        ("@BODY itches", "my left big toe itches", True),
        ("stop $/now", "i want to stop", True),
    ],
)
def test_a_pattern_is_a_row_of_words_families_and_gaps(pattern: str, line: str, heard: bool) -> None:
    assert Lexicon({"BODY": "hand+, arm, big toe"}, pattern).speaks(line) is heard


def test_a_harmless_sentence_weighs_nothing_unless_the_sign_is_firm() -> None:
    words = Lexicon({}, "fire", harmless="pit", firm="on fire")
    assert words.speaks("there is fire")
    assert not words.speaks("a fire pit")
    assert words.speaks("a fire pit on fire")
    assert words.speaks("a pit. fire")


def test_different_signs_are_counted_once_each() -> None:
    assert Lexicon({}, "late; wrong").count("late and late. wrong") == 2


@pytest.mark.parametrize(
    "text",
    [
        "fire it " * 500,
        "my bank the a b c get it money " * 130,
        "*" * 4000,
        "#" * 4000,
        "!" * 4000,
        "f**" * 1300,
        "you you the hurt " * 240,
        "burn my hand " * 300,
        "into my the " * 330,
        "i will the a to be " * 200,
    ],
)
def test_the_longest_message_is_read_in_time_whatever_it_holds(text: str) -> None:
    started = time.process_time()
    for read in (legal_threat, safety_concern, is_angry):
        read(text)
    assert time.process_time() - started < 0.1


@pytest.mark.parametrize("text", ["card **** **** **** 1234", "mail a@example.com", "price $$$", "size f-d, item #12"])
def test_marks_that_hide_no_curse_are_no_anger(text: str) -> None:
    assert not is_angry(text)
