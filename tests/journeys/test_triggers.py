"""Every trigger of the hand-off over the socket: the customer sees a person coming, and the ticket says why."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from pytest_django.fixtures import Settings

from audit.queries import list_entries
from conversations.models import Ticket
from conversations.operations.reasons import REASONS
from conversations.ticket_admin import list_summary
from orders.models import Customer
from policy.operations import set_switch
from tests.conversations.helpers import LOOK_UP
from tests.factories import NORA_EMAIL, SMALL
from tests.journeys.by_socket import calling
from tests.scripted import Move, Scripted, call, say
from tests.without_return import refund
from tests.writes import CANCEL, KETTLE, write

pytestmark = pytest.mark.usefixtures("desk", "scoped")
UNKNOWN = call("open_the_safe", door=1)
ORDER = f"I want to cancel my order {SMALL}"


def do_nothing(_: Settings) -> None:
    return None


def allow_one_step(settings: Settings) -> None:
    settings.DESKAGENT_STEPS_TURN = 1


def allow_one_turn(settings: Settings) -> None:
    settings.DESKAGENT_TURNS_CONVERSATION = 1


def allow_no_money(settings: Settings) -> None:
    settings.DESKAGENT_SPEND_CAP_CONVERSATION_USD = Decimal("0.000001")


def switch_off(_: Settings) -> None:
    set_switch(staff=User.objects.create_superuser("bob"), kind="agent", name="", on=False)


def make_vip(_: Settings) -> None:
    Customer.objects.filter(email=NORA_EMAIL).update(vip=True)


@dataclass(frozen=True, kw_only=True)
class Trigger:
    """`says`: the customer's messages, each with the model's moves; `asks`: how often the model was asked."""

    says: list[tuple[str, list[Move]]]
    reason: str
    asks: int = 0
    before: Callable[[Settings], Any] = do_nothing


TRIGGERS = {
    "asks for a person": Trigger(says=[("Let me talk to a real person", [])], reason="customer"),
    "law": Trigger(says=[("My lawyer will sue you over this order", [])], reason="legal threat"),
    "danger": Trigger(says=[("I want to kill myself", [])], reason="safety"),
    "anger": Trigger(says=[("This is a disgrace, you useless idiots! Where is my order?!", [])], reason="anger"),
    "not understood": Trigger(says=[("Blue seven perhaps under", [])], reason="low_confidence"),
    "not supported": Trigger(says=[("Please delete my account and all my data", [])], reason="unsupported"),
    "switched off": Trigger(says=[(ORDER, [])], reason="agent_off", before=switch_off),
    "no money left": Trigger(says=[(ORDER, [])], reason="spend_cap", before=allow_no_money),
    "too many steps": Trigger(says=[(ORDER, [LOOK_UP])], reason="limit", asks=1, before=allow_one_step),
    "too many turns": Trigger(
        says=[(ORDER, [say("Who are you?")]), ("Nora", [])], reason="limit", asks=1, before=allow_one_turn
    ),
    "two failed calls": Trigger(says=[(ORDER, [UNKNOWN, UNKNOWN])], reason="failed_calls", asks=2),
    "a final refusal": Trigger(
        says=[(f"My kettle of {SMALL} came damaged", [LOOK_UP, refund(order_id=SMALL, item_ids=[KETTLE])])],
        reason="final_refusal",
        asks=2,
    ),
    "refused twice": Trigger(
        says=[(ORDER, [write(CANCEL), say("Who are you?")]), ("Please cancel it", [write(CANCEL)])],
        reason="repeated_refusal",
        asks=3,
    ),
    "the agent itself": Trigger(
        says=[(ORDER, [call("transfer_to_human_agents", summary="A special wish.")])], reason="agent", asks=1
    ),
    "the model is down": Trigger(says=[(ORDER, [{"status": 400}])], reason="model_unavailable", asks=1),
    "a VIP": Trigger(says=[(ORDER, [LOOK_UP])], reason="vip", asks=1, before=make_vip),
}


@pytest.mark.parametrize("name", TRIGGERS)
async def test_a_trigger_brings_a_person_who_reads_why(model: Scripted, settings: Settings, name: str) -> None:
    trigger = TRIGGERS[name]
    await sync_to_async(trigger.before)(settings)
    async with calling() as caller:
        for words, moves in trigger.says:
            model.plays(*moves)
            await caller.says(words)
        await caller.hears("state", state="with_person")
        assert caller.texts("system") != []
        assert await caller.saw_everything()
    ticket = await Ticket.objects.aget()
    assert (ticket.reason, len(model.requests)) == (trigger.reason, trigger.asks)
    told = dict(list_summary(ticket.summary))
    assert REASONS[trigger.reason].title in str(told["Why"])
    assert trigger.says[-1][0] in told["Last words"]
    handoff = await list_entries(subject=caller.chat.id).filter(event="handoff").aget()
    assert handoff.verdict == trigger.reason
