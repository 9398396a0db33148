"""Other items instead: of a pending order at once, of a delivered one when they come back."""

from dataclasses import dataclass
from typing import Any

from orders.changes.paying import can_pay
from orders.changes.plans import (
    Booking,
    CannotBeDone,
    LineText,
    Plan,
    Subject,
    attribute,
    describe_method,
    describe_options,
    explain_missing,
    list_open_lines,
    require_order,
)
from orders.changes.returning import count_items
from orders.models import Line, Order, Payment, PaymentMethod, Variant
from orders.queries import recall_lines, recall_payments
from orders.wire import read_wire, write_wire
from policy.actions import ExchangeDeliveredOrderItems, ModifyPendingOrderItems


@dataclass(frozen=True, kw_only=True)
class Swap:
    """One item and the variant that takes its place."""

    item_id: str
    line: Line
    variant: Variant

    def in_words(self) -> LineText:
        detail = f"{describe_options(self.line.options)} → {describe_options(self.variant.options)}"
        return LineText(label=self.line.name, detail=detail, amount=self.variant.price - self.line.price)


def plan_modify_items(action: ModifyPendingOrderItems, subject: Subject) -> Plan:
    order = require_order(subject)
    if order.status != Order.Status.PENDING:
        raise CannotBeDone("Error: non-pending order cannot be modified")
    lines = recall_lines(order)
    swaps = _find_swaps(order, action.item_ids, action.new_item_ids, lines)
    difference = _difference(swaps)
    method = _require_method(subject, action.payment_method_id)
    if not can_pay(method, difference):
        raise CannotBeDone("Error: insufficient gift card balance to pay for the new item")
    return Plan(
        subject=subject,
        title=f"Change {count_items(len(swaps))} of order {order.number}",
        lines=tuple(swap.in_words() for swap in swaps),
        total=-_books(difference),
        money_back=max(0, -_books(difference)),
        destination=describe_method(method),
        currency=order.currency,
        irreversible=True,
        bookings=(_book_difference(order, method, difference),),
        writes=((order, {"status": Order.Status.ITEMS_MODIFIED}), *_replace_lines(swaps, lines)),
    )


def plan_exchange(action: ExchangeDeliveredOrderItems, subject: Subject) -> Plan:
    order = require_order(subject)
    if order.status != Order.Status.DELIVERED:
        raise CannotBeDone("Error: non-delivered order cannot be exchanged")
    swaps = _find_swaps(order, action.item_ids, action.new_item_ids, list_open_lines(order))
    difference = round(_difference(swaps), 2)
    method = _require_method(subject, action.payment_method_id)
    if not can_pay(method, difference):
        raise CannotBeDone("Error: insufficient gift card balance to pay for the price difference")
    books, wire = read_wire(difference)
    return Plan(
        subject=subject,
        title=f"Exchange {count_items(len(swaps))} of order {order.number}",
        lines=tuple(swap.in_words() for swap in swaps),
        total=-books,
        money_back=max(0, -books),
        destination=describe_method(method),
        currency=order.currency,
        irreversible=True,
        writes=(
            (
                order,
                {
                    "status": Order.Status.EXCHANGE_REQUESTED,
                    "exchange_items": sorted(action.item_ids),
                    "exchange_new_items": sorted(action.new_item_ids),
                    "exchange_method": action.payment_method_id,
                    "exchange_difference": books,
                    "exchange_difference_wire": wire,
                },
            ),
        ),
    )


def _find_swaps(order: Order, item_ids: list[str], new_item_ids: list[str], lines: list[Line]) -> list[Swap]:
    held = [line.variant_id for line in lines]
    for item_id in item_ids:
        if item_ids.count(item_id) > held.count(item_id):
            raise explain_missing(order, item_id, f"Error: {item_id} not found")
    if len(item_ids) != len(new_item_ids):
        raise CannotBeDone("Error: the number of items to be exchanged should match")
    swaps = []
    for item_id, new_item_id in zip(item_ids, new_item_ids, strict=True):
        line = next(line for line in lines if line.variant_id == item_id)
        variants = {variant.item_id: variant for variant in Variant.objects.filter(product_id=line.product.pk)}
        if new_item_id not in variants or not variants[new_item_id].available:
            raise CannotBeDone(f"Error: new item {new_item_id} not found or available")
        swaps.append(Swap(item_id=item_id, line=line, variant=variants[new_item_id]))
    return swaps


def _difference(swaps: list[Swap]) -> float:
    """New prices less old ones, summed as floats one pair after the other: the public tools' number, noise and all."""
    difference: float = 0
    for swap in swaps:
        new = write_wire(swap.variant.price, swap.variant.price_wire)
        difference += new - write_wire(swap.line.price, swap.line.price_wire)
    return difference


def _books(difference: float) -> int:
    return read_wire(difference)[0]


def _require_method(subject: Subject, method_id: str) -> PaymentMethod:
    method = subject.methods().get(method_id)
    if method is None:
        raise CannotBeDone("Error: payment method not found")
    return method


def _book_difference(order: Order, method: PaymentMethod, difference: float) -> Booking:
    amount, wire = read_wire(abs(difference))
    if difference > 0:
        return Booking(kind=Payment.Kind.PAYMENT, method=method, amount=amount, wire=wire)
    undoes = attribute(recall_payments(order), method, amount)
    return Booking(kind=Payment.Kind.REFUND, method=method, amount=amount, wire=wire, undoes=undoes)


def _replace_lines(swaps: list[Swap], lines: list[Line]) -> list[tuple[Line, dict[str, Any]]]:
    """Swap after swap on what the last one left, so that a new item can be swapped on again, as in the public tool."""
    now = {line.pk: line.variant_id for line in lines}
    writes: dict[int, dict[str, Any]] = {}
    for swap in swaps:
        place = next(line for line in lines if now[line.pk] == swap.item_id)
        now[place.pk] = swap.variant.item_id
        writes[place.pk] = {
            "variant_id": swap.variant.item_id,
            "price": swap.variant.price,
            "price_wire": swap.variant.price_wire,
            "options": swap.variant.options,
        }
    return [(line, writes[line.pk]) for line in lines if line.pk in writes]
