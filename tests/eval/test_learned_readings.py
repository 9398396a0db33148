"""The learned reading: what it was learned from, that learning repeats itself, and what it adds and takes back."""

import json
import time

import pytest

from conversations.readings import learned, safety_concern
from conversations.readings.learned import WEIGHTS, settle, weigh
from eval import learning
from eval.triage import FRESH

HARMLESS = "where is my order? thank you"
DANGEROUS = "the charger melted and burned my hand"


def test_the_weights_belong_to_the_sentences_beside_them() -> None:
    assert json.loads(WEIGHTS.read_text(encoding="utf-8"))["sources"] == learning.fingerprints()


def test_no_set_that_judges_the_readings_is_learned_from() -> None:
    assert not set(FRESH.values()) & set(learning.SOURCES)


def test_no_sentence_has_two_labels() -> None:
    held = [json.loads((learning.SCENARIOS / source).read_text(encoding="utf-8")) for source in learning.SOURCES]
    texts = [text for one in held for listed in one.values() for text in set(listed)]
    labels = {(row.text, row.label) for row in learning.load_rows()}
    assert len({text for text, _ in labels}) == len(labels) <= len(texts)


def test_the_same_rows_give_the_same_weights_and_tell_the_kinds_apart() -> None:
    rows = [learning.Row(f"{word} {at}", label) for at in range(4) for word, label in _TOY]
    once, again = learning.learn(rows), learning.learn(rows)
    assert once == again
    legal, safety, angry = once["weights"]["w court"]
    assert legal > max(safety, angry, 0)


_TOY = [("parcel", "harmless"), ("court", "legal"), ("burned", "safety"), ("idiots", "angry")]


def test_it_adds_what_no_rule_says_and_takes_back_what_only_sounds_like_danger() -> None:
    assert weigh(HARMLESS).risk < learned.TAKES_BACK < learned.SPEAKS < weigh(DANGEROUS).risk
    assert settle("safety", DANGEROUS, by_rule=False)
    assert not settle("legal", DANGEROUS, by_rule=False)
    assert not settle("safety", HARMLESS, by_rule=True)


def test_harmless_sentences_around_a_dangerous_one_take_nothing_back() -> None:
    assert safety_concern(f"{HARMLESS}. " * 20 + DANGEROUS + f". {HARMLESS}" * 20)


@pytest.mark.parametrize("text", ["", "x", "\U0001f621" * 2000, "burn my hand " * 300, "a. " * 1300])
def test_any_text_is_weighed_in_time(text: str) -> None:
    began = time.process_time()
    assert 0 <= weigh(text).risk <= 1
    assert time.process_time() - began < 0.1
