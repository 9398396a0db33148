"""R1 by strength, R7's switches and R8's levels, each as a table."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from policy.actions import ACTIONS, CancelPendingOrder, ModifyUserAddress
from policy.decisions import decide
from policy.facts import Facts
from policy.levels import Level, Strength
from policy.limits import Limits
from policy.rules import Outcome, as_far_as_the_level_goes, only_what_is_switched_on, reads_need_a_verified_customer

CANCEL = CancelPendingOrder(order_id="#W1", reason="no longer needed")
MOVE = ModifyUserAddress(
    user_id="nora_1", address1="1 Elm", address2="", city="Ulm", state="BW", country="DE", zip="89073"
)
GOOD = Facts(verified=True, confirmed=True, money_back=5_000, refundable=5_000)
ALLOW, ASK_STAFF, SHADOW, ASK_CUSTOMER, REFUSE = Outcome


def limits_with(**parts: Any) -> Limits:
    return Limits.model_validate({"currency": "USD", "person_above": "1000.00"} | parts)


STEPS = [Strength.LOOKUP, Strength.CODE, Strength.SIGNED]


@pytest.mark.parametrize("needed", STEPS)
@pytest.mark.parametrize("known", [None, *STEPS])
def test_a_stronger_proof_covers_a_weaker_need_and_never_the_other_way(
    known: Strength | None, needed: Strength
) -> None:
    facts = replace(GOOD, verified=known is not None, strength=known or Strength.LOOKUP)
    enough = known is not None and STEPS.index(known) >= STEPS.index(needed)
    acting = limits_with(identity={"otherwise": needed})
    decision = decide(action=CANCEL, facts=facts, limits=acting)
    assert (decision.outcome, decision.rule) == ((ALLOW, "") if enough else (REFUSE, "R1"))
    reading = reads_need_a_verified_customer(facts, limits_with(identity={"reads": needed}))
    assert (reading is None) == enough


def test_the_strength_of_an_action_is_its_own_and_reads_have_theirs() -> None:
    limits = limits_with(identity={"reads": "lookup", "actions": {"modify_user_address": "signed"}})
    assert decide(action=CANCEL, facts=GOOD, limits=limits).outcome is ALLOW
    refused = decide(action=MOVE, facts=replace(GOOD, strength=Strength.CODE), limits=limits)
    assert (refused.outcome, refused.rule) == (REFUSE, "R1")
    assert "signed in at the shop" in refused.reason
    assert reads_need_a_verified_customer(GOOD, limits) is None


def test_the_refusal_says_what_the_customer_has_to_do() -> None:
    for strength, words in [("lookup", "e-mail, or by name and zip"), ("code", "one-time code"), ("signed", "signed")]:
        verdict = reads_need_a_verified_customer(Facts(verified=False), limits_with(identity={"reads": strength}))
        assert verdict is not None
        assert words in verdict.reason
        assert "not verified in this conversation yet" in verdict.reason
    weak = reads_need_a_verified_customer(GOOD, limits_with(identity={"reads": "code"}))
    assert weak is not None
    assert "not verified surely enough" in weak.reason


@pytest.mark.parametrize(
    ("switches", "changed", "words"),
    [
        ({}, {}, ""),
        ({"agent": False}, {}, "switched the agent off"),
        ({"actions_off": ["cancel_pending_order"]}, {}, "this action off"),
        ({"actions_off": ["modify_user_address"]}, {}, ""),
        ({"intents_off": ["cancel"]}, {"intent": "cancel"}, "kind of request off"),
        ({"intents_off": ["cancel"]}, {"intent": "refund"}, ""),
        ({"intents_off": ["cancel"]}, {"intent": ""}, ""),
        ({}, {"in_scope": False}, "does not belong"),
    ],
)
@pytest.mark.parametrize("approved", [False, True])
def test_a_switch_stops_the_action_even_where_a_person_approved(
    switches: dict[str, Any], changed: dict[str, Any], words: str, approved: bool
) -> None:
    facts = replace(GOOD, approved=approved, **changed)
    verdict = only_what_is_switched_on(CANCEL, facts, limits_with(switches=switches))
    assert (verdict is None) == (not words)
    if verdict is not None:
        assert (verdict.outcome, verdict.rule) == (REFUSE, "R7")
        assert words in verdict.reason


@pytest.mark.parametrize(
    ("level", "unapproved", "approved"),
    [
        ("off", REFUSE, REFUSE),
        ("shadow", SHADOW, SHADOW),
        ("suggest", ASK_STAFF, None),
        ("limited", None, None),
        ("auto", None, None),
    ],
)
def test_each_level_goes_as_far_as_it_says(level: str, unapproved: Outcome | None, approved: Outcome | None) -> None:
    limits = limits_with(autonomy={"levels": {"cancel_pending_order": level}})
    for said, expected in ((False, unapproved), (True, approved)):
        verdict = as_far_as_the_level_goes(CANCEL, replace(GOOD, approved=said), limits)
        assert (None if verdict is None else verdict.outcome) == expected


BANDS = [{"up_to": "25.00", "level": "auto"}, {"up_to": "50.00", "level": "limited"}, {"level": "suggest"}]


@pytest.mark.parametrize(
    ("amount", "level"),
    [(0, "auto"), (2_500, "auto"), (2_501, "limited"), (5_000, "limited"), (5_001, "suggest"), (10**9, "suggest")],
)
def test_the_amount_that_a_band_ends_with_belongs_to_it(amount: int, level: str) -> None:
    limits = limits_with(autonomy={"levels": {"cancel_pending_order": BANDS}})
    assert limits.autonomy.level_of("cancel_pending_order", amount) == Level(level)
    assert limits.autonomy.level_of("modify_user_address", amount) == Level.LIMITED


def test_the_highest_level_needs_no_person_above_the_limit_and_the_next_one_does() -> None:
    large = replace(GOOD, money_back=100_001, refundable=100_001)
    for level, expected in (("auto", ALLOW), ("limited", ASK_STAFF)):
        limits = limits_with(autonomy={"levels": {"cancel_pending_order": level}})
        assert decide(action=CANCEL, facts=large, limits=limits).outcome is expected


@pytest.mark.parametrize(
    ("granted", "asked", "expected"),
    [(0, 2_500, ALLOW), (2_000, 500, ALLOW), (97_500, 2_500, ALLOW), (97_501, 2_500, ASK_STAFF)],
)
def test_many_parts_of_the_lowest_band_are_together_no_part_of_it(granted: int, asked: int, expected: Outcome) -> None:
    limits = limits_with(autonomy={"levels": {"cancel_pending_order": BANDS}})
    facts = replace(GOOD, money_back=asked, refundable=asked, granted_alone=granted)
    assert decide(action=CANCEL, facts=facts, limits=limits).outcome is expected


def test_the_customers_yes_comes_before_shadow_and_shadow_before_a_persons() -> None:
    limits = limits_with(autonomy={"otherwise": "shadow"}, person_above="1.00")
    assert decide(action=CANCEL, facts=replace(GOOD, confirmed=False), limits=limits).outcome is ASK_CUSTOMER
    assert decide(action=CANCEL, facts=GOOD, limits=limits).outcome is SHADOW


@pytest.mark.parametrize(
    "parts",
    [
        {"autonomy": {"levels": {"cancel_everything": "auto"}}},
        {"autonomy": {"levels": {"cancel_pending_order": "always"}}},
        {"autonomy": {"levels": {"cancel_pending_order": []}}},
        {"autonomy": {"levels": {"cancel_pending_order": [{"up_to": "25.00", "level": "auto"}]}}},
        {"autonomy": {"levels": {"cancel_pending_order": [{"level": "auto"}, {"level": "off"}]}}},
        {"autonomy": {"levels": {"cancel_pending_order": [*BANDS[1::-1], BANDS[2]]}}},
        {"autonomy": {"levels": {"cancel_pending_order": [BANDS[0], BANDS[0], BANDS[2]]}}},
        {"identity": {"actions": {"cancel_everything": "code"}}},
        {"identity": {"reads": "trust"}},
        {"identity": {"reads": ""}},
        {"switches": {"actions_off": ["cancel_everything"]}},
        {"switches": {"intents_off": ["Cancel!"]}},
        {"refunds": {"most": -1}},
        {"refunds": {"returned_share": "1.01"}},
        {"refunds": {"returned_share": 0.5}},
        {"refunds": {"window_days": 0}},
        {"windows": {"returns_days": 0}},
        {"approvals": {"second_person_above": "999.99"}},
        {"approvals": {"remind_before_hours": -1}},
    ],
)
def test_a_policy_that_means_nothing_is_no_policy(parts: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        limits_with(**parts)


def test_every_action_can_be_named_by_levels_and_strengths() -> None:
    limits = limits_with(
        autonomy={"levels": dict.fromkeys(ACTIONS, "suggest")}, identity={"actions": dict.fromkeys(ACTIONS, "signed")}
    )
    for name in ACTIONS:
        assert limits.autonomy.level_of(name, 0) is Level.SUGGEST
        assert limits.identity.needed_for(name) is Strength.SIGNED
