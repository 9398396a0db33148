"""What each rule says, to the letter and with its numbers: outcome, rule and reason of every verdict there is."""

from dataclasses import replace
from typing import Any

import pytest

from policy import rules
from policy.actions import CancelPendingOrder, IssueRefund, ReturnDeliveredOrderItems
from policy.facts import Facts
from policy.levels import Level
from policy.limits import Limits
from policy.rules import Outcome, Rule, Verdict

CANCEL = CancelPendingOrder(order_id="#W1", reason="no longer needed")
RETURN = ReturnDeliveredOrderItems(order_id="#W1", item_ids=["1"], payment_method_id="paypal_1")
DAMAGED = IssueRefund(order_id="#W1", item_ids=["1"], reason_code="damaged")
LOST = IssueRefund(order_id="#W1", item_ids=["1"], reason_code="not_received")
GOOD = Facts(verified=True, confirmed=True, money_back=5_000, refundable=5_000)
ARRIVED = {"order_status": "delivered", "days_since_delivery": 3}
ASK_STAFF, SHADOW, ASK_CUSTOMER, REFUSE = Outcome.ASK_STAFF, Outcome.SHADOW, Outcome.ASK_CUSTOMER, Outcome.REFUSE


def limits_with(**parts: Any) -> Limits:
    return Limits.model_validate({"currency": "USD", "person_above": "1000.00"} | parts)


SPOKEN: list[tuple[Rule, Any, dict[str, Any], dict[str, Any], Outcome, str, str]] = [
    (
        rules.action_needs_a_verified_customer,
        CANCEL,
        {"verified": False},
        {},
        REFUSE,
        "R1",
        "The customer is not verified in this conversation yet. Look them up by e-mail, or by name and zip code.",
    ),
    (
        rules.action_needs_a_verified_customer,
        CANCEL,
        {},
        {"identity": {"otherwise": "code"}},
        REFUSE,
        "R1",
        "The customer is not verified surely enough for this. They have to enter the one-time code that the chat sends "
        "to the e-mail address on file.",
    ),
    (
        rules.only_the_customers_own_rows,
        CANCEL,
        {"own": False},
        {},
        REFUSE,
        "R2",
        "This conversation can only touch one customer's data.",
    ),
    (
        rules.customer_said_yes_to_exactly_this,
        CANCEL,
        {"confirmed": False},
        {},
        ASK_CUSTOMER,
        "R3",
        "The customer has to say yes to this exact action.",
    ),
    (
        rules.large_refunds_need_a_person,
        CANCEL,
        {},
        {"person_above": "49.99"},
        ASK_STAFF,
        "R4",
        "Refunds above $49.99 are checked by a person.",
    ),
    (
        rules.large_refunds_need_a_person,
        CANCEL,
        {"granted_alone": 1_234},
        {"person_above": "60.00"},
        ASK_STAFF,
        "R4",
        "Refunds above $60.00 are checked by a person. $12.34 granted before counts along.",
    ),
    (
        rules.never_refund_more_than_was_paid,
        CANCEL,
        {"refundable": 4_999},
        {},
        REFUSE,
        "R5",
        "The refund would be larger than what was paid and not yet refunded, which is $49.99.",
    ),
    (
        rules.many_refunds_need_a_person,
        CANCEL,
        {"refund_ages": (1, 2)},
        {"refunds": {"most": 2, "window_days": 30}},
        ASK_STAFF,
        "R5",
        "After 2 refunds in 30 days, the next one is checked by a person.",
    ),
    (
        rules.refunds_without_a_return_stay_small_and_few,
        DAMAGED,
        {},
        {"refunds": {"no_return_person_above": "49.99"}},
        ASK_STAFF,
        "R5",
        "Refunds without a return above $49.99 are checked by a person.",
    ),
    (
        rules.refunds_without_a_return_stay_small_and_few,
        DAMAGED,
        {"no_return_ages": (1, 30)},
        {"refunds": {"no_return_person_from": 3, "window_days": 30}},
        ASK_STAFF,
        "R5",
        "Refund number 3 without a return in 30 days, and each after it, is checked by a person.",
    ),
    (
        rules.many_returns_need_a_person,
        RETURN,
        {"arrived_orders": 4, "returned_orders": 3},
        {"refunds": {"returned_share": "0.50"}},
        ASK_STAFF,
        "R5",
        "When more than 50% of a customer's orders go back, a person looks at the return.",
    ),
    (
        rules.reason_fits_the_state,
        DAMAGED,
        {"order_status": "pending"},
        {},
        REFUSE,
        "R6",
        "The reason damaged does not fit an order that is pending.",
    ),
    (
        rules.reason_fits_the_state,
        DAMAGED,
        {},
        {},
        REFUSE,
        "R6",
        "The reason damaged does not fit an order that is unknown.",
    ),
    (
        rules.reason_fits_the_state,
        CANCEL,
        ARRIVED,
        {},
        REFUSE,
        "R6",
        "The reason  does not fit an order that is delivered.",
    ),
    (
        rules.reason_fits_the_state,
        LOST,
        ARRIVED,
        {},
        ASK_STAFF,
        "R6",
        "A refund for the reason not_received is checked by a person in this state of the order.",
    ),
    (
        rules.returns_stay_inside_their_window,
        RETURN,
        {},
        {"windows": {"returns_days": 30}},
        ASK_STAFF,
        "R6",
        "The shop has no delivery date for this order, so a person checks the window.",
    ),
    (
        rules.returns_stay_inside_their_window,
        RETURN,
        {"days_since_delivery": 31},
        {"windows": {"returns_days": 30}},
        REFUSE,
        "R6",
        "This is possible within 30 days after delivery, and that is over.",
    ),
    (
        rules.only_what_is_switched_on,
        CANCEL,
        {},
        {"switches": {"agent": False}},
        REFUSE,
        "R7",
        "The shop has switched the agent off for now.",
    ),
    (
        rules.only_what_is_switched_on,
        CANCEL,
        {},
        {"switches": {"actions_off": ["cancel_pending_order"]}},
        REFUSE,
        "R7",
        "The shop has switched this action off for now.",
    ),
    (
        rules.only_what_is_switched_on,
        CANCEL,
        {"intent": "cancel_order"},
        {"switches": {"intents_off": ["cancel_order"]}},
        REFUSE,
        "R7",
        "The shop has switched this kind of request off.",
    ),
    (
        rules.only_what_is_switched_on,
        CANCEL,
        {"in_scope": False},
        {},
        REFUSE,
        "R7",
        "This action does not belong to what the conversation is about.",
    ),
    (
        rules.as_far_as_the_level_goes,
        CANCEL,
        {},
        {"autonomy": {"otherwise": "off"}},
        REFUSE,
        "R8",
        "The desk does not do this; a person can.",
    ),
    (
        rules.as_far_as_the_level_goes,
        CANCEL,
        {},
        {"autonomy": {"otherwise": "shadow"}},
        SHADOW,
        "R8",
        "A person will do exactly this.",
    ),
    (
        rules.as_far_as_the_level_goes,
        CANCEL,
        {},
        {"autonomy": {"otherwise": "suggest"}},
        ASK_STAFF,
        "R8",
        "A person checks every request of this kind.",
    ),
    (
        rules.what_the_gateway_cannot_do_needs_a_person,
        CANCEL,
        {"by_hand": "The gateway has no keys."},
        {},
        ASK_STAFF,
        "R8",
        "The gateway has no keys.",
    ),
    (rules.only_who_holds_the_chat_acts, CANCEL, {"holder": "person"}, {}, REFUSE, "R9", "A person holds this chat."),
    (
        rules.only_who_holds_the_chat_acts,
        CANCEL,
        {"under_review": True},
        {},
        REFUSE,
        "R9",
        "Another request of this chat waits for a person.",
    ),
    (
        rules.one_open_card,
        CANCEL,
        {"card_open": True},
        {},
        REFUSE,
        "R10",
        "One action at a time: another card is still open.",
    ),
]


@pytest.mark.parametrize(("rule", "action", "changed", "policy", "outcome", "number", "reason"), SPOKEN)
def test_a_rule_that_objects_says_which_it_is_and_why(
    rule: Rule,
    action: Any,
    changed: dict[str, Any],
    policy: dict[str, Any],
    outcome: Outcome,
    number: str,
    reason: str,
) -> None:
    verdict = rule(action, replace(GOOD, **changed), limits_with(**policy))
    assert verdict == Verdict(outcome=outcome, rule=number, reason=reason)


@pytest.mark.parametrize(("counts", "asked"), [(False, 5_000), (True, 12_000)])
def test_money_that_changes_its_method_is_added_only_where_the_policy_counts_it(counts: bool, asked: int) -> None:
    facts = replace(GOOD, money_moved=7_000)
    assert rules.money_asked(facts, limits_with(payment_change_counts=counts)) == asked


@pytest.mark.parametrize(("lower", "upper", "above"), [(0, 0, False), (0, 1, False), (1, 0, True), (4, 2, True)])
def test_a_level_is_above_those_before_it(lower: int, upper: int, above: bool) -> None:
    assert list(Level)[lower].is_above(list(Level)[upper]) is above
