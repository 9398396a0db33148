"""The rules as tables of cases: every limit one minor unit each side, and what holds when something goes wrong."""

import logging
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from policy import rules
from policy.actions import ACTIONS, CancelPendingOrder
from policy.decisions import AUDIT_MODE_SUSPENDS, Decision, decide, decide_access
from policy.facts import Facts
from policy.limits import Limits
from policy.rules import ACCESS, RULES, Outcome, Rule, Verdict

ACTION = CancelPendingOrder(order_id="#W1", reason="no longer needed")
LIMITS = Limits(currency="USD", person_above=Decimal("1000.00"))
LIMIT = 100_000
# Every rule is content with these; a case changes what it is about and nothing else.
GOOD = Facts(verified=True, own=True, confirmed=True, money_back=12_200, refundable=12_200)
ALLOW, ASK_STAFF, ASK_CUSTOMER, REFUSE = Outcome.ALLOW, Outcome.ASK_STAFF, Outcome.ASK_CUSTOMER, Outcome.REFUSE


def decide_on(*, suspended: frozenset[str] = frozenset(), limits: Limits = LIMITS, **changed: Any) -> Decision:
    return decide(action=ACTION, facts=replace(GOOD, **changed), limits=limits, suspended=suspended)


def said(decision: Decision) -> tuple[Outcome, str]:
    return decision.outcome, decision.rule


def test_good_facts_are_allowed_by_no_rule_in_particular() -> None:
    assert decide_on() == Decision(outcome=ALLOW, rule="", reason="")


def test_nothing_known_of_the_conversation_is_refused() -> None:
    assert said(decide(action=ACTION, facts=Facts(verified=False), limits=LIMITS)) == (REFUSE, "R1")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        # R1: who is asking.
        ({"verified": False}, (REFUSE, "R1")),
        ({"verified": False, "approved": True}, (REFUSE, "R1")),
        # R2: whose rows.
        ({"own": False}, (REFUSE, "R2")),
        ({"own": False, "approved": True}, (REFUSE, "R2")),
        # R3: the customer's own yes, which no approval replaces.
        ({"confirmed": False}, (ASK_CUSTOMER, "R3")),
        ({"confirmed": False, "approved": True}, (ASK_CUSTOMER, "R3")),
        ({"confirmed": False, "money_back": 0, "refundable": 0}, (ASK_CUSTOMER, "R3")),
        # R9: who holds the chat, and what waits for a person in it.
        ({"holder": "agent"}, (ALLOW, "")),
        ({"holder": "person"}, (REFUSE, "R9")),
        ({"holder": "nobody"}, (REFUSE, "R9")),
        ({"holder": "person", "approved": True}, (ALLOW, "")),
        ({"holder": "nobody", "approved": True}, (ALLOW, "")),
        ({"under_review": True}, (REFUSE, "R9")),
        ({"under_review": True, "approved": True}, (ALLOW, "")),
        # R10: one card, whoever approved.
        ({"card_open": True}, (REFUSE, "R10")),
        ({"card_open": True, "approved": True}, (REFUSE, "R10")),
    ],
)
def test_each_rule_speaks_for_its_own_fact_alone(changed: dict[str, Any], expected: tuple[Outcome, str]) -> None:
    assert said(decide_on(**changed)) == expected


@pytest.mark.parametrize(
    ("money_back", "granted_alone", "expected"),
    [
        (99_999, 0, (ALLOW, "")),
        (100_000, 0, (ALLOW, "")),
        (100_001, 0, (ASK_STAFF, "R4")),
        # Split in two, the sum is what counts.
        (50_000, 49_999, (ALLOW, "")),
        (50_000, 50_000, (ALLOW, "")),
        (50_000, 50_001, (ASK_STAFF, "R4")),
        (50_001, 50_000, (ASK_STAFF, "R4")),
        # One minor unit more after the limit was used up, to the last one before it.
        (1, 99_998, (ALLOW, "")),
        (1, 99_999, (ALLOW, "")),
        (1, 100_000, (ASK_STAFF, "R4")),
        # Nothing goes back, so nothing is above the limit.
        (0, 0, (ALLOW, "")),
        (0, 10 * LIMIT, (ALLOW, "")),
    ],
)
def test_a_refund_above_the_limit_waits_for_a_person(
    money_back: int, granted_alone: int, expected: tuple[Outcome, str]
) -> None:
    decision = decide_on(money_back=money_back, refundable=money_back, granted_alone=granted_alone)
    assert said(decision) == expected


@pytest.mark.parametrize(
    ("person_above", "money_back", "expected"),
    [
        ("0.00", 0, ALLOW),
        ("0.00", 1, ASK_STAFF),
        ("0.01", 1, ALLOW),
        ("0.01", 2, ASK_STAFF),
        ("999.99", 99_999, ALLOW),
        ("999.99", 100_000, ASK_STAFF),
        ("1000", 100_000, ALLOW),
        ("10000000", 1_000_000_000, ALLOW),
        ("10000000", 1_000_000_001, ASK_STAFF),
    ],
)
def test_the_limit_is_the_policys_number_to_the_minor_unit(
    person_above: str, money_back: int, expected: Outcome
) -> None:
    limits = Limits(currency="USD", person_above=Decimal(person_above))
    assert decide_on(limits=limits, money_back=money_back, refundable=money_back).outcome is expected


def test_an_approved_refund_passes_the_limit_and_no_other_rule() -> None:
    large = {"money_back": 2 * LIMIT, "refundable": 2 * LIMIT, "granted_alone": 5 * LIMIT}
    assert said(decide_on(**large)) == (ASK_STAFF, "R4")
    assert said(decide_on(**large, approved=True)) == (ALLOW, "")
    assert said(decide_on(**large | {"refundable": 2 * LIMIT - 1}, approved=True)) == (REFUSE, "R5")


def test_the_reason_names_the_limit_and_what_was_granted_before() -> None:
    alone = decide_on(money_back=LIMIT + 1, refundable=LIMIT + 1)
    split = decide_on(money_back=50_001, refundable=50_001, granted_alone=50_000)
    assert alone.reason == "Refunds above $1,000.00 are checked by a person."
    assert split.reason == f"{alone.reason} $500.00 granted before counts along."


@pytest.mark.parametrize(
    ("money_back", "refundable", "expected"),
    [
        (0, 0, (ALLOW, "")),
        (1, 0, (REFUSE, "R5")),
        (12_199, 12_200, (ALLOW, "")),
        (12_200, 12_200, (ALLOW, "")),
        (12_201, 12_200, (REFUSE, "R5")),
        # Books that say more went back than came in.
        (0, -1, (REFUSE, "R5")),
    ],
)
def test_no_more_goes_back_than_was_paid(money_back: int, refundable: int, expected: tuple[Outcome, str]) -> None:
    assert said(decide_on(money_back=money_back, refundable=refundable)) == expected


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        # Strictest first: a refusal over a question to the customer over a question to staff.
        ({"confirmed": False, "money_back": 2 * LIMIT, "refundable": 2 * LIMIT}, (ASK_CUSTOMER, "R3")),
        ({"confirmed": False, "card_open": True}, (REFUSE, "R10")),
        ({"money_back": 2 * LIMIT, "refundable": 2 * LIMIT, "holder": "person"}, (REFUSE, "R9")),
        ({"money_back": 2 * LIMIT, "refundable": 1}, (REFUSE, "R5")),
        # Of equals, the lowest rule gives the reason.
        ({"verified": False, "own": False, "holder": "person", "card_open": True}, (REFUSE, "R1")),
        ({"own": False, "money_back": 2, "refundable": 1, "card_open": True}, (REFUSE, "R2")),
        ({"money_back": 2, "refundable": 1, "under_review": True, "card_open": True}, (REFUSE, "R5")),
        ({"under_review": True, "card_open": True}, (REFUSE, "R9")),
    ],
)
def test_the_strictest_verdict_wins(changed: dict[str, Any], expected: tuple[Outcome, str]) -> None:
    assert said(decide_on(**changed)) == expected


class LooksLikeACancel(CancelPendingOrder):
    """A kind that nobody wrote rules for."""


@pytest.mark.parametrize("action", [LooksLikeACancel(order_id="#W1", reason="ordered by mistake"), object(), None])
@pytest.mark.parametrize("ask", [decide, decide_access])
def test_an_unknown_action_is_refused(ask: Any, action: Any) -> None:
    decision = ask(action=action, facts=GOOD, limits=LIMITS, suspended=AUDIT_MODE_SUSPENDS)
    assert said(decision) == (REFUSE, "R0")
    assert decision.would_refuse is None


def test_every_action_of_the_closed_list_has_rules() -> None:
    assert set(RULES) == set(ACTIONS.values())
    for chosen in RULES.values():
        assert set(ACCESS) < set(chosen)


def breaks(_: Any, __: Any, ___: Any) -> Verdict | None:
    raise ZeroDivisionError("a rule went wrong")


@pytest.mark.parametrize("place", range(len(rules.CONSEQUENTIAL) + 1))
@pytest.mark.parametrize("suspended", [frozenset(), AUDIT_MODE_SUSPENDS])
def test_a_rule_that_raises_is_a_refusal(
    place: int, suspended: frozenset[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    chosen: tuple[Rule, ...] = (*rules.CONSEQUENTIAL[:place], breaks, *rules.CONSEQUENTIAL[place:])
    monkeypatch.setitem(RULES, CancelPendingOrder, chosen)
    with caplog.at_level(logging.ERROR, logger="policy.decisions"):
        decision = decide_on(suspended=suspended)
    assert said(decision) == (REFUSE, "R0")
    assert caplog.messages == ["rule breaks failed on cancel_pending_order"]


@pytest.mark.parametrize(
    ("changed", "would_refuse"),
    [
        ({}, None),
        ({"verified": False}, "R1"),
        ({"own": False}, "R2"),
        ({"confirmed": False}, "R3"),
        # Of several, the strictest, and of equals the first.
        ({"confirmed": False, "own": False}, "R2"),
        ({"confirmed": False, "own": False, "verified": False}, "R1"),
    ],
)
def test_a_suspended_rule_only_tells_what_it_would_have_done(changed: dict[str, Any], would_refuse: str | None) -> None:
    decision = decide_on(suspended=AUDIT_MODE_SUSPENDS, **changed)
    assert said(decision) == (ALLOW, "")
    assert (decision.would_refuse.rule if decision.would_refuse else None) == would_refuse


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"money_back": LIMIT + 1, "refundable": LIMIT + 1}, (ASK_STAFF, "R4")),
        ({"money_back": 1, "refundable": 0}, (REFUSE, "R5")),
        ({"holder": "person"}, (REFUSE, "R9")),
        ({"under_review": True}, (REFUSE, "R9")),
        ({"card_open": True}, (REFUSE, "R10")),
    ],
)
def test_the_measuring_mode_suspends_no_rule_about_money_or_the_chat(
    changed: dict[str, Any], expected: tuple[Outcome, str]
) -> None:
    measured = decide_on(suspended=AUDIT_MODE_SUSPENDS, verified=False, own=False, confirmed=False, **changed)
    assert said(measured) == expected
    assert measured.would_refuse is not None
    assert said(decide_on(**changed)) == expected


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"verified": False}, (REFUSE, "R1")),
        ({"own": False}, (REFUSE, "R2")),
        # A stranger learns of no other rule, and a customer's own rows need no other yet.
        ({"confirmed": False, "card_open": True, "holder": "person", "money_back": 5, "refundable": 0}, (ALLOW, "")),
    ],
)
def test_access_asks_who_and_whose_and_nothing_else(changed: dict[str, Any], expected: tuple[Outcome, str]) -> None:
    facts = replace(GOOD, **changed)
    assert said(decide_access(action=ACTION, facts=facts, limits=LIMITS)) == expected
    measured = decide_access(action=ACTION, facts=facts, limits=LIMITS, suspended=AUDIT_MODE_SUSPENDS)
    assert measured.outcome is ALLOW


@pytest.mark.parametrize(
    "arguments",
    [
        {"order_id": "#W1"},
        {"order_id": "#W1", "reason": "no longer needed", "amount": "5.00"},
        {"order_id": "", "reason": "no longer needed"},
        {"order_id": "#" * 41, "reason": "no longer needed"},
        {"order_id": 1, "reason": "no longer needed"},
        {"order_id": ["#W1"], "reason": "no longer needed"},
        {"order_id": "#W1", "reason": "No longer needed"},
        {"order_id": "#W1", "reason": "no longer needed "},
        {"order_id": "#W1", "reason": None},
        {"order_id": "\ud800", "reason": "no longer needed"},
    ],
)
def test_arguments_that_do_not_fit_exactly_make_no_action(arguments: dict[str, Any]) -> None:
    assert CancelPendingOrder.model_validate({"order_id": "#W1", "reason": "no longer needed"}) == ACTION
    with pytest.raises(ValueError, match="CancelPendingOrder"):
        CancelPendingOrder.model_validate(arguments)
