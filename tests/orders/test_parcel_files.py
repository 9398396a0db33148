"""Dates, parcels and notes beside the three export files: loaded whole, or refused with file and place."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from orders.exported import StoreUnreadable
from orders.hashing import store_hash
from orders.interchange import export_shop, load
from orders.models import Customer, Effect, Order, Preference, RefundedLine
from orders.shipments import Note, Shipment
from policy.actions import ACTIONS
from tests.factories import load_shop, now
from tests.orders.test_interchange import DEMO, read_store, write_store
from tests.without_return import ALONE
from tests.writes import DELIVERED, NORA, REFUND, run_action

pytestmark = pytest.mark.django_db
FILE = "parcels.json"
PARCEL = {"tracking_id": "t1", "status": "in_transit"}


def load_with(folder: Path, parcels: Any) -> None:
    write_store(folder, read_store(DEMO))
    if parcels is not None:
        (folder / FILE).write_text(json.dumps(parcels), encoding="utf-8")
    load(folder=folder, replace=True)


def count() -> tuple[int, int]:
    return Shipment.objects.count(), Note.objects.count()


def test_a_shop_without_the_file_has_none_and_the_public_form_is_the_same(tmp_path: Path) -> None:
    load_with(tmp_path, None)
    plain = (store_hash(), export_shop())
    assert count() == (0, 0)
    assert not Order.objects.filter(delivered_at__isnull=False).exists()
    load_shop()
    assert count() > (5, 3)
    assert (store_hash(), export_shop()) == plain


def test_ages_become_dates(tmp_path: Path) -> None:
    told = PARCEL | {"carrier": "C", "shipped_days_ago": 3, "expected_days_ago": -2}
    notes = [{"by": "merchant", "text": "<b>hi</b>", "days_ago": 1}]
    load_with(tmp_path, {DELIVERED: {"delivered_days_ago": 6, "shipments": [told | {"notes": notes}], "notes": notes}})
    shipment = Shipment.objects.get()
    assert (shipment.order.number, shipment.delivered_at) == (DELIVERED, None)
    days = [(at - now()) / timedelta(days=1) for at in (shipment.shipped_at, shipment.expected_at) if at]
    assert days == pytest.approx([-3, 2], abs=0.01)
    assert [(note.shipment_id, note.text) for note in Note.objects.order_by("pk")] == [
        (None, "<b>hi</b>"),
        (shipment.pk, "<b>hi</b>"),
    ]
    assert Order.objects.get(number=DELIVERED).delivered_at == pytest.approx(
        now() - timedelta(days=6), abs=timedelta(minutes=5)
    )


@pytest.mark.parametrize(
    ("parcels", "words"),
    [
        ([], "Input should be a valid dictionary"),
        ({"#W0000000": {}}, "#W0000000 is an order that orders.json lacks"),
        ({DELIVERED: {"shipments": [PARCEL, PARCEL]}}, "tracking number t1 a second time"),
        ({DELIVERED: {"shipments": [PARCEL]}, "#W2185560": {"shipments": [PARCEL]}}, "t1 a second time"),
        ({DELIVERED: {"shipments": [PARCEL | {"status": "eaten"}]}}, f"{DELIVERED}.shipments.0.status"),
        ({DELIVERED: {"shipments": [PARCEL | {"tracking_id": "t" * 61}]}}, "tracking_id"),
        ({DELIVERED: {"shipments": [PARCEL | {"price": 1}]}}, "price"),
        ({DELIVERED: {"notes": [{"by": "system", "text": "x"}]}}, "notes.0.by"),
        ({DELIVERED: {"notes": [{"by": "customer", "text": "x" * 2_001}]}}, "notes.0.text"),
        ({DELIVERED: {"notes": [{"by": "customer", "text": "\x00"}]}}, "NUL"),
        ({DELIVERED: {"delivered_days_ago": 1e9}}, "delivered_days_ago"),
    ],
)
def test_a_fault_is_named_and_nothing_is_loaded(tmp_path: Path, parcels: Any, words: str) -> None:
    load_shop()
    before = (store_hash(), count())
    with pytest.raises(StoreUnreadable, match=FILE) as error:
        load_with(tmp_path, parcels)
    assert words in str(error.value)
    assert (store_hash(), count()) == before


def test_a_replaced_shop_leaves_the_proof_of_a_refund() -> None:
    load_shop()
    run_action(ACTIONS[REFUND].model_validate(ALONE))
    Preference.objects.create(customer=Customer.objects.get(user_id=NORA), name="newsletter", value="off")
    load_shop()
    assert not RefundedLine.objects.exists()
    assert not Preference.objects.exists()
    effect = Effect.objects.get()
    assert (effect.action, effect.order_number, effect.order_id, effect.arguments) == (REFUND, DELIVERED, None, ALONE)
