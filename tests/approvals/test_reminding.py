"""A request that nobody decided on: marked once before its time is over, and ended after it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from approvals import operations as gate
from approvals.models import ActionRequest, State
from orders.models import Customer, Mail
from tests.approvals.test_admin import LIST, page_of, read_page
from tests.approvals.waiting import make_approver, make_waiting_return, publish_policy
from tests.factories import staff_client
from tests.policy.test_versions import break_the_newest
from tests.writes import NORA

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


def test_staff_who_may_approve_it_are_written_to_once(bob: User) -> None:
    request = make_waiting_return()
    nora = Customer.objects.get(user_id=NORA)
    make_approver("eve", (170_000, "USD"), email="eve@example.com")
    make_approver("junior", (169_999, "USD"), email="junior@example.com")
    make_approver("nobody", (170_000, "USD"))
    make_approver("hostile", (170_000, "USD"), email="a@example.com\nBcc: b@example.com")
    make_approver("nora", (170_000, "USD"), email=nora.email)
    User.objects.create_user("vera", "vera@example.com", is_staff=True)
    for _ in range(2):
        remind(request, timedelta(hours=1))
    mails = Mail.objects.order_by("to")
    assert [one.to for one in mails] == ["bob@example.com", "eve@example.com"]
    assert f"{request.card['title']}, $1,700.00. {request.reason}" in mails[0].text
    assert page_of(request.pk) in mails[0].text
    assert mails[0].good_until == request.expires_at


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
