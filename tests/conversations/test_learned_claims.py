"""The learned reading of claims: that its weights are those of our sentences, what it adds, and what it costs."""

import json
import math
import time

import numpy as np
import pytest
from pytest_django.fixtures import Settings

from conversations.agent import reply_learned
from conversations.agent.reply_check import find_faults
from conversations.agent.reply_claims import list_claims
from conversations.agent.reply_text import Plain
from conversations.readings import claims, encoder
from eval import claiming
from eval.learning import SCENARIOS
from tests.conversations.reply_worlds import read_books
from tests.conversations.test_reply_check import FOLDER, enter_world
from tests.conversations.test_reply_found import BY_ANOTHER
from tests.factories import SMALL
from tests.scripted import Scripted

pytestmark = [pytest.mark.usefixtures("desk", "gateway"), pytest.mark.one_engine]
UNSEEN_BY_RULES = "Okay, so that one's off the books now."


def test_the_weights_belong_to_the_sentences_beside_them_and_to_the_pieces_they_read_with() -> None:
    assert claims.load().told["sources"] == claiming.fingerprints()
    assert claims.load().pieces is encoder.load().pieces


def test_no_sentence_claims_two_things() -> None:
    held = [json.loads((SCENARIOS / source).read_text(encoding="utf-8")) for source in claiming.SOURCES]
    labelled = {(Plain(text).text.strip(), kind) for one in held for kind, texts in one.items() for text in texts}
    assert len({text for text, _ in labelled}) == len(labelled) == len(claiming.load_rows())
    assert {kind for _, kind in labelled} == set(claims.KINDS)


def test_replies_that_judge_share_few_sentences_with_those_that_were_learned_from() -> None:
    learned = {row.text for row in claiming.load_rows()}
    for name in BY_ANOTHER:
        held = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        texts = [text for one in held.values() for text in [*one["true"], *(text for _, text in one["false"])]]
        sentences = [sentence.text.strip() for text in texts for sentence in Plain(text).sentences]
        shared = [sentence for sentence in sentences if sentence in learned]
        assert len(shared) <= 0.05 * len(sentences), shared
        assert all(len(sentence.split()) <= 16 for sentence in shared), shared


def test_numpy_says_what_was_said_where_it_was_learned() -> None:
    for text, said in claims.load().told["said"].items():
        read = [claims.chances_of(text)[kind] for kind in claims.KINDS]
        assert math.isclose(sum(read), 1, abs_tol=1e-5)
        assert np.argmax(read) == np.argmax(said)
        assert np.abs(np.array(read) - np.array(said)).max() < 0.08, text


def test_a_claim_that_no_rule_knows_is_held_back_until_the_books_bear_it_out(
    model: Scripted, settings: Settings
) -> None:
    assert list(list_claims(Plain(UNSEEN_BY_RULES))) == []
    [fault] = find_faults(UNSEEN_BY_RULES, read_books(enter_world("known", model, settings)))
    assert (fault.kind, fault.why) == (
        "done",
        "it says that something was or is being cancelled, and no tool result shows that",
    )
    cancelled = read_books(enter_world("cancelled", model, settings))
    assert find_faults(UNSEEN_BY_RULES, cancelled) == []
    # Of this order, and of no other one.
    assert find_faults("So #W4402817 is off the books now.", cancelled)
    assert find_faults(f"So {SMALL} is off the books now.", cancelled) == []


def test_a_failure_that_no_rule_knows_is_held_back_where_it_was_done(model: Scripted, settings: Settings) -> None:
    text = "So the cancel kinda fell flat, sorry."
    assert list(list_claims(Plain(text))) == []
    [fault] = find_faults(text, read_books(enter_world("cancelled", model, settings)))
    assert fault.kind == "failed"
    assert find_faults(text, read_books(enter_world("refused", model, settings))) == []


def test_what_a_rule_reads_in_a_sentence_is_not_asked_for_again() -> None:
    plain = Plain("I've cancelled it. The cancellation is in the bag.")
    known = {claim.start: True for claim in list_claims(plain)}
    assert len(known) == 1
    [(claim, why)] = reply_learned.list_unproven(plain, known, lambda claim: "wrong")
    assert (claim.sentence, why) == ("the cancellation is in the bag.", "wrong")
    assert list_all("Would you like me to cancel it?") == []


def test_the_second_claim_of_a_sentence_is_a_claim_too(model: Scripted, settings: Settings) -> None:
    text = "I cancelled the order as you wanted and placed a new one for the kettle alone."
    [fault] = find_faults(text, read_books(enter_world("cancelled", model, settings)))
    assert text[fault.start : fault.end] == "placed a new one for the kettle alone"


def test_each_sentence_is_read_once_and_of_a_flood_only_the_beginning() -> None:
    claims.chances_of.cache_clear()
    reply = "Let me see. Your order is pending. Anything else?"
    for at, letter in enumerate(reply):
        if letter in ".?":
            list_all(reply[: at + 1])
    assert claims.chances_of.cache_info().misses == 3
    claims.chances_of.cache_clear()
    list_all(" ".join(f"Number {at} is on the list." for at in range(4_000)))
    assert claims.chances_of.cache_info().misses == reply_learned.MOST_SENTENCES


def test_the_worst_text_does_not_hold_a_turn_up() -> None:
    claims.chances_of.cache_clear()
    parts = "Item {0} is cancelled, and its money is back, and label {0} is out, and {0} was swapped, so {0} is done."
    began = time.process_time()
    for text in (" ".join(f"word{at} thing{at}" for at in range(700)), " ".join(map(parts.format, range(60)))):
        list(reply_learned.list_unproven(Plain(text[:8_000]), {}, lambda claim: ""))
    assert time.process_time() - began < 2


def list_all(text: str) -> list[str]:
    """What the weights alone take for a claim."""
    return [claim.sentence for claim, _ in reply_learned.list_unproven(Plain(text), {}, lambda claim: "wrong")]
