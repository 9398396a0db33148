"""Invariant 5: whose rows nobody asked to change are byte for byte what they were."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import Model

from eval.books.lines import Line, make_line
from orders import models as shop
from orders.shipments import Note, Shipment

VERSION = 2


class SnapshotUnreadable(Exception):
    """The file is no snapshot of this checker."""


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A digest for each customer, order and product, and the effects there were: no row's content leaves the shop."""

    digests: dict[str, str]
    effects: frozenset[str]

    def write(self, path: Path) -> None:
        content = {"version": VERSION, "digests": self.digests, "effects": sorted(self.effects)}
        path.write_text(json.dumps(content, sort_keys=True), encoding="utf-8")


def take_snapshot() -> Snapshot:
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in _units()}
    return Snapshot(digests=digests, effects=frozenset(shop.Effect.objects.values_list("key", flat=True)))


def read_snapshot(path: Path) -> Snapshot:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if content["version"] != VERSION:
            raise SnapshotUnreadable(f"{path.name} has version {content['version']}, not {VERSION}")
        return Snapshot(digests=dict(content["digests"]), effects=frozenset(content["effects"]))
    except (ValueError, TypeError, KeyError) as error:
        raise SnapshotUnreadable(f"{path.name} is no snapshot: {error}") from error


def check_isolation(before: Snapshot | None) -> Line:
    if before is None:
        return make_line(5, "isolation", 0, (), unchecked="no snapshot")
    after = take_snapshot()
    touched = _touched(before)
    faults = [
        f"{name} {_what(before.digests.get(name), after.digests.get(name))}, and no effect names it"
        for name in sorted(before.digests.keys() | after.digests.keys())
        if name not in touched and before.digests.get(name) != after.digests.get(name)
    ]
    lost = sorted(before.effects - after.effects)
    faults += [f"effect {key[:16]} is gone" for key in lost]
    return make_line(5, "isolation", len(after.digests.keys() - touched), faults)


def _touched(before: Snapshot) -> set[str]:
    """The order that an effect names, and its customer, whose gift card pays or is paid back."""
    names = set()
    for key, user_id, number in shop.Effect.objects.values_list("key", "user_id", "order_number"):
        if key not in before.effects:
            names |= {f"customer {user_id}", f"order {number}"} if number else {f"customer {user_id}"}
    return names


def _what(before: str | None, after: str | None) -> str:
    if before is None:
        return "is new"
    return "is gone" if after is None else "changed"


def _units() -> Iterator[tuple[str, str]]:
    """Each customer, order and product with every column of all its rows, as text."""
    methods = _by_parent(shop.PaymentMethod, "customer_id")
    preferences = _by_parent(shop.Preference, "customer_id")
    for customer in shop.Customer.objects.order_by("pk"):
        own = [methods.get(customer.pk, []), preferences.get(customer.pk, [])]
        yield f"customer {customer.user_id}", _text([_columns(customer), *own])
    parts = [_by_parent(model, "order_id") for model in (shop.Line, shop.Payment, shop.Fulfilment, Shipment, Note)]
    for order in shop.Order.objects.order_by("pk"):
        yield f"order {order.number}", _text([_columns(order), [part.get(order.pk, []) for part in parts]])
    variants = _by_parent(shop.Variant, "product_id")
    for product in shop.Product.objects.order_by("pk"):
        yield f"product {product.product_id}", _text([_columns(product), variants.get(product.pk, [])])


def _by_parent(model: type[Model], parent: str) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = {}
    for row in model._default_manager.order_by("pk"):
        found.setdefault(getattr(row, parent), []).append(_columns(row))
    return found


def _columns(row: Model) -> list[Any]:
    return [[field.attname, getattr(row, field.attname)] for field in row._meta.concrete_fields]


def _text(value: Any) -> str:
    return json.dumps(value, default=str, ensure_ascii=True)
