"""The ladder from the customer's words to the rows: suggest, a fall by harm, going back a version."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from approvals.models import ActionRequest, Harm, State
from audit.chains import SHOP
from audit.queries import list_entries
from audit.queries import verify as verify_chains
from orders import tasks
from orders.models import Effect, Refund
from orders.payments.fake import FakeGateway
from orders.reconciliation import reconcile
from policy.levels import Level
from policy.models import PolicyVersion
from policy.operations import change, roll_back, set_level
from policy.queries import get_active
from tests.factories import LARGE, Chat, decide, staff_client
from tests.scripted import Scripted, say
from tests.writes import CANCEL, RETURN, WRITES, assert_done_once, open_card, press_yes, state_of_shop

pytestmark = pytest.mark.usefixtures("books")


def set_all(name: str, level: Level) -> None:
    set_level(action=name, up_to=None, level=level, author="bob", note="try it")


def level_of(name: str) -> str:
    return get_active().limits.autonomy.bands_of(name)[0].level.value


def outcome(chat: Chat) -> str:
    return str(chat.events("request_closed")[-1]["outcome"])


@pytest.mark.parametrize("name", [WRITES[0], WRITES[1], WRITES[5]])
def test_at_suggest_every_yes_waits_for_a_person_whatever_the_amount(model: Scripted, bob: User, name: str) -> None:
    set_all(name, Level.SUGGEST)
    before = state_of_shop()
    chat = open_card(model, name)
    chat.press("yes")
    request = ActionRequest.objects.get()
    assert (chat.state(), request.state, request.rule) == ("under_review", State.AWAITING_STAFF, "R8")
    assert state_of_shop() == before

    model.plays(say("It is done."))
    assert decide(bob, str(request.pk), "approve").status_code == 200
    assert_done_once(name)
    assert Effect.objects.get().approved_by == "bob"
    assert outcome(chat) == "granted"


@pytest.mark.parametrize(
    ("level", "reason"), [(Level.SHADOW, "A person will do exactly this."), (Level.OFF, "does not do")]
)
def test_what_waits_when_its_action_goes_to_shadow_or_off_is_refused_on_approval(
    model: Scripted, bob: User, level: Level, reason: str
) -> None:
    chat = open_card(model, CANCEL, order_id=LARGE)
    chat.press("yes")
    before = state_of_shop()
    set_all(CANCEL, level)
    model.plays(say("It could not be done."))
    answer = decide(bob, chat.card()["request_id"], "approve")
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert "R8 refuses this now" in answer.json()["detail"]
    assert state_of_shop() == before
    request = ActionRequest.objects.get()
    assert (request.state, request.rule) == (State.REFUSED, "R8")
    assert reason in request.reason
    assert outcome(chat) == "refused"


def test_harm_that_a_person_finds_makes_the_next_one_wait(model: Scripted, bob: User) -> None:
    chat = open_card(model, CANCEL)
    press_yes(model, chat)
    request = ActionRequest.objects.get()
    client = staff_client(bob)
    page = client.get(reverse("admin:approvals_actionrequest_change", args=[request.pk])).content.decode()
    assert "Record harm" in page
    posted = {"kind": "money", "note": "it had shipped already"}
    assert client.post(reverse("admin:approvals_report_harm", args=[request.pk]), posted).status_code == 302
    page = client.get(reverse("admin:approvals_actionrequest_change", args=[request.pk])).content.decode()
    assert "it had shipped already" in page
    assert (level_of(CANCEL), level_of(RETURN)) == ("suggest", "limited")
    entry = list_entries(subject=SHOP).last()
    assert entry is not None
    assert (entry.event, entry.actor, entry.policy_version) == ("policy_changed", "system", 2)

    other = open_card(model, CANCEL, order_id=LARGE)
    other.press("yes")
    assert other.state() == "under_review"
    assert Effect.objects.count() == 1
    assert verify_chains().broken is None


def test_a_payment_that_ends_in_doubt_makes_the_next_one_wait(model: Scripted, bob: User, gateway: FakeGateway) -> None:
    chat = open_card(model, CANCEL)
    press_yes(model, chat)
    effect = Effect.objects.get()
    gateway.stop()
    tasks.carry_out(effect_id=effect.pk)
    while Effect.objects.get().with_person_at is None:
        assert level_of(CANCEL) == "limited"
        reconcile(now=Refund.objects.get().next_try_at)
    assert level_of(CANCEL) == "suggest"
    assert [harm.kind for harm in Harm.objects.all()] == ["gateway_in_doubt"]
    assert "left it in doubt" in PolicyVersion.objects.latest("number").note


def test_going_back_a_version_holds_for_the_next_yes(model: Scripted, bob: User) -> None:
    change(lambda _: {"person_above": "1.00"}, source="console", author="bob", note="too strict")
    first = open_card(model, CANCEL)
    first.press("yes")
    assert first.state() == "under_review"
    assert Effect.objects.count() == 0

    version = roll_back(staff=bob, number=1)
    assert (version.number, version.note) == (3, "rollback to v1")
    second = open_card(model, RETURN)
    press_yes(model, second)
    [effect] = Effect.objects.all()
    assert (effect.action, effect.approved_by) == (RETURN, "")
    assert ActionRequest.objects.get(action=RETURN).policy_version == 3
