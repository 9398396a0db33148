"""AT10: twenty approvals, one refund."""

import re
from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import User

from approvals.models import State
from audit.models import Entry
from audit.queries import list_entries
from orders.models import Effect, Order, Payment
from tests.approvals.test_admin import decide_url, messages_of, page_of
from tests.approvals.waiting import list_faults, make_waiting, publish_policy
from tests.factories import LARGE, decide, staff_client
from tests.journeys.test_races import at_once
from tests.writes import CANCEL

pytestmark = pytest.mark.usefixtures("desk")
WHO_AND_WHEN = re.compile(r"(ann|bob) approved this at \d\d:\d\d UTC\. Nothing ran\.", re.IGNORECASE)


@pytest.fixture
def admins(desk: None) -> list[User]:
    return [User.objects.create_superuser(name) for name in ("ann", "bob", "cid")]


def refunds() -> int:
    return Payment.objects.filter(order__number=LARGE, kind="refund").count()


def approvals_of(request: Any) -> list[Entry]:
    entries = list_entries(subject=str(request.session.conversation)).filter(event="approval_granted")
    return list(entries)


def test_at10_twenty_parallel_approvals_by_two_and_an_old_form_by_a_third(admins: list[User]) -> None:
    ann, bob, cid = admins
    request = make_waiting(CANCEL, order_id=LARGE)
    form = staff_client(cid)
    assert decide_url(request.pk) in form.get(page_of(request.pk)).content.decode()

    answers = at_once(lambda number: decide((ann, bob)[number % 2], str(request.pk), "approve"), count=20)

    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 19}
    for answer in answers:
        if answer.status_code == 409:
            assert answer.json()["code"] == "already_decided"
            assert WHO_AND_WHEN.fullmatch(answer.json()["detail"])
    request.refresh_from_db()
    decided = (request.state, request.decided_by, request.decided_at, request.note)

    for decision in ("approve", "decline"):
        late = form.post(decide_url(request.pk), {"decision": decision, "note": "late"}, follow=True)
        assert WHO_AND_WHEN.fullmatch(messages_of(late.content.decode()))

    request.refresh_from_db()
    assert (request.state, request.decided_by, request.decided_at, request.note) == decided
    assert decided[0] == State.GRANTED
    assert (Effect.objects.count(), refunds(), len(approvals_of(request))) == (1, 1, 1)
    assert Effect.objects.get().approved_by == request.decided_by.username
    assert Order.objects.get(number=LARGE).status == "cancelled"
    refused = Entry.objects.filter(event="approval_refused")
    assert refused.count() == 21
    assert list_faults() == []


def test_at10_where_two_people_are_needed_twenty_approvals_give_one_effect_too(admins: list[User]) -> None:
    publish_policy(second_person_above="1000.00")
    request = make_waiting(CANCEL, order_id=LARGE)
    answers = at_once(lambda number: decide(admins[number % 2], str(request.pk), "approve"), count=20)
    states = Counter(answer.json().get("state", answer.json().get("code")) for answer in answers)
    assert states == {State.AWAITING_STAFF: 1, State.GRANTED: 1, "already_decided": 18}
    assert (Effect.objects.count(), refunds(), len(approvals_of(request))) == (1, 1, 1)


def test_at10_approvals_and_corrections_at_once_take_one_way(admins: list[User]) -> None:
    """A cancellation cannot be reduced, so each correction is refused whenever it comes."""
    request = make_waiting(CANCEL, order_id=LARGE)

    def press(number: int) -> Any:
        if number % 2:
            return decide(admins[0], str(request.pk), "approve" if number % 4 == 1 else "decline")
        url = f"/api/v1/staff/requests/{request.pk}/correction/"
        return staff_client(admins[1]).post(url, {"item_ids": ["1"]}, content_type="application/json")

    answers = at_once(press, count=12)
    assert sum(answer.status_code == 200 for answer in answers) == 1
    assert {answer.status_code for answer in answers} <= {200, 400, 409}
    request.refresh_from_db()
    assert Effect.objects.count() == (request.state == State.GRANTED)
