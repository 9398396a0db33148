"""Amount limits of groups: what a member may approve alone."""

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse

from approvals import operations as gate
from approvals.authority import find_limit
from approvals.models import ActionRequest, Authority, State
from audit.models import Entry
from orders.models import Customer, Effect, Order
from policy.levels import Level
from policy.operations import set_level
from tests.approvals.waiting import (
    BOTH,
    make_approver,
    make_card,
    make_waiting_return,
    price,
    publish_policy,
    say_yes,
)
from tests.factories import decide, staff_client
from tests.writes import BACKPACK, LAMP, NORA, RETURN

pytestmark = pytest.mark.usefixtures("shop")
AMOUNT = 170_000
SOME = (1, "USD")

LIMITS = {
    "a cent too little": ([(AMOUNT - 1, "USD")], False),
    "the equal amount passes": ([(AMOUNT, "USD")], True),
    "the highest of two groups counts": ([(100, "USD"), (AMOUNT, "USD")], True),
    "in another currency": ([(AMOUNT * 100, "EUR")], False),
    "a limit of nothing": ([(0, "USD")], False),
}


@pytest.mark.parametrize(("limits", "passes"), LIMITS.values(), ids=LIMITS.keys())
def test_an_approval_needs_a_limit_that_covers_the_amount(limits: list[tuple[int, str]], passes: bool) -> None:
    request = make_waiting_return()
    answer = decide(make_approver("eve", *limits), str(request.pk), "approve")
    request.refresh_from_db()
    if passes:
        assert (answer.status_code, request.state) == (200, State.GRANTED)
        return
    assert (answer.status_code, answer.json()["code"]) == (409, "over_authority")
    assert "this is $1,700.00" in answer.json()["detail"]
    assert (request.state, Effect.objects.count()) == (State.AWAITING_STAFF, 0)
    entry = Entry.objects.get(event="approval_refused")
    assert (entry.actor, entry.verdict) == ("staff:eve", "OverAuthority")


def test_without_any_limit_in_the_shop_the_right_to_decide_is_enough() -> None:
    request = make_waiting_return()
    assert decide(make_approver("eve"), str(request.pk), "approve").status_code == 200


def test_once_a_group_has_a_limit_whoever_has_none_may_approve_nothing_that_costs() -> None:
    request = make_waiting_return()
    limited = make_approver("eve", (AMOUNT, "USD"))
    assert decide(make_approver("zoe"), str(request.pk), "approve").json()["code"] == "over_authority"
    limited.groups.clear()
    assert find_limit(User.objects.get(pk=limited.pk), "USD") == 0


def test_a_superuser_has_no_limit(bob: User) -> None:
    request = make_waiting_return()
    make_approver("eve", SOME)
    assert decide(bob, str(request.pk), "approve").status_code == 200


def test_declining_needs_no_limit_since_no_money_moves() -> None:
    request = make_waiting_return()
    assert decide(make_approver("eve", SOME), str(request.pk), "decline").status_code == 200


def test_whoever_may_not_approve_it_does_not_end_a_stale_request_by_trying() -> None:
    request = make_waiting_return()
    eve = make_approver("eve", SOME)
    Order.objects.filter(number=request.order_number).update(status="processed")
    with pytest.raises(gate.OverAuthority):
        gate.approve(request_id=request.pk, staff=eve)
    request.refresh_from_db()
    assert request.state == State.AWAITING_STAFF


@pytest.mark.parametrize("decision", ["approve", "decline"])
def test_staff_do_not_decide_what_they_asked_for_as_customers(decision: str) -> None:
    request = make_waiting_return()
    nora = make_approver("nora", email=Customer.objects.get(user_id=NORA).email.upper())
    nora.is_superuser = True
    nora.save()
    answer = decide(nora, str(request.pk), decision)
    assert (answer.status_code, answer.json()["detail"]) == (403, "You may not decide your own request.")
    request.refresh_from_db()
    assert request.state == State.AWAITING_STAFF
    assert Entry.objects.get(event="approval_refused").actor == "staff:nora"


def test_limits_are_set_changed_and_removed_in_the_console_with_an_entry_each(bob: User) -> None:
    client, group = staff_client(bob), Group.objects.create(name="Juniors")
    add, rows = reverse("admin:approvals_authority_add"), reverse("admin:approvals_authority_changelist")
    assert client.post(add, {"group": group.pk, "limit": "250.50", "currency": "USD"}).status_code == 302
    row = Authority.objects.get()
    assert (row.group, row.most, row.currency) == (group, 25_050, "USD")
    assert "$250.50" in client.get(rows).content.decode()
    change = reverse("admin:approvals_authority_change", args=[row.pk])
    assert 'value="250.50"' in client.get(change).content.decode()
    assert client.post(change, {"limit": "99", "currency": "USD"}).status_code == 302
    assert Authority.objects.get().most == 9_900
    client.post(rows, {"action": "delete_selected", "_selected_action": str(row.pk), "post": "yes"})
    assert not Authority.objects.exists()
    entries = Entry.objects.filter(event="role_changed").order_by("position")
    assert [(one.actor, one.verdict) for one in entries] == [
        ("staff:bob", "limit_set"),
        ("staff:bob", "limit_changed"),
        ("staff:bob", "limit_removed"),
    ]


@pytest.mark.parametrize("wrong", [{"limit": "-1"}, {"limit": "1.234"}, {"limit": ""}, {"currency": "usd"}])
def test_a_limit_that_is_none_is_not_kept(bob: User, wrong: dict[str, str]) -> None:
    group = Group.objects.create(name="Juniors")
    form = {"group": group.pk, "limit": "5", "currency": "USD"} | wrong
    assert staff_client(bob).post(reverse("admin:approvals_authority_add"), form).status_code == 200
    assert not Authority.objects.exists()


def make_shadowed() -> ActionRequest:
    price(150_000, item=LAMP)
    price(20_000, item=BACKPACK)
    set_level(action=RETURN, up_to=None, level=Level.SHADOW, author="bob", note="try it")
    request = say_yes(make_card(RETURN, **BOTH))
    assert request.state == State.SHADOWED
    return request


def test_what_a_person_does_by_hand_is_bound_by_the_same_limits(bob: User) -> None:
    request, eve = make_shadowed(), make_approver("eve", (AMOUNT - 1, "USD"))
    with pytest.raises(gate.OverAuthority):
        gate.do_shadowed(request_id=request.pk, staff=eve)
    nora = make_approver("nora", (AMOUNT, "USD"), email=Customer.objects.get(user_id=NORA).email)
    with pytest.raises(gate.NotPermitted):
        gate.do_shadowed(request_id=request.pk, staff=nora)
    publish_policy(second_person_above="1699.99")
    with pytest.raises(gate.OverAuthority, match="two people"):
        gate.do_shadowed(request_id=request.pk, staff=bob)
    assert (Effect.objects.count(), Entry.objects.filter(event="approval_refused").count()) == (0, 3)
    publish_policy(second_person_above=None)
    assert gate.do_shadowed(request_id=request.pk, staff=bob).state == State.GRANTED


def test_a_reduced_request_is_shadowed_where_the_level_says_so(bob: User) -> None:
    request = make_waiting_return()
    set_level(action=RETURN, up_to=None, level=Level.SHADOW, author="bob", note="try it")
    made = gate.correct(request_id=request.pk, staff=bob, item_ids=[LAMP])
    assert made.level_amount == 150_000
    assert (say_yes(made).state, Effect.objects.count()) == (State.SHADOWED, 0)


def test_a_group_that_is_deleted_takes_its_limit_along_on_the_record(bob: User) -> None:
    """Without its last limit a shop bounds nobody, so this is as large a change as any."""
    eve = make_approver("eve", SOME)
    [group] = eve.groups.all()
    client = staff_client(bob)
    assert client.post(reverse("admin:auth_group_delete", args=[group.pk]), {"post": "yes"}).status_code == 302
    assert not Authority.objects.exists()
    entries = Entry.objects.filter(event="role_changed").order_by("position")
    assert [(one.actor, one.verdict) for one in entries] == [("staff:bob", "removed"), ("system", "limit_removed")]
