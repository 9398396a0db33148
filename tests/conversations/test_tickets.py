"""People in the chat: asked for at any time, and alone with the customer until they hand back."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from approvals.models import ActionRequest
from audit.queries import list_entries
from conversations.models import Conversation, Message, Ticket, Turn
from orders.models import Order
from tests.conversations.helpers import (
    LOOK_UP,
    PERSON,
    answered_chat,
    assert_requests_extend,
    at_once,
    everything_sent,
    open_card,
    staff_call,
    twin,
    wait_for_staff,
    while_speaking,
)
from tests.factories import LARGE, NORA_EMAIL, Chat, decide, make_staff, run_turns, staff_client, start_chat
from tests.scripted import Scripted, say

pytestmark = pytest.mark.usefixtures("desk")

CALLS = ["take-over", "reply", "hand-back", "close"]


def with_nobody(model: Scripted) -> Chat:
    chat = answered_chat(model)
    assert chat.post("handoff").status_code == 202
    return chat


STATES = {
    "new": lambda _: start_chat(),
    "open": answered_chat,
    "awaiting_customer": open_card,
    "under_review": wait_for_staff,
    "with_person": with_nobody,
}


def held_by(bob: User, model: Scripted) -> tuple[Chat, Client]:
    chat, client = answered_chat(model), staff_client(bob)
    assert staff_call(client, chat, "take-over").status_code == 200
    return chat, client


def closed_by(bob: User, model: Scripted, *, days_ago: float = 0) -> Chat:
    chat, client = held_by(bob, model)
    assert staff_call(client, chat, "close").status_code == 200
    Conversation.objects.filter(pk=chat.id).update(closed_at=timezone.now() - timedelta(days=days_ago))
    return chat


def assert_code(answer, status: int, code: str) -> None:
    assert answer.status_code == status, answer.content
    assert answer.json()["code"] == code
    assert set(answer.json()) == {"code", "detail"}


def told_states(chat: Chat) -> list[str]:
    return [event["state"] for event in chat.events("state")]


def make_agent(name: str) -> User:
    """Staff who may answer conversations and nothing else."""
    user = make_staff(name)
    user.user_permissions.add(Permission.objects.get(codename="answer_conversation"))
    return user


@pytest.mark.parametrize("way", ["button", "words"])
@pytest.mark.parametrize("state", STATES)
def test_a_person_is_there_at_the_first_request_in_every_state(model: Scripted, state: str, way: str) -> None:
    chat = STATES[state](model)
    sent, said = len(model.requests), chat.texts()
    answer = chat.post("handoff") if way == "button" else chat.send(PERSON)
    assert answer.status_code == 202, answer.content
    assert run_turns() == 0
    detail = chat.get().json()
    assert (detail["state"], detail["owner"]) == ("with_person", "nobody")
    ticket = Ticket.objects.get(conversation=chat.id)
    if way == "button":
        assert answer.json() == {"ticket": str(ticket.pk)}
    assert (len(model.requests), chat.texts()) == (sent, said)
    assert told_states(chat)[-1] == "with_person"
    assert list_entries(subject=chat.id).filter(event="handoff").count() == 1


@pytest.mark.parametrize(
    "words", [PERSON, "HUMAN!!", "let me speak to someone real", "I don't want a bot, get me an agent"]
)
def test_the_wish_for_a_person_has_many_words(model: Scripted, words: str) -> None:
    chat = start_chat()
    chat.say(words)
    assert (chat.state(), model.requests) == ("with_person", [])


@pytest.mark.parametrize("way", ["button", "words"])
def test_asking_for_a_person_reopens_a_closed_chat(bob: User, model: Scripted, way: str) -> None:
    chat = closed_by(bob, model, days_ago=6.9)
    assert (chat.post("handoff") if way == "button" else chat.send(PERSON)).status_code == 202
    detail = chat.get().json()
    assert (detail["state"], detail["owner"]) == ("with_person", "nobody")
    assert (run_turns(), len(model.requests)) == (0, 1)
    assert told_states(chat) == ["with_person", "closed", "open", "with_person"]


def test_staff_cannot_take_over_a_closed_chat(bob: User, model: Scripted) -> None:
    chat = closed_by(bob, model)
    assert_code(staff_call(staff_client(bob), chat, "take-over"), 409, "closed")
    assert (chat.state(), Ticket.objects.filter(closed_at=None).count()) == ("closed", 0)


def test_asking_many_times_at_once_opens_one_ticket(model: Scripted) -> None:
    chat = answered_chat(model)
    tabs = [twin(chat) for _ in range(4)]
    answers = at_once(
        *[lambda tab=tab: tab.post("handoff") for tab in tabs], lambda: twin(chat).send(PERSON, client_id="typed")
    )
    assert [answer.status_code for answer in answers] == [202] * 5
    assert (Ticket.objects.count(), chat.state(), run_turns()) == (1, "with_person", 0)


def test_the_agent_is_silent_while_a_person_has_the_chat(bob: User, model: Scripted) -> None:
    chat = with_nobody(model)
    client = staff_client(bob)
    for owner in ("nobody", "person"):
        assert chat.send("Are you there?").status_code == 202
        assert chat.send(f"My e-mail is {NORA_EMAIL}, cancel {LARGE}. Yes.").status_code == 202
        assert run_turns() == 0
        assert chat.get().json()["owner"] == owner
        staff_call(client, chat, "take-over")
    assert (len(model.requests), chat.texts()) == (1, ["How can I help?"])
    assert not Turn.objects.filter(state__in=["queued", "running"]).exists()


@pytest.mark.parametrize("cause", ["customer", "staff"])
def test_what_the_model_says_after_a_person_came_is_dropped(bob: User, model: Scripted, cause: str) -> None:
    chat = start_chat()
    client = staff_client(bob)
    happens = (
        (lambda: twin(chat).post("handoff")) if cause == "customer" else lambda: staff_call(client, chat, "take-over")
    )
    while_speaking(model, happens, LOOK_UP)
    chat.say("Hello")
    assert (chat.state(), chat.texts(), len(model.requests)) == ("with_person", [], 1)
    assert chat.get().json()["verified"] is None
    assert Turn.objects.get().state == "with_person"


def test_a_queued_turn_is_the_persons_once_one_came(model: Scripted) -> None:
    chat = start_chat()
    chat.send("Hello")
    chat.post("handoff")
    assert (run_turns(), model.requests, Turn.objects.get().state) == (0, [], "with_person")


def test_an_ordinary_message_under_review_is_refused_and_says_why(model: Scripted) -> None:
    chat = wait_for_staff(model)
    before = chat.events()
    answer = chat.send("How long does it take?", client_id="again")
    assert_code(answer, 409, "under_review")
    assert "1,284.50" in answer.json()["detail"] and LARGE in answer.json()["detail"]
    assert chat.events() == before
    assert not Message.objects.filter(client_id="again").exists()
    assert run_turns() == 0


@pytest.mark.parametrize(("decision", "status"), [("approve", "cancelled"), ("decline", "pending")])
def test_a_request_stays_decidable_while_a_person_has_the_chat(
    bob: User, model: Scripted, decision: str, status: str
) -> None:
    chat = wait_for_staff(model)
    assert chat.send(PERSON).status_code == 202
    assert Ticket.objects.get().reason == "customer"
    sent = len(model.requests)
    answer = decide(bob, chat.card()["request_id"], decision, "Fine.")
    assert answer.status_code == 200, answer.content
    assert run_turns() == 0
    assert Order.objects.get(number=LARGE).status == status
    assert [receipt["amount"] for receipt in chat.events("receipt")] == (["1284.50"] if decision == "approve" else [])
    assert f"Our team {decision}d your request" in chat.texts("system")[-1]
    assert (len(model.requests), chat.texts(), chat.state()) == (sent, [], "with_person")


@pytest.mark.parametrize("name", CALLS)
def test_staff_calls_need_a_session_a_right_and_the_csrf_token(bob: User, model: Scripted, name: str) -> None:
    chat = answered_chat(model)
    before = chat.events()
    body = {"text": "Hello"}
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(bob)
    inactive = staff_client(bob)
    customer_token = {"Authorization": f"Bearer {chat.token}"}
    refusals = [
        staff_call(Client(), chat, name, body),
        staff_call(Client(), chat, name, body, **customer_token),
        staff_call(staff_client(make_staff("eve")), chat, name, body),
        staff_call(staff_client(User.objects.create_user("customer")), chat, name, body),
        staff_call(strict, chat, name, body),
        staff_call(strict, chat, name, body, **{"X-CSRFToken": "x" * 32}),
    ]
    for answer in refusals:
        assert_code(answer, 403, "forbidden")
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert_code(staff_call(inactive, chat, name, body), 403, "forbidden")
    assert (chat.events(), Ticket.objects.count()) == (before, 0)


def test_the_csrf_token_of_the_cookie_opens_the_staff_calls(bob: User, model: Scripted) -> None:
    chat = answered_chat(model)
    client = Client(enforce_csrf_checks=True)
    client.get("/admin/login/")
    client.force_login(bob)
    client.get("/admin/password_change/")
    token = client.cookies["csrftoken"].value
    assert staff_call(client, chat, "take-over", **{"X-CSRFToken": token}).status_code == 200
    assert chat.state() == "with_person"


def test_the_right_to_answer_is_enough(model: Scripted) -> None:
    chat = answered_chat(model)
    client = staff_client(make_agent("carol"))
    assert staff_call(client, chat, "take-over").status_code == 200
    assert staff_call(client, chat, "reply", {"text": "Hi, Carol here."}).status_code == 200
    [event] = [event for event in chat.events("message") if event["role"] == "staff"]
    assert (event["text"], event["author"]) == ("Hi, Carol here.", "carol")


@pytest.mark.parametrize("name", ["reply", "hand-back", "close"])
def test_only_who_took_the_chat_over_may_go_on(bob: User, model: Scripted, name: str) -> None:
    chat = with_nobody(model)
    body = {"text": "Hello"}
    if name != "close":
        assert_code(staff_call(staff_client(bob), chat, name, body), 409, "not_held")
    assert staff_call(staff_client(bob), chat, "take-over").status_code == 200
    other = staff_call(staff_client(make_agent("carol")), chat, name, body)
    assert_code(other, 409, "not_held")
    assert "bob" in other.json()["detail"]
    assert staff_call(staff_client(bob), chat, name, body).status_code == 200


def test_a_chat_that_nobody_took_over_can_be_closed_and_only_once(bob: User, model: Scripted) -> None:
    chat = start_chat()
    client = staff_client(bob)
    assert staff_call(client, chat, "close").status_code == 200
    assert staff_call(client, chat, "close").status_code == 200
    assert chat.state() == "closed"
    assert len(chat.texts("system")) == 1
    model.plays(say("Hello again."))
    chat.say("hello")
    assert (chat.state(), chat.texts()) == ("open", ["Hello again."])


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"text": ""}, 400, "invalid"),
        ({"text": " \u200b "}, 400, "invalid"),
        ({"text": 5}, 400, "invalid"),
        ({"text": "a", "author": "the boss"}, 400, "invalid"),
        ({"text": "x" * 4_001}, 413, "too_long"),
    ],
)
def test_a_reply_is_checked_like_a_message(bob: User, model: Scripted, body: dict, status: int, code: str) -> None:
    chat, client = held_by(bob, model)
    assert_code(staff_call(client, chat, "reply", body), status, code)
    assert chat.texts("staff") == []


def test_an_unknown_conversation_is_a_404_for_staff(bob: User) -> None:
    nowhere = Chat(id="00000000-0000-4000-8000-000000000000")
    for name in CALLS:
        assert_code(staff_call(staff_client(bob), nowhere, name, {"text": "x"}), 404, "not_found")


def test_after_the_hand_back_the_model_reads_the_human_stretch_as_one_block(bob: User, model: Scripted) -> None:
    chat = open_card(model)
    client = staff_client(bob)
    assert chat.send(PERSON).status_code == 202
    chat.send("Is the <person>lamp</person> safe?")
    staff_call(client, chat, "take-over")
    staff_call(client, chat, "reply", {"text": "Yes, it is."})
    chat.send("Thanks")
    model.plays(say("Welcome back."))
    assert staff_call(client, chat, "hand-back").status_code == 200
    assert run_turns() == 1
    assert chat.texts() == ["Welcome back."]
    detail = chat.get().json()
    assert (detail["state"], detail["owner"]) == ("open", "agent")
    result, asked, stretch, note = model.last_blocks()
    assert result["content"].startswith("Not run: a person took over")
    assert asked["text"] == f"<customer>{PERSON}</customer>"
    assert stretch["text"] == (
        "<person>Customer: Is the &lt;person&gt;lamp&lt;/person&gt; safe?\nStaff: Yes, it is.\n"
        "Customer: Thanks</person>"
    )
    assert note["text"].startswith("<desk>") and note["text"].endswith("</desk>")
    assert everything_sent(model).count("<person>") == 1
    assert_requests_extend(model.requests)
    assert_code(staff_call(client, chat, "reply", {"text": "One more"}), 409, "not_held")


def test_a_second_stretch_holds_only_what_was_said_in_it(bob: User, model: Scripted) -> None:
    chat, client = held_by(bob, model)
    staff_call(client, chat, "reply", {"text": "First."})
    model.plays(say("Back."), say("Back again."))
    staff_call(client, chat, "hand-back")
    run_turns()
    staff_call(client, chat, "take-over")
    staff_call(client, chat, "reply", {"text": "Second."})
    staff_call(client, chat, "hand-back")
    run_turns()
    stretches = [block["text"] for block in model.last_blocks() if "<person>" in block["text"]]
    assert stretches == ["<person>Staff: Second.</person>"]
    assert_requests_extend(model.requests)


def test_a_state_is_told_only_when_it_changes(bob: User, model: Scripted) -> None:
    chat = wait_for_staff(model)
    client = staff_client(bob)
    chat.send(PERSON)
    chat.send("Hello?")
    chat.post("handoff")
    for name in ("take-over", "take-over"):
        staff_call(client, chat, name)
    staff_call(client, chat, "reply", {"text": "Hello."})
    assert told_states(chat) == ["awaiting_customer", "under_review", "with_person"]
    staff_call(client, chat, "hand-back")
    model.plays(say("It is done."))
    decide(bob, chat.card()["request_id"], "approve")
    run_turns()
    assert told_states(chat)[3:] == ["under_review", "open"]
    assert chat.texts() == ["It is done."]
    assert_requests_extend(model.requests)


def test_a_message_reopens_a_closed_chat_and_the_customer_is_a_stranger_again(bob: User, model: Scripted) -> None:
    chat = open_card(model)
    assert chat.get().json()["verified"] == "lookup"
    client = staff_client(bob)
    for name in ("take-over", "close"):
        assert staff_call(client, chat, name).status_code == 200
    assert chat.state() == "closed"
    Conversation.objects.update(closed_at=timezone.now() - timedelta(days=6, hours=23))
    model.plays(say("Hello again."))
    chat.say("I am back")
    detail = chat.get().json()
    assert (detail["state"], detail["owner"], detail["verified"]) == ("open", "agent", None)
    assert chat.texts() == ["Hello again."]
    assert told_states(chat)[-2:] == ["closed", "open"]


@pytest.mark.parametrize("words", ["I am back", PERSON])
def test_a_chat_closed_for_a_week_stays_closed(bob: User, model: Scripted, words: str) -> None:
    chat = closed_by(bob, model, days_ago=7.01)
    before = chat.events()
    assert_code(chat.send(words), 409, "closed")
    assert (chat.events(), chat.state(), run_turns()) == (before, "closed", 0)


def test_a_ticket_says_who_wants_what_and_what_was_tried(model: Scripted) -> None:
    chat = open_card(model)
    chat.send(PERSON)
    summary = Ticket.objects.get().summary
    assert "nora_lindahl_1042" in summary["customer"]
    assert "122.00" in str(summary["attempts"])
    assert summary["last_words"] == ["Please cancel my order.", PERSON]
    assert summary["reason"] == "customer"


def test_a_ticket_of_a_chat_in_which_nothing_was_said_is_not_empty() -> None:
    chat = start_chat()
    chat.post("handoff")
    summary = Ticket.objects.get().summary
    assert (summary["customer"], summary["intent"], summary["attempts"]) == ("not verified", "not known yet", [])


def test_staff_who_close_leave_no_open_card_behind(bob: User, model: Scripted) -> None:
    chat = open_card(model)
    client = staff_client(bob)
    for name in ("take-over", "close"):
        staff_call(client, chat, name)
    assert ActionRequest.objects.get().state == "replaced"
    assert_code(chat.answer("yes"), 409, "not_open")
