"""The measuring mode: R1 to R3 are recorded instead of enforced; everything else holds."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from audit.models import Entry
from orders.models import Effect, Order
from tests.factories import LARGE, NORA_EMAIL, SMALL, decide, run_turns, start_chat
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk")
VERIFY = call("find_user_id_by_email", email=NORA_EMAIL)


@pytest.fixture(autouse=True)
def _audit_mode(settings: Any) -> None:
    settings.DESKAGENT_GUARD = "audit"


def cancel(order: str) -> dict[str, Any]:
    return call("cancel_pending_order", order_id=order, reason="no longer needed")


@pytest.mark.parametrize(("moves", "rule"), [([VERIFY], "R3"), ([], "R1")], ids=["no yes", "not verified"])
def test_the_write_runs_without_a_card_and_the_verdict_is_recorded(
    model: Scripted, moves: list[dict[str, Any]], rule: str
) -> None:
    model.plays(*moves, cancel(SMALL), say("Done."))
    chat = start_chat()
    chat.say("cancel it")
    assert Order.objects.get(number=SMALL).status == "cancelled"
    assert chat.events("request") == []
    [entry] = Entry.objects.filter(event="write_would_refuse")
    assert entry.rule == rule
    assert model.last_results()[-1].startswith('{"order_id"')


def test_a_large_one_still_waits_for_a_person(model: Scripted, bob: User) -> None:
    model.plays(VERIFY, cancel(LARGE))
    chat = start_chat()
    chat.say("cancel it")
    assert chat.state() == "under_review"
    assert Effect.objects.count() == 0
    request_id = chat.get().json()["open_request"]
    model.plays(say("Done."))
    assert decide(bob, request_id, "approve").status_code == 200
    run_turns()
    assert Order.objects.get(number=LARGE).status == "cancelled"


def test_schemas_and_keys_hold_unchanged(model: Scripted) -> None:
    extra = call("cancel_pending_order", order_id=SMALL, reason="no longer needed", approved_by="boss")
    model.plays(VERIFY, extra, cancel(SMALL), cancel(SMALL), say("Done."))
    start_chat().say("cancel it")
    assert Effect.objects.count() == 1
    assert Entry.objects.filter(event="write_replayed").count() == 1
    assert [entry.verdict for entry in Entry.objects.filter(event="write_refused")].count("malformed") == 1


def test_requests_are_equal_to_enforce_up_to_the_first_verdict_that_differs(model: Scripted, settings: Any) -> None:
    def first_requests(guard: str) -> list[Any]:
        settings.DESKAGENT_GUARD = guard
        seen = len(model.requests)
        model.plays(VERIFY, call("get_order_details", order_id=SMALL), say("Which one?"))
        start_chat().say("hello there")
        bodies = [dict(body) for body in model.requests[seen:]]
        ids: dict[str, str] = {}
        for body in bodies:
            for message in body["messages"]:
                for block in message["content"]:
                    for name in ("id", "tool_use_id"):
                        if name in block:
                            block[name] = ids.setdefault(block[name], f"id{len(ids)}")
        return bodies

    assert first_requests("enforce") == first_requests("audit")
