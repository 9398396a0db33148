"""The hash over the whole shop, as the public benchmark computes it, kept up record by record.

The benchmark hashes Python's `str()` of nested, sorted tuples. The text of one record does not depend on any other,
so after a change only the touched records are read again; joining the texts gives the same bytes.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from orders.models import Customer, Order, Product
from orders.queries import export_customer, export_order, export_product


def store_hash() -> str:
    """SHA-256 of the shop as it is now: 64 hex digits."""
    return StoreDigest().hexdigest()


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Texts of some records."""

    orders: dict[str, str]
    users: dict[str, str]


class StoreDigest:
    """The hash of the shop as it was read; `refresh` the records that may have changed since."""

    def __init__(self) -> None:
        self._orders = _order_texts(Order.objects.all())
        self._products = {
            product.product_id: _text(product.product_id, export_product(product))
            for product in Product.objects.prefetch_related("variants")
        }
        self._users = _user_texts(Customer.objects.all())
        self._sorted = {
            "orders": sorted(self._orders),
            "products": sorted(self._products),
            "users": sorted(self._users),
        }

    def refresh(self, *, orders: Iterable[str] = (), users: Iterable[str] = ()) -> None:
        """Read these orders (by number) and customers (by user id) again."""
        self._orders |= _order_texts(Order.objects.filter(number__in=list(orders)))
        self._users |= _user_texts(Customer.objects.filter(user_id__in=list(users)))

    def keep(self, *, orders: Iterable[str], users: Iterable[str]) -> "Kept":
        """These records as they were read, for `put_back` once a transaction was rolled back."""
        return Kept(
            orders={number: self._orders[number] for number in orders if number in self._orders},
            users={user_id: self._users[user_id] for user_id in users if user_id in self._users},
        )

    def put_back(self, kept: "Kept") -> None:
        self._orders |= kept.orders
        self._users |= kept.users

    def hexdigest(self) -> str:
        # The keys do not change after reading, so each kind is sorted once.
        kinds = {"orders": self._orders, "products": self._products, "users": self._users}
        parts = [f"({kind!r}, {_join([kinds[kind][key] for key in keys])})" for kind, keys in self._sorted.items()]
        return hashlib.sha256(_join(parts).encode()).hexdigest()


def _order_texts(orders: QuerySet[Order]) -> dict[str, str]:
    rows = orders.select_related("customer").prefetch_related("lines", "fulfilments", "payments")
    return {order.number: _text(order.number, export_order(order)) for order in rows}


def _user_texts(customers: QuerySet[Customer]) -> dict[str, str]:
    rows = customers.prefetch_related("payment_methods", "orders")
    return {customer.user_id: _text(customer.user_id, export_customer(customer)) for customer in rows}


def _text(key: str, record: dict[str, Any]) -> str:
    return str((key, _canonical(record)))


def _canonical(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((key, _canonical(item)) for key, item in sorted(value.items()))
    if isinstance(value, list):
        return tuple(_canonical(item) for item in value)
    return value


def _join(texts: list[str]) -> str:
    """The text of a tuple with these elements; one element keeps its comma."""
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
