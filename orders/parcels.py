"""Where an order's items are: by what the carriers say, and where nobody said anything, by the order's own status."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Any

from audit.statements import Rows, Slot
from orders.models import Customer, Fulfilment, Order
from orders.queries import ARRIVED
from orders.shipments import Note, Shipment

_NOTES = Rows(lambda: Note.objects.filter(order_id=Slot("order", Order._meta.pk), shipment=None))
# Parcels of one question in different states: no reason fits all of them.
MIXED = "mixed"


class ShipmentNotFound(Exception):
    """There is no such parcel, or it is somebody else's. Say "not found" and nothing more."""


@dataclass(frozen=True, kw_only=True)
class Parcel:
    """One parcel with its order; without a shipment only the order's status speaks of it."""

    tracking_id: str
    order: Order
    shipment: Shipment | None
    item_ids: tuple[str, ...]

    @property
    def customer(self) -> Customer:
        return self.order.customer


@dataclass(frozen=True, kw_only=True)
class Whereabouts:
    """One state for all the items asked about, or `MIXED`; empty where nothing was sent. The date is the earliest."""

    status: str
    delivered_at: datetime | None


def find_items(*, order: Order, item_ids: Iterable[str]) -> Whereabouts:
    """Where these items of an order are. Items of no parcel on record are taken to be in every parcel of the order."""
    wanted = set(item_ids)
    sent = list(order.fulfilments.all())
    holding = [one for one in sent if wanted & set(one.item_ids)] or sent
    known = {one.tracking_id: one for one in order.shipments.all()}
    numbers = list(dict.fromkeys(number for one in holding for number in one.tracking_ids)) or list(known)
    parcels = [known.get(number) for number in numbers]
    states = {one.status if one else guess_state(order) for one in parcels} or {""}
    dates = {(one and one.delivered_at) or order.delivered_at for one in parcels} or {order.delivered_at}
    status = states.pop() if len(states) == 1 else MIXED
    # One parcel of unknown date makes the whole unknown: a window cannot be shown to be open.
    return Whereabouts(status=status, delivered_at=None if None in dates else min(filter(None, dates)))


def guess_state(order: Order) -> str:
    """The state of a parcel that no carrier told of: with the customer where the order is, else on its way."""
    return Shipment.State.DELIVERED if order.status in ARRIVED else Shipment.State.IN_TRANSIT


def find_parcel(*, customer: Customer | None, tracking_id: str) -> Parcel:
    """The parcel of a tracking number. Raises `ShipmentNotFound`, for another customer's too.

    Without a customer anybody's; only for the measuring mode, which suspends ownership.
    """
    mine = {"order__customer": customer} if customer else {}
    shipment = Shipment.objects.filter(tracking_id=tracking_id, **mine).select_related("order__customer").first()
    orders = Fulfilment.objects.filter(order=shipment.order) if shipment else Fulfilment.objects.filter(**mine)
    rows = orders.select_related("order__customer").order_by("pk")
    sent = next((one for one in rows if tracking_id in one.tracking_ids), None)
    order = shipment.order if shipment else sent.order if sent else None
    if order is None:
        raise ShipmentNotFound(tracking_id)
    item_ids = tuple(sent.item_ids) if sent else ()
    return Parcel(tracking_id=tracking_id, order=order, shipment=shipment, item_ids=item_ids)


def export_parcel(parcel: Parcel) -> dict[str, Any]:
    """The parcel as the tool answers it: dates and carrier where the shop knows them."""
    shipment = parcel.shipment
    exported: dict[str, Any] = {
        "tracking_id": parcel.tracking_id,
        "order_id": parcel.order.number,
        "status": shipment.status if shipment else guess_state(parcel.order),
        "item_ids": list(parcel.item_ids),
    }
    if shipment is None:
        return exported
    dates = {name: getattr(shipment, name) for name in ("shipped_at", "expected_at", "delivered_at")}
    exported |= {name: f"{at:%Y-%m-%d}" for name, at in dates.items() if at}
    exported |= {"carrier": shipment.carrier} if shipment.carrier else {}
    return exported | export_notes(shipment.notes.all())


def export_order_notes(order: Order) -> dict[str, Any]:
    """What was written to the order itself; nothing at all where nothing was."""
    return export_notes(_NOTES.list(order=order.pk))


def export_notes(notes: Iterable[Note]) -> dict[str, Any]:
    """Notes as data: each stands in an element that its text cannot leave, and says who wrote it."""
    told = [
        {"by": note.author, "at": f"{note.at:%Y-%m-%d}", "text": f"<note>{escape(note.text, quote=False)}</note>"}
        for note in notes
    ]
    return {"notes": told} if told else {}
