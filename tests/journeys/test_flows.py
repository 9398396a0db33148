"""The four flows of a support agent, from the customer's socket to the rows and the audit log."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User

from audit.queries import list_entries, verify
from conversations.models import Rating, Ticket
from eval.books import check
from orders import tasks
from orders.models import Effect, Order
from orders.payments.fake import FakeGateway
from orders.reconciliation import reconcile
from tests.conversations.helpers import CANCEL_LARGE, CANCEL_SMALL, LOOK_UP, PERSON, staff_call
from tests.conversations.test_idle_close import close_by_silence
from tests.factories import LARGE, OTHERS, SMALL, now, run_turns, staff_client
from tests.journeys.by_socket import calling
from tests.orders.remote import given_back
from tests.orders.test_reconciliation import LATER
from tests.scripted import Scripted, call, say
from tests.without_return import refund
from tests.writes import KETTLE

pytestmark = pytest.mark.usefixtures("desk")
QUIET = {"model_call", "read_ok"}


def list_steps(chat_id: str) -> list[str]:
    """The log of a chat without what may happen any number of times."""
    events = list_entries(subject=chat_id).order_by("position").values_list("event", flat=True)
    return [event for event in events if event not in QUIET]


def assert_whole(gateway: FakeGateway | None = None) -> None:
    found = check(now=now(), gateway_ledger=gateway.ledger.path if gateway else None)
    assert [str(line) for line in found if line.faults] == []
    assert verify().broken is None


async def test_flow_a_a_question_is_answered_from_the_rows_and_a_write_runs_after_its_card(model: Scripted) -> None:
    model.plays(LOOK_UP, call("get_order_details", order_id=SMALL), say(f"{SMALL} is pending."))
    async with calling() as caller:
        await caller.says("Where is my order?")
        await caller.hears("message", role="agent")
        assert caller.texts() == [f"{SMALL} is pending."]
        model.plays(CANCEL_SMALL)
        await caller.says("Then please cancel it, I don't need it.")
        card = await caller.sees_card()
        assert (card["action"], card["amount"]) == ("cancel_pending_order", "122.00")
        assert await Effect.objects.acount() == 0
        model.plays(say("Your order is cancelled."))
        await caller.answers("yes", card["request_id"])
        await caller.hears("receipt", status="done")
        await sync_to_async(run_turns)()
        await caller.hears("message", text="Your order is cancelled.")
        await sync_to_async(close_by_silence)(caller.chat)
        await caller.hears("rating_request")
        assert (await sync_to_async(caller.chat.post)("rating", {"score": 5})).status_code == 202
        assert await caller.saw_everything()
    assert (await Rating.objects.aget()).score == 5
    assert (await Order.objects.aget(number=SMALL)).status == "cancelled"
    effect = await Effect.objects.aget()
    assert (effect.state, effect.amount, str(effect.request_id)) == ("done", 12_200, card["request_id"])
    assert await sync_to_async(list_steps)(caller.chat.id) == [
        *("conversation_started", "triaged", "customer_verified"),
        *("request_proposed", "consent_given", "write_ok"),
    ]
    await sync_to_async(assert_whole)()


@pytest.mark.parametrize("way", ["button", "words"])
async def test_flow_b_a_person_gets_the_whole_story_answers_and_gives_the_chat_back(
    model: Scripted, bob: User, way: str
) -> None:
    model.plays(LOOK_UP, CANCEL_LARGE)
    async with calling() as caller:
        await caller.says(f"Cancel {LARGE}, it was a mistake")
        await caller.sees_card()
        if way == "button":
            await caller.asks_for_person()
        else:
            await caller.socket.send(type="message", client_id="p", text=PERSON)
        await caller.hears("state", state="with_person")
        assert caller.outcomes() == ["replaced"]

        ticket = await Ticket.objects.aget()
        told = str(ticket.summary)
        for part in ("Nora Lindahl", f"Cancel order {LARGE}", "$1,284.50", f"Cancel {LARGE}, it was a mistake"):
            assert part in told
        client = await sync_to_async(staff_client)(bob)
        press = sync_to_async(staff_call)
        assert (await press(client, caller.chat, "take-over")).status_code == 200
        await press(client, caller.chat, "reply", {"text": "Hello, Bob here."})
        await caller.hears("message", role="staff", text="Hello, Bob here.")
        model.plays(say("I am back."))
        assert (await press(client, caller.chat, "hand-back")).status_code == 200
        await sync_to_async(run_turns)()
        await caller.hears("message", role="agent", text="I am back.")
        model.plays(say("You are welcome."))
        await caller.says("thanks")
        await caller.hears("message", role="agent", text="You are welcome.")
        assert await caller.saw_everything()
    ticket = await Ticket.objects.aget()
    assert None not in (ticket.first_reply_at, ticket.closed_at, ticket.taken_by_id)
    assert (await Effect.objects.acount(), await Ticket.objects.acount()) == (0, 1)
    await sync_to_async(assert_whole)()


@pytest.mark.usefixtures("scoped")
async def test_flow_c_the_gate_says_no_the_gateway_is_not_called_and_the_verdict_is_in_the_log(
    model: Scripted, gateway: FakeGateway
) -> None:
    """Another customer's order first, then one that its state does not bear out."""
    moves: list[Any] = [
        refund(order_id=OTHERS, item_ids=["1008292230"], reason_code="damaged"),
        refund(order_id=SMALL, item_ids=[KETTLE], reason_code="damaged"),
    ]
    model.plays(LOOK_UP, *moves)
    async with calling() as caller:
        await caller.says("Refund my order, it came broken")
        await caller.hears("state", state="with_person")
        assert [event["kind"] for event in caller.heard if event["kind"] in ("request", "receipt")] == []
    assert (gateway.calls, await Effect.objects.acount()) == ([], 0)
    refused = list_entries(subject=caller.chat.id).filter(event="write_refused").order_by("position")
    assert [entry.rule async for entry in refused] == ["R2", "R6"]
    [tried] = (await Ticket.objects.aget()).summary["attempts"]
    assert (SMALL in tried, "R6" in tried) == (True, True), tried
    await sync_to_async(assert_whole)(gateway)


@pytest.mark.parametrize("fault", ["drop_before", "drop_after", "error_after"])
async def test_flow_d_a_payment_that_times_out_is_processing_until_it_is_known_and_is_made_once(
    model: Scripted, gateway: FakeGateway, fault: str
) -> None:
    keys: list[str] = []
    gateway.on_refund = lambda body: keys.append(body["key"])
    model.plays(LOOK_UP, CANCEL_SMALL)
    async with calling() as caller:
        await caller.says("Cancel my order, I don't need it")
        card = await caller.sees_card()
        await caller.answers("yes", card["request_id"])
        await caller.hears("receipt", status="processing")
        gateway.fail(fault)
        effect = await Effect.objects.aget()
        await sync_to_async(tasks.carry_out)(effect_id=effect.pk)
        model.plays(say("The refund is being processed."))
        await sync_to_async(run_turns)()
        await caller.hears("message", role="agent", text="The refund is being processed.")
        assert caller.receipts() == ["processing"]
        model.plays(say("The refund is confirmed."))
        await sync_to_async(reconcile)(now=now() + LATER)
        await sync_to_async(run_turns)()
        await caller.hears("receipt", status="done")
        assert await caller.saw_everything()
    assert set(keys) == {effect.key}
    assert given_back(gateway) == [(effect.key, "W5918442-0", 12_200)]
    await sync_to_async(assert_whole)(gateway)
