"""Tool calls that are no calls: answered like any malformed one, recorded, and nothing personal of them in the log."""

import json
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction

from approvals.models import ActionRequest
from approvals.sessions import Voice, open_session
from audit.models import Entry
from audit.queries import list_entries, verify
from conversations.agent.tools import Caller, Outcome, find_fault, list_specs
from conversations.agent.tools import call as call_tool
from conversations.models import Step
from orders.models import Effect
from tests.conversations.helpers import LOOK_UP, assert_requests_extend
from tests.factories import SMALL, start_chat
from tests.scripted import Move, Scripted, call, say

CONVERSATION = UUID(int=9)
CANCEL, READ, MAIL = "cancel_pending_order", "get_order_details", "find_user_id_by_email"
REASON = "no longer needed"


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    return value


def hand_over(name: Any, arguments: Any) -> Outcome:
    """One call inside a transaction, as the loop makes it."""
    open_session(conversation=CONVERSATION)
    caller = Caller(conversation=CONVERSATION, origin=1, voice=Voice(prompt_version="t", model="m"))
    with transaction.atomic():
        return call_tool(caller=caller, name=name, arguments=arguments)


def only_entry() -> Entry:
    return list_entries(subject=str(CONVERSATION)).get()


HOSTILE: dict[str, Any] = {
    "not a number": {"order_id": float("nan")},
    "without end": {"order_id": float("-inf")},
    "without end in a list": [float("inf")],
    "deep": {"order_id": nested(900)},
    "deeper than any stack": {"order_id": nested(100_000)},
    "deep list": json.loads("[" * 900 + "]" * 900),
    "a long number": {"order_id": 10**5000},
    "more than 64 bits": {"order_id": 2**64},
    "NUL": {"order_id": "#W\x00", "reason": REASON},
    "NUL in a name": {"order_id": SMALL, "a\x00": 1},
    "half a character": {"order_id": "\ud800"},
    "half a character in a name": {"\udfff": 1},
    "escape": {"order_id": "\x1b[31m"},
    "carriage return": {"order_id": "#W1\r"},
    "next line": {"order_id": "#W1\x85"},
    "bytes": {"order_id": b"#W1"},
    "a set": {"order_id": {1}},
    "an object": object(),
    "many fields": {str(number): 1 for number in range(5_000)},
    "many items": {"order_id": [1] * 5_000},
    "long text": {"order_id": "x" * 100_000},
    "long text in parts": {"order_id": ["x" * 900] * 100},
    "long name": {"x" * 100_000: 1},
    "nothing": None,
    "text": "#W1",
    "a number": 5,
    "true": True,
    "empty": {},
}


@pytest.mark.django_db
@pytest.mark.parametrize(("tool", "event"), [(CANCEL, "write_refused"), (READ, "read_error"), (MAIL, "read_error")])
@pytest.mark.parametrize("arguments", HOSTILE.values(), ids=HOSTILE)
def test_hostile_arguments_are_answered_as_malformed_and_recorded(tool: str, event: str, arguments: Any) -> None:
    outcome = hand_over(tool, arguments)
    assert outcome.is_error and outcome.request is None and outcome.transfer is None
    assert outcome.text is not None and outcome.text.startswith("Error: invalid arguments. ")
    assert len(outcome.text) < 500
    entry = only_entry()
    assert (entry.event, entry.action, entry.verdict) == (event, tool, "malformed")
    assert len(entry.canonical) < 110_000
    assert verify().broken is None


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"order_id": "#W5918442", "reason": REASON},
        {"summary": "two\nlines\tand a tab, é 王 😀 \u2028"},
        {"summary": "x" * 19_000},
        {"a": [1, 2.5, True, None, {"b": ["c"]}]},
        {"a": 2**63 - 1, "b": -(2**63) + 1, "c": 1e300},
        nested(7),
        [{"name": str(number)} for number in range(100)],
    ],
)
def test_plain_arguments_are_looked_at(arguments: Any) -> None:
    assert find_fault(arguments) == ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("unknown", "unknown"),
        ("unknown\ud800", "unknown?"),
        ("unknown\x00", "unknown?"),
        ("cancel_pending_order\n", "cancel_pending_order?"),
        ("cancel_pending_\u043erder", "cancel_pending_?rder"),
        ("\u202eredro", "?redro"),
        ("x" * 5_000, "x" * 60),
        ("", ""),
        (7, "7"),
    ],
)
@pytest.mark.parametrize("arguments", [{}, {"order_id": "\x00"}, {"order_id": nested(900)}, None])
def test_an_unknown_tool_is_named_in_plain_letters(name: Any, shown: str, arguments: Any) -> None:
    outcome = hand_over(name, arguments)
    assert (outcome.text, outcome.is_error) == (f"Unknown action {shown}", True)
    assert (only_entry().event, only_entry().action) == ("write_refused", shown)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("tool", "arguments", "secret"),
    [
        (CANCEL, {"zoe.marchetti@example.com": 1}, "marchetti"),
        (CANCEL, {"a": {"zoe.marchetti@example.com": [1]}}, "marchetti"),
        ("zoe.marchetti@example.com", {}, "marchetti"),
        ("call_+442079460958", {}, "2079460958"),
        (CANCEL, {"order_id": 4111111111111111}, "4111111111111111"),
        (CANCEL, {"order_id": 4111111111111111.0}, "4111111111111111"),
        (READ, [4111111111111111], "4111111111111111"),
        (READ, {"Email": "Zoe M.", "order_id": 1}, "Zoe"),
        (MAIL, {"email": "zoe\x00.marchetti@example.com"}, "marchetti"),
    ],
)
def test_nothing_personal_of_a_malformed_call_is_in_the_log(tool: str, arguments: Any, secret: str) -> None:
    hand_over(tool, arguments)
    entry = only_entry()
    assert secret not in entry.canonical + entry.action


WIRE: dict[str, tuple[Move, str, str]] = {
    "NUL in a tool's name": (call("unknown\x00"), "write_refused", "unknown?"),
    "accent in a tool's name": (call("détails"), "write_refused", "d?tails"),
    "NUL in a mail": (call(MAIL, email="a\x00@example.com"), "read_error", MAIL),
    "NUL in an order": (call(READ, order_id="#W\x00"), "read_error", READ),
    "NUL in a write": (call(CANCEL, order_id="#W\x00", reason=REASON), "write_refused", CANCEL),
    "nested": (call(CANCEL, order_id=nested(120)), "write_refused", CANCEL),
    "long number": (call(CANCEL, order_id=10**4000), "write_refused", CANCEL),
    "many fields": (call(READ, **{f"f{number}": number for number in range(600)}), "read_error", READ),
}


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(("move", "event", "action"), WIRE.values(), ids=WIRE)
def test_a_turn_goes_on_after_a_hostile_call(model: Scripted, move: Move, event: str, action: str) -> None:
    model.plays(LOOK_UP, move, say("Sorry, which order is it?"))
    chat = start_chat()
    chat.say("Please cancel my order.")

    assert (chat.state(), chat.texts()) == ("open", ["Sorry, which order is it?"])
    [result] = model.last_results()[-1:]
    assert result.startswith(("Error: invalid arguments. ", "Unknown action "))
    assert Step.objects.filter(conversation=chat.id, kind=Step.Kind.RESULT).count() == 2
    [entry] = [entry for entry in list_entries(subject=chat.id) if entry.verdict == "malformed"]
    assert (entry.event, entry.action) == (event, action)
    assert (ActionRequest.objects.count(), Effect.objects.count()) == (0, 0)
    assert_requests_extend(model.requests)
    assert verify().broken is None


@pytest.mark.parametrize("depth", [250, 900])
@pytest.mark.usefixtures("desk")
def test_a_call_too_deep_for_the_wire_ends_at_a_person(model: Scripted, depth: int) -> None:
    model.plays(call(CANCEL, order_id=nested(depth)))
    chat = start_chat()
    chat.say("Please cancel my order.")
    assert chat.state() == "with_person"
    assert verify().broken is None


def test_every_word_of_our_own_names_is_spared_from_masking() -> None:
    from audit.redaction import redact_name

    names = {spec["name"] for spec in list_specs()}
    names |= {field for spec in list_specs() for field in spec["input_schema"]["properties"]}
    assert len(names) > 10
    for name in names:
        assert redact_name(name, name.split("_")) == name
        assert redact_name(f"nora_{name}", ["Nora"]) == f"[personal]_{name}"
