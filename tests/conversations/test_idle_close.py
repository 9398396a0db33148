"""A chat in which nobody writes is told of its end and then closed; one that waits for anybody else is not."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django.fixtures import Settings

from conversations.models import Conversation, Turn
from conversations.operations import start_conversation, sweep
from conversations.operations.idling import CLOSED, close_idle
from conversations.queries import get_standing
from conversations.reports import count_endings
from tests.conversations.helpers import PERSON, answered_chat, at_once, open_card, staff_call, wait_for_staff
from tests.factories import Chat, run_turns, staff_client, start_chat
from tests.scripted import Scripted, say

pytestmark = pytest.mark.usefixtures("desk")
NOTICE = "Are you still there? If nobody writes here, this chat closes in 10 minutes. You can open it again for 7 days."


def sweep_after(minutes: float) -> None:
    sweep(now=timezone.now() + timedelta(minutes=minutes))


def close_by_silence(chat: Chat) -> None:
    sweep_after(31)
    sweep_after(42)
    assert chat.state() == "closed"


def test_silence_brings_a_notice_and_then_the_end(model: Scripted) -> None:
    chat = answered_chat(model)
    sweep_after(29)
    assert chat.texts("system") == []
    sweep_after(31)
    sweep_after(9)
    assert (chat.texts("system"), chat.state()) == ([NOTICE], "open")
    sweep_after(11)
    assert (chat.texts("system"), chat.state()) == ([NOTICE, CLOSED], "closed")
    assert [event["kind"] for event in chat.events()][-3:] == ["message", "state", "rating_request"]
    sweep_after(60)
    assert len(chat.texts("system")) == 2


def test_the_notice_says_how_long_is_left(model: Scripted, settings: Settings) -> None:
    for seconds, words in [(20, "a minute"), (60, "a minute"), (150, "2 minutes")]:
        settings.DESKAGENT_IDLE_CLOSE_SECONDS = seconds
        chat = answered_chat(model)
        sweep_after(31)
        assert f"closes in {words}. " in chat.texts("system")[0]


def test_a_word_after_the_notice_keeps_the_chat_open(model: Scripted) -> None:
    chat = answered_chat(model)
    sweep_after(31)
    model.plays(say("Still here."))
    chat.say("Yes, one moment.")
    sweep_after(11)
    assert (chat.texts("system"), chat.state()) == ([NOTICE], "open")
    # Silent again, it is told again.
    sweep_after(31)
    assert chat.texts("system") == [NOTICE, NOTICE]


def with_ticket(model: Scripted, bob: User) -> Chat:
    chat = answered_chat(model)
    assert chat.post("handoff").status_code == 202
    return chat


def held(model: Scripted, bob: User) -> Chat:
    chat = answered_chat(model)
    assert staff_call(staff_client(bob), chat, "take-over").status_code == 200
    return chat


def under_review(model: Scripted, bob: User) -> Chat:
    return wait_for_staff(model)


def in_front_of_a_card(model: Scripted, bob: User) -> Chat:
    return open_card(model)


def unanswered(model: Scripted, bob: User) -> Chat:
    chat = answered_chat(model)
    assert chat.send("And now?").status_code == 202
    return chat


def by_mail(model: Scripted, bob: User) -> Chat:
    conversation, token = start_conversation(channel=Conversation.Channel.EMAIL)
    chat = Chat(id=str(conversation.pk), token=token)
    model.plays(say("Hello."))
    chat.say("Hi")
    return chat


@pytest.mark.parametrize("make", [with_ticket, held, under_review, in_front_of_a_card, unanswered, by_mail])
def test_a_chat_that_waits_for_somebody_else_is_never_closed(
    model: Scripted, bob: User, make: Callable[[Scripted, User], Chat]
) -> None:
    chat = make(model, bob)
    before = chat.events()
    for minutes in (31, 60, 600):
        # The sweep's other passes expire what waited too long, which is not this test's matter.
        assert close_idle(now=timezone.now() + timedelta(minutes=minutes)) == 0
    assert chat.events() == before


def test_a_card_that_expired_holds_nothing_up(model: Scripted) -> None:
    chat = open_card(model)
    sweep_after(16)
    assert chat.state() == "open"
    close_by_silence(chat)


def test_two_sweeps_at_once_tell_and_close_once(model: Scripted) -> None:
    chats = [answered_chat(model) for _ in range(3)]
    for minutes in (31, 42):
        at_once(*[lambda ahead=minutes: sweep_after(ahead)] * 3)
    for chat in chats:
        assert chat.texts("system") == [NOTICE, CLOSED]
        assert len(chat.events("rating_request")) == 1


def test_a_chat_without_a_word_is_closed_without_a_word() -> None:
    chat = start_chat()
    sweep_after(29)
    assert chat.state() == "open"
    sweep_after(31)
    assert (chat.state(), chat.events()) == ("closed", [])
    assert count_endings(since=timezone.now() - timedelta(days=1)).ended == 0
    chat.say("Hello, I am late")
    # It only begins.
    assert (chat.state(), Conversation.objects.get(pk=chat.id).reopenings) == ("open", 0)


@pytest.mark.usefixtures("books")
def test_a_message_opens_it_again_and_that_is_counted(model: Scripted) -> None:
    chat = answered_chat(model)
    close_by_silence(chat)
    assert chat.get().json()["owner"] == "nobody"
    model.plays(say("Welcome back."))
    chat.say("One more thing.")
    row = Conversation.objects.get(pk=chat.id)
    assert (chat.texts()[-1], row.reopenings) == ("Welcome back.", 1)
    assert (get_standing(row).state, get_standing(row).verified) == ("open", None)
    # The wish was asked for once.
    close_by_silence(chat)
    assert len(chat.events("rating_request")) == 1


@pytest.mark.parametrize(("days", "status", "counted"), [(6.9, 202, 1), (7.1, 409, 0)])
def test_seven_days_after_its_end_a_chat_is_over(model: Scripted, days: float, status: int, counted: int) -> None:
    chat = answered_chat(model)
    close_by_silence(chat)
    Conversation.objects.filter(pk=chat.id).update(closed_at=timezone.now() - timedelta(days=days))
    assert chat.send("Hello again").status_code == status
    assert Conversation.objects.get(pk=chat.id).reopenings == counted


def test_a_reopening_after_more_than_seven_days_is_not_counted(model: Scripted) -> None:
    chat = answered_chat(model)
    close_by_silence(chat)
    Conversation.objects.filter(pk=chat.id).update(closed_at=timezone.now() - timedelta(days=8))
    assert chat.post("handoff").status_code == 202
    assert (chat.state(), Conversation.objects.get(pk=chat.id).reopenings) == ("with_person", 0)


def test_a_wish_for_a_person_reaches_one_after_the_end(model: Scripted) -> None:
    chat = answered_chat(model)
    close_by_silence(chat)
    assert chat.send(PERSON).status_code == 202
    assert chat.state() == "with_person"


@pytest.mark.parametrize(("channel", "seconds"), [("chat", 90), ("email", 600)])
def test_a_turn_has_the_time_of_its_channel(model: Scripted, channel: str, seconds: int) -> None:
    conversation, token = start_conversation(channel=Conversation.Channel(channel))
    chat = Chat(id=str(conversation.pk), token=token)
    chat.send("Hello")
    Turn.objects.update(started_at=timezone.now() - timedelta(seconds=seconds - 10))
    model.plays(say("In time."))
    run_turns()
    assert chat.texts() == ["In time."]
    chat.send("And now?")
    Turn.objects.filter(state=Turn.State.QUEUED).update(started_at=timezone.now() - timedelta(seconds=seconds))
    run_turns()
    assert (chat.texts(), chat.state()) == (["In time."], "with_person")
