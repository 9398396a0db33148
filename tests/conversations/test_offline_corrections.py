"""Corrections, several subjects, and what came of an action, as the offline model takes and tells them."""

import pytest

from tests.conversations.offline_chat import (
    ADDRESS,
    BACKPACK,
    CANCEL,
    ELSE,
    EXCHANGE,
    GIFT,
    HOME,
    LAMP,
    LARGE,
    MODIFY,
    NAVY,
    NO,
    RETURN,
    SAND,
    VISA,
    back,
    last_text,
    swap,
    talk,
)


@pytest.mark.parametrize(
    ("words", "correction", "actions"),
    [
        (
            "exchange the lamp for sand, on my visa",
            ["actually the large black one"],
            [swap([LAMP], [SAND]), swap([LAMP], [LARGE])],
        ),
        (
            "exchange the lamp for sand, on my visa",
            ["wait, return instead of exchange", "gift card"],
            [swap([LAMP], [SAND]), back([LAMP], GIFT)],
        ),
        (
            "exchange the lamp for sand, on my visa",
            ["no, the other one", "navy"],
            [swap([LAMP], [SAND]), swap([BACKPACK], [NAVY])],
        ),
        (
            "exchange the lamp for sand, on my visa",
            ["pay with my gift card please"],
            [swap([LAMP], [SAND]), swap([LAMP], [SAND], GIFT)],
        ),
        (
            "exchange the lamp for sand, on my visa",
            ["and also the backpack for navy"],
            [swap([LAMP], [SAND]), swap([LAMP, BACKPACK], [SAND, NAVY])],
        ),
        ("return the lamp, gift card", ["no, the backpack"], [back([LAMP], GIFT), back([BACKPACK], GIFT)]),
        ("return the lamp, gift card", ["no, to my visa"], [back([LAMP], GIFT), back([LAMP], VISA)]),
        ("exchange the lamp for sand, on my visa", ["hmm", "yes"], [swap([LAMP], [SAND]), swap([LAMP], [SAND])]),
        (
            "exchange the lamp for sand, on my visa",
            ["how much does the large one cost?", "yes, do it"],
            [swap([LAMP], [SAND]), swap([LAMP], [SAND])],
        ),
        ("exchange the lamp for sand, on my visa", ["never mind"], [swap([LAMP], [SAND])]),
        ("exchange the lamp for sand, on my visa", ["where is #W5918442?"], [swap([LAMP], [SAND])]),
    ],
)
def test_correction_to_a_card(words, correction, actions):
    first, *more = correction
    chat = talk("nora", (words, (ELSE, first)), *more)
    assert chat.actions() == actions


def test_unclear_words_to_a_card_propose_nothing():
    chat = talk("nora", ("exchange the lamp for sand, on my visa", (ELSE, "hmm")), "what?", "dunno")
    assert len(chat.actions()) == 1
    assert last_text(chat).endswith("Tell me if I should still do it.")


@pytest.mark.parametrize(
    ("turns", "actions"),
    [
        (["return the lamp to my gift card and cancel #W5918442, no longer needed"], [RETURN, CANCEL]),
        (
            ["cancel #W5918442 and change the address of #W6120933", "no longer needed", "1 Main St, Reno, NV 89501"],
            [CANCEL, ADDRESS],
        ),
        (
            ["change the address of #W6120933 and cancel #W5918442", "1 Main St, Reno, NV 89501", "by mistake"],
            [ADDRESS, CANCEL],
        ),
        (
            ["update the address of #W5918442 and also my default address to 7 Pine Street, Apt 2, Salem, OR 97301"],
            [ADDRESS, HOME],
        ),
        (
            [("exchange the lamp for sand on my visa and cancel #W5918442, ordered by mistake", NO, "yes")],
            [EXCHANGE, CANCEL],
        ),
        (["exchange the lamp for sand on my visa, and where is #W5918442?"], [EXCHANGE]),
        (["change my email and return the lamp", "gift card"], [RETURN]),
        (["return the lamp from #W5918442 and change the mugs in #W5918442 to slate on my visa"], [MODIFY]),
        (
            [
                "return the lamp, gift card",
                "thanks. now change the kettle to matt black, on my visa",
                "pay #W6120933 with my visa",
            ],
            [RETURN, MODIFY],
        ),
    ],
)
def test_several_subjects_are_taken_one_after_the_other(turns, actions):
    chat = talk("nora", *turns)
    assert [name for name, _ in chat.actions()] == actions


def test_what_only_a_person_can_do_waits_until_the_rest_is_done():
    chat = talk("nora", "change my email and return the lamp")
    assert last_text(chat).endswith("Where should the money go?")
    chat.say("gift card")
    assert chat.actions() == [back([LAMP], GIFT)]
    assert chat.names()[-1] == "transfer_to_human_agents"
