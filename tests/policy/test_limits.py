"""The type of a policy: what it refuses, in the words that its form shows, and what it says of bands."""

import json
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from policy.intents import INTENTS
from policy.levels import Level
from policy.limits import Band, Limits

BASE = {"currency": "USD", "person_above": "100.00"}
CANCEL = "cancel_pending_order"


def bands(*pairs: tuple[str | None, str]) -> dict[str, Any]:
    return {"autonomy": {"levels": {CANCEL: [{"up_to": end, "level": level} for end, level in pairs]}}}


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ({"person_above": 100.0}, 'write amounts as text, like "1000.00": a JSON number is a float'),
        ({"person_above": 100}, 'write amounts as text, like "1000.00": a JSON number is a float'),
        ({"switches": {"actions_off": ["fly"]}}, "there is no action 'fly'"),
        ({"triage": {"rollout": {"chat": 50}}}, "there is no intent 'chat'"),
        (bands(), "each band but the last one needs its `up_to`, and the last one has none"),
        (bands(("5.00", "auto")), "each band but the last one needs its `up_to`, and the last one has none"),
        (
            bands((None, "auto"), (None, "off")),
            "each band but the last one needs its `up_to`, and the last one has none",
        ),
        (
            bands(("5.00", "auto"), ("5.00", "auto"), (None, "off")),
            "bands stand in the order of their amounts, each once",
        ),
        (
            bands(("6.00", "auto"), ("5.00", "auto"), (None, "off")),
            "bands stand in the order of their amounts, each once",
        ),
        ({"approvals": {"second_person_above": "99.99"}}, "second_person_above must not be below person_above"),
    ],
)
def test_a_policy_that_cannot_be_meant_is_refused_in_words(part: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Limits.model_validate(BASE | part)
    assert [error["msg"] for error in refused.value.errors()] == [f"Value error, {told}"]


@pytest.mark.parametrize("second", [None, "100.00", "100.01"])
def test_a_second_person_may_be_asked_from_the_first_limit_on(second: str | None) -> None:
    limits = Limits.model_validate(BASE | {"approvals": {"second_person_above": second}})
    assert limits.approvals.second_person_above == (None if second is None else Decimal(second))


def test_the_bands_of_an_action_are_its_own_or_one_without_an_end() -> None:
    limits = Limits.model_validate(BASE | bands(("5.00", "auto"), (None, "suggest")))
    own = (Band(up_to=Decimal("5.00"), level=Level.AUTO), Band(level=Level.SUGGEST))
    assert limits.autonomy.bands_of(CANCEL) == own
    assert limits.autonomy.bands_of("return_delivered_order_items") == (Band(level=Level.LIMITED),)
    assert Limits.model_validate(BASE).autonomy.bands_of("resend_receipt") == (Band(level=Level.AUTO),)


def test_the_share_of_chats_is_the_intents_own_or_everyones() -> None:
    limits = Limits.model_validate(
        BASE | {"triage": {"rollout": {INTENTS[0]: 20, INTENTS[1]: 0}, "rollout_otherwise": 70}}
    )
    assert [limits.triage.share_of(intent) for intent in INTENTS[:3]] == [20, 0, 70]
    assert Limits.model_validate(BASE).triage.share_of(INTENTS[0]) == 100


def test_a_policy_as_data_is_json_with_amounts_as_text() -> None:
    limits = Limits.model_validate(BASE | bands(("5.00", "auto"), (None, "suggest")))
    data = limits.as_data()
    assert data["person_above"] == "100.00"
    assert data["autonomy"]["levels"] == {
        CANCEL: [{"up_to": "5.00", "level": "auto"}, {"up_to": None, "level": "suggest"}]
    }
    assert Limits.model_validate(json.loads(json.dumps(data))) == limits
