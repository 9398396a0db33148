"""What the three export files do not say, for a shop that has it: dates, parcels and notes, in `parcels.json`.

Ages stand in for dates, so that a demo shop is as fresh on every day as on the first.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

from django.utils import timezone
from pydantic import Field

from orders.exported import Closed, StoreUnreadable, fits
from orders.models import Order
from orders.shipments import Note, Shipment
from orders.store_files import read_file

FILE = "parcels.json"
# Below zero: still to come.
DaysAgo = Annotated[int, Field(ge=-365, le=3_650)]


class NoteIn(Closed):
    by: Literal["customer", "merchant"]
    text: Annotated[str, Field(min_length=1, max_length=2_000)]
    days_ago: DaysAgo = 0


class ShipmentIn(Closed):
    tracking_id: Annotated[str, fits(Shipment, "tracking_id", shortest=1)]
    carrier: Annotated[str, fits(Shipment, "carrier")] = ""
    status: Literal["in_transit", "delivered", "lost", "returned_to_sender"]
    shipped_days_ago: DaysAgo | None = None
    expected_days_ago: DaysAgo | None = None
    delivered_days_ago: DaysAgo | None = None
    notes: list[NoteIn] = Field(default_factory=list)


class ParcelsIn(Closed):
    delivered_days_ago: DaysAgo | None = None
    shipments: list[ShipmentIn] = Field(default_factory=list)
    notes: list[NoteIn] = Field(default_factory=list)


def load_parcels(*, folder: Path) -> None:
    """The rows of the file, if the folder has one, onto orders that are there; in the caller's transaction."""
    if not (folder / FILE).exists():
        return
    found, now = read_file(folder / FILE, ParcelsIn), timezone.now()
    orders = {order.number: order for order in Order.objects.filter(number__in=list(found))}
    seen: set[str] = set()
    for number, told in found.items():
        if number not in orders:
            raise StoreUnreadable(f"{FILE}: {number} is an order that orders.json lacks")
        for shipment in told.shipments:
            if shipment.tracking_id in seen:
                raise StoreUnreadable(f"{FILE}: {number} has tracking number {shipment.tracking_id} a second time")
            seen.add(shipment.tracking_id)
        _create(orders[number], told, now)


def _create(order: Order, told: ParcelsIn, now: datetime) -> None:
    order.delivered_at = _before(now, told.delivered_days_ago)
    order.save(update_fields=["delivered_at"])
    Note.objects.bulk_create(_notes(order, None, told.notes, now))
    for one in told.shipments:
        shipment = Shipment.objects.create(
            order=order,
            tracking_id=one.tracking_id,
            carrier=one.carrier,
            status=one.status,
            shipped_at=_before(now, one.shipped_days_ago),
            expected_at=_before(now, one.expected_days_ago),
            delivered_at=_before(now, one.delivered_days_ago),
        )
        Note.objects.bulk_create(_notes(order, shipment, one.notes, now))


def _notes(order: Order, shipment: Shipment | None, notes: list[NoteIn], now: datetime) -> Iterator[Note]:
    for note in notes:
        at = now - timedelta(days=note.days_ago)
        yield Note(order=order, shipment=shipment, author=note.by, text=note.text, at=at)


def _before(now: datetime, days: int | None) -> datetime | None:
    return None if days is None else now - timedelta(days=days)
