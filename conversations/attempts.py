"""Calls of the model with what came of them, read from the stored history, so that every worker counts the same."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from approvals.answers import FINAL, ONE_AT_A_TIME, PERSON_TOOK_OVER, read_refusal
from conversations.history import Row, fence
from conversations.models import Step
from policy.actions import ACTIONS

HANDED_BACK = "The person handed the chat back to you. Carry on from here."
CAME_BACK = "A person talked to the customer and closed the chat; they came back."
# What the model is told when it sends a customer straight back to the person who has just left.
JUST_HANDED_BACK = (
    "Not run: a person has just handed this chat back to you. Answer the customer from what they said to each other."
)
# Calls that nobody looked at.
NOT_RUN = frozenset({ONE_AT_A_TIME, PERSON_TOOK_OVER, JUST_HANDED_BACK})
_NOT_FOUND = re.compile(r"Error: [^.\n]{1,80} not found(?: or available)?")
_STRETCH_ENDS = tuple(fence("desk", note) for note in (HANDED_BACK, CAME_BACK))
# R3 and R4 are no refusals: somebody is asked.
_ASKING = frozenset({"R3", "R4"})


class Outcome(Enum):
    """`ANSWERED` is every normal result: what was asked for, "not found", a refused read, a customer's no."""

    ANSWERED = auto()
    FAILED = auto()
    REFUSED = auto()


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One call and its result. `subject`: the order or the customer that it names, as the model wrote it."""

    name: str
    subject: str
    text: str
    outcome: Outcome
    rule: str = ""
    reason: str = ""
    # Made since a person last handed the chat back; all are, where nobody did.
    recent: bool = True

    @property
    def is_final(self) -> bool:
        return self.outcome is Outcome.REFUSED and self.rule in FINAL

    def is_same_action(self, other: "Attempt") -> bool:
        return (self.name, self.subject) == (other.name, other.subject)


def list_attempts(steps: Iterable[Row]) -> list[Attempt]:
    """Every call that has a result, in the order of the results; calls that were not run at all are left out."""
    rows = sorted(steps, key=lambda row: row.pk)
    calls = {call["id"]: call for row in rows if row.kind == Step.Kind.REPLY for call in _list_calls(row.body)}
    last_stretch = max((row.pk for row in rows if is_stretch_end(row)), default=0)
    return [
        _read(calls.get(row.body["tool_use_id"], {}), row.body, recent=row.pk > last_stretch)
        for row in rows
        if row.kind == Step.Kind.RESULT and row.body["content"] not in NOT_RUN
    ]


def is_stretch_end(row: Row) -> bool:
    """Whether this note ends a stretch in which a person had the chat; no customer can write one."""
    return row.kind == Step.Kind.INPUT and row.body in _STRETCH_ENDS


def _list_calls(body: Any) -> list[dict[str, Any]]:
    return [block for block in body if block.get("type") == "tool_use"]


def _read(call: dict[str, Any], result: dict[str, Any], *, recent: bool) -> Attempt:
    name, text = str(call.get("name", "")), str(result["content"])
    arguments = call.get("input")
    named = arguments if isinstance(arguments, dict) else {}
    subject = str(named.get("order_id") or named.get("user_id") or "")
    refusal = read_refusal(text) if result.get("is_error") else None
    outcome, rule, reason = Outcome.ANSWERED, "", ""
    if refusal is not None:
        rule, reason = refusal
        if name in ACTIONS and rule not in _ASKING:
            outcome = Outcome.REFUSED
    elif result.get("is_error") and not _NOT_FOUND.fullmatch(text):
        outcome = Outcome.FAILED
    return Attempt(name=name, subject=subject, text=text, outcome=outcome, rule=rule, reason=reason, recent=recent)
