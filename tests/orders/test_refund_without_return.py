"""Money back without a return: what the lines cost, each line once, to where it came from, however the call ends."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from audit.queries import verify
from orders import changes
from orders.changes import CannotBeDone, Subject, plan
from orders.executor import carry_out, execute
from orders.hashing import store_hash
from orders.models import Effect, Order, Payment, PaymentMethod, Refund, RefundedLine
from orders.parcels import find_items
from orders.payments.fake import FakeGateway
from orders.queries import get_refundable
from orders.reconciliation import reconcile
from orders.shipments import Shipment
from policy.actions import ACTIONS, Action
from tests.factories import SMALL, now
from tests.orders.remote import CONVERSATION, given_back, make_grant, told
from tests.orders.test_reconciliation import LATER, die_at
from tests.without_return import ALONE, BACKPACK_PRICE, LAMP_PRICE, make_order, run
from tests.writes import BACKPACK, DELIVERED, EXCHANGE, HONEST, LAMP, REFUND, RETURN, subject_of

pytestmark = pytest.mark.usefixtures("desk")
TILES = "#W1"


def dry_run(name: str, **changed: Any) -> changes.Plan:
    action: Action = ACTIONS[name].model_validate((ALONE if name == REFUND else HONEST[name]) | changed)
    return plan(action=action, subject=subject_of(action))


def paid_back(number: str = TILES) -> list[tuple[str, int, str]]:
    rows = Payment.objects.filter(order__number=number, kind="refund").order_by("position")
    return [(row.method.source, row.amount, row.state) for row in rows]


def refunded(number: str = TILES) -> list[int]:
    return list(Payment.objects.filter(order__number=number, kind="payment").values_list("refunded", flat=True))


def open_lines() -> list[tuple[str, bool]]:
    return list(RefundedLine.objects.values_list("line__variant_id", "released"))


def test_the_amount_is_what_the_lines_cost() -> None:
    planned = dry_run(REFUND, item_ids=[BACKPACK, LAMP])
    assert (planned.money_back, planned.total) == (LAMP_PRICE + BACKPACK_PRICE,) * 2
    assert [line.amount for line in planned.lines] == [BACKPACK_PRICE, LAMP_PRICE, None]
    assert (planned.lines[-1].label, planned.lines[-1].detail) == ("Reason", "arrived damaged")
    assert planned.destination.startswith("Visa ending")
    assert planned.irreversible
    assert planned.fits_payments


def test_the_order_stays_what_it_was_and_says_what_went_back() -> None:
    make_order(TILES, [1_000, 2_000], [("credit_card", 3_000)])
    result = json.loads(run(TILES, 1).result)
    assert result["status"] == "delivered"
    assert [entry["amount"] for entry in result["payment_history"]] == [30.0, 20.0]
    effect = Effect.objects.get()
    assert (effect.action, effect.amount, effect.state) == (REFUND, 2_000, "done")
    assert open_lines() == [(f"{TILES}-1", False)]
    assert get_refundable(Order.objects.get(number=TILES)) == 1_000


@pytest.mark.parametrize(
    ("paid", "expected", "left"),
    [
        ([("credit_card", 5_000)], [("credit_card", 4_000)], [4_000]),
        # The oldest gives first, and each part goes to where it came from.
        (
            [("gift_card", 1_500), ("credit_card", 3_500)],
            [("gift_card", 1_500), ("credit_card", 2_500)],
            [1_500, 2_500],
        ),
        ([("credit_card", 3_500), ("gift_card", 1_500)], [("credit_card", 3_500), ("gift_card", 500)], [3_500, 500]),
        # Two payments of one method are one entry of the history.
        ([("paypal", 1_000), ("paypal", 4_000)], [("paypal", 4_000)], [1_000, 3_000]),
        ([("paypal", 1_000), ("gift_card", 500), ("paypal", 3_500)], [("paypal", 4_000)], [1_000, 0, 3_000]),
    ],
)
def test_each_payment_gets_back_at_most_what_it_paid(paid: Any, expected: Any, left: list[int]) -> None:
    make_order(TILES, [4_000, 1_000], paid)
    run(TILES, 0)
    assert paid_back() == [(*entry, "settled") for entry in expected]
    assert refunded() == left
    card = PaymentMethod.objects.filter(method_id__startswith="gift_card_of").first()
    given = sum(amount for source, amount in expected if source == "gift_card")
    assert card is None or card.balance == given


def test_more_than_was_paid_is_no_plan_that_fits_and_the_database_refuses_it() -> None:
    make_order(TILES, [4_000, 4_000, 4_000], [("credit_card", 5_000), ("gift_card", 5_000)])
    run(TILES, 0)
    run(TILES, 1, grant=make_grant(key="k2", request=2))
    action = ACTIONS[REFUND].model_validate({"order_id": TILES, "item_ids": [f"{TILES}-2"], "reason_code": "late"})
    assert not plan(action=action, subject=subject_of(action)).fits_payments
    before = store_hash()
    with pytest.raises(IntegrityError):
        run(TILES, 2, grant=make_grant(key="k3", request=3))
    assert (store_hash(), Effect.objects.count(), RefundedLine.objects.count()) == (before, 2, 2)


def test_a_line_is_refunded_once() -> None:
    make_order(TILES, [1_000, 1_000], [("credit_card", 2_000)])
    run(TILES, 0)
    for places in ([0], [1, 0]):
        with pytest.raises(CannotBeDone, match=f"item {TILES}-0 was refunded already"):
            run(TILES, *places, grant=make_grant(key="k2", request=2))
    line, effect = RefundedLine.objects.get().line, Effect.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        RefundedLine.objects.create(line=line, effect=effect, amount=1_000)
    run(TILES, 1, grant=make_grant(key="k3", request=3))
    assert refunded() == [2_000]


def test_two_of_the_same_item_are_two_lines() -> None:
    order = make_order(TILES, [1_000, 1_000], [("credit_card", 2_000)])
    order.lines.update(variant_id=f"{TILES}-0")
    run(TILES, 0)
    run(TILES, 0, grant=make_grant(key="k2", request=2))
    with pytest.raises(CannotBeDone, match="refunded already"):
        run(TILES, 0, grant=make_grant(key="k3", request=3))
    assert refunded() == [2_000]


@pytest.mark.parametrize("name", [RETURN, EXCHANGE])
def test_what_was_refunded_is_neither_returned_nor_exchanged(name: str) -> None:
    assert dry_run(name)
    action = ACTIONS[REFUND].model_validate(ALONE)
    with transaction.atomic():
        execute(action=action, subject=subject_of(action), grant=make_grant())
    with pytest.raises(CannotBeDone, match=f"item {LAMP} was refunded already"):
        dry_run(name)
    if name == RETURN:
        assert dry_run(name, item_ids=[BACKPACK])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"item_ids": ["0000000000"]}, "Error: some item not found"),
        ({"item_ids": [LAMP, "0000000000"]}, "Error: some item not found"),
        ({"order_id": "#W4402817", "item_ids": ["2604410917"]}, "Error: some item not found"),
    ],
)
def test_an_item_of_no_line_is_not_found(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(CannotBeDone) as error:
        dry_run(REFUND, **changed)
    assert str(error.value) == said


@pytest.mark.parametrize(("prices", "paid"), [([0], [("credit_card", 500)]), ([500], [])])
def test_nothing_paid_is_nothing_refunded(prices: list[int], paid: Any) -> None:
    make_order(TILES, prices, paid)
    with pytest.raises(CannotBeDone, match="nothing was paid"):
        run(TILES, 0)


# --- Through a remote gateway ---


def test_a_part_to_a_gift_card_is_booked_at_once_and_the_rest_is_called_for(gateway: FakeGateway) -> None:
    make_order(TILES, [4_000, 1_000], [("gift_card", 1_500), ("credit_card", 3_500)])
    effect = run(TILES, 0).effect
    assert (effect.state, gateway.calls) == ("claimed", [])
    assert paid_back() == [("gift_card", 1_500, "settled"), ("credit_card", 2_500, "pending")]
    carry_out(effect_id=effect.pk)
    assert given_back(gateway) == [("k1", "W1-1", 2_500)]
    assert paid_back()[1] == ("credit_card", 2_500, "settled")
    assert Effect.objects.get().state == "done"
    assert told() == [("write_ok", "claimed"), ("refund_settled", "done")]


@pytest.mark.parametrize("point", ["gateway called", "gateway answered"])
def test_a_worker_that_dies_at_the_gateway_pays_once(gateway: FakeGateway, point: str) -> None:
    make_order(TILES, [4_000], [("credit_card", 4_000)])
    effect = run(TILES, 0).effect
    die_at(point, lambda: carry_out(effect_id=effect.pk))
    reconcile(now=now() + LATER)
    assert given_back(gateway) == [("k1", "W1-0", 4_000)]
    assert Effect.objects.get().state == "done"
    assert refunded() == [4_000]
    assert verify().broken is None


def test_what_the_gateway_refused_whole_can_be_refunded_by_another_decision(gateway: FakeGateway) -> None:
    make_order(TILES, [4_000], [("credit_card", 4_000)])
    effect = run(TILES, 0).effect
    gateway.fail("decline")
    carry_out(effect_id=effect.pk)
    assert (open_lines(), refunded()) == ([(f"{TILES}-0", True)], [0])
    again = run(TILES, 0, grant=make_grant(key="k2", request=2)).effect
    carry_out(effect_id=again.pk)
    assert given_back(gateway) == [("k2", "W1-0", 4_000)]
    assert open_lines() == [(f"{TILES}-0", True), (f"{TILES}-0", False)]


@pytest.mark.parametrize("first", ["gift_card", "paypal"])
def test_what_was_paid_in_part_is_not_refunded_again(gateway: FakeGateway, first: str) -> None:
    make_order(TILES, [4_000], [(first, 1_500), ("credit_card", 2_500)])
    effect = run(TILES, 0).effect
    # With a gift card that is the only call; otherwise the second one succeeds.
    gateway.fail("decline")
    carry_out(effect_id=effect.pk)
    assert Effect.objects.get().state == "failed"
    assert list(Refund.objects.values_list("state", flat=True).order_by("state"))[-1] == "failed"
    with pytest.raises(CannotBeDone, match="refunded already"):
        run(TILES, 0, grant=make_grant(key="k2", request=2))


# --- Where the items are ---


def test_without_a_parcel_on_record_the_order_speaks_for_it() -> None:
    Shipment.objects.all().delete()
    Order.objects.update(delivered_at=None)
    for number, status in ((DELIVERED, "delivered"), ("#W2185560", "in_transit")):
        where = find_items(order=Order.objects.get(number=number), item_ids=[LAMP])
        assert (where.status, where.delivered_at) == (status, None)
    assert find_items(order=Order.objects.get(number=SMALL), item_ids=["x"]).status == ""


def test_parcels_of_one_state_give_the_earliest_date_and_one_without_gives_none() -> None:
    order = Order.objects.get(number=DELIVERED)
    sent = order.fulfilments.get()
    sent.tracking_ids = [*sent.tracking_ids, "t2"]
    sent.save()
    early = now() - timedelta(days=20)
    second = Shipment.objects.create(order=order, tracking_id="t2", status="delivered", delivered_at=early)
    assert find_items(order=order, item_ids=[LAMP]).delivered_at == early
    order.delivered_at = None
    Shipment.objects.filter(pk=second.pk).update(delivered_at=None)
    assert find_items(order=order, item_ids=[LAMP]).delivered_at is None


def test_items_of_parcels_in_different_states_are_refunded_one_by_one() -> None:
    # Of the demo shop: the first teapot arrived, the parcel with the others is lost.
    order, arrived, lost = "#W9581907", "9052816830", "9052813546"
    with pytest.raises(CannotBeDone, match="parcels of different states"):
        dry_run(REFUND, order_id=order, item_ids=[arrived, lost])
    for item, status in ((arrived, "delivered"), (lost, "lost")):
        assert dry_run(REFUND, order_id=order, item_ids=[item]).money_back
        assert find_items(order=Order.objects.get(number=order), item_ids=[item]).status == status


def test_a_subject_without_an_order_is_no_refund() -> None:
    action = ACTIONS[REFUND].model_validate(ALONE)
    customer = Order.objects.get(number=DELIVERED).customer
    with pytest.raises(CannotBeDone, match="order not found"):
        plan(action=action, subject=Subject(customer=customer))
    assert not Effect.objects.filter(conversation=CONVERSATION).exists()
