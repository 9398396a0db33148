"""The offline model says of a refund through a remote gateway only what the gateway has confirmed."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from orders import tasks
from orders.models import Effect
from orders.payments.fake import FakeGateway
from orders.reconciliation import reconcile
from tests.conversations.helpers import staff_call
from tests.factories import NORA_EMAIL, SMALL, Chat, now, run_turns, staff_client, start_chat

pytestmark = pytest.mark.usefixtures("desk")
REFUND = "A refund of $122.00 to your card ending in 4417"


def cancel() -> Chat:
    chat = start_chat()
    chat.say(f"Please cancel order {SMALL}, I no longer need it. My email is {NORA_EMAIL}")
    chat.press("yes")
    return chat


def carry_out() -> None:
    tasks.carry_out(effect_id=Effect.objects.get().pk)
    run_turns()


def ask(chat: Chat) -> str:
    chat.say(f"What is the status of order {SMALL}?")
    return chat.texts()[-1]


def test_a_refund_in_doubt_is_being_processed_until_it_is_confirmed(gateway: FakeGateway) -> None:
    chat = cancel()
    told = ask(chat)
    assert f"{REFUND} is being processed." in told and "is booked" not in told
    gateway.fail("drop_after")
    carry_out()
    assert f"{REFUND} is being processed." in ask(chat)
    reconcile(now=now() + timedelta(hours=1))
    run_turns()
    assert f"{REFUND} is booked." in ask(chat)


def test_a_refund_that_was_refused_is_not_booked(gateway: FakeGateway, bob: User) -> None:
    chat = cancel()
    gateway.fail("decline")
    carry_out()
    for name in ("take-over", "hand-back"):
        assert staff_call(staff_client(bob), chat, name).status_code == 200
    run_turns()
    told = ask(chat)
    assert f"{REFUND} did not go through; a person takes care of it." in told and "is booked" not in told
