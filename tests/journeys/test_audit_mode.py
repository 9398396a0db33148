"""The measuring mode: R1 to R3 are recorded instead of enforced; everything else holds."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from audit.models import Entry
from orders.models import Effect, Order
from tests.factories import LARGE, NORA_EMAIL, OTHER_EMAIL, OTHERS, SMALL, decide, run_turns, start_chat
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


def record_bodies(model: Scripted, settings: Any, guard: str, *moves: dict[str, Any]) -> list[bytes]:
    """The bodies of one scripted conversation as they went over the wire, call ids numbered in the order of coming."""
    settings.DESKAGENT_GUARD = guard
    seen = len(model.requests)
    model.plays(*moves)
    chat = start_chat()
    chat.say("hello there, please cancel it")
    model.moves.clear()
    ids: dict[str, str] = {}
    bodies = []
    for body in model.requests[seen:]:
        text = json.dumps(body)
        for message in body["messages"]:
            for block in message["content"]:
                if "id" in block:
                    ids.setdefault(block["id"], f"call-{len(ids)}")
        for name, number in ids.items():
            text = text.replace(json.dumps(name), json.dumps(number))
        bodies.append(text.encode())
    return bodies


READ = call("get_order_details", order_id=SMALL)
SPEAK = say("Which one?")
# What the model does, and how many requests are equal: each call's verdict is in the request after it.
SCRIPTS: dict[str, tuple[list[dict[str, Any]], int]] = {
    "no verdict differs": ([VERIFY, READ, SPEAK], 3),
    "a read before anybody is verified": ([READ, VERIFY, SPEAK], 1),
    "a look-up of somebody else": ([VERIFY, READ, call("find_user_id_by_email", email=OTHER_EMAIL), SPEAK], 3),
    "another customer's order": ([VERIFY, READ, call("get_order_details", order_id=OTHERS), SPEAK], 3),
    "a write before anybody is verified": ([cancel(SMALL), SPEAK], 1),
    # In enforcing mode the card stands there and the model is not asked again.
    "a write without a yes": ([VERIFY, READ, cancel(SMALL), SPEAK], 3),
    "a malformed write": ([VERIFY, call("cancel_pending_order", order_id=SMALL), SPEAK], 3),
}


@pytest.mark.parametrize(("moves", "equal"), SCRIPTS.values(), ids=SCRIPTS.keys())
def test_both_modes_send_the_same_bytes_up_to_the_first_verdict_that_differs(
    model: Scripted, settings: Any, moves: list[dict[str, Any]], equal: int
) -> None:
    enforced = record_bodies(model, settings, "enforce", *moves)
    audited = record_bodies(model, settings, "audit", *moves)
    assert len(audited) == len(moves)
    assert enforced[:equal] == audited[:equal]
    assert len(enforced) >= equal
    if equal < len(moves):
        assert enforced[equal : equal + 1] != audited[equal : equal + 1]
