"""Staff may ask the customer for less, never for more; the customer says yes again."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from approvals import operations as gate
from approvals.models import ActionRequest, CustomerSession, State
from audit.models import Entry
from audit.queries import list_entries
from orders.models import Effect, Order
from tests.approvals.test_admin import messages_of, page_of, read_page
from tests.approvals.waiting import (
    BOTH,
    list_faults,
    make_approver,
    make_waiting,
    make_waiting_return,
    price,
    publish_policy,
    say_yes,
    status_of,
)
from tests.factories import staff_client
from tests.writes import (
    BACKPACK,
    BACKPACK_NAVY,
    CANCEL,
    DELIVERED,
    EXCHANGE,
    LAMP,
    LAMP_SAND,
    LARGE,
    REFUND,
)

pytestmark = pytest.mark.usefixtures("shop")


def correct(request: ActionRequest, staff: User, *items: str, note: str = "") -> ActionRequest:
    return gate.correct(request_id=request.pk, staff=staff, item_ids=items, note=note)


def events_about(request: ActionRequest) -> list[tuple[str, str, str]]:
    """What the log says of one request: event, who, verdict."""
    entries = list_entries(subject=str(request.session.conversation)).order_by("position")
    mine = [one for one in entries if str(request.pk) in one.canonical]
    customer = mine[0].actor if mine else ""
    return [(one.event, "customer" if one.actor == customer else one.actor, one.verdict) for one in mine]


def test_the_reduced_request_runs_on_the_customers_yes_without_another_approval() -> None:
    request, eve = make_waiting_return(), make_approver("eve", (150_000, "USD"))
    made = correct(request, eve, LAMP, note="the backpack was used")
    request.refresh_from_db()
    assert (request.state, request.decided_by, request.note) == (State.WITHDRAWN, eve, "the backpack was used")
    assert (made.state, made.corrects, made.arguments["item_ids"]) == (State.AWAITING_CUSTOMER, request, [LAMP])
    assert (made.amount, made.card["amount"], len(made.card["lines"])) == (150_000, "1500.00", 1)
    assert (status_of(DELIVERED), Effect.objects.count()) == ("delivered", 0)

    done = say_yes(made)

    assert (done.state, done.decided_by) == (State.GRANTED, eve)
    effect = Effect.objects.get()
    assert (effect.approved_by, effect.amount, effect.arguments["item_ids"]) == ("eve", 150_000, [LAMP])
    assert Order.objects.get(number=DELIVERED).return_items == [LAMP]
    assert list_faults() == []
    events = [(event, verdict) for event, _, verdict in events_about(made)]
    assert events == [
        ("request_proposed", "corrected"),
        ("consent_given", "button"),
        ("approval_granted", "corrected"),
        ("write_ok", "done"),
    ]


def test_the_old_request_is_over_for_everybody(bob: User) -> None:
    request = make_waiting_return()
    correct(request, bob, LAMP)
    for call in (gate.approve, gate.decline):
        with pytest.raises(gate.AlreadyDecided, match=r"bob reduced this at \d\d:\d\d UTC"):
            call(request_id=request.pk, staff=bob)
    with pytest.raises(gate.AlreadyDecided):
        correct(request, bob, BACKPACK)
    with pytest.raises(gate.NotOpen):
        say_yes(request)


def test_the_customers_no_ends_it_with_nothing_done(bob: User) -> None:
    made = correct(make_waiting_return(), bob, LAMP)
    gate.refuse_by_customer(conversation=made.session.conversation, request_id=made.pk, by="button")
    made.refresh_from_db()
    assert (made.state, made.decided_by, Effect.objects.count()) == (State.DECLINED_BY_CUSTOMER, None, 0)


NOT_LESS: dict[str, list[str]] = {
    "all of them": [LAMP, BACKPACK],
    "none of them": [],
    "one that was not asked for": [LAMP_SAND],
    "one more": [LAMP, BACKPACK, LAMP_SAND],
    "one of them and one that was not asked for": [LAMP, LAMP_SAND],
    "one of them twice": [LAMP, LAMP],
}


@pytest.mark.parametrize("items", NOT_LESS.values(), ids=NOT_LESS.keys())
def test_a_correction_only_leaves_items_out(bob: User, items: list[str]) -> None:
    request = make_waiting_return()
    with pytest.raises(gate.NotCorrectable):
        correct(request, bob, *items)
    request.refresh_from_db()
    assert (request.state, ActionRequest.objects.count()) == (State.AWAITING_STAFF, 1)
    assert Entry.objects.get(event="approval_refused").verdict == "NotCorrectable"


def test_an_action_without_a_list_of_items_cannot_be_reduced(bob: User) -> None:
    request = make_waiting(CANCEL, order_id=LARGE)
    with pytest.raises(gate.NotCorrectable, match="list of items"):
        correct(request, bob, LAMP)


def test_a_refund_without_a_return_is_reduced_the_same_way(bob: User) -> None:
    request = make_waiting(REFUND, order_id=DELIVERED, item_ids=[LAMP, BACKPACK], reason_code="damaged")
    made = correct(request, bob, LAMP)
    assert (made.action, made.arguments["reason_code"], made.amount < request.amount) == (REFUND, "damaged", True)
    assert (say_yes(made).state, Effect.objects.get().approved_by) == (State.GRANTED, "bob")


def make_waiting_exchange(lamp: int, backpack: int) -> ActionRequest:
    """Two swaps, whose new items cost 119.50 and something else."""
    price(lamp, item=LAMP)
    price(backpack, item=BACKPACK)
    return make_waiting(EXCHANGE, **BOTH | {"new_item_ids": [LAMP_SAND, BACKPACK_NAVY]})


def test_new_items_stay_with_the_items_they_replace(bob: User) -> None:
    request = make_waiting_exchange(300_000, 50_000)
    made = correct(request, bob, BACKPACK)
    assert (made.arguments["item_ids"], made.arguments["new_item_ids"]) == ([BACKPACK], [BACKPACK_NAVY])
    assert say_yes(made).state == State.GRANTED


def test_leaving_out_what_the_customer_pays_for_would_give_back_more_and_is_refused(bob: User) -> None:
    request = make_waiting_exchange(300_000, 1)
    with pytest.raises(gate.NotCorrectable, match="less money"):
        correct(request, bob, LAMP)


def test_a_correction_needs_the_authority_for_what_is_left() -> None:
    request, eve = make_waiting_return(), make_approver("eve", (149_999, "USD"))
    with pytest.raises(gate.OverAuthority):
        correct(request, eve, LAMP)
    assert correct(request, eve, BACKPACK).amount == 20_000


def test_staff_without_the_right_correct_nothing() -> None:
    request, eve = make_waiting_return(), make_approver("eve")
    eve.user_permissions.clear()
    with pytest.raises(gate.NotPermitted):
        correct(request, User.objects.get(pk=eve.pk), LAMP)
    assert Entry.objects.get(event="approval_refused").actor == "staff:eve"


LOST: dict[str, Any] = {
    "no longer active": lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
    "no longer permitted": lambda user: user.user_permissions.clear(),
    "limited since": lambda user: make_approver("other", (1, "USD")),
    "gone": lambda user: user.delete(),
    "two people needed since": lambda user: publish_policy(second_person_above="1000.00"),
}


@pytest.mark.parametrize("lose", LOST.values(), ids=LOST.keys())
def test_the_correction_is_the_approval_only_while_its_giver_may_approve(lose: Any) -> None:
    request, eve = make_waiting_return(), make_approver("eve")
    made = correct(request, eve, LAMP)
    lose(eve)
    assert (say_yes(made).state, Effect.objects.count()) == (State.AWAITING_STAFF, 0)


def test_facts_are_read_again_at_the_customers_yes(bob: User) -> None:
    made = correct(make_waiting_return(), bob, LAMP)
    price(149_999, item=LAMP)
    assert (say_yes(made).state, Effect.objects.count()) == (State.STALE, 0)


def test_the_new_card_waits_as_long_as_staff_may(bob: User) -> None:
    made = correct(make_waiting_return(), bob, LAMP)
    assert made.expires_at > timezone.now() + timedelta(hours=23)


@pytest.mark.parametrize("holder", [CustomerSession.Holder.PERSON, CustomerSession.Holder.NOBODY])
def test_while_a_person_holds_the_chat_the_customer_is_shown_no_card(bob: User, holder: CustomerSession.Holder) -> None:
    request = make_waiting_return()
    CustomerSession.objects.filter(pk=request.session_id).update(holder=holder)
    with pytest.raises(gate.NotCorrectable, match="A person holds this chat"):
        correct(request, bob, LAMP)


def test_a_first_approval_does_not_pass_on_to_the_reduced_request(bob: User) -> None:
    publish_policy(second_person_above="1000.00")
    request, eve = make_waiting_return(), make_approver("eve")
    gate.approve(request_id=request.pk, staff=eve)
    made = say_yes(correct(request, eve, LAMP))
    assert made.state == State.AWAITING_STAFF
    assert gate.approve(request_id=made.pk, staff=bob).state == State.AWAITING_STAFF
    assert gate.approve(request_id=made.pk, staff=eve).state == State.GRANTED


def test_the_call_of_the_api_answers_with_the_new_request(bob: User) -> None:
    request = make_waiting_return()
    url, client = f"/api/v1/staff/requests/{request.pk}/correction/", staff_client(bob)

    def post(**body: Any) -> Any:
        return client.post(url, body, content_type="application/json")

    assert (post().status_code, post(item_ids=[]).json()["code"]) == (400, "invalid")
    assert post(item_ids=[LAMP_SAND]).json()["code"] == "invalid"
    answer = post(item_ids=[LAMP], note="less")
    made = ActionRequest.objects.get(corrects=request)
    assert (answer.status_code, answer.json()["id"]) == (200, str(made.pk))
    assert (answer.json()["state"], answer.json()["corrects"]) == (State.AWAITING_CUSTOMER, str(request.pk))
    assert post(item_ids=[LAMP]).json()["code"] == "already_decided"


def test_the_page_offers_the_items_and_leads_on_to_the_new_request(bob: User) -> None:
    request, client = make_waiting_return(), staff_client(bob)
    html = read_page(client, page_of(request.pk))
    assert all(f'value="{item}" checked' in html for item in (LAMP, BACKPACK))
    url = reverse("admin:approvals_correct", args=[request.pk])
    unchanged = client.post(url, {"item": [LAMP, BACKPACK], "note": ""}, follow=True).content.decode()
    assert "leave at least one out" in messages_of(unchanged)
    said = client.post(url, {"item": [LAMP], "note": "<b>used"}, follow=True).content.decode()
    assert messages_of(said).startswith("The customer is asked anew: Return 1 item")
    made = ActionRequest.objects.get(corrects=request)
    assert page_of(made.pk) in read_page(client, page_of(request.pk))
    assert "<strong>bob</strong> reduced" in read_page(client, page_of(made.pk))
