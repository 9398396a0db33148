"""Kill switches: off means off for everything decided from then on, in every worker, and what runs ends safely."""

import os
import subprocess
import sys
import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings as desk_settings
from django.contrib.auth.models import User
from django.db import transaction

from approvals.models import ActionRequest, CustomerSession
from approvals.queries import get_session
from approvals.sessions import lock_session, set_intent, verify
from conversations.models import ModelCall, Ticket
from orders import tasks
from orders.models import Customer, Effect
from orders.payments.fake import FakeGateway
from policy.models import PolicyVersion
from policy.operations import set_switch
from tests.conftest import ROOT
from tests.conversations.test_spending_processes import database_url, line_of
from tests.factories import LARGE, NORA_EMAIL, OTHER_EMAIL, decide, start_chat
from tests.journeys.kill_switch_worker import write_until_refused
from tests.scripted import Scripted, say
from tests.writes import ADDRESS_OF_USER, CANCEL, open_card, press_yes, state_of_shop

pytestmark = pytest.mark.usefixtures("books")
WITHIN = timedelta(seconds=5)


def switch(bob: User, kind: Any, name: str = "", *, on: bool = False) -> None:
    set_switch(staff=bob, kind=kind, name=name, on=on)


def test_with_the_agent_off_the_next_turn_goes_to_a_person_without_a_call_of_the_model(
    model: Scripted, bob: User
) -> None:
    model.plays(say("Hello."))
    chat = start_chat()
    chat.say("hello")
    calls = ModelCall.objects.count()
    switch(bob, "agent")

    chat.say("where is my order?")

    assert (chat.state(), ModelCall.objects.count()) == ("with_person", calls)
    assert "A person has your message" in chat.texts("system")[-1]
    assert Ticket.objects.get(conversation=chat.id).reason == "agent_off"

    switch(bob, "agent", on=True)
    model.plays(say("Hello."))
    other = start_chat()
    other.say("hello")
    assert other.texts() == ["Hello."]


def test_with_an_intent_off_only_its_chats_go_to_a_person(model: Scripted, bob: User) -> None:
    model.plays(say("Hello."), say("Hello."), say("It is on its way."))
    about_refunds, about_orders = start_chat(), start_chat()
    about_refunds.say("hello")
    about_orders.say("hello")
    with transaction.atomic():
        set_intent(session=lock_session(uuid.UUID(about_refunds.id)), intent="refund")
        set_intent(session=lock_session(uuid.UUID(about_orders.id)), intent="order_status")
    switch(bob, "intent", "refund")

    about_refunds.say("and now?")
    about_orders.say("and now?")

    assert (about_refunds.state(), about_orders.state()) == ("with_person", "open")
    assert Ticket.objects.get().reason == "intent_off"


def test_a_card_that_is_open_when_its_action_goes_off_runs_nothing(model: Scripted, bob: User) -> None:
    before = state_of_shop()
    chat = open_card(model, CANCEL)
    switch(bob, "action", CANCEL)
    press_yes(model, chat)
    assert state_of_shop() == before
    assert chat.events("request_closed")[-1]["outcome"] == "refused"
    assert ActionRequest.objects.get().rule == "R7"


@pytest.mark.parametrize(("kind", "name"), [("action", CANCEL), ("agent", "")])
def test_a_waiting_request_is_refused_when_it_is_approved_after_the_switch(
    model: Scripted, bob: User, kind: str, name: str
) -> None:
    chat = open_card(model, CANCEL, order_id=LARGE)
    chat.press("yes")
    before = state_of_shop()
    switch(bob, kind, name)
    model.plays(say("It could not be done."))
    answer = decide(bob, chat.card()["request_id"], "approve")
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert "R7 refuses this now" in answer.json()["detail"]
    assert state_of_shop() == before
    assert chat.events("request_closed")[-1]["outcome"] == "refused"


def test_a_payment_under_way_ends_safely_after_the_switch(model: Scripted, bob: User, gateway: FakeGateway) -> None:
    chat = open_card(model, CANCEL)
    press_yes(model, chat)
    effect = Effect.objects.get()
    assert effect.state == Effect.State.CLAIMED
    switch(bob, "action", CANCEL)
    switch(bob, "agent")

    tasks.carry_out(effect_id=effect.pk)

    effect.refresh_from_db()
    assert effect.state == Effect.State.DONE
    assert [event["status"] for event in chat.events("receipt")] == ["processing", "done"]


def start_session(email: str) -> uuid.UUID:
    """A chat of its own, verified for this customer."""
    conversation = uuid.UUID(start_chat().id)
    session = get_session(conversation=conversation)
    verify(session=session, customer=Customer.objects.get(email=email), strength=CustomerSession.Strength.LOOKUP)
    return conversation


def test_two_processes_stop_within_five_seconds(bob: User) -> None:
    writers = [(start_session(email), Customer.objects.get(email=email).user_id) for email in (NORA_EMAIL, OTHER_EMAIL)]
    workers = [start_worker(*writer) for writer in writers]
    try:
        assert [line_of(worker) for worker in workers] == ["busy", "busy"]
        switch(bob, "action", ADDRESS_OF_USER)
        refused = [datetime.fromisoformat(line_of(worker)) for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()
    off_at = PolicyVersion.objects.latest("number").created_at
    assert all(at - off_at < WITHIN for at in refused), (off_at, refused)
    assert not Effect.objects.filter(created_at__gt=off_at + WITHIN).exists()
    assert {effect.user_id for effect in Effect.objects.all()} == {user_id for _, user_id in writers}
    # From here on nothing passes, in this process either.
    done = Effect.objects.count()
    for conversation, user_id in writers:
        assert write_until_refused(conversation, user_id, lambda: None)
    assert Effect.objects.count() == done


def start_worker(conversation: uuid.UUID, user_id: str) -> "subprocess.Popen[str]":
    own = {
        "DJANGO_SETTINGS_MODULE": "deskagent.settings",
        "DATABASE_URL": database_url(),
        "REDIS_URL": "",
        "DESKAGENT_AUDIT_KEY": desk_settings.DESKAGENT_AUDIT_KEY,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tests.journeys.kill_switch_worker", str(conversation), user_id],
        cwd=ROOT,
        env={**os.environ, **own},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
