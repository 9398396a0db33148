"""Many at once: one effect, one answer."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from audit.models import Entry
from audit.queries import verify
from conversations.models import Message, Turn
from orders.models import Effect, Order, Payment
from tests.factories import LARGE, NORA_EMAIL, SMALL, Chat, decide, run_turns, start_chat
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk", "books")
MANY = 20
VERIFY = call("find_user_id_by_email", email=NORA_EMAIL)


def at_once(work: Callable[[int], Any], count: int = MANY) -> list[Any]:
    """The results of `count` threads that start together, each on its own connection."""
    barrier = Barrier(count)

    def run(number: int) -> Any:
        barrier.wait()
        try:
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def open_card(model: Scripted, order: str) -> Chat:
    model.plays(VERIFY, call("cancel_pending_order", order_id=order, reason="no longer needed"))
    chat = start_chat()
    chat.say("please cancel it")
    assert chat.state() == "awaiting_customer"
    return chat


def test_twenty_approvals_give_one_effect_and_one_200(model: Scripted, bob: User) -> None:
    chat = open_card(model, LARGE)
    chat.press("yes")
    request_id = chat.card()["request_id"]

    answers = at_once(lambda number: decide(bob, request_id, "approve" if number % 4 else "decline"))

    statuses = Counter(answer.status_code for answer in answers)
    assert statuses == {200: 1, 409: MANY - 1}
    refused = [answer.json() for answer in answers if answer.status_code == 409]
    assert {body["code"] for body in refused} == {"already_decided"}
    assert all("bob" in body["detail"] for body in refused)
    granted = Effect.objects.count()
    assert Entry.objects.filter(event__in=["approval_granted", "approval_declined"]).count() == 1
    assert Entry.objects.filter(event="approval_refused").count() == MANY - 1
    assert (Order.objects.get(number=LARGE).status == "cancelled") == (granted == 1)
    # True of both outcomes: "settled" is held back where a decline won.
    model.plays(say("Thank you for waiting."))
    run_turns()
    assert chat.texts()[-1] == "Thank you for waiting."
    assert verify().broken is None


def test_twenty_equal_approvals_run_it_once(model: Scripted, bob: User) -> None:
    chat = open_card(model, LARGE)
    chat.press("yes")
    request_id = chat.card()["request_id"]
    answers = at_once(lambda _: decide(bob, request_id, "approve"))
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: MANY - 1}
    assert Effect.objects.count() == 1
    assert Payment.objects.filter(order__number=LARGE, kind="refund").count() == 1
    model.plays(say("Done."))
    assert run_turns() == 1


def test_twenty_confirmations_from_two_conversations_give_one_effect(model: Scripted) -> None:
    chats = [open_card(model, SMALL), open_card(model, SMALL)]
    cards = [chat.card()["request_id"] for chat in chats]

    answers = at_once(lambda number: chats[number % 2].answer("yes", cards[number % 2]))

    # One runs it; the other conversation's first yes is taken and ends as stale; the rest find no open card.
    assert Counter(answer.status_code for answer in answers) == {202: 2, 409: MANY - 2}
    assert Effect.objects.count() == 1
    assert Payment.objects.filter(order__number=SMALL, kind="refund").count() == 1
    outcomes = sorted(chat.events("request_closed")[-1]["outcome"] for chat in chats)
    assert outcomes == ["granted", "stale"]
    denied = [entry.verdict for entry in Entry.objects.filter(event="consent_denied")]
    assert denied.count("not_open") == MANY - 2
    model.plays(say("One."), say("Two."))
    run_turns()
    assert verify().broken is None


def test_the_same_message_posted_many_times_is_one_message_and_one_turn(model: Scripted) -> None:
    chat = start_chat()
    answers = at_once(lambda _: chat.send("hello", client_id="the-same"))
    assert Counter(answer.status_code for answer in answers) == {202: 1, 200: MANY - 1}
    assert {answer.json()["seq"] for answer in answers} == {1}
    assert (Message.objects.count(), Turn.objects.count()) == (1, 1)
    model.plays(say("Hi."))
    run_turns()
    assert chat.texts() == ["Hi."]


def test_two_workers_on_one_turn_give_one_answer(model: Scripted) -> None:
    from conversations import tasks

    chat = start_chat()
    chat.send("hello")
    model.plays(say("Hi."))
    turn = Turn.objects.get()
    at_once(lambda _: tasks.run_turn(turn_id=turn.pk), count=8)
    assert chat.texts() == ["Hi."]
    assert len(model.requests) == 1
