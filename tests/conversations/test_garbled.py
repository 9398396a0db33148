"""Edges of the fixes that are still open: each test fails today and passes once its fix reaches further."""

import pytest
from django.contrib.auth.models import User

from approvals import operations as gate
from audit.models import Entry
from conversations.models import Ticket
from orders.models import Effect
from tests.conversations.helpers import open_card, staff_call, wait_for_staff
from tests.conversations.test_model_faults import odd_server
from tests.conversations.test_regressions import BEGIN, DANGER, LEGAL, NOTHING, close_and_reopen, frames
from tests.conversations.test_turns import chat_is_deaf
from tests.factories import decide, run_turns, staff_client, start_chat
from tests.scripted import Scripted, say

pytestmark = pytest.mark.usefixtures("desk")


def test_words_between_the_yes_and_the_dead_model_deny_no_effect(model: Scripted) -> None:
    chat = open_card(model)
    assert chat.answer("yes").status_code == 202
    assert chat.send("Thanks! And my other order?").status_code == 202
    model.rule = lambda _: {"status": 500}
    assert run_turns() == 1
    assert Effect.objects.count() == 1
    assert NOTHING not in chat.texts("system")[-1]


def test_a_model_that_dies_after_a_hand_back_denies_no_effect(bob: User, model: Scripted) -> None:
    chat = open_card(model)
    chat.answer("yes")
    chat.post("handoff")
    model.rule = lambda _: {"status": 500}
    for name in ("take-over", "hand-back"):
        assert staff_call(staff_client(bob), chat, name).status_code == 200
    run_turns()
    assert Effect.objects.count() == 1
    assert NOTHING not in chat.texts("system")[-1]


def test_a_message_before_a_decision_was_told_leaves_no_call_open(bob: User, model: Scripted) -> None:
    chat = wait_for_staff(model)
    with chat_is_deaf():
        gate.approve(request_id=chat.card()["request_id"], staff=bob)
    model.rule = lambda _: say("It is done.")
    assert chat.send("Any news?").status_code == 202
    run_turns()
    assert (chat.texts(), chat.state()) == (["It is done."], "open")


@pytest.mark.parametrize("words", [LEGAL, DANGER])
def test_law_and_safety_are_a_persons_also_in_front_of_a_card(model: Scripted, words: str) -> None:
    chat = open_card(model)
    sent = len(model.requests)
    model.rule = lambda _: say("The model spoke.")
    chat.say(words)
    assert (chat.state(), len(model.requests)) == ("with_person", sent)


@pytest.mark.parametrize("letter", ["\ufe0f", "\u034f", "\u17b4", "\u180b", "\U000e0100", "\u3164", "\uffa0", "\u2800"])
def test_marks_without_width_are_no_reply(model: Scripted, letter: str) -> None:
    model.plays(say(letter))
    chat = start_chat()
    chat.say("Hello")
    assert (chat.texts(), chat.state()) == ([], "with_person")


TEXT = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
END = (
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
    {"type": "message_stop"},
)


def delta(text: str, index: int = 0) -> dict:
    return {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}


@pytest.mark.parametrize(
    "body",
    [
        frames(BEGIN, delta("x")),
        frames(BEGIN, TEXT, delta("x", index=99)),
        frames(BEGIN, {"type": "content_block_stop", "index": 4}),
        b"event: message_start\ndata: " + b"[" * 3_000 + b"]" * 3_000 + b"\n\n",
        frames(BEGIN, TEXT | {"content_block": {"type": "text"}}, *END),
        frames(BEGIN, TEXT | {"content_block": {"type": "text", "text": None}}, *END),
    ],
    ids=["no block", "far block", "far stop", "deep", "no text", "null text"],
)
def test_more_garbage_is_a_model_that_is_not_there(model: Scripted, settings, body: bytes) -> None:
    with odd_server(body, "text/event-stream") as url:
        settings.ANTHROPIC_BASE_URL = url
        start_chat().say("Please cancel my order.")
    assert Ticket.objects.get().reason == "model_unavailable"


def test_half_a_character_of_the_model_does_not_end_the_chat(model: Scripted, settings) -> None:
    with odd_server(frames(BEGIN, TEXT, delta("half \ud83d"), *END), "text/event-stream") as url:
        settings.ANTHROPIC_BASE_URL = url
        chat = start_chat()
        chat.say("Hello")
    assert chat.texts() == ["half \ufffd"]
    settings.ANTHROPIC_BASE_URL = model.server.url
    model.plays(say("Still here."))
    chat.say("And now?")
    assert (chat.texts()[1:], chat.state()) == (["Still here."], "open")


def test_a_note_about_a_forgotten_customer_names_nobody(bob: User, model: Scripted) -> None:
    chat = wait_for_staff(model)
    close_and_reopen(bob, chat)
    assert decide(bob, chat.card()["request_id"], "approve", "Called Nora Lindahl, all fine.").status_code == 200
    assert "Lindahl" not in Entry.objects.get(event="approval_granted").canonical


def test_what_a_person_settled_does_not_send_the_customer_back_to_one(bob: User, model: Scripted) -> None:
    chat, client = start_chat(), staff_client(bob)
    chat.post("handoff")
    staff_call(client, chat, "take-over")
    chat.send(DANGER)
    staff_call(client, chat, "reply", {"text": "It is settled."})
    model.rule = lambda _: say("Hello again.")
    staff_call(client, chat, "hand-back")
    run_turns()
    assert (chat.texts(), chat.state()) == (["Hello again."], "open")
