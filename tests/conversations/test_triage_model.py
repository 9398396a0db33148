"""The small model that labels chats: one bounded, paid call a chat, and the rules wherever it does not answer."""

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.db.models import Sum
from pytest_django.fixtures import Settings

from audit.queries import list_entries
from conversations.agent import triage_model
from conversations.models import Conversation, ModelCall, Spend, Ticket
from conversations.operations import ask_for_person
from tests.conftest import close_circuit
from tests.conversations.helpers import while_speaking
from tests.factories import Chat, run_turns, start_chat
from tests.scripted import Move, Scripted, calls, say

SMALL_MODEL = "claude-haiku-5-5"
WORDS = "Please cancel my order."
RIGHT = {"intent": "exchange", "confidence": 0.9, "sentiment": "neutral", "risk": "none", "reason": "wants another"}


@pytest.fixture(autouse=True)
def _labelled(desk: None, model: Scripted, settings: Settings) -> None:
    settings.DESKAGENT_PROFILE, settings.DESKAGENT_TRIAGE_MODEL = "scoped", SMALL_MODEL
    name = f"{model.server.url} {SMALL_MODEL} triage"
    close_circuit(name, f"{model.server.url}/ {SMALL_MODEL} triage")


@pytest.fixture
def patient(settings: Settings) -> None:
    """A deadline that is long enough for a machine that does a hundred other things."""
    settings.DESKAGENT_TRIAGE_MS = 20_000


def answer(**changed: Any) -> Move:
    return calls((triage_model.TOOL, RIGHT | changed))


def label_of(chat: Chat) -> dict[str, Any]:
    found: dict[str, Any] = Conversation.objects.get(pk=chat.id).label
    return found


@pytest.mark.usefixtures("patient")
def test_its_label_decides_and_the_agent_goes_on_with_it(model: Scripted) -> None:
    model.plays(answer(), say("Which one?"), say("Fine."))
    chat = start_chat()
    chat.say(WORDS)
    chat.say("The lamp.")
    asked, first, second = model.requests
    assert asked["tool_choice"] == {"type": "tool", "name": triage_model.TOOL}
    assert "tool_choice" not in first
    assert first["tools"] == second["tools"]
    label = label_of(chat)
    assert (label["intent"], label["confidence"], label["reason"], label["by"]) == (
        "exchange",
        0.9,
        "wants another",
        SMALL_MODEL,
    )
    order = [entry.event for entry in list_entries(subject=chat.id).order_by("position")]
    assert order == ["conversation_started", "model_call", "triaged", "model_call", "model_call"]
    assert ModelCall.objects.filter(prompt_version=triage_model.PROMPT, open=False).count() == 1


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"risk": "safety"}, "safety"),
        ({"risk": "legal"}, "legal threat"),
        ({"sentiment": "angry"}, "anger"),
        ({"intent": "complaint"}, "unsupported"),
        ({"confidence": 0.1}, "low_confidence"),
    ],
)
def test_what_it_finds_sends_a_chat_to_a_person(model: Scripted, changed: dict[str, Any], reason: str) -> None:
    model.plays(answer(**changed))
    chat = start_chat()
    chat.say(WORDS)
    assert Ticket.objects.get(conversation=chat.id).reason == reason
    assert len(model.requests) == 1


@pytest.mark.usefixtures("patient")
def test_it_cannot_talk_a_danger_away(model: Scripted) -> None:
    model.plays(answer())
    chat = start_chat()
    chat.say("Swap the lamp, it caught fire.")
    assert Ticket.objects.get(conversation=chat.id).reason == "safety"


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("I will sue you, my lawyer is informed.", "legal threat"),
        ("The lamp caught fire.", "safety"),
        ("This is outrageous, you are all idiots!", "anger"),
    ],
)
def test_what_is_said_while_it_is_asked_is_heard_too(model: Scripted, words: str, reason: str) -> None:
    chat = start_chat()
    chat.send(WORDS)
    while_speaking(model, lambda: chat.send(words), answer())
    run_turns()
    assert Ticket.objects.get(conversation=chat.id).reason == reason
    assert len(model.requests) == 1


@pytest.mark.usefixtures("patient")
def test_harmless_words_that_come_meanwhile_leave_its_label(model: Scripted) -> None:
    chat = start_chat()
    chat.send(WORDS)
    while_speaking(model, lambda: chat.send("The lamp, please."), answer(), say("Which one?"))
    run_turns()
    assert (chat.texts(), label_of(chat)["intent"]) == (["Which one?"], "exchange")


@pytest.mark.usefixtures("patient")
def test_a_fault_behind_its_answer_brings_a_person_at_once(model: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(triage_model, "settle", fail)
    model.plays(answer())
    chat = start_chat()
    chat.say(WORDS)
    assert (chat.state(), Ticket.objects.get(conversation=chat.id).reason) == ("with_person", "fault")
    assert not ModelCall.objects.filter(open=True).exists()


UNUSABLE: list[tuple[str, Move]] = [
    ("words", say("It is an exchange.")),
    ("an unknown intent", answer(intent="world_peace")),
    ("too sure", answer(confidence=2)),
    ("a missing part", calls((triage_model.TOOL, {"intent": "exchange"}))),
    ("a part too many", answer(orders=["#W1"])),
    ("two labels", calls((triage_model.TOOL, RIGHT), (triage_model.TOOL, RIGHT))),
    ("an error", {"status": 500}),
]


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("move", [move for _, move in UNUSABLE], ids=[name for name, _ in UNUSABLE])
def test_an_answer_of_another_form_leaves_it_to_the_rules(model: Scripted, move: Move) -> None:
    model.plays(move, say("Which one?"))
    chat = start_chat()
    chat.say(WORDS)
    assert (label_of(chat)["intent"], label_of(chat)["by"]) == ("cancel", "rules")
    assert chat.texts() == ["Which one?"]
    assert not ModelCall.objects.filter(open=True).exists()


def test_a_slow_one_is_not_waited_for(model: Scripted, settings: Settings) -> None:
    model.plays(answer() | {"delay_ms": 3_000}, say("Which one?"))
    chat = start_chat()
    chat.say(WORDS)
    assert label_of(chat)["by"] == "rules"
    assert chat.texts() == ["Which one?"]
    slow = ModelCall.objects.get(prompt_version=triage_model.PROMPT)
    # Nobody saw whether it was billed.
    assert (slow.open, slow.stop_reason) == (False, "unseen")


@pytest.mark.usefixtures("patient")
def test_it_costs_at_most_a_thousandth_of_a_dollar_and_stays_under_the_caps(
    model: Scripted, settings: Settings
) -> None:
    model.plays(answer(), say("Which one?"))
    chat = start_chat()
    chat.say("Please cancel my order. " + " ".join(f"Lamp {number} is for room {number}." for number in range(110)))
    call = ModelCall.objects.get(prompt_version=triage_model.PROMPT)
    assert 0 < call.cost_nano <= triage_model.MOST_NANO
    booked = Spend.objects.get(scope="conversation", subject=chat.id).nano
    assert booked == ModelCall.objects.aggregate(total=Sum("cost_nano"))["total"]
    # The dearer one is not asked at all, nor is any where the cap has no room.
    settings.DESKAGENT_TRIAGE_MODEL = "claude-sonnet-5-5"
    model.plays(say("Which one?"))
    start_chat().say(WORDS)
    assert model.moves == []
    settings.DESKAGENT_TRIAGE_MODEL = SMALL_MODEL
    settings.DESKAGENT_SPEND_CAP_CONVERSATION_USD = 0
    broke = start_chat()
    broke.say(WORDS)
    assert Ticket.objects.get(conversation=broke.id).reason == "spend_cap"
    assert model.moves == []


@pytest.mark.usefixtures("patient")
def test_a_chat_that_a_person_took_meanwhile_is_paid_for_and_left_alone(model: Scripted) -> None:
    chat = start_chat()

    def take_meanwhile(body: dict[str, Any]) -> Move:
        ask_for_person(conversation_id=UUID(chat.id))
        connection.close()
        return answer()

    model.rule = take_meanwhile
    chat.say(WORDS)
    assert chat.state() == "with_person"
    assert len(model.requests) == 1
    call = ModelCall.objects.get()
    assert not call.open
    assert call.output_tokens > 0
