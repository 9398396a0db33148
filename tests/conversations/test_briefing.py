"""What a ticket says of how the chat was read."""

from typing import Any

import pytest

from conversations.operations.briefing import _describe_triage

RISK = {"confidence": 1.0, "sentiment": "angry", "risk": "safety", "reason": "safety", "by": "rules"}
PLAIN = {"confidence": 0.8, "sentiment": "neutral", "risk": "", "reason": "cancel 2", "by": "a-model"}


@pytest.mark.parametrize(
    ("label", "told"),
    [
        (RISK, "100% sure, angry, safety (by rules)"),
        (PLAIN, "80% sure, neutral, cancel 2 (by a-model)"),
        ({}, ""),
    ],
)
def test_each_thing_that_was_read_is_said_once(label: dict[str, Any], told: str) -> None:
    assert _describe_triage(label) == told
