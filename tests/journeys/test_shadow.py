"""At the level `shadow` the customer is asked as always, nothing runs, and a person does exactly what was agreed."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from approvals import operations as gate
from approvals.evidence import get_evidence
from approvals.models import ActionRequest, State
from audit.queries import list_entries
from audit.queries import verify as verify_chains
from conversations.models import Conversation, Event, Ticket
from conversations.operations import sweep
from orders.hashing import store_hash
from orders.models import Effect, Order
from policy.levels import Level
from policy.operations import change, set_level, set_switch
from policy.queries import get_active
from tests.factories import LARGE, SMALL, Chat, make_staff, staff_client, start_chat
from tests.scripted import Scripted, say
from tests.writes import CANCEL, VERIFY, WRITES, open_card, press_yes, state_of_shop, write

pytestmark = pytest.mark.usefixtures("books")


def set_all(name: str, level: Level) -> None:
    set_level(action=name, up_to=None, level=level, author="bob", note="try it")


def shadow_one(model: Scripted, name: str = CANCEL, **changed: str) -> tuple[Chat, ActionRequest]:
    set_all(name, Level.SHADOW)
    chat = open_card(model, name, **changed)
    chat.press("yes")
    return chat, ActionRequest.objects.get(state=State.SHADOWED)


@pytest.mark.parametrize("name", WRITES)
def test_a_yes_runs_nothing_and_a_ticket_holds_exactly_what_was_agreed(model: Scripted, name: str) -> None:
    before = state_of_shop()
    chat, request = shadow_one(model, name)

    assert state_of_shop() == before
    assert chat.events("request_closed") == [
        chat.events("request_closed")[0] | {"request_id": str(request.pk), "outcome": "shadowed"}
    ]
    assert chat.state() == "with_person"
    assert "A person does exactly this" in chat.texts("system")[-1]
    [ticket] = Ticket.objects.filter(conversation=chat.id)
    assert ticket.reason == "shadow"
    [to_do] = ticket.summary["to_do"]
    assert to_do.startswith(request.card["title"])
    assert to_do.endswith(f"Request {request.pk}")
    assert all(line["label"] in to_do for line in request.card["lines"])
    assert request.rule == "R8"
    told = [(entry.event, entry.verdict) for entry in list_entries(subject=chat.id).order_by("position")]
    assert told[-3:] == [("consent_given", "button"), ("write_refused", "shadowed"), ("handoff", "shadow")]
    assert verify_chains().broken is None


def test_a_typed_yes_is_shadowed_as_well(model: Scripted) -> None:
    before = store_hash()
    set_all(CANCEL, Level.SHADOW)
    chat = open_card(model, CANCEL)
    chat.say("Yes, please do it.")
    assert (store_hash(), chat.events("request_closed")[-1]["outcome"]) == (before, "shadowed")
    assert Ticket.objects.get(conversation=chat.id).reason == "shadow"


def test_a_lost_signal_costs_a_sweep_and_no_ticket(model: Scripted) -> None:
    chat, _ = shadow_one(model)
    # As after a crash between the answer's commit and the telling.
    Conversation.objects.get(pk=chat.id).tickets.all().delete()
    notice = Event.objects.filter(conversation=chat.id, kind="message", about__isnull=False)
    notice.update(about=None)
    sweep(now=timezone.now())
    assert Ticket.objects.get(conversation=chat.id).reason == "shadow"
    sweep(now=timezone.now())
    assert Ticket.objects.filter(conversation=chat.id).count() == 1


@pytest.mark.parametrize("number", [SMALL, LARGE])
def test_staff_do_exactly_this_once_and_that_counts_as_agreement(model: Scripted, bob: User, number: str) -> None:
    """Whatever the amount: who does it by hand is the approval."""
    chat, request = shadow_one(model, order_id=number)
    ticket = Ticket.objects.get(conversation=chat.id)
    listed = staff_client(bob).get(reverse("admin:conversations_ticket_change", args=[ticket.pk])).content.decode()
    assert reverse("admin:approvals_actionrequest_change", args=[request.pk]) in listed
    limits = get_active().limits
    evidence = get_evidence(action=CANCEL, up_to=None, limits=limits, now=timezone.now())
    assert (evidence.level, evidence.shadowed, evidence.agreed, evidence.cases) == (Level.SHADOW, 1, 0, 0)

    client = staff_client(bob)
    page = client.get(reverse("admin:approvals_actionrequest_change", args=[request.pk])).content.decode()
    assert "Do exactly this" in page
    url = reverse("admin:approvals_do_shadowed", args=[request.pk])
    assert client.post(url).status_code == 302
    assert client.post(url, follow=True).content.decode().count("done before, by bob") == 1

    [effect] = Effect.objects.all()
    assert (effect.action, effect.order_number, effect.approved_by, effect.state) == (CANCEL, number, "bob", "done")
    assert Order.objects.get(number=number).status == Order.Status.CANCELLED
    assert effect.request.digest == request.digest
    assert chat.events("receipt")[-1]["status"] == "done"
    request.refresh_from_db()
    assert request.state == State.SHADOWED
    evidence = get_evidence(action=CANCEL, up_to=None, limits=limits, now=timezone.now())
    assert (evidence.shadowed, evidence.agreed, evidence.cases) == (1, 1, 1)


def test_what_changed_since_the_yes_is_not_done_by_hand(model: Scripted, bob: User) -> None:
    _, request = shadow_one(model)
    Order.objects.filter(number=SMALL).update(status="processed")
    with pytest.raises(gate.Stale, match="Facts changed"):
        gate.do_shadowed(request_id=request.pk, staff=bob)
    assert not Effect.objects.exists()
    # The books would rightly ask who changed it.
    Order.objects.filter(number=SMALL).update(status="pending")


def test_a_switch_holds_for_what_is_done_by_hand(model: Scripted, bob: User) -> None:
    _, request = shadow_one(model)
    set_switch(staff=bob, kind="action", name=CANCEL, on=False)
    with pytest.raises(gate.Stale, match="R7 refuses"):
        gate.do_shadowed(request_id=request.pk, staff=bob)
    assert not Effect.objects.exists()


def test_staff_without_the_right_do_nothing_by_hand_and_the_attempt_is_recorded(model: Scripted) -> None:
    chat, request = shadow_one(model)
    url = reverse("admin:approvals_do_shadowed", args=[request.pk])
    assert staff_client(make_staff()).post(url).status_code == 403
    assert not Effect.objects.exists()
    last = list_entries(subject=chat.id).order_by("position").last()
    assert last is not None
    assert (last.event, last.verdict, last.actor) == ("approval_refused", "NotPermitted", "staff:eve")


def test_only_a_shadowed_request_is_done_by_hand(model: Scripted, bob: User) -> None:
    chat = open_card(model, CANCEL)
    request = ActionRequest.objects.get()
    with pytest.raises(gate.AlreadyDecided):
        gate.do_shadowed(request_id=request.pk, staff=bob)
    press_yes(model, chat)
    with pytest.raises(gate.AlreadyDecided):
        gate.do_shadowed(request_id=request.pk, staff=bob)
    assert Effect.objects.count() == 1


def test_the_measuring_mode_runs_nothing_at_shadow_either(model: Scripted, settings: Settings) -> None:
    settings.DESKAGENT_GUARD = "audit"
    set_all(CANCEL, Level.SHADOW)
    before = state_of_shop()
    model.plays(VERIFY, write(CANCEL), say("A person does it."))
    chat = start_chat()
    chat.say("please do it")
    assert state_of_shop() == before
    assert ActionRequest.objects.get().state == State.SHADOWED
    assert chat.state() == "with_person"


def test_agreement_is_what_was_done_later_for_the_same_customer(model: Scripted, bob: User) -> None:
    _, request = shadow_one(model)
    later = gate.do_shadowed(request_id=request.pk, staff=bob)
    ActionRequest.objects.filter(pk=later.pk).update(created_at=request.created_at - timedelta(seconds=1))
    evidence = get_evidence(action=CANCEL, up_to=None, limits=get_active().limits, now=timezone.now())
    assert (evidence.shadowed, evidence.agreed) == (1, 0)


def test_who_does_it_by_hand_needs_the_authority_for_its_amount(model: Scripted, bob: User) -> None:
    chat, request = shadow_one(model, order_id=LARGE)
    group = Group.objects.create(name="small ones")
    group.permissions.add(Permission.objects.get(codename="decide_actionrequest"))
    gate.set_authority(group=group, most=50_000, currency="USD", by=bob)
    eve = make_staff()
    eve.groups.add(group)
    with pytest.raises(gate.OverAuthority):
        gate.do_shadowed(request_id=request.pk, staff=User.objects.get(pk=eve.pk))
    change(lambda _: {"approvals": {"second_person_above": "1000.00"}}, source="x", author="bob", note="")
    with pytest.raises(gate.OverAuthority, match="takes two people"):
        gate.do_shadowed(request_id=request.pk, staff=bob)
    assert not Effect.objects.exists()
    refused = [entry for entry in list_entries(subject=chat.id) if entry.event == "approval_refused"]
    assert [entry.verdict for entry in refused] == ["OverAuthority", "OverAuthority"]


def test_a_note_that_no_database_can_hold_is_refused_and_nothing_is_done(model: Scripted, bob: User) -> None:
    _, request = shadow_one(model)
    url = reverse("admin:approvals_do_shadowed", args=[request.pk])
    page = staff_client(bob).post(url, {"note": "done\0"}, follow=True).content.decode()
    assert "Null characters are not allowed" in page
    assert not Effect.objects.exists()
