"""Faults an attack on the chat once found, each held here by what a customer or a member of staff sees of it."""

import json
from datetime import timedelta

import celery
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone
from kombu.exceptions import OperationalError

from approvals.models import ActionRequest, CustomerSession
from approvals.sessions import forget_customer
from conversations.models import Conversation, Message, Ticket, Turn
from conversations.operations import post_notice, sweep
from orders.models import Customer, Effect, Order
from tests.conversations.helpers import (
    CANCEL_SMALL,
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
)
from tests.conversations.test_model_faults import odd_server
from tests.factories import LARGE, OTHER_EMAIL, SMALL, Chat, decide, run_turns, staff_client, start_chat
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk")

START = "/api/v1/conversations/"
NOTHING = "Nothing was changed"
DEEP = b"[" * 100_000 + b"]" * 100_000
REQUEST = "5f0c8f5e-0000-4000-8000-000000000000"
# The doors of a customer that read a body, each with a field of it.
DOORS = {"": "locale", "{id}/messages/": "text", "{id}/answers/": "answer"}
LEGAL = "If this is not solved today I will contact my lawyer and sue you."
DANGER = "By the way, the charger caught fire last night."


def send_raw(chat: Chat, path: str, body: bytes, method: str = "POST"):
    url, headers = START + path.replace("{id}", chat.id), {"Authorization": f"Bearer {chat.token}"}
    return Client().generic(method, url, body, "application/json", headers=headers)


def decide_raw(user: User, body: bytes):
    path = f"/api/v1/staff/requests/{REQUEST}/decision/"
    return staff_client(user).generic("POST", path, body, "application/json")


def assert_refused(answer, status: int, code: str) -> None:
    assert answer.status_code == status, answer.content
    refusal = json.loads(answer.content.decode("utf-8"))
    assert set(refusal) == {"code", "detail"}
    assert refusal["code"] == code
    assert refusal["detail"].encode("utf-8")


def close(bob: User, chat: Chat) -> None:
    for name in ("take-over", "close"):
        assert staff_call(staff_client(bob), chat, name).status_code == 200
    assert chat.state() == "closed"


def close_and_reopen(bob: User, chat: Chat) -> None:
    """Asking for a person opens a closed chat again, with nobody verified."""
    close(bob, chat)
    assert chat.post("handoff").status_code == 202
    assert chat.get().json()["verified"] is None


@pytest.fixture
def broker_is_down(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the tasks nobody could be told of."""
    lost: list[str] = []

    def refuse(name: str, *_, **__):
        lost.append(name)
        raise OperationalError("[Errno 111] Connection refused")

    monkeypatch.setattr(celery.current_app._get_current_object(), "send_task", refuse)
    return lost


@pytest.mark.parametrize("way", ["button", "typed"])
def test_a_model_that_dies_after_a_granted_card_denies_nothing(model: Scripted, way: str) -> None:
    chat = open_card(model)
    model.rule = lambda _: {"status": 500}
    if way == "button":
        chat.press("yes")
    else:
        chat.say("Yes, please.")
    assert (chat.state(), Effect.objects.count(), len(chat.events("receipt"))) == ("with_person", 1, 1)
    [told] = chat.texts("system")
    assert NOTHING not in told and "receipt" in told


def test_a_model_that_dies_after_the_staffs_yes_denies_nothing(bob: User, model: Scripted) -> None:
    chat = wait_for_staff(model)
    model.rule = lambda _: {"status": 500}
    assert decide(bob, chat.card()["request_id"], "approve").status_code == 200
    run_turns()
    assert Effect.objects.count() == 1
    assert NOTHING not in chat.texts("system")[-1]


@pytest.mark.parametrize("answer", ["", "no"])
def test_a_model_that_dies_before_any_effect_says_that_nothing_was_changed(model: Scripted, answer: str) -> None:
    chat = open_card(model) if answer else start_chat()
    model.rule = lambda _: {"status": 500}
    if answer:
        chat.press(answer)
    else:
        chat.say("Please cancel my order.")
    assert (chat.state(), Effect.objects.count()) == ("with_person", 0)
    assert NOTHING in chat.texts("system")[-1]


@pytest.mark.parametrize("text", ["\u200b", "\u200b\u200c\u200d\u2060\ufeff", " \u200b\n\u00a0\u202e"])
def test_a_reply_without_one_visible_letter_is_no_bubble(model: Scripted, text: str) -> None:
    model.plays(say(text))
    chat = start_chat()
    chat.say("Hello")
    assert (chat.texts(), chat.state()) == ([], "with_person")
    assert Ticket.objects.get().reason == "model_unusable"


def test_a_reply_with_an_unstorable_character_is_shown_readable(model: Scripted) -> None:
    model.plays(say("Your order\x00 is here.\x1b"), say("Still here."))
    chat = start_chat()
    chat.say("Hello")
    chat.say("And now?")
    assert chat.texts() == ["Your order\ufffd is here.\ufffd", "Still here."]
    assert Message.objects.filter(role="agent").earliest("seq").text == chat.texts()[0]


def frames(*events: dict) -> bytes:
    return b"".join(b"event: %b\ndata: %b\n\n" % (e["type"].encode(), json.dumps(e).encode()) for e in events)


MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None}
BEGIN = {"type": "message_start", "message": MESSAGE | {"usage": {"input_tokens": 1, "output_tokens": 1}}}


@pytest.mark.parametrize(
    "body",
    [
        b'event: message_start\ndata: {"type": "message_start"}\n\n',
        b'event: message_start\ndata: {"type": "message_start", "message": null}\n\n',
        b"event: content_block_delta\ndata: []\n\n",
        frames({"type": "message_start", "message": []}),
        frames({"type": "message_start", "message": "text"}),
        frames(BEGIN, {"type": "content_block_start", "index": 0, "content_block": None}),
        frames(BEGIN, {"type": "message_delta", "delta": None, "usage": None}),
        frames(BEGIN | {"message": MESSAGE | {"usage": None}}, {"type": "message_stop"}),
    ],
)
def test_a_stream_of_garbage_is_a_model_that_is_not_there(model: Scripted, settings, body: bytes) -> None:
    with odd_server(body, "text/event-stream") as url:
        settings.ANTHROPIC_BASE_URL = url
        chat = start_chat()
        chat.say("Please cancel my order.")
    assert (Ticket.objects.get().reason, chat.texts(), chat.state()) == ("model_unavailable", [], "with_person")
    assert NOTHING in chat.texts("system")[-1]


def test_without_a_broker_every_call_is_taken_and_the_sweep_runs_the_turn(
    bob: User, model: Scripted, broker_is_down: list[str]
) -> None:
    def swept() -> None:
        sweep(now=timezone.now() + timedelta(seconds=6))
        assert run_turns() == 1

    model.plays(LOOK_UP, call("cancel_pending_order", order_id=LARGE, reason="no longer needed"), say("It is done."))
    chat = start_chat()
    assert chat.send("Please cancel my order.").status_code == 202
    swept()
    assert chat.answer("yes").status_code == 202
    assert chat.state() == "under_review"
    assert decide(bob, chat.card()["request_id"], "approve").status_code == 200
    swept()
    assert (Order.objects.get(number=LARGE).status, chat.texts()) == ("cancelled", ["It is done."])
    assert len(broker_is_down) >= 4 and set(broker_is_down) == {"conversations.tasks.run_turn"}


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_without_a_broker_a_card_is_still_answered(model: Scripted, broker_is_down: list[str], answer: str) -> None:
    chat = open_card(model)
    lost = len(broker_is_down)
    assert chat.answer(answer).status_code == 202
    assert (len(broker_is_down), Turn.objects.filter(state="queued").count()) == (lost + 1, 1)


@pytest.mark.parametrize("path", DOORS)
def test_json_nested_without_end_is_the_senders_mistake(path: str) -> None:
    chat = start_chat()
    for body in (DEEP, b'{"%b": %b}' % (DOORS[path].encode(), DEEP)):
        assert_refused(send_raw(chat, path, body), 400, "invalid")
    assert (Conversation.objects.count(), chat.events()) == (1, [])


def test_staff_calls_refuse_json_nested_without_end(bob: User) -> None:
    assert_refused(decide_raw(bob, DEEP), 400, "invalid")
    assert_refused(decide_raw(bob, b'{"decision": "approve", "note": %b}' % DEEP), 400, "invalid")
    path = f"/api/v1/staff/conversations/{start_chat().id}/reply/"
    assert_refused(staff_client(bob).generic("POST", path, DEEP, "application/json"), 400, "invalid")


@pytest.mark.parametrize("half", ["\\ud800", "\\udfff", "a\\ud83d", "\\u0000", "\\ud800\\u0000"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("", '{"locale": "%s"}'),
        ("", '{"%s": 1}'),
        ("{id}/messages/", '{"client_id": "%s", "text": "Hello"}'),
        ("{id}/messages/", '{"client_id": "a", "text": "Hello", "%s": 1}'),
        ("{id}/answers/", '{"request_id": "%s", "answer": "yes"}'),
        ("{id}/answers/", '{"request_id": "' + REQUEST + '", "answer": "%s"}'),
        ("{id}/answers/", '{"request_id": "' + REQUEST + '", "answer": "yes", "%s": 1}'),
        ("{id}/answers/", '{"request_id": "' + REQUEST + '", "answer": {"%s": ["%s"]}}'),
    ],
)
def test_half_a_character_is_refused_in_words_that_can_be_sent(path: str, body: str, half: str) -> None:
    chat = start_chat()
    assert_refused(send_raw(chat, path, body.replace("%s", half).encode()), 400, "invalid")
    assert (Conversation.objects.count(), chat.events()) == (1, [])


@pytest.mark.parametrize("body", ['{"decision": "%s"}', '{"decision": "approve", "note": "%s"}'])
def test_a_decision_with_half_a_character_is_refused(bob: User, body: str) -> None:
    for half in ("\\ud800", "\\u0000"):
        assert_refused(decide_raw(bob, body.replace("%s", half).encode()), 400, "invalid")


@pytest.mark.parametrize("path", DOORS)
def test_a_body_over_the_limit_is_too_long(path: str) -> None:
    chat = start_chat()
    body = b'{"%b": "%b"}' % (DOORS[path].encode(), b"x" * 256 * 1024)
    assert_refused(send_raw(chat, path, body), 413, "too_long")
    assert (Conversation.objects.count(), chat.events()) == (1, [])


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("path", ["{id}/", "{id}/handoff/", "{id}/events/", *DOORS])
def test_no_method_at_any_door_breaks_the_desk(path: str, method: str) -> None:
    chat = start_chat()
    answer = send_raw(chat, path, b'{"text": "Hello"}', method)
    assert answer.status_code == (200 if (method, path) == ("HEAD", "{id}/") else 405)
    assert answer["Content-Type"].startswith("application/json")
    assert (Conversation.objects.count(), chat.events(), chat.state()) == (1, [], "open")


@pytest.mark.parametrize("forgotten", [False, True])
def test_a_request_outlives_the_chat_it_came_from(bob: User, model: Scripted, forgotten: bool) -> None:
    chat = wait_for_staff(model)
    request_id = chat.card()["request_id"]
    close_and_reopen(bob, chat)
    if forgotten:
        forget_customer(session=CustomerSession.objects.get(conversation=chat.id))
    assert decide(bob, request_id, "approve").status_code == 200
    assert decide(bob, request_id, "approve").status_code == 409
    effect = Effect.objects.get()
    assert (effect.order_number, effect.amount, effect.state) == (LARGE, 128450, "done")
    assert Order.objects.get(number=LARGE).status == "cancelled"
    assert [receipt["amount"] for receipt in chat.events("receipt")] == ["1284.50"]


@pytest.mark.parametrize("owner", ["another", "nobody"])
def test_a_waiting_request_reaches_no_order_but_its_own_customers(bob: User, model: Scripted, owner: str) -> None:
    chat = wait_for_staff(model)
    close_and_reopen(bob, chat)
    other = Customer.objects.get(email=OTHER_EMAIL)
    if owner == "another":
        Order.objects.filter(number=LARGE).update(customer=other)
    else:
        ActionRequest.objects.update(customer=None)
    assert_refused(decide(bob, chat.card()["request_id"], "approve"), 409, "stale")
    assert (Effect.objects.count(), Order.objects.get(number=LARGE).status) == (0, "pending")


def test_an_ordinary_message_opens_a_closed_chat_that_still_waits_for_staff(bob: User, model: Scripted) -> None:
    chat = wait_for_staff(model)
    close(bob, chat)
    said = chat.events("message")
    for _ in range(2):
        assert_refused(chat.send("How long does it take?", client_id="again"), 409, "under_review")
    assert (chat.state(), chat.events("state")[-1]["state"]) == ("under_review", "under_review")
    assert [event["state"] for event in chat.events("state")].count("under_review") == 2
    assert chat.events("message") == said
    assert not Message.objects.filter(client_id="again").exists()
    assert decide(bob, chat.card()["request_id"], "approve").status_code == 200


def test_an_overdue_review_is_told_before_the_next_message_is_taken(model: Scripted) -> None:
    chat = wait_for_staff(model)
    ActionRequest.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    model.plays(say("Nobody decided in time."))
    chat.say("Is there any news?")
    assert [event["outcome"] for event in chat.events("request_closed")] == ["expired"]
    kinds = [event["kind"] for event in chat.events()]
    assert kinds.index("request_closed") < len(kinds) - 1 - kinds[::-1].index("message")
    assert (chat.texts(), chat.texts("customer")[-1]) == (["Nobody decided in time."], "Is there any news?")
    assert (chat.state(), Effect.objects.count()) == ("open", 0)
    assert_requests_extend(model.requests)


def test_a_stretch_that_ended_in_close_reaches_the_model_as_one_block(bob: User, model: Scripted) -> None:
    chat, client = answered_chat(model), staff_client(bob)
    assert chat.send(PERSON).status_code == 202
    staff_call(client, chat, "take-over")
    chat.send("Is the <person>lamp</person> safe?")
    staff_call(client, chat, "reply", {"text": "Yes, it is."})
    assert staff_call(client, chat, "close").status_code == 200
    model.plays(say("Hello again."), say("Anything else?"))
    chat.say("I am back.")
    chat.say("One more thing.")
    block = "<person>Customer: Is the &lt;person&gt;lamp&lt;/person&gt; safe?\nStaff: Yes, it is.</person>"
    assert [part["text"] for part in model.requests[1]["messages"][-1]["content"]].count(block) == 1
    assert str(model.requests[-1]["messages"]).count("<person>") == 1
    assert (chat.texts()[1:], chat.state()) == (["Hello again.", "Anything else?"], "open")
    assert_requests_extend(model.requests)


@pytest.mark.parametrize("way", ["button", "typed"])
def test_new_words_after_a_no_may_ask_for_the_same_again(model: Scripted, way: str) -> None:
    chat = open_card(model)
    first = chat.card()["request_id"]
    assert (chat.answer("no") if way == "button" else chat.send("no")).status_code == 202
    assert chat.send("Sorry, that was a misclick. Cancel it after all.").status_code == 202
    model.plays(CANCEL_SMALL, say("It is done."))
    assert run_turns() == 1
    assert chat.state() == "awaiting_customer"
    assert chat.card()["request_id"] != first
    chat.press("yes")
    assert (Order.objects.get(number=SMALL).status, Effect.objects.count()) == ("cancelled", 1)
    assert_requests_extend(model.requests)


def test_without_new_words_the_same_call_gets_the_same_no(model: Scripted) -> None:
    chat = open_card(model)
    model.plays(CANCEL_SMALL, say("It stays as it is."))
    chat.press("no")
    assert (len(chat.events("request")), chat.state()) == (1, "open")
    assert model.last_results() == ["Not run: the customer said no. Nothing was changed."]
    assert (chat.texts(), Effect.objects.count()) == (["It stays as it is."], 0)


@pytest.mark.parametrize(("words", "reason"), [(LEGAL, "legal threat"), (DANGER, "safety")])
@pytest.mark.parametrize("later", [True, False])
def test_law_and_safety_are_a_persons_at_any_time(model: Scripted, words: str, reason: str, later: bool) -> None:
    chat = answered_chat(model) if later else start_chat()
    sent = len(model.requests)
    chat.say(words)
    assert (chat.state(), len(model.requests), Ticket.objects.get().reason) == ("with_person", sent, reason)
    assert chat.texts()[sent:] == []
    assert (len(chat.texts("system")), run_turns()) == (1, 0)
    assert words.split(",")[0] not in everything_sent(model)


def test_a_number_from_the_future_is_answered_with_the_real_one() -> None:
    chat = start_chat()
    assert chat.get("events/?after=999").json() == {"events": [], "last_seq": 0}
    chat.say("Hello")
    assert chat.get("events/?after=999&wait=0.2").json() == {"events": [], "last_seq": 2}


def test_six_hundred_events_come_page_by_page_without_a_hole() -> None:
    chat = start_chat()
    with transaction.atomic():
        for number in range(600):
            post_notice(conversation_id=chat.id, text=f"note {number}")
    seen, last = [], 0
    while page := chat.get(f"events/?after={last}").json():
        if not page["events"]:
            break
        seen += page["events"]
        assert page["last_seq"] == seen[-1]["seq"] > last
        last = page["last_seq"]
    assert [(event["seq"], event["text"]) for event in seen] == [(n + 1, f"note {n}") for n in range(600)]
    assert page["last_seq"] == chat.get().json()["last_seq"] == 600


def test_twenty_tabs_at_once_leave_no_hole_in_the_numbers() -> None:
    chat = start_chat()
    tabs = [twin(chat) for _ in range(20)]
    answers = at_once(*[lambda tab=tab, n=n: tab.send(f"part {n}", client_id=f"p{n}") for n, tab in enumerate(tabs)])
    assert [answer.status_code for answer in answers] == [202] * 20
    assert sorted(answer.json()["seq"] for answer in answers) == list(range(1, 21))
    stored = {event["text"]: event["seq"] for event in chat.events("message")}
    assert stored == {f"part {n}": answer.json()["seq"] for n, answer in enumerate(answers)}
    assert (Turn.objects.count(), run_turns()) == (1, 1)
