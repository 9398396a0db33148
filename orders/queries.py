"""What is true of the shop. Missing and not-yours look the same to every caller."""

import json
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Sum

from audit.statements import Rows, Slot, Tuples
from orders.models import Customer, Effect, Fulfilment, Line, Order, Payment, PaymentMethod, Product, Refund
from orders.wire import write_wire
from policy.actions import ModifyPendingOrderPayment
from policy.money import spoken

_Part = TypeVar("_Part", Line, Payment)
# R4 counts what was granted without a person for this customer over this long.
GRANTED_WINDOW = timedelta(hours=24)
# Orders that reached the customer, whatever became of them then.
ARRIVED = (Order.Status.DELIVERED, Order.Status.RETURN_REQUESTED, Order.Status.EXCHANGE_REQUESTED)


_ORDER_PK, _CUSTOMER_PK = Order._meta.pk, Customer._meta.pk
_OWN_ORDER = Rows(
    lambda: Order.objects.select_related("customer").filter(
        customer_id=Slot("customer", _CUSTOMER_PK), number=Slot("number", Order._meta.get_field("number"))
    )
)
_BY_EMAIL = Rows(
    lambda: Customer.objects.filter(email_key=Slot("email", Customer._meta.get_field("email_key"))).order_by("pk")[:1]
)
_BY_ZIP = Rows(lambda: Customer.objects.filter(zip=Slot("zip", Customer._meta.get_field("zip"))).order_by("pk"))
_OF_ORDER = Slot("order", _ORDER_PK)
_LINES = Rows(lambda: Line.objects.filter(order_id=_OF_ORDER))
_FULFILMENTS = Rows(lambda: Fulfilment.objects.filter(order_id=_OF_ORDER))
_PAYMENTS = Rows(lambda: Payment.objects.select_related("method").filter(order_id=_OF_ORDER))


def _select_granted() -> "QuerySet[Effect, Any]":
    near = Q(conversation=Slot("conversation", Effect._meta.get_field("conversation"))) | Q(order_id=_OF_ORDER)
    since = Slot("since", Effect._meta.get_field("created_at"))
    recent = Q(customer_id=Slot("customer", _CUSTOMER_PK), created_at__gt=since)
    granted = Effect.objects.filter(near | recent, approved_by="").exclude(_came_to_nothing())
    return granted.values_list("pk", "amount", "action")


def _select_refunded() -> "QuerySet[Effect, Any]":
    since = Slot("since", Effect._meta.get_field("created_at"))
    effects = Effect.objects.filter(customer_id=Slot("customer", _CUSTOMER_PK), amount__gt=0, created_at__gt=since)
    return effects.exclude(_came_to_nothing()).values_list("created_at", "action")


def _came_to_nothing() -> Q:
    """Of several refunds one can be refused; what a part of was paid counts as a whole."""
    paid = Exists(Refund.objects.filter(effect=OuterRef("pk"), state=Refund.State.DONE))
    return Q(state=Effect.State.FAILED) & Q(~paid)


_GRANTED, _REFUNDED = Tuples(_select_granted), Tuples(_select_refunded)
_ARRIVED = Tuples(
    lambda: (
        Order.objects.filter(customer_id=Slot("customer", _CUSTOMER_PK), status__in=ARRIVED)
        .order_by()
        .values_list("pk", "status")
    )
)


class OrderNotFound(Exception):
    """There is no such order, or it is somebody else's. Say "not found" and nothing more."""


class ProductNotFound(Exception):
    """There is no such product."""


class CustomerNotFound(Exception):
    """No customer matches. Say so without hinting at what would match."""


def get_order_for_customer(*, customer: Customer, number: str) -> Order:
    found = _OWN_ORDER.first(customer=customer.pk, number=number)
    if found is None:
        raise OrderNotFound(number)
    return found


def get_order(*, number: str) -> Order:
    """Any order; only for staff and for the measuring mode, which suspends ownership."""
    try:
        return Order.objects.select_related("customer").get(number=number)
    except Order.DoesNotExist:
        raise OrderNotFound(number) from None


def list_orders(*, customer: Customer) -> list[Order]:
    return list(customer.orders.order_by("position"))


def find_customer_by_email(*, email: str) -> Customer:
    found = _BY_EMAIL.first(email=email.lower())
    if found is None:
        raise CustomerNotFound
    return found


def find_customer_by_name_zip(*, first_name: str, last_name: str, zip_code: str) -> Customer:
    wanted = (first_name.lower(), last_name.lower())
    for customer in _BY_ZIP.list(zip=zip_code):
        if (customer.first_name.lower(), customer.last_name.lower()) == wanted:
            return customer
    raise CustomerNotFound


def get_customer(*, user_id: str) -> Customer:
    try:
        return Customer.objects.get(user_id=user_id)
    except Customer.DoesNotExist:
        raise CustomerNotFound(user_id) from None


def personal_words(customer: Customer | None) -> list[str]:
    """This customer's own names, contacts and address, for masking them in the audit log."""
    if customer is None:
        return []
    fields = ("user_id", "first_name", "last_name", "email", "address1", "address2", "city", "zip")
    return [value for name in fields if (value := getattr(customer, name))]


def get_refundable(order: Order | None) -> int:
    """Minor units paid for the order and not given back yet; nothing where an action has no order."""
    if order is None:
        return 0
    return sum_refundable(list_payments(order))


def sum_refundable(history: list[Payment]) -> int:
    return sum(entry.amount - entry.refunded for entry in history if entry.kind == Payment.Kind.PAYMENT)


def get_granted_alone(
    *, customer: Customer, order: Order | None, conversation: UUID, now: datetime, moved_counts: bool = False
) -> int:
    """Minor units granted without a person on this order, in this conversation, or for this customer in 24 hours.

    `moved_counts`: what a change of the payment method gave back to the first one counts, too.
    """
    # No order has the number 0.
    number, since = order.pk if order else 0, now - GRANTED_WINDOW
    granted = _GRANTED.list(conversation=conversation, order=number, customer=customer.pk, since=since)
    alone: int = sum(amount for _, amount, _ in granted)
    changes = [pk for pk, _, action in granted if action == ModifyPendingOrderPayment.name]
    if not moved_counts or not changes:
        return alone
    moved = Payment.objects.filter(effect__in=changes, kind=Payment.Kind.REFUND).aggregate(total=Sum("amount"))["total"]
    return alone + int(moved or 0)


def list_refund_ages(*, customer: Customer, days: int, now: datetime, action: str = "") -> tuple[int, ...]:
    """Whole days since each refund of this customer that was granted, is on its way, in doubt or done, over all
    conversations; no older than `days`. `action`: only those of one kind."""
    made = _REFUNDED.list(customer=customer.pk, since=now - timedelta(days=days + 1))
    return tuple((now - at).days for at, kind in made if action in ("", kind))


def count_returned_orders(*, customer: Customer, besides: Order | None) -> tuple[int, int]:
    """How many of the customer's orders arrived, and how many of those went back (`besides` not counted there)."""
    arrived = _ARRIVED.list(customer=customer.pk)
    own = besides.pk if besides else None
    return len(arrived), sum(status == Order.Status.RETURN_REQUESTED and pk != own for pk, status in arrived)


def list_lines(order: Order) -> list[Line]:
    """The order's items, read now."""
    return _with_order(order, _LINES.list(order=order.pk))


def list_payments(order: Order) -> list[Payment]:
    """The order's payment history with its methods, read now."""
    return _with_order(order, _PAYMENTS.list(order=order.pk))


def recall_lines(order: Order) -> list[Line]:
    """The items as the first look at this object found them: for deciding on rows that stay locked and unchanged."""
    if order.seen_lines is None:
        order.seen_lines = list_lines(order)
    return order.seen_lines


def recall_payments(order: Order) -> list[Payment]:
    """The payment history likewise."""
    if order.seen_payments is None:
        order.seen_payments = list_payments(order)
    return order.seen_payments


def _with_order(order: Order, rows: list[_Part]) -> list[_Part]:
    for row in rows:
        row.order = order
    return rows


def get_product(*, product_id: str) -> Product:
    try:
        return Product.objects.prefetch_related("variants").get(product_id=product_id)
    except Product.DoesNotExist:
        raise ProductNotFound(product_id) from None


def list_product_types() -> dict[str, str]:
    """Product ids by name, sorted by name."""
    return dict(sorted(Product.objects.values_list("name", "product_id")))


def has_effect(*, conversation: UUID) -> bool:
    """Whether anything was done for this conversation; where only its refund failed, the order is changed."""
    return Effect.objects.filter(conversation=conversation).exists()


def describe_refunds(effect: Effect, *states: str) -> str:
    """What goes back through the gateway: "$122.00 to Visa ending 4417"; with `states`, only what stands so."""
    rows = effect.refunds.filter(state__in=states or Refund.State.values)
    return " and ".join(f"{spoken(row.amount, row.currency)} to {row.destination}" for row in rows)


def count_effects() -> dict[str, int]:
    """How many effects stand in each state."""
    return dict(Effect.objects.values_list("state").annotate(count=Count("pk")).order_by())


def list_products(*, limit: int) -> list[Product]:
    return list(Product.objects.prefetch_related("variants").order_by("pk")[:limit])


def list_demo_customers(*, limit: int) -> list[tuple[Customer, list[tuple[str, int]]]]:
    """The first customers with a pending order, each with its pending orders' numbers and totals in minor units."""
    pending = Order.objects.filter(status=Order.Status.PENDING).annotate(total=Sum("lines__price"))
    customers = Customer.objects.filter(orders__status=Order.Status.PENDING).distinct().order_by("pk")
    with_orders = customers.prefetch_related(Prefetch("orders", queryset=pending, to_attr="pending"))[:limit]
    return [(customer, [(order.number, order.total) for order in customer.pending]) for customer in with_orders]


def export_customer(customer: Customer) -> dict[str, Any]:
    """The customer as the tools answer it: keys in the order of the public benchmark."""
    return {
        "name": {"first_name": customer.first_name, "last_name": customer.last_name},
        "address": export_address(customer),
        "email": customer.email,
        "payment_methods": {method.method_id: export_method(method) for method in customer.payment_methods.all()},
        "orders": [order.number for order in customer.orders.all()],
    }


def export_method(method: PaymentMethod) -> dict[str, Any]:
    exported: dict[str, Any] = {"source": method.source}
    if method.source == PaymentMethod.Source.CREDIT_CARD:
        exported |= {"brand": method.brand, "last_four": method.last_four}
    elif method.source == PaymentMethod.Source.GIFT_CARD:
        exported["balance"] = write_wire(method.balance or 0, method.balance_wire)
    return exported | {"id": method.method_id}


def export_order(order: Order) -> dict[str, Any]:
    """The order as the tools answer it, after whatever was changed in this transaction."""
    exported: dict[str, Any] = {
        "order_id": order.number,
        "user_id": order.customer.user_id,
        "address": export_address(order),
        "items": [_export_line(line) for line in list_lines(order)],
        "fulfillments": [
            {"tracking_id": sent.tracking_ids, "item_ids": sent.item_ids} for sent in _FULFILMENTS.list(order=order.pk)
        ],
        "status": order.status,
        "payment_history": [_export_payment(payment) for payment in list_payments(order)],
    }
    return exported | _export_outcome(order)


def export_product(product: Product) -> dict[str, Any]:
    return {
        "name": product.name,
        "product_id": product.product_id,
        "variants": {
            variant.item_id: {
                "item_id": variant.item_id,
                "options": variant.options,
                "available": variant.available,
                "price": write_wire(variant.price, variant.price_wire),
            }
            for variant in product.variants.all()
        },
    }


def export_address(place: Customer | Order) -> dict[str, Any]:
    if place.address_wire is not None:
        return dict(place.address_wire)
    return {name: getattr(place, name) for name in ("address1", "address2", "city", "country", "state", "zip")}


def to_tool_text(value: dict[str, Any]) -> str:
    """JSON as the tools answer it: default separators and ASCII escapes, byte for byte."""
    return json.dumps(value)


def _export_outcome(order: Order) -> dict[str, Any]:
    """What an action added to the order, in the order in which the tools add it."""
    added: dict[str, Any] = {}
    if order.cancel_reason:
        added["cancel_reason"] = order.cancel_reason
    if order.return_items is not None:
        added |= {"return_items": order.return_items, "return_payment_method_id": order.return_method}
    if order.exchange_items is not None and order.exchange_difference is not None:
        added |= {
            "exchange_items": order.exchange_items,
            "exchange_new_items": order.exchange_new_items,
            "exchange_payment_method_id": order.exchange_method,
            "exchange_price_difference": write_wire(order.exchange_difference, order.exchange_difference_wire),
        }
    return added


def _export_line(line: Line) -> dict[str, Any]:
    return {
        "name": line.name,
        "product_id": line.product_id,
        "item_id": line.variant_id,
        "price": write_wire(line.price, line.price_wire),
        "options": line.options,
    }


def _export_payment(payment: Payment) -> dict[str, Any]:
    exported = {
        "transaction_type": payment.kind,
        "amount": write_wire(payment.amount, payment.amount_wire),
        "payment_method_id": payment.method_id,
    }
    # The public form knows no refund that is not through, so only such a one says how it stands.
    return exported if payment.state == Payment.State.SETTLED else exported | {"status": payment.state}
