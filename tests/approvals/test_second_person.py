"""Above a second limit two different people approve."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from approvals.models import FirstApproval, State
from audit.models import Entry
from orders.models import Effect, Order
from tests.approvals.waiting import list_faults, make_approver, make_waiting_return, publish_policy, status_of
from tests.factories import decide
from tests.writes import DELIVERED

pytestmark = pytest.mark.usefixtures("shop")


@pytest.fixture(autouse=True)
def _second_person(shop: None) -> None:
    publish_policy(second_person_above="1699.99")


def answer_of(user: User, request: Any, decision: str = "approve", note: str = "") -> tuple[int, str]:
    answer = decide(user, str(request.pk), decision, note)
    return answer.status_code, answer.json().get("state") or answer.json()["code"]


def test_two_people_make_one_approval_and_one_effect(bob: User) -> None:
    request, eve = make_waiting_return(), make_approver("eve")
    assert answer_of(eve, request, note="looks right") == (200, State.AWAITING_STAFF)
    first = FirstApproval.objects.get()
    assert (first.request, first.staff, first.note) == (request, eve, "looks right")
    assert status_of(DELIVERED) == "delivered"
    assert answer_of(bob, request) == (200, State.GRANTED)
    assert (Effect.objects.get().approved_by, status_of(DELIVERED)) == ("bob", "return requested")
    said = Entry.objects.filter(event__startswith="approval_").order_by("position")
    assert [(one.event, one.actor, one.verdict) for one in said] == [
        ("approval_requested", "agent", "ask_staff"),
        ("approval_requested", "staff:eve", "second_person"),
        ("approval_granted", "staff:bob", "approved"),
    ]
    assert list_faults() == []


def test_the_same_person_does_not_count_twice(bob: User) -> None:
    request = make_waiting_return()
    assert answer_of(bob, request) == (200, State.AWAITING_STAFF)
    answer = decide(bob, str(request.pk), "approve")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_decided")
    assert re.match(r"You approved this at \d\d:\d\d UTC; a second person", answer.json()["detail"])
    assert Effect.objects.count() == 0


def test_the_equal_amount_needs_one_person(bob: User) -> None:
    publish_policy(second_person_above="1700.00")
    assert answer_of(bob, make_waiting_return()) == (200, State.GRANTED)


@pytest.mark.parametrize("by_the_first", [True, False])
def test_either_of_two_ends_it_by_declining(bob: User, by_the_first: bool) -> None:
    request, eve = make_waiting_return(), make_approver("eve")
    answer_of(eve, request)
    assert answer_of(eve if by_the_first else bob, request, "decline") == (200, State.DECLINED_BY_STAFF)
    assert answer_of(bob, request) == (409, "already_decided")
    assert Effect.objects.count() == 0


LOST = {
    "no longer active": lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
    "no longer staff": lambda user: User.objects.filter(pk=user.pk).update(is_staff=False),
    "no longer permitted": lambda user: user.user_permissions.clear(),
    "gone": lambda user: user.delete(),
    "limited since": lambda user: make_approver("other", (1, "USD")),
}


@pytest.mark.parametrize("lose", LOST.values(), ids=LOST.keys())
def test_a_first_approval_counts_only_while_its_giver_may_decide(bob: User, lose: Any) -> None:
    request, eve = make_waiting_return(), make_approver("eve")
    answer_of(eve, request)
    lose(eve)
    assert answer_of(bob, request) == (200, State.AWAITING_STAFF)
    assert FirstApproval.objects.get().staff == bob


def test_each_of_two_needs_the_authority(bob: User) -> None:
    request, eve = make_waiting_return(), make_approver("eve", (100, "USD"))
    assert answer_of(eve, request) == (409, "over_authority")
    answer_of(bob, request)
    assert answer_of(eve, request) == (409, "over_authority")


def test_what_changed_between_the_two_is_seen_by_the_second(bob: User) -> None:
    request, eve = make_waiting_return(), make_approver("eve")
    answer_of(eve, request)
    Order.objects.filter(number=DELIVERED).update(status="exchange requested")
    assert answer_of(bob, request) == (409, "stale")
    Order.objects.filter(number=DELIVERED).update(status="delivered")
    assert answer_of(bob, request) == (409, "already_decided")
