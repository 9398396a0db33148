"""At a spend cap the chat goes to a person, the customer is told, and chats with money left go on."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django.fixtures import Settings

from audit.queries import list_entries
from conversations import tasks
from conversations.models import ModelCall, Ticket, Turn
from conversations.operations import purse
from conversations.operations.reasons import PASSED_ON
from tests.conversations.helpers import LOOK_UP, at_once, staff_call, while_speaking
from tests.conversations.spending import cap, cost_of_calls, cost_of_first_call, make_turn, spent
from tests.factories import Chat, staff_client, start_chat
from tests.scripted import Move, Scripted, say

pytestmark = pytest.mark.usefixtures("desk")
ROOM = 10


@pytest.fixture(autouse=True)
def _own_purse() -> Iterator[None]:
    purse.forget()
    yield
    purse.forget()


def assert_with_a_person(chat: Chat) -> None:
    assert chat.state() == "with_person"
    assert Ticket.objects.get(conversation=chat.id).reason == "spend_cap"
    assert chat.texts("system") == [PASSED_ON]
    assert Turn.objects.get(conversation=chat.id, state="with_person").ended_at is not None
    assert list_entries(subject=chat.id).get(event="handoff").verdict == "spend_cap"


def test_a_conversation_at_its_cap_goes_to_a_person_and_another_one_goes_on(
    model: Scripted, settings: Settings
) -> None:
    cap(settings, conversation=cost_of_first_call())
    model.plays(say("How can I help?"), say("Hello."))
    chat = start_chat()
    chat.say("Hello.")
    chat.say("And now?")
    assert_with_a_person(chat)
    assert chat.texts() == ["How can I help?"]
    other = start_chat()
    other.say("Hello.")
    assert (other.state(), other.texts()) == ("open", ["Hello."])
    assert len(model.requests) == 2


def test_a_cap_reached_between_two_calls_of_a_turn_ends_it_with_a_person(model: Scripted, settings: Settings) -> None:
    cap(settings, conversation=cost_of_first_call())
    model.plays(LOOK_UP)
    chat = start_chat()
    chat.say("Hello.")
    assert_with_a_person(chat)
    assert chat.get().json()["verified"] == "lookup"
    assert len(model.requests) == 1


def test_a_visitor_at_their_cap_goes_to_a_person_in_every_new_chat_and_another_goes_on(
    model: Scripted, settings: Settings
) -> None:
    model.plays(say("Hello."), say("Welcome."))
    cap(settings, visitor=cost_of_first_call())
    start_chat().say("Hello.")
    again = start_chat()
    again.say("Hello.")
    assert_with_a_person(again)
    elsewhere = make_turn("192.0.2.77")
    tasks.run_turn(turn_id=elsewhere.pk)
    elsewhere.refresh_from_db()
    assert elsewhere.state == "done"


@pytest.mark.parametrize("scope", ["shop", "total"])
def test_a_shop_at_its_cap_hands_every_chat_to_a_person_without_a_call(
    model: Scripted, settings: Settings, scope: str
) -> None:
    cap(settings, **{scope: cost_of_first_call() - 1})
    for _ in range(2):
        chat = start_chat()
        chat.say("Hello.")
        assert_with_a_person(chat)
    assert model.requests == []


def test_a_broken_stream_is_charged_its_reservation_and_a_whole_one_its_tokens(
    model: Scripted, settings: Settings
) -> None:
    cap(settings)
    most = cost_of_first_call()
    model.plays({"text": "Half an", "stream_error": "overloaded_error"}, say("Hello."))
    broken = start_chat()
    broken.say("Hello.")
    assert broken.state() == "with_person"
    row = ModelCall.objects.get()
    assert (row.cost_nano, row.stop_reason, row.open) == (most, "unseen", False)
    assert spent("conversation", broken.id) == most
    whole = start_chat()
    whole.say("Hello.")
    assert 0 < spent("conversation", whole.id) < most // 2
    purse.give_back()
    assert spent("shop") == spent("conversation") == cost_of_calls()


def test_a_reply_that_a_person_overtook_is_dropped_and_paid_for(model: Scripted, bob: User, settings: Settings) -> None:
    cap(settings)
    most = cost_of_first_call()
    chat, staff = start_chat(), staff_client(bob)
    while_speaking(model, lambda: staff_call(staff, chat, "take-over"), say("Too late."))
    chat.say("Hello.")
    assert chat.texts() == []
    row = ModelCall.objects.get()
    assert (row.open, row.stop_reason) == (False, "end_turn")
    assert 0 < spent("conversation", chat.id) == row.cost_nano < most


@pytest.mark.parametrize(("scope", "count"), [("shop", 64), ("visitor", 24)])
def test_turns_at_once_make_exactly_the_10_calls_that_there_is_room_for(
    model: Scripted, settings: Settings, scope: str, count: int
) -> None:
    """Each call is held until every turn has either reached the model or gone to a person."""
    most = cost_of_first_call()
    limit = ROOM * most + most // 2
    cap(settings, **{scope: limit})
    turns = [make_turn() for _ in range(count)]
    arrived, everybody = [0], threading.Condition()

    def arrive() -> None:
        with everybody:
            arrived[0] += 1
            everybody.notify_all()

    def answer(_: dict[str, Any]) -> Move:
        arrive()
        with everybody:
            assert everybody.wait_for(lambda: arrived[0] >= count, timeout=60)
        return say("Hello.")

    def run(turn: Turn) -> None:
        tasks.run_turn(turn_id=turn.pk)
        if Turn.objects.get(pk=turn.pk).state == "with_person":
            arrive()

    model.rule = answer
    at_once(*[lambda turn=turn: run(turn) for turn in turns])
    assert len(model.requests) == ROOM
    assert ModelCall.objects.count() == ROOM
    assert Ticket.objects.filter(reason="spend_cap").count() == count - ROOM
    assert Turn.objects.filter(state="done").count() == ROOM
    purse.give_back()
    assert spent(scope) == cost_of_calls() < limit


def test_the_offline_model_reaches_no_cap(settings: Settings) -> None:
    cap(settings, conversation=1, visitor=1, shop=1, total=1)
    chat = start_chat()
    chat.say("Hello.")
    assert chat.state() == "open"
    assert len(chat.texts()) == 1
    assert cost_of_calls() == 0
