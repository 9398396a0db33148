from orders.changes.plans import (
    Booking,
    CannotBeDone,
    Plan,
    Subject,
    attribute,
    describe_line,
    describe_method,
    require_order,
)
from orders.models import Order, Payment
from orders.queries import recall_lines, recall_payments
from policy.actions import CancelPendingOrder

REASONS = ("no longer needed", "ordered by mistake")


def plan_cancel(action: CancelPendingOrder, subject: Subject) -> Plan:
    """Every entry of the payment history comes back, refunds too, as in the public tool; the gate refuses excess."""
    order = require_order(subject)
    if order.status != Order.Status.PENDING:
        raise CannotBeDone("Error: non-pending order cannot be cancelled")
    if action.reason not in REASONS:
        raise CannotBeDone("Error: invalid reason")
    history = recall_payments(order)
    total = sum(entry.amount for entry in history)
    return Plan(
        subject=subject,
        title=f"Cancel order {order.number}",
        lines=tuple(describe_line(line) for line in recall_lines(order)),
        total=total,
        money_back=total,
        destination=" and ".join(dict.fromkeys(describe_method(entry.method) for entry in history)),
        currency=order.currency,
        irreversible=True,
        bookings=tuple(_undo(entry, history) for entry in history),
        writes=((order, {"status": Order.Status.CANCELLED, "cancel_reason": action.reason}),),
    )


def _undo(entry: Payment, history: list[Payment]) -> Booking:
    is_payment = entry.kind == Payment.Kind.PAYMENT
    return Booking(
        kind=Payment.Kind.REFUND,
        method=entry.method,
        amount=entry.amount,
        wire=entry.amount_wire,
        undoes=((entry, entry.amount),) if is_payment else attribute(history, entry.method, entry.amount),
    )
