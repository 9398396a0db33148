"""AT11: whoever may only look, and whoever asked, decides nothing, by whichever door; each attempt is in the log."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from approvals.models import ActionRequest, State
from audit.models import Entry
from orders.models import Customer, Effect
from tests.approvals.test_admin import LIST, decide_url, page_of
from tests.approvals.waiting import make_waiting_return
from tests.writes import LAMP, NORA, state_of_shop

pytestmark = pytest.mark.usefixtures("shop")


def post_api(client: Client, request: ActionRequest, call: str, body: dict[str, Any]) -> Any:
    return client.post(f"/api/v1/staff/requests/{request.pk}/{call}/", body, content_type="application/json")


DOORS: dict[str, Any] = {
    "action of the list": lambda client, request: client.post(
        LIST, {"action": "approve", "_selected_action": str(request.pk)}
    ),
    "bulk action of the list": lambda client, request: client.post(
        LIST, {"action": "delete_selected", "_selected_action": str(request.pk), "post": "yes"}
    ),
    "edit in the list": lambda client, request: client.post(
        LIST,
        {
            "form-TOTAL_FORMS": "1",
            "form-INITIAL_FORMS": "1",
            "form-0-id": str(request.pk),
            "form-0-state": "granted",
            "_save": "Save",
        },
    ),
    "change form": lambda client, request: client.post(page_of(request.pk), {"state": "granted", "note": "x"}),
    "custom URL": lambda client, request: client.post(decide_url(request.pk), {"decision": "approve"}),
    "custom URL for a correction": lambda client, request: client.post(
        reverse("admin:approvals_correct", args=[request.pk]), {"item": LAMP}
    ),
    "API": lambda client, request: post_api(client, request, "decision", {"decision": "approve", "note": ""}),
    "API, decline": lambda client, request: post_api(client, request, "decision", {"decision": "decline"}),
    "API for a correction": lambda client, request: post_api(client, request, "correction", {"item_ids": [LAMP]}),
}


def make_viewer() -> User:
    user = User.objects.create_user("vera", "vera@example.com", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_actionrequest"))
    return user


def make_requester() -> User:
    """A member of staff who shops here: every right, and the e-mail address of the customer who asked."""
    return User.objects.create_superuser("nora", Customer.objects.get(user_id=NORA).email)


WHO: dict[str, Any] = {"view only": make_viewer, "the requester himself": make_requester}


def assert_untouched(request: ActionRequest, before: Any) -> None:
    columns = {field.attname: getattr(request, field.attname) for field in ActionRequest._meta.fields}
    fresh = ActionRequest.objects.get(pk=request.pk)
    assert {name: getattr(fresh, name) for name in columns} == columns
    assert (fresh.state, Effect.objects.count(), state_of_shop()) == (State.AWAITING_STAFF, 0, before)


@pytest.mark.parametrize("who", WHO.values(), ids=WHO.keys())
@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS.keys())
def test_at11_no_door_decides_and_every_attempt_is_in_the_log(who: Any, door: Any) -> None:
    request = make_waiting_return()
    request.refresh_from_db()
    before, user = state_of_shop(), who()
    client = Client()
    client.force_login(user)

    answer = door(client, request)

    assert answer.status_code in (403, 405)
    assert_untouched(request, before)
    entry = Entry.objects.get(event="approval_refused")
    assert (entry.actor, entry.verdict) == (f"staff:{user.username}", "NotPermitted")
    assert str(request.pk) in entry.canonical


NOTED = {"API", "API, decline", "API for a correction", "custom URL", "custom URL for a correction"}


@pytest.mark.parametrize("name", DOORS)
def test_at11_without_being_staff_no_door_opens_and_who_knows_the_id_is_noted(name: str) -> None:
    """A stranger is sent to the sign-in before a list or a form is read, so there is nothing to note of those."""
    request = make_waiting_return()
    request.refresh_from_db()
    before, stranger, shopper = state_of_shop(), Client(), Client()
    shopper.force_login(User.objects.create_user("shopper", "shopper@example.com"))
    for client in (stranger, shopper):
        answer = DOORS[name](client, request)
        assert answer.status_code in (302, 403)
        if answer.status_code == 302:
            assert answer["Location"].startswith(reverse("admin:login"))
    assert_untouched(request, before)
    noted = [entry.actor for entry in Entry.objects.filter(event="approval_refused").order_by("pk")]
    assert noted == (["visitor", "user:shopper"] if name in NOTED else [])


def test_at11_a_form_full_of_ids_notes_the_requests_that_exist_and_not_more_than_twenty() -> None:
    request, client = make_waiting_return(), Client()
    client.force_login(make_viewer())
    ids = [str(request.pk), "nonsense", "1" * 500, *(str(uuid.uuid4()) for _ in range(50))]
    assert client.post(LIST, {"action": "approve", "_selected_action": ids}).status_code == 403
    assert Entry.objects.filter(event="approval_refused").count() == 1
