"""The actions beyond the public benchmark: closed, strict, without amount or address, offered in one profile."""

from typing import Any

import pytest
from pydantic import ValidationError

from conversations.agent.tools import BEYOND_RETAIL, list_specs
from policy.actions import ACTIONS, IssueRefund
from policy.decisions import decide
from policy.facts import Facts
from policy.levels import Level
from policy.limits import Limits
from policy.operations import read_preset
from policy.reasons import Reason
from policy.rules import LOW_RISK, NO_RETURN, RULES, Outcome
from tests.writes import PREFERENCE, RECEIPT, REFUND

HONEST: dict[str, dict[str, Any]] = {
    REFUND: {"order_id": "#W1", "item_ids": ["1"], "reason_code": "damaged"},
    RECEIPT: {"order_id": "#W1"},
    PREFERENCE: {"name": "newsletter", "value": "off"},
}
SPECS = {spec["name"]: spec for spec in list_specs("scoped-1")}
FACTS = Facts(verified=True, order_status="delivered", shipment_status="delivered", days_since_delivery=1)


def is_valid(name: str, arguments: Any) -> bool:
    try:
        ACTIONS[name].model_validate(arguments)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("name", HONEST)
def test_what_is_valid_comes_back_as_it_went_in_and_every_field_is_needed(name: str) -> None:
    arguments = HONEST[name]
    assert ACTIONS[name].model_validate(arguments).arguments() == arguments
    for field in arguments:
        assert not is_valid(name, {key: value for key, value in arguments.items() if key != field})
        for wrong in (None, 1, True, {}, "", b"x"):
            assert not is_valid(name, arguments | {field: wrong})


@pytest.mark.parametrize(
    "extra",
    ["amount", "email", "to", "payment_method_id", "customer", "user_id", "confirmed", "approved", "preference"],
)
@pytest.mark.parametrize("name", HONEST)
def test_a_field_more_is_refused(name: str, extra: str) -> None:
    assert not is_valid(name, HONEST[name] | {extra: "x"})


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        (REFUND, {"item_ids": []}),
        (REFUND, {"item_ids": ["1", "1"]}),
        (REFUND, {"item_ids": [str(number) for number in range(51)]}),
        (REFUND, {"item_ids": ["1" * 41]}),
        (REFUND, {"order_id": "x" * 41}),
        (REFUND, {"reason_code": "goodwill"}),
        (REFUND, {"reason_code": "Damaged"}),
        (RECEIPT, {"order_id": "x" * 41}),
        (PREFERENCE, {"name": "e-mail address"}),
        (PREFERENCE, {"value": "yes"}),
    ],
)
def test_values_are_of_a_closed_list(name: str, changed: dict[str, Any]) -> None:
    assert is_valid(name, HONEST[name])
    assert not is_valid(name, HONEST[name] | changed)


def test_every_reason_of_the_table_can_be_given() -> None:
    for reason in Reason:
        assert is_valid(REFUND, HONEST[REFUND] | {"reason_code": reason.value})


def test_a_tool_names_exactly_its_fields() -> None:
    for name, arguments in HONEST.items():
        schema = SPECS[name]["input_schema"]
        assert list(schema["properties"]) == schema["required"] == list(arguments)
        assert all(field["description"].strip() for field in schema["properties"].values())
    assert SPECS[REFUND]["input_schema"]["properties"]["reason_code"]["enum"] == [
        *("not_received", "damaged", "wrong_item", "defective", "late")
    ]
    assert SPECS[PREFERENCE]["input_schema"]["properties"]["value"]["enum"] == ["on", "off"]
    assert list(SPECS["get_shipment_status"]["input_schema"]["properties"]) == ["tracking_id"]


def test_only_what_needs_a_yes_says_so() -> None:
    assert "nothing changes until they press Yes" in SPECS[REFUND]["description"]
    for name in (RECEIPT, PREFERENCE):
        assert "without a card" in SPECS[name]["description"]


def test_the_retail_profile_has_the_same_tools_but_these() -> None:
    assert [spec for spec in list_specs("scoped-1") if spec["name"] not in BEYOND_RETAIL] == list_specs("retail-1")
    assert {spec["name"] for spec in list_specs("scoped-1")} - {spec["name"] for spec in list_specs()} == BEYOND_RETAIL


def test_each_kind_has_its_rules() -> None:
    assert (RULES[ACTIONS[REFUND]], RULES[ACTIONS[RECEIPT]], RULES[ACTIONS[PREFERENCE]]) == (
        *(NO_RETURN, LOW_RISK, LOW_RISK),
    )


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, (Outcome.ALLOW, "")),
        ({"verified": False}, (Outcome.REFUSE, "R1")),
        ({"own": False}, (Outcome.REFUSE, "R2")),
        ({"holder": "person"}, (Outcome.REFUSE, "R9")),
        ({"under_review": True}, (Outcome.REFUSE, "R9")),
        ({"card_open": True}, (Outcome.REFUSE, "R10")),
        ({"in_scope": False}, (Outcome.REFUSE, "R7")),
    ],
)
@pytest.mark.parametrize("preset", ["retail", "cautious"])
@pytest.mark.parametrize("name", [RECEIPT, PREFERENCE])
def test_low_risk_runs_at_once_for_a_verified_customer(
    name: str, preset: str, changed: dict[str, Any], expected: tuple[Outcome, str]
) -> None:
    limits = read_preset(preset)
    known = {"strength": limits.identity.needed_for(name)}
    facts = Facts(**({"verified": True} | known | changed))
    decision = decide(action=ACTIONS[name].model_validate(HONEST[name]), facts=facts, limits=limits)
    assert (decision.outcome, decision.rule) == expected


@pytest.mark.parametrize("name", [RECEIPT, PREFERENCE])
def test_low_risk_follows_its_switch_and_its_level(name: str) -> None:
    action = ACTIONS[name].model_validate(HONEST[name])
    for part, rule in (
        ({"switches": {"actions_off": [name]}}, "R7"),
        ({"autonomy": {"levels": {name: "off"}}}, "R8"),
        ({"autonomy": {"levels": {name: "suggest"}}}, "R8"),
    ):
        limits = Limits.model_validate({"currency": "USD", "person_above": "1.00"} | part)
        assert decide(action=action, facts=FACTS, limits=limits).rule == rule


def test_a_cautious_shop_looks_at_every_refund_without_a_return() -> None:
    limits = read_preset("cautious")
    assert limits.autonomy.level_of(IssueRefund.name, 1) is Level.SUGGEST
    facts = Facts(
        verified=True,
        strength=limits.identity.needed_for(REFUND),
        confirmed=True,
        money_back=1,
        refundable=1,
        order_status="delivered",
        shipment_status="delivered",
        days_since_delivery=1,
    )
    decision = decide(action=ACTIONS[REFUND].model_validate(HONEST[REFUND]), facts=facts, limits=limits)
    assert (decision.outcome, decision.rule) == (Outcome.ASK_STAFF, "R8")
