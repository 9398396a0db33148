"""R5: what was paid, the rolling window, refunds without a return, and the share of orders that goes back."""

from dataclasses import replace
from typing import Any

import pytest

from policy.actions import CancelPendingOrder, ReturnDeliveredOrderItems
from policy.facts import Facts
from policy.limits import Limits
from policy.rules import (
    Outcome,
    Rule,
    Verdict,
    many_refunds_need_a_person,
    many_returns_need_a_person,
    never_refund_more_than_was_paid,
    refunds_without_a_return_stay_small_and_few,
)

CANCEL = CancelPendingOrder(order_id="#W1", reason="no longer needed")
RETURN = ReturnDeliveredOrderItems(order_id="#W1", item_ids=["1"], payment_method_id="paypal_1")
GOOD = Facts(verified=True, confirmed=True, money_back=5_000, refundable=5_000)
ASK_STAFF, REFUSE = Outcome.ASK_STAFF, Outcome.REFUSE


def limits_with(**refunds: Any) -> Limits:
    return Limits.model_validate({"currency": "USD", "person_above": "1000.00", "refunds": refunds})


def ask(rule: Rule, limits: Limits, **changed: Any) -> tuple[Outcome, str] | None:
    verdict = rule(RETURN, replace(GOOD, **changed), limits)
    return None if verdict is None else (verdict.outcome, verdict.rule)


@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        ({"money_back": 5_000, "refundable": 5_000}, False),
        ({"money_back": 5_001, "refundable": 5_000}, True),
        ({"money_back": 4_999, "refundable": 5_000}, False),
        ({"money_back": 0, "refundable": 0}, False),
        ({"money_back": 1, "refundable": 0}, True),
        # The order has enough left, one of its payments has not.
        ({"fits_payments": False}, True),
        # Nobody's approval makes money that was not paid.
        ({"money_back": 5_001, "approved": True}, True),
        ({"fits_payments": False, "approved": True}, True),
    ],
)
def test_a_refund_is_at_most_what_was_paid_and_not_refunded(changed: dict[str, Any], refused: bool) -> None:
    found = ask(never_refund_more_than_was_paid, limits_with(), **changed)
    assert found == ((REFUSE, "R5") if refused else None)


def test_the_refusal_says_what_is_left() -> None:
    verdict = never_refund_more_than_was_paid(CANCEL, replace(GOOD, refundable=4_321), limits_with())
    assert verdict is not None
    assert "$43.21" in verdict.reason


@pytest.mark.parametrize(
    ("ages", "most", "asks"),
    [
        ((), 2, False),
        ((1,), 2, False),
        ((1, 2), 2, True),
        ((1, 2, 3), 2, True),
        ((), 0, True),
        # 90 days ago to the day still counts, 91 does not.
        ((1, 89), 2, True),
        ((1, 90), 2, True),
        ((1, 91), 2, False),
        ((90, 91), 2, False),
        ((0, 0), 2, True),
        ((1, 2, 3), None, False),
    ],
)
def test_the_next_refund_in_the_window_goes_to_a_person(ages: tuple[int, ...], most: int | None, asks: bool) -> None:
    limits = limits_with(most=most)
    assert ask(many_refunds_need_a_person, limits, refund_ages=ages) == ((ASK_STAFF, "R5") if asks else None)
    assert ask(many_refunds_need_a_person, limits, refund_ages=ages, approved=True) is None


@pytest.mark.parametrize(("days", "asks"), [(29, False), (30, True), (31, True)])
def test_the_window_is_the_policys_number(days: int, asks: bool) -> None:
    found = ask(many_refunds_need_a_person, limits_with(most=1, window_days=days), refund_ages=(30,))
    assert (found is not None) == asks


def test_what_gives_nothing_back_is_no_refund() -> None:
    limits = limits_with(most=0)
    assert ask(many_refunds_need_a_person, limits, money_back=0) is None
    # Moving the payment counts only where the policy says so.
    assert ask(many_refunds_need_a_person, limits, money_back=0, money_moved=900) is None
    moved = limits.model_copy(update={"payment_change_counts": True})
    assert ask(many_refunds_need_a_person, moved, money_back=0, money_moved=900) == (ASK_STAFF, "R5")


@pytest.mark.parametrize(
    ("amount", "ages", "asks"),
    [
        (9_999, (), False),
        (10_000, (), False),
        (10_001, (), True),
        # The third in the window: two before it.
        (100, (5,), False),
        (100, (5, 6), True),
        (100, (5, 90), True),
        (100, (5, 91), False),
        (100, (5, 6, 7), True),
    ],
)
def test_refunds_without_a_return_stay_small_and_few(amount: int, ages: tuple[int, ...], asks: bool) -> None:
    changed = {"money_back": amount, "refundable": amount, "no_return_ages": ages}
    rule = refunds_without_a_return_stay_small_and_few
    assert ask(rule, limits_with(), **changed) == ((ASK_STAFF, "R5") if asks else None)
    assert ask(rule, limits_with(), **changed, approved=True) is None


@pytest.mark.parametrize(
    ("arrived", "returned", "asks"),
    [
        (4, 2, False),
        (4, 3, True),
        (5, 3, True),
        (6, 3, False),
        # Too few orders to speak of a share.
        (3, 3, False),
        (1, 1, False),
    ],
)
def test_a_large_share_of_returns_goes_to_a_person(arrived: int, returned: int, asks: bool) -> None:
    limits = limits_with(returned_share="0.5", returned_share_orders=4)
    changed = {"arrived_orders": arrived, "returned_orders": returned}
    assert ask(many_returns_need_a_person, limits, **changed) == ((ASK_STAFF, "R5") if asks else None)
    assert ask(many_returns_need_a_person, limits, **changed, approved=True) is None
    assert ask(many_returns_need_a_person, limits_with(), **changed) is None


def reason_of(verdict: Verdict | None) -> str:
    assert verdict is not None
    return verdict.reason


def test_reasons_carry_the_policys_numbers() -> None:
    many = replace(GOOD, refund_ages=(1, 2), no_return_ages=(1, 2), arrived_orders=4, returned_orders=4)
    limits = limits_with(most=2, window_days=45, returned_share="0.25")
    assert "2 refunds in 45 days" in reason_of(many_refunds_need_a_person(RETURN, many, limits))
    assert "number 3 without a return in 45 days" in reason_of(
        refunds_without_a_return_stay_small_and_few(RETURN, many, limits)
    )
    assert "25%" in reason_of(many_returns_need_a_person(RETURN, many, limits))
    large = replace(GOOD, money_back=10_001)
    assert "above $100.00" in reason_of(refunds_without_a_return_stay_small_and_few(RETURN, large, limits))
