"""Money back for items that the customer keeps or never got: what the lines cost, and no amount that anybody names."""

from orders.changes.plans import (
    Booking,
    CannotBeDone,
    LineText,
    Plan,
    Subject,
    attribute,
    describe_line,
    describe_method,
    explain_missing,
    list_open_lines,
    require_order,
)
from orders.changes.returning import count_items
from orders.models import Line, Order, Payment
from orders.parcels import MIXED, find_items
from policy.actions import IssueRefund

IN_WORDS = {
    "not_received": "never arrived",
    "damaged": "arrived damaged",
    "wrong_item": "not what was ordered",
    "defective": "does not work",
    "late": "arrived late",
}


def plan_refund(action: IssueRefund, subject: Subject) -> Plan:
    """Each line once, and each part of it to the payment method that paid; the order stays as it is."""
    order = require_order(subject)
    lines = _pick_lines(order, action.item_ids)
    if find_items(order=order, item_ids=action.item_ids).status == MIXED:
        raise CannotBeDone("Error: these items travelled in parcels of different states; refund them one by one")
    total = sum(line.price for line in lines)
    bookings = _book(order, total)
    methods = [describe_method(entry.method) for entry in bookings]
    split = [
        LineText(label=f"Back to {method}", detail="part of it", amount=entry.amount)
        for method, entry in zip(methods, bookings, strict=True)
    ]
    return Plan(
        subject=subject,
        title=f"Refund {count_items(len(lines))} of order {order.number}",
        lines=(
            *(describe_line(line) for line in lines),
            LineText(label="Reason", detail=IN_WORDS[action.reason_code]),
            *(split if len(split) > 1 else ()),
        ),
        total=total,
        money_back=total,
        destination=" and ".join(dict.fromkeys(methods)),
        currency=order.currency,
        irreversible=True,
        bookings=bookings,
        refunded=tuple(lines),
    )


def _pick_lines(order: Order, item_ids: list[str]) -> list[Line]:
    left = list_open_lines(order)
    picked = []
    for item_id in item_ids:
        line = next((line for line in left if line.variant_id == item_id), None)
        if line is None:
            raise explain_missing(order, item_id, "Error: some item not found")
        left.remove(line)
        picked.append(line)
    return picked


def _book(order: Order, total: int) -> tuple[Booking, ...]:
    """The oldest payment gives first, each at most what is left of it, back to its own method."""
    history = list(order.payments.select_related("method").all())
    paid = [entry for entry in history if entry.kind == Payment.Kind.PAYMENT]
    if not (paid and total):
        raise CannotBeDone("Error: nothing was paid for these items")
    shares: dict[str, list[tuple[Payment, int]]] = {}
    for payment, share in attribute(history, paid[0].method, total):
        shares.setdefault(payment.method_id, []).append((payment, share))
    return tuple(
        Booking(
            kind=Payment.Kind.REFUND,
            method=undoes[0][0].method,
            amount=sum(share for _, share in undoes),
            undoes=tuple(undoes),
        )
        for undoes in shares.values()
    )
