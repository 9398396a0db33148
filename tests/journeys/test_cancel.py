"""The main job, from the customer's words to the shop's rows, with the offline model."""

import pytest
from django.contrib.auth.models import User

from audit.queries import list_entries, verify
from orders.models import Order
from tests.factories import LARGE, NORA_EMAIL, SMALL, decide, run_turns, start_chat

pytestmark = pytest.mark.usefixtures("desk", "books")


def test_a_small_order_is_cancelled_after_a_yes() -> None:
    chat = start_chat()
    chat.say(f"Hello, please cancel order {SMALL}, I don't need it anymore. My e-mail is {NORA_EMAIL}")
    assert chat.state() == "awaiting_customer"
    assert chat.card()["amount"] == "122.00"
    assert Order.objects.get(number=SMALL).status == "pending"

    chat.press("yes")

    assert Order.objects.get(number=SMALL).status == "cancelled"
    [receipt] = chat.events("receipt")
    assert (receipt["order_id"], receipt["amount"], receipt["status"]) == (SMALL, "122.00", "done")
    assert chat.state() == "open"
    assert "cancelled" in chat.texts()[-1]
    assert verify().broken is None


def test_a_large_order_waits_for_a_person(bob: User) -> None:
    chat = start_chat()
    chat.say(f"Please cancel order {LARGE}, I don't need it anymore. My e-mail is {NORA_EMAIL}")
    chat.press("yes")
    assert chat.state() == "under_review"
    assert Order.objects.get(number=LARGE).status == "pending"

    answer = decide(bob, chat.card()["request_id"], "approve")
    assert answer.status_code == 200, answer.content
    run_turns()

    assert Order.objects.get(number=LARGE).status == "cancelled"
    assert [receipt["amount"] for receipt in chat.events("receipt")] == ["1284.50"]
    assert chat.state() == "open"
    events = [entry.event for entry in list_entries(subject=chat.id).order_by("position")]
    once = [event for event in events if event not in ("model_call", "read_ok")]
    assert once == [
        "conversation_started",
        "triaged",
        "customer_verified",
        "request_proposed",
        "consent_given",
        "approval_requested",
        "approval_granted",
        "write_ok",
    ]
    assert {"model_call", "read_ok"} < set(events)
    assert verify().broken is None
