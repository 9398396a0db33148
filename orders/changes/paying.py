from orders.changes.plans import (
    Booking,
    CannotBeDone,
    LineText,
    Plan,
    Subject,
    attribute,
    describe_method,
    require_order,
)
from orders.models import Order, Payment, PaymentMethod
from orders.queries import recall_payments
from orders.wire import write_wire
from policy.actions import ModifyPendingOrderPayment


def plan_payment_change(action: ModifyPendingOrderPayment, subject: Subject) -> Plan:
    """The new method pays what the first one paid, and the first one gets it back."""
    order = require_order(subject)
    if order.status != Order.Status.PENDING:
        raise CannotBeDone("Error: non-pending order cannot be modified")
    method = subject.methods().get(action.payment_method_id)
    if method is None:
        raise CannotBeDone("Error: payment method not found")
    history = recall_payments(order)
    if len(history) != 1 or history[0].kind != Payment.Kind.PAYMENT:
        raise CannotBeDone("Error: there should be exactly one payment for a pending order")
    [paid] = history
    if paid.method_id == action.payment_method_id:
        raise CannotBeDone("Error: the new payment method should be different from the current one")
    if not can_pay(method, write_wire(paid.amount, paid.amount_wire)):
        raise CannotBeDone("Error: insufficient gift card balance to pay for the order")
    new, old = describe_method(method), describe_method(paid.method)
    return Plan(
        subject=subject,
        title=f"Pay order {order.number} with another method",
        lines=(
            LineText(label=f"Paid with {new}", detail="instead", amount=paid.amount),
            LineText(label=f"Back to {old}", detail="the first payment", amount=paid.amount),
        ),
        total=0,
        money_moved=paid.amount,
        destination=new,
        currency=order.currency,
        bookings=(
            Booking(kind=Payment.Kind.PAYMENT, method=method, amount=paid.amount, wire=paid.amount_wire),
            Booking(
                kind=Payment.Kind.REFUND,
                method=paid.method,
                amount=paid.amount,
                wire=paid.amount_wire,
                undoes=attribute(history, paid.method, paid.amount),
            ),
        ),
    )


def can_pay(method: PaymentMethod, amount: float) -> bool:
    """A gift card must hold the amount; compared as the public tools do, on the exported numbers."""
    if method.source != PaymentMethod.Source.GIFT_CARD:
        return True
    return write_wire(method.balance or 0, method.balance_wire) >= amount
