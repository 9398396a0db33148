"""R6: the closed table of reasons and states, and the windows after delivery to the day."""

from dataclasses import replace
from itertools import product
from typing import Any, ClassVar

import pytest

from policy.actions import ActionBase, ReturnDeliveredOrderItems
from policy.facts import Facts
from policy.limits import Limits
from policy.reasons import Fit, Reason, fit
from policy.rules import Outcome, reason_fits_the_state, returns_stay_inside_their_window

RETURN = ReturnDeliveredOrderItems(order_id="#W1", item_ids=["1"], payment_method_id="paypal_1")
GOOD = Facts(verified=True, confirmed=True, order_status="delivered", days_since_delivery=3)
LIMITS = Limits.model_validate({"currency": "USD", "person_above": "1000.00"})
ORDERS = [
    "pending",
    "processed",
    "delivered",
    "cancelled",
    "pending (item modified)",
    "return requested",
    "exchange requested",
]
SHIPMENTS = ["", "in_transit", "delivered", "lost", "returned_to_sender"]
ARRIVED = {("delivered", ""), ("delivered", "delivered")}
GONE = set(product(["processed", "delivered"], ["lost", "returned_to_sender"]))
FITS = {
    "damaged": ARRIVED,
    "wrong_item": ARRIVED,
    "defective": ARRIVED,
    "not_received": GONE,
    "late": set[tuple[str, str]](),
}
PERSON = {
    "not_received": ARRIVED | {("processed", "in_transit"), ("delivered", "in_transit")},
    "late": ARRIVED | {("processed", "in_transit")},
}


class Reasoned(ActionBase):
    name: ClassVar[str] = "reasoned"
    description: ClassVar[str] = "An action with a reason, for the rule alone."
    reason_code: str


def ask(reason: str, *, limits: Limits = LIMITS, **changed: Any) -> tuple[Outcome, str] | None:
    verdict = reason_fits_the_state(Reasoned(reason_code=reason), replace(GOOD, **changed), limits)  # type: ignore[arg-type]
    return None if verdict is None else (verdict.outcome, verdict.rule)


@pytest.mark.parametrize("reason", [*Reason, "because", ""])
def test_only_the_listed_pairs_fit(reason: str) -> None:
    for order, shipment in product([*ORDERS, "", "unheard of"], [*SHIPMENTS, "unheard of"]):
        pair = (order, shipment)
        expected = (
            Fit.FITS if pair in FITS.get(reason, ()) else Fit.PERSON if pair in PERSON.get(reason, ()) else Fit.NO
        )
        assert fit(reason=reason, order_status=order, shipment_status=shipment) is expected, pair


@pytest.mark.parametrize(
    ("reason", "changed", "expected"),
    [
        ("damaged", {}, None),
        ("damaged", {"order_status": "pending"}, (Outcome.REFUSE, "R6")),
        ("damaged", {"order_status": "pending", "approved": True}, (Outcome.REFUSE, "R6")),
        ("not_received", {"shipment_status": "lost"}, None),
        ("not_received", {}, (Outcome.ASK_STAFF, "R6")),
        ("not_received", {"approved": True}, None),
        ("late", {}, (Outcome.ASK_STAFF, "R6")),
        ("because", {}, (Outcome.REFUSE, "R6")),
        # The window counts from the day of delivery, and its last day counts.
        ("damaged", {"days_since_delivery": 29}, None),
        ("damaged", {"days_since_delivery": 30}, None),
        ("damaged", {"days_since_delivery": 31}, (Outcome.REFUSE, "R6")),
        ("damaged", {"days_since_delivery": None}, (Outcome.ASK_STAFF, "R6")),
        ("damaged", {"days_since_delivery": None, "approved": True}, None),
        # What never arrived has no such day.
        ("not_received", {"shipment_status": "lost", "days_since_delivery": None}, None),
        ("not_received", {"shipment_status": "lost", "days_since_delivery": 400}, None),
    ],
)
def test_a_reason_has_to_fit_inside_its_window(
    reason: str, changed: dict[str, Any], expected: tuple[Outcome, str] | None
) -> None:
    assert ask(reason, **changed) == expected


@pytest.mark.parametrize(
    ("window", "days", "expected"),
    [
        (None, None, None),
        (None, 1_000, None),
        (30, 0, None),
        (30, 29, None),
        (30, 30, None),
        (30, 31, Outcome.REFUSE),
        (14, 15, Outcome.REFUSE),
        (30, None, Outcome.ASK_STAFF),
    ],
)
def test_returns_stay_inside_their_window(window: int | None, days: int | None, expected: Outcome | None) -> None:
    limits = LIMITS.model_copy(update={"windows": LIMITS.windows.model_copy(update={"returns_days": window})})
    verdict = returns_stay_inside_their_window(RETURN, replace(GOOD, days_since_delivery=days), limits)
    assert (None if verdict is None else verdict.outcome) == expected
    if verdict is not None and window is not None and days is not None:
        assert f"within {window} days" in verdict.reason
