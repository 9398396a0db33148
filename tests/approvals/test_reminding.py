"""A request that nobody decided on: marked once before its time is over, and ended after it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from approvals import operations as gate
from approvals.models import ActionRequest, State
from tests.approvals.test_admin import LIST, read_page
from tests.approvals.waiting import make_waiting_return, publish_policy
from tests.factories import staff_client
from tests.policy.test_versions import break_the_newest

pytestmark = pytest.mark.usefixtures("shop")
MINUTE = timedelta(minutes=1)


def remind(request: ActionRequest, before_end: timedelta) -> int:
    return gate.remind_waiting(now=request.expires_at - before_end)


@pytest.mark.parametrize(
    ("hours", "before_end", "reminds"),
    [
        (4, timedelta(hours=4), 1),
        (4, timedelta(hours=4) + MINUTE, 0),
        (4, timedelta(0), 0),
        (1, timedelta(hours=4), 0),
        (0, MINUTE, 0),
        # Never more than half of the time there is, or it would be late at once.
        (720, timedelta(hours=12), 1),
        (720, timedelta(hours=12) + MINUTE, 0),
    ],
)
def test_the_policy_says_how_long_before_the_end(hours: int, before_end: timedelta, reminds: int) -> None:
    publish_policy(remind_before_hours=hours)
    assert remind(make_waiting_return(), before_end) == reminds


def test_each_request_is_reminded_of_once_and_only_while_it_waits_for_staff(bob: User) -> None:
    request = make_waiting_return()
    assert [remind(request, timedelta(hours=2)), remind(request, timedelta(hours=1))] == [1, 0]
    request.refresh_from_db()
    first = request.reminded_at
    ActionRequest.objects.update(reminded_at=None)
    gate.decline(request_id=request.pk, staff=bob)
    assert remind(request, timedelta(hours=1)) == 0
    assert first is not None


def test_without_a_readable_policy_the_preset_number_holds() -> None:
    request = make_waiting_return()
    break_the_newest("{}")
    assert remind(request, timedelta(hours=4)) == 1


def test_the_list_says_how_long_there_is_once_it_was_reminded_of(bob: User) -> None:
    request, client = make_waiting_return(), staff_client(bob)
    assert "awaiting staff, " not in read_page(client, LIST)
    ActionRequest.objects.update(expires_at=timezone.now() + timedelta(hours=2, minutes=1))
    request.refresh_from_db()
    assert gate.remind_waiting(now=timezone.now()) == 1
    assert "awaiting staff, 2\xa0hours left" in read_page(client, LIST).replace(", 1\xa0minute", "")


def test_after_its_time_it_expires_and_cannot_be_approved(bob: User) -> None:
    request = make_waiting_return()
    remind(request, MINUTE)
    assert gate.expire_overdue(now=request.expires_at + MINUTE) == 1
    request.refresh_from_db()
    assert request.state == State.EXPIRED
    with pytest.raises(gate.AlreadyDecided):
        gate.approve(request_id=request.pk, staff=bob)
