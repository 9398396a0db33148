"""The shop's data in and out: the three JSON files of the τ-bench retail form."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import models, transaction

from orders.agreement import check_agreement
from orders.exported import OrderIn, ProductIn, UserIn
from orders.models import Customer, Fulfilment, Line, Order, Payment, PaymentMethod, Product, Variant
from orders.parcel_files import load_parcels
from orders.queries import export_customer, export_order, export_product
from orders.store_files import read_file
from orders.wire import read_wire

BATCH = 2_000


class ShopNotEmpty(Exception):
    """The shop has rows already; nothing was changed. Ask for a replacement explicitly."""


@dataclass(frozen=True, kw_only=True)
class Totals:
    customers: int
    orders: int
    products: int


def is_empty() -> bool:
    return not (Customer.objects.exists() or Product.objects.exists())


def load(*, folder: Path, replace: bool = False) -> Totals:
    """The shop's rows from `users.json`, `orders.json` and `products.json`: all of them, or none on any fault."""
    users = read_file(folder / "users.json", UserIn)
    orders = read_file(folder / "orders.json", OrderIn)
    products = read_file(folder / "products.json", ProductIn)
    check_agreement(users, orders, products)
    with transaction.atomic():
        if not is_empty():
            if not replace:
                raise ShopNotEmpty("the shop is not empty")
            _clear()
        _create_products(products)
        customers = _create_customers(users)
        _create_orders(users, orders, customers)
        load_parcels(folder=folder)
    return Totals(customers=len(users), orders=len(orders), products=len(products))


def export_shop() -> dict[str, Any]:
    """The shop as its three files, every record in the order in which it came."""
    customers = Customer.objects.prefetch_related("payment_methods", "orders").order_by("pk")
    orders = (
        Order.objects.select_related("customer").prefetch_related("lines", "fulfilments", "payments").order_by("pk")
    )
    products = Product.objects.prefetch_related("variants").order_by("pk")
    return {
        "orders": {order.number: export_order(order) for order in orders},
        "products": {product.product_id: export_product(product) for product in products},
        "users": {customer.user_id: export_customer(customer) for customer in customers},
    }


def _clear() -> None:
    for model in (Payment, Fulfilment, Line, Order, PaymentMethod, Customer, Variant, Product):
        model._default_manager.all().delete()


def _create(model: type[models.Model], rows: Iterable[models.Model]) -> list[Any]:
    manager: models.Manager[Any] = model._default_manager
    return manager.bulk_create(rows, batch_size=BATCH)


def _create_products(products: dict[str, ProductIn]) -> None:
    rows = _create(Product, [Product(product_id=key, name=product.name) for key, product in products.items()])
    _create(Variant, [variant for row in rows for variant in _variants(row, products[row.product_id])])


def _variants(row: Product, product: ProductIn) -> Iterator[Variant]:
    for position, (item_id, variant) in enumerate(product.variants.items()):
        price, wire = read_wire(variant.price)
        yield Variant(
            product=row,
            position=position,
            item_id=item_id,
            options=variant.options,
            available=variant.available,
            price=price,
            price_wire=wire,
        )


def _create_customers(users: dict[str, UserIn]) -> dict[str, Customer]:
    rows = [
        Customer(
            user_id=user_id,
            first_name=user.name.first_name,
            last_name=user.name.last_name,
            email=user.email,
            email_key=user.email.lower(),
            vip=user.vip,
            **user.address.model_dump(),
        )
        for user_id, user in users.items()
    ]
    customers = {row.user_id: row for row in _create(Customer, rows)}
    _create(PaymentMethod, [row for user_id, user in users.items() for row in _methods(customers[user_id], user)])
    return customers


def _methods(customer: Customer, user: UserIn) -> Iterator[PaymentMethod]:
    for position, (method_id, method) in enumerate(user.payment_methods.items()):
        balance, wire = read_wire(method.balance) if method.source == "gift_card" else (None, "")
        yield PaymentMethod(
            customer=customer,
            position=position,
            method_id=method_id,
            source=method.source,
            brand=method.brand,
            last_four=method.last_four,
            balance=balance,
            balance_wire=wire,
        )


def _create_orders(users: dict[str, UserIn], orders: dict[str, OrderIn], customers: dict[str, Customer]) -> None:
    positions = {number: place for user in users.values() for place, number in enumerate(user.orders)}
    rows = [
        Order(
            number=number,
            customer=customers[order.user_id],
            position=positions[number],
            status=order.status,
            cancel_reason=order.cancel_reason,
            return_items=order.return_items,
            return_method=order.return_payment_method_id,
            exchange_items=order.exchange_items,
            exchange_new_items=order.exchange_new_items,
            exchange_method=order.exchange_payment_method_id,
            **_difference(order),
            **order.address.model_dump(),
        )
        for number, order in orders.items()
    ]
    created = [(row, orders[row.number]) for row in _create(Order, rows)]
    _create(Line, [line for row, order in created for line in _lines(row, order)])
    _create(Fulfilment, [sent for row, order in created for sent in _fulfilments(row, order)])
    _create(Payment, [payment for row, order in created for payment in _payments(row, order)])


def _difference(order: OrderIn) -> dict[str, Any]:
    if order.exchange_price_difference is None:
        return {}
    difference, wire = read_wire(order.exchange_price_difference)
    return {"exchange_difference": difference, "exchange_difference_wire": wire}


def _lines(row: Order, order: OrderIn) -> Iterator[Line]:
    for position, item in enumerate(order.items):
        price, wire = read_wire(item.price)
        yield Line(
            order=row,
            position=position,
            variant_id=item.item_id,
            product_id=item.product_id,
            name=item.name,
            options=item.options,
            price=price,
            price_wire=wire,
        )


def _fulfilments(row: Order, order: OrderIn) -> Iterator[Fulfilment]:
    for position, sent in enumerate(order.fulfillments):
        yield Fulfilment(order=row, position=position, tracking_ids=sent.tracking_id, item_ids=sent.item_ids)


def _payments(row: Order, order: OrderIn) -> list[Payment]:
    rows = []
    for position, entry in enumerate(order.payment_history):
        amount, wire = read_wire(entry.amount)
        rows.append(
            Payment(
                order=row,
                position=position,
                kind=entry.transaction_type,
                method_id=entry.payment_method_id,
                amount=amount,
                amount_wire=wire,
            )
        )
    _attribute_refunds(rows)
    return rows


def _attribute_refunds(history: list[Payment]) -> None:
    """What went back already is counted on the payments it came from: the same method first, then the oldest."""
    paid = [entry for entry in history if entry.kind == Payment.Kind.PAYMENT]
    for refund in (entry for entry in history if entry.kind == Payment.Kind.REFUND):
        left = refund.amount
        for payment in sorted(paid, key=lambda entry: entry.method_id != refund.method_id):
            share = min(left, payment.amount - payment.refunded)
            payment.refunded += share
            left -= share
