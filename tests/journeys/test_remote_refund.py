"""A refund through a remote gateway, from the customer's yes to the books, whatever the gateway does meanwhile."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from approvals.models import ActionRequest
from audit.queries import list_entries
from conversations import operations, receivers
from conversations.models import Conversation, Ticket, Turn
from eval import books
from orders import tasks
from orders.models import Effect, Order, Payment, Refund
from orders.payments import ADAPTERS
from orders.payments.fake import FakeGateway
from orders.payments.ledger import LedgerGateway
from orders.payments.protocol import Description
from orders.reconciliation import reconcile
from orders.signals import effect_settled
from tests.conversations.helpers import (
    CANCEL_SMALL,
    at_once,
    open_card,
    staff_call,
    twin,
    wait_for_staff,
    while_speaking,
)
from tests.factories import LARGE, NORA_EMAIL, SMALL, Chat, decide, now, run_turns, staff_client, start_chat
from tests.orders.remote import given_back
from tests.orders.test_reconciliation import LATER, die_at
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk", "gateway")
AMOUNT = 12_200


def carry_out() -> None:
    """Do what the worker does with every claimed effect."""
    for effect_id in Effect.objects.filter(state="claimed").values_list("pk", flat=True):
        tasks.carry_out(effect_id=effect_id)


def claimed_chat(model: Scripted) -> Chat:
    """The customer said yes: the order is cancelled, the money is claimed, and nobody has called yet."""
    chat = open_card(model)
    chat.press("yes")
    assert Effect.objects.get().state == "claimed"
    return chat


def receipts(chat: Chat) -> list[str]:
    return [event["status"] for event in chat.events("receipt")]


def notices(chat: Chat) -> list[str]:
    return chat.texts("system")


def open_calls() -> int:
    return Turn.objects.filter(state="waiting").count()


def due() -> None:
    """The next pass of reconciliation, once its time has come."""
    reconcile(now=now() + LATER)


def doubted_chat(model: Scripted, gateway: FakeGateway, fault: str) -> Chat:
    """The gateway did not answer, and the customer was told so."""
    chat = claimed_chat(model)
    gateway.fail(fault)
    carry_out()
    model.plays(say("Your refund is being processed."))
    run_turns()
    assert receipts(chat) == ["processing"]
    return chat


def assert_books_agree(gateway: FakeGateway, paid: int) -> None:
    """The invariants about money: one effect a key, and both books say the same."""
    lines = gateway.ledger.list_refunds()["refunds"]
    assert len({line["key"] for line in lines}) == len(lines)
    ours = Payment.objects.filter(kind="refund", state="settled", effect__isnull=False).values_list("amount", flat=True)
    assert sum(line["amount"] for line in lines) == sum(ours) == paid
    assert not Turn.objects.filter(state__in=["queued", "running", "waiting"]).exists()
    found = books.check(now=timezone.now(), gateway_ledger=gateway.ledger.path)
    assert [str(line) for line in found if line.faults] == []


def test_after_the_yes_it_is_processing_and_after_the_answer_done(model: Scripted, gateway: FakeGateway) -> None:
    chat = claimed_chat(model)
    assert [event["outcome"] for event in chat.events("request_closed")] == ["granted"]
    assert receipts(chat) == ["processing"]
    assert Order.objects.get(number=SMALL).status == "cancelled"
    assert (open_calls(), gateway.calls) == (1, [])

    carry_out()
    model.plays(say("Your order is cancelled."))
    assert run_turns() == 1

    assert receipts(chat) == ["processing", "done"]
    first, last = chat.events("receipt")
    assert {**first, "seq": 0, "at": "", "status": ""} == {**last, "seq": 0, "at": "", "status": ""}
    [result] = model.last_results()
    assert '"status": "cancelled"' in result and '"pending"' not in result
    assert chat.texts()[-1] == "Your order is cancelled."
    assert chat.state() == "open"
    assert_books_agree(gateway, AMOUNT)
    events = list(list_entries(subject=chat.id).order_by("position").values_list("event", flat=True))
    assert events[-3:] == ["write_ok", "refund_settled", "model_call"]


def test_a_typed_yes_waits_for_the_gateway_too(model: Scripted, gateway: FakeGateway) -> None:
    chat = open_card(model)
    chat.say("Yes")
    assert (receipts(chat), open_calls()) == (["processing"], 1)
    carry_out()
    model.plays(say("Your order is cancelled."))
    assert run_turns() == 1
    assert receipts(chat) == ["processing", "done"]
    assert_books_agree(gateway, AMOUNT)


@pytest.mark.parametrize(
    ("fault", "slow_ms"), [("", 200), ("drop_before", 0), ("drop_after", 0), ("error_before", 0), ("error_after", 0)]
)
def test_whatever_the_gateway_does_the_customer_hears_the_truth_and_is_paid_once(
    model: Scripted, gateway: FakeGateway, fault: str, slow_ms: int
) -> None:
    chat = claimed_chat(model)
    gateway.fail(*[fault] if fault else [], slow_ms=slow_ms)
    carry_out()
    if fault:
        # Unknown is an answer: the agent hears it, and says so.
        model.plays(say("It is being processed."))
        assert run_turns() == 1
        assert model.last_results()[0].startswith("Being processed: Cancel order #W5918442.")
        assert receipts(chat) == ["processing"]
        due()
    model.plays(say("The money is on its way."))
    assert run_turns() == 1
    assert receipts(chat) == ["processing", "done"]
    assert chat.texts()[-1] == "The money is on its way."
    if fault:
        assert "has confirmed $122.00 to Visa ending 4417" in model.last_blocks()[-1]["text"]
    assert given_back(gateway) == [(Effect.objects.get().key, "W5918442-0", AMOUNT)]
    assert_books_agree(gateway, AMOUNT)


@pytest.mark.parametrize("doubted", [False, True], ids=["at once", "after a doubt"])
def test_a_refused_refund_goes_to_a_person_and_the_order_stays_cancelled(
    model: Scripted, gateway: FakeGateway, doubted: bool
) -> None:
    if doubted:
        chat = doubted_chat(model, gateway, "drop_before")
        gateway.fail("decline")
        due()
    else:
        chat = claimed_chat(model)
        gateway.fail("decline")
        carry_out()
    assert receipts(chat) == ["processing", "failed"]
    assert (chat.state(), run_turns()) == ("with_person", 0)
    [notice] = notices(chat)
    assert "refused to give back $122.00 to Visa ending 4417" in notice
    assert Ticket.objects.get().reason == "refund_refused"
    assert Order.objects.get(number=SMALL).status == "cancelled"
    assert_books_agree(gateway, 0)


def test_a_doubt_that_does_not_end_goes_to_a_person(model: Scripted, gateway: FakeGateway) -> None:
    chat = doubted_chat(model, gateway, "drop_after")
    gateway.stop()
    while Effect.objects.get().with_person_at is None:
        reconcile(now=Refund.objects.get().next_try_at)
    assert Ticket.objects.get().reason == "gateway_in_doubt"
    assert "can’t tell whether $122.00" in notices(chat)[-1]
    assert (chat.state(), receipts(chat)) == ("with_person", ["processing"])

    gateway.start()
    reconcile(now=Refund.objects.get().next_try_at)

    assert receipts(chat) == ["processing", "done"]
    assert "has confirmed $122.00" in notices(chat)[-1]
    assert (len(notices(chat)), run_turns()) == (2, 0)
    assert_books_agree(gateway, AMOUNT)


def test_the_customer_who_writes_meanwhile_is_answered_and_hears_the_end(model: Scripted, gateway: FakeGateway) -> None:
    chat = claimed_chat(model)
    model.plays(say("It is being processed."))
    chat.say("Is it done?")
    assert model.last_results()[0].startswith("Being processed")
    assert chat.texts() == ["It is being processed."]

    carry_out()
    model.plays(say("Now it is done."))
    assert run_turns() == 1
    assert receipts(chat) == ["processing", "done"]
    assert chat.texts()[-1] == "Now it is done."
    assert_books_agree(gateway, AMOUNT)


def test_news_that_comes_while_the_model_speaks_is_read_before_the_reply_is_shown(
    model: Scripted, gateway: FakeGateway
) -> None:
    chat = doubted_chat(model, gateway, "drop_after")
    while_speaking(model, due, say("Still being processed."), say("It is done."))
    chat.say("And now?")
    assert chat.texts()[-1] == "It is done."
    assert "Still being processed." not in chat.texts()
    assert_books_agree(gateway, AMOUNT)


def test_news_that_comes_while_a_card_is_open_waits_for_its_answer(model: Scripted, gateway: FakeGateway) -> None:
    chat = doubted_chat(model, gateway, "drop_after")
    model.plays(call("cancel_pending_order", order_id=LARGE, reason="no longer needed"))
    chat.say("Cancel the other one too.")
    assert chat.state() == "awaiting_customer"
    due()
    assert receipts(chat) == ["processing", "done"]
    assert run_turns() == 0
    model.plays(say("Okay."))
    chat.press("no")
    blocks = model.last_blocks()
    assert [block["type"] for block in blocks] == ["tool_result", "text"]
    assert "has confirmed $122.00" in blocks[1]["text"]


def test_an_equal_call_in_the_same_turn_replays_what_is_known_now(model: Scripted, gateway: FakeGateway) -> None:
    chat = claimed_chat(model)
    gateway.fail("drop_after")
    carry_out()
    model.plays(CANCEL_SMALL, say("It is being processed."))
    run_turns()
    assert model.last_results()[-1].startswith("Being processed")
    due()
    model.plays(CANCEL_SMALL, say("Done."))
    run_turns()
    assert '"status": "cancelled"' in model.last_results()[-1]
    assert ActionRequest.objects.count() == 1
    assert receipts(chat) == ["processing", "done"]
    assert_books_agree(gateway, AMOUNT)


def test_two_confirmations_at_once_are_one_refund(model: Scripted, gateway: FakeGateway) -> None:
    chat = open_card(model)
    other = twin(chat)
    request_id = chat.card()["request_id"]
    answers = at_once(lambda: chat.answer("yes", request_id), lambda: other.answer("yes", request_id))
    assert sorted(answer.status_code for answer in answers) == [202, 409]
    effect = Effect.objects.get()
    at_once(*[lambda: tasks.carry_out(effect_id=effect.pk)] * 4)
    model.plays(say("Done."))
    run_turns()
    assert [method for method, _ in gateway.calls] == ["POST"]
    assert receipts(chat) == ["processing", "done"]
    assert_books_agree(gateway, AMOUNT)


@pytest.mark.parametrize("point", ["gateway called", "gateway answered"])
def test_a_worker_that_dies_before_the_result_is_saved_leaves_one_refund_and_one_answer(
    model: Scripted, gateway: FakeGateway, point: str
) -> None:
    chat = claimed_chat(model)
    die_at(point, carry_out)
    assert (receipts(chat), open_calls(), run_turns()) == (["processing"], 1, 0)

    due()
    model.plays(say("Your order is cancelled."))
    assert run_turns() == 1

    # The result comes from the log of what was intended and done, and fits the call that was open.
    [result] = model.last_results()
    assert '"status": "cancelled"' in result
    assert len(given_back(gateway)) == 1
    assert receipts(chat) == ["processing", "done"]
    assert_books_agree(gateway, AMOUNT)


def test_a_stale_yes_claims_nothing(model: Scripted, gateway: FakeGateway) -> None:
    chat = open_card(model)
    Order.objects.filter(number=SMALL).update(status="processed")
    model.plays(say("It changed meanwhile."))
    chat.press("yes")
    assert (Refund.objects.count(), receipts(chat)) == (0, [])
    assert_books_agree(gateway, 0)


def test_an_approved_refund_is_told_like_one_of_the_customers_yes(
    model: Scripted, gateway: FakeGateway, bob: User
) -> None:
    chat = wait_for_staff(model)
    assert gateway.calls == []
    assert decide(bob, chat.card()["request_id"], "approve").status_code == 200
    assert (receipts(chat), run_turns()) == (["processing"], 0)
    carry_out()
    model.plays(say("Approved and done."))
    assert run_turns() == 1
    assert receipts(chat) == ["processing", "done"]
    assert_books_agree(gateway, 128_450)


# --- A person holds the chat, or it is closed ---


@pytest.mark.parametrize("doubted", [False, True], ids=["the call is open", "after a doubt"])
@pytest.mark.parametrize("ends", ["take-over", "close"])
def test_where_the_agent_is_silent_the_end_is_a_notice(
    model: Scripted, gateway: FakeGateway, bob: User, doubted: bool, ends: str
) -> None:
    chat = doubted_chat(model, gateway, "drop_after") if doubted else claimed_chat(model)
    assert staff_call(staff_client(bob), chat, ends).status_code == 200
    before = notices(chat)
    due() if doubted else carry_out()
    assert receipts(chat) == ["processing", "done"]
    assert notices(chat)[len(before) :] == [
        "Cancel order #W5918442: the payment service has confirmed $122.00 to Visa ending 4417."
    ]
    assert run_turns() == 0
    assert_books_agree(gateway, AMOUNT)


def test_after_the_hand_back_the_model_knows_the_end(model: Scripted, gateway: FakeGateway, bob: User) -> None:
    chat = doubted_chat(model, gateway, "drop_after")
    client = staff_client(bob)
    staff_call(client, chat, "take-over")
    due()
    model.plays(say("Your refund is through."))
    staff_call(client, chat, "hand-back")
    assert run_turns() == 1
    assert any("has confirmed $122.00" in block["text"] for block in model.last_blocks())


def test_a_refusal_in_a_closed_chat_opens_it_for_a_person(model: Scripted, gateway: FakeGateway, bob: User) -> None:
    chat = claimed_chat(model)
    staff_call(staff_client(bob), chat, "close")
    assert chat.state() == "closed"
    gateway.fail("decline")
    carry_out()
    assert (chat.state(), receipts(chat)) == ("with_person", ["processing", "failed"])
    assert Ticket.objects.filter(closed_at=None).get().reason == "refund_refused"
    assert "refused to give back $122.00" in notices(chat)[-1]


def test_the_console_says_how_each_receipt_stands(model: Scripted, gateway: FakeGateway, bob: User) -> None:
    chat = claimed_chat(model)
    gateway.fail("decline")
    carry_out()
    page = staff_client(bob).get(f"/admin/conversations/conversation/{chat.id}/change/").content.decode()
    assert "Processing: " in page and "Failed: " in page and "Done: " not in page


# --- Without a language model ---


def test_the_offline_model_says_that_it_is_processing_and_then_that_it_is_confirmed(gateway: FakeGateway) -> None:
    chat = start_chat()
    chat.say(f"Cancel order {SMALL}, I don't need it. I'm {NORA_EMAIL}")
    chat.press("yes")
    gateway.fail("drop_after")
    carry_out()
    run_turns()
    processing = "Order #W5918442 is cancelled. The money is being processed; I’ll write once it is confirmed."
    assert processing in chat.texts()[-1]
    due()
    run_turns()
    assert "the payment service has confirmed $122.00 to Visa ending 4417." in chat.texts()[-1]
    assert_books_agree(gateway, AMOUNT)


# --- Lost news ---


@pytest.fixture
def deaf() -> Any:
    """The process dies between the settlement's commit and telling the chat."""
    effect_settled.disconnect(dispatch_uid="conversations.tell_the_customer")
    yield
    receivers.connect()


@pytest.mark.parametrize(
    ("fault", "told"),
    [("", ["processing", "done"]), ("decline", ["processing", "failed"]), ("drop_before", ["processing"])],
)
def test_news_that_was_lost_is_found_by_the_sweep_and_told_once(
    model: Scripted, gateway: FakeGateway, deaf: None, fault: str, told: list[str]
) -> None:
    chat = claimed_chat(model)
    assert operations.sweep(now=now()).told == 0
    gateway.fail(*[fault] if fault else [])
    carry_out()
    assert (receipts(chat), open_calls()) == (["processing"], 1)
    assert operations.sweep(now=now()).told == 1
    assert (receipts(chat), open_calls()) == (told, 0)
    assert Ticket.objects.count() == (1 if fault == "decline" else 0)
    events = len(chat.events())
    assert operations.sweep(now=now()).told == 0
    assert len(chat.events()) == events


@pytest.mark.parametrize("person", [False, True])
def test_lost_news_after_a_doubt_is_found_by_the_sweep(
    model: Scripted, gateway: FakeGateway, deaf: None, person: bool
) -> None:
    chat = claimed_chat(model)
    gateway.fail("drop_after")
    carry_out()
    operations.sweep(now=now())
    model.plays(say("It is being processed."))
    run_turns()
    if person:
        Refund.objects.update(tries=90)
        gateway.fail(get=("error_before",))
    due()
    assert operations.sweep(now=now()).told == 1
    assert receipts(chat) == (["processing"] if person else ["processing", "done"])
    assert Ticket.objects.count() == (1 if person else 0)
    assert operations.sweep(now=now()).told == 0


# --- What the gateway cannot do ---


class Bare(LedgerGateway):
    description = Description(name="bare", remote=True, keys=False, key_lifetime=timedelta(0), look_up=False)


def test_a_gateway_that_promises_nothing_leaves_every_refund_to_staff(
    model: Scripted, settings: Any, monkeypatch: pytest.MonkeyPatch, bob: User
) -> None:
    monkeypatch.setitem(ADAPTERS, "bare", Bare)
    settings.DESKAGENT_GATEWAY = "bare"
    chat = open_card(model)
    chat.press("yes")
    assert chat.state() == "under_review"
    request = ActionRequest.objects.get()
    assert (request.rule, "a person checks every refund" in request.reason) == ("R8", True)
    assert decide(bob, str(request.pk), "approve").status_code == 200
    assert Effect.objects.get().state == "claimed"
    assert Conversation.objects.count() == 1
