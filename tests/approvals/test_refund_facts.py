"""What decides on a refund without a return: the state of order and parcel, the date, and the refunds before it."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from approvals.models import ActionRequest, CustomerSession
from approvals.operations import Proposal, Standing, confirm, propose
from approvals.sessions import Voice, open_session, verify
from audit.models import Entry
from orders.models import Customer, Effect, Order
from orders.shipments import Shipment
from policy.actions import ACTIONS
from tests.factories import SMALL, load_shop, now
from tests.without_return import ALONE, make_order
from tests.writes import DELIVERED, KETTLE, NORA, REFUND

VOICE = Voice(prompt_version="scoped-1", model="test")


@pytest.fixture(autouse=True)
def shop(db: None) -> None:
    load_shop()


def ask(**changed: Any) -> Proposal:
    """Propose it in a chat of its own, as Nora."""
    session = open_session(conversation=uuid.uuid4())
    nora = Customer.objects.get(user_id=NORA)
    verify(session=session, customer=nora, strength=CustomerSession.Strength.LOOKUP)
    action = ACTIONS[REFUND].model_validate(ALONE | changed)
    with transaction.atomic():
        return propose(conversation=session.conversation, action=action, key=uuid.uuid4().hex, voice=VOICE)


def say_yes(proposal: Proposal) -> str:
    """The state after the yes, or the rule that refused a card."""
    if proposal.request is None:
        assert proposal.is_error
        return Entry.objects.filter(event="write_refused").latest("id").rule
    assert proposal.standing is Standing.CARD
    with transaction.atomic():
        confirm(conversation=proposal.request.session.conversation, request_id=proposal.request.pk, by="button")
    request = ActionRequest.objects.get(pk=proposal.request.pk)
    return request.state if request.state == "granted" else f"{request.state} {request.rule}"


@pytest.mark.parametrize(
    ("shipment", "reason", "expected"),
    [
        ({}, "damaged", "granted"),
        ({}, "wrong_item", "granted"),
        ({}, "defective", "granted"),
        ({"status": "lost"}, "not_received", "granted"),
        ({"status": "returned_to_sender"}, "not_received", "granted"),
        # What the desk cannot see for itself.
        ({}, "not_received", "awaiting_staff R6"),
        ({}, "late", "awaiting_staff R6"),
        ({"status": "in_transit"}, "not_received", "awaiting_staff R6"),
        # Without a date nobody knows whether the window is open; it closes after its last day.
        ({"days": None}, "damaged", "awaiting_staff R6"),
        ({"days": None}, "late", "awaiting_staff R6"),
        ({"days": 30}, "damaged", "granted"),
        ({"days": 31}, "damaged", "R6"),
        # What contradicts the carrier.
        ({"status": "lost"}, "damaged", "R6"),
        ({"status": "in_transit"}, "late", "R6"),
        ({"status": "returned_to_sender"}, "wrong_item", "R6"),
    ],
)
def test_parcel_and_date_decide(shipment: dict[str, Any], reason: str, expected: str) -> None:
    changed = dict(shipment)
    if "days" in changed:
        days = changed.pop("days")
        changed["delivered_at"] = None if days is None else now() - timedelta(days=days, hours=1)
        Order.objects.update(delivered_at=None)
    if changed:
        assert Shipment.objects.filter(order__number=DELIVERED).update(**changed) == 1
    assert say_yes(ask(reason_code=reason)) == expected


@pytest.mark.parametrize("reason", ["damaged", "wrong_item", "defective", "not_received", "late"])
def test_no_reason_fits_an_order_that_never_left_or_goes_back(reason: str) -> None:
    for status in ("pending", "pending (item modified)", "cancelled", "return requested", "exchange requested"):
        Order.objects.filter(number=SMALL).update(status=status)
        assert say_yes(ask(order_id=SMALL, item_ids=[KETTLE], reason_code=reason)) == "R6"


def test_the_third_in_ninety_days_waits_for_a_person() -> None:
    make_order("#W3", [500] * 4, [("credit_card", 2_000)])
    Order.objects.filter(number="#W3").update(delivered_at=now() - timedelta(days=1))
    wanted = [{"order_id": "#W3", "item_ids": [f"#W3-{place}"]} for place in range(4)]
    assert [say_yes(ask(**one)) for one in wanted[:3]] == ["granted", "granted", "awaiting_staff R5"]
    # Once one of them is older than the window there is room for one again.
    first = Effect.objects.order_by("pk")[0]
    for age, expected in ((timedelta(days=90), "awaiting_staff R5"), (timedelta(days=91), "granted")):
        Effect.objects.filter(pk=first.pk).update(created_at=now() - age)
        assert say_yes(ask(**wanted[3])) == expected


@pytest.mark.parametrize(("price", "expected"), [(10_000, "granted"), (10_001, "awaiting_staff R5")])
def test_the_amount_of_the_limit_passes_and_a_cent_more_waits(price: int, expected: str) -> None:
    make_order("#W1", [price], [("credit_card", price)])
    Order.objects.filter(number="#W1").update(delivered_at=now() - timedelta(days=1))
    assert say_yes(ask(order_id="#W1", item_ids=["#W1-0"])) == expected
