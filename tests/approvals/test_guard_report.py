"""The report of would-be refusals: what the audit mode let pass, by rule."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from approvals.would_be import list_would_be_refusals
from tests.approvals.test_admin import LIST, make_staff_who_may, read_page
from tests.factories import NORA_EMAIL, OTHER_EMAIL, OTHERS, SMALL, staff_client, start_chat
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk")
PAGE = reverse("admin:approvals_would_be")
VERIFY = call("find_user_id_by_email", email=NORA_EMAIL)


def cancel(order: str) -> dict[str, Any]:
    return call("cancel_pending_order", order_id=order, reason="no longer needed")


def talk(model: Scripted, settings: Any, guard: str) -> None:
    """A write before anybody is verified, another customer's order and identity, a write without a yes."""
    settings.DESKAGENT_GUARD = guard
    model.plays(
        call("get_order_details", order_id=SMALL),
        VERIFY,
        call("get_order_details", order_id=OTHERS),
        call("find_user_id_by_email", email=OTHER_EMAIL),
        cancel(SMALL),
        say("Well."),
    )
    start_chat().say("cancel it")
    model.moves.clear()


def test_each_rule_is_counted_by_action_and_chat(model: Scripted, settings: Any) -> None:
    for _ in range(2):
        talk(model, settings, "audit")
    found = [(row.rule, row.action, row.count, row.conversations) for row in list_would_be_refusals()]
    assert found == [
        ("R1", "get_order_details", 2, 2),
        ("R2", "find_user_id_by_email", 2, 2),
        ("R2", "get_order_details", 2, 2),
        # The second chat finds the order cancelled.
        ("R3", "cancel_pending_order", 1, 1),
    ]
    assert list_would_be_refusals(since=timezone.now() + timedelta(seconds=1)) == []
    out = StringIO()
    call_command("guard_report", "--json", stdout=out)
    assert [row["rule"] for row in json.loads(out.getvalue())["rows"]] == ["R1", "R2", "R2", "R3"]
    out = StringIO()
    call_command("guard_report", "--days", "1", stdout=out)
    assert out.getvalue().splitlines()[-1] == "7 would-be refusals"


def test_the_enforcing_mode_leaves_nothing_to_report(model: Scripted, settings: Any) -> None:
    talk(model, settings, "enforce")
    out = StringIO()
    call_command("guard_report", stdout=out)
    assert out.getvalue() == "0 would-be refusals\n"


def test_the_page_is_for_whoever_may_read_the_log(model: Scripted, settings: Any) -> None:
    talk(model, settings, "audit")
    viewer = make_staff_who_may("approvals.view_actionrequest")
    assert staff_client(viewer).get(PAGE).status_code == 403
    assert PAGE not in read_page(staff_client(viewer), LIST)
    viewer.user_permissions.add(Permission.objects.get(codename="view_entry"))
    client = staff_client(User.objects.get(pk=viewer.pk))
    assert PAGE in read_page(client, LIST)
    html = read_page(client, PAGE)
    assert all(text in html for text in ("R1", "R2", "R3", "cancel_pending_order"))
