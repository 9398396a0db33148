"""What the policy says of triage: how sure it must be, and which share of each kind of chat is the agent's."""

from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from policy.diffs import compare
from policy.forms import VersionForm
from policy.limits import Limits, Triage
from policy.operations import read_preset

RETAIL = read_preset("retail")


def fill(**changed: str) -> VersionForm:
    """The form as the browser posts it, with these fields changed."""
    form = VersionForm(start=RETAIL, switches=RETAIL.switches)
    posted = {slot.path: slot.initial for slot in form.slots if slot.initial is not False}
    posted |= {f"triage.{name.replace('__', '.')}": value for name, value in changed.items()}
    return VersionForm(start=RETAIL, switches=RETAIL.switches, data={"based_on": 1, "note": "why", **posted})


@pytest.mark.parametrize(
    ("triage", "shares"),
    [
        ({}, {"cancel": 100, "refund": 100}),
        ({"rollout": {"refund": 10}}, {"cancel": 100, "refund": 10}),
        ({"rollout": {"refund": 0}, "rollout_otherwise": 50}, {"cancel": 50, "refund": 0}),
    ],
)
def test_an_intent_without_a_share_of_its_own_has_the_general_one(
    triage: dict[str, Any], shares: dict[str, int]
) -> None:
    found = Triage.model_validate(triage)
    assert {intent: found.share_of(intent) for intent in shares} == shares


@pytest.mark.parametrize(
    "triage",
    [
        {"rollout": {"world_peace": 10}},
        {"rollout": {"cancel": 101}},
        {"rollout": {"cancel": -1}},
        {"rollout_otherwise": 100.5},
        {"least_confidence": "1.01"},
        {"least_confidence": 0.3},
        {"certainty": "0.3"},
    ],
)
def test_what_is_no_share_or_no_intent_is_refused(triage: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Limits.model_validate(RETAIL.as_data() | {"triage": triage})


def test_an_older_policy_without_triage_has_the_presets_numbers() -> None:
    data = RETAIL.as_data()
    del data["triage"]
    assert Limits.model_validate(data) == RETAIL
    assert read_preset("cautious").triage.least_confidence > RETAIL.triage.least_confidence


def test_the_form_takes_a_share_for_each_intent_and_leaves_the_others_alone() -> None:
    form = fill(rollout__refund="25", least_confidence="0.4")
    assert form.is_valid(), form.errors
    assert form.limits is not None
    assert form.limits.triage == Triage(least_confidence=Decimal("0.4"), rollout={"refund": 25})
    assert {change.path: (change.before, change.after) for change in compare(RETAIL, form.limits)} == {
        "triage.least_confidence": ("30.00%", "40.00%"),
        "triage.rollout.refund": ("not set", "25"),
    }


@pytest.mark.parametrize("share", ["101", "-5", "half", "2.5"])
def test_the_form_says_at_the_field_what_no_share_is(share: str) -> None:
    form = fill(rollout__refund=share)
    assert not form.is_valid()
    assert "triage.rollout.refund" in form.errors
