"""What each action does to the shop's rows: first as a plan, which is also the dry run, then as the rows' change.

The card, the digest, the rules' amounts and the execution all come from one plan of the same code, so what the
customer agreed to is what runs.
"""

from dataclasses import dataclass

from orders.models import Order, Payment, PaymentMethod
from policy.actions import Action, CancelPendingOrder

CANCEL_REASONS = ("no longer needed", "ordered by mistake")
METHOD_WORDS = {
    PaymentMethod.Source.GIFT_CARD: "gift card",
    PaymentMethod.Source.PAYPAL: "PayPal account",
    PaymentMethod.Source.CREDIT_CARD: "credit card",
}


class CannotBeDone(Exception):
    """The shop's state does not allow it; the message is the tool's own answer. Pass it to the model."""


@dataclass(frozen=True, kw_only=True)
class LineText:
    """One item as the card and the receipt show it; amount in minor units."""

    label: str
    detail: str
    amount: int


@dataclass(frozen=True, kw_only=True)
class Refund:
    """Money back to one payment method. `payment` is the entry it undoes."""

    payment: Payment
    amount: int


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything an action would do, computed from rows read now. Amounts in minor units."""

    order: Order
    status: str
    title: str
    lines: tuple[LineText, ...]
    refunds: tuple[Refund, ...]
    destination: str
    currency: str
    irreversible: bool

    @property
    def money_back(self) -> int:
        return sum(refund.amount for refund in self.refunds)

    def fingerprint(self) -> dict[str, object]:
        """What the customer's yes covers beside the arguments; another value means another action."""
        return {
            "order": self.order.number,
            "from": self.order.status,
            "to": self.status,
            "lines": [[line.label, line.detail, line.amount] for line in self.lines],
            "refunds": [[refund.payment.method_id, refund.amount] for refund in self.refunds],
            "destination": self.destination,
            "currency": self.currency,
        }


def plan(*, action: Action, order: Order) -> Plan:
    """The dry run. Lock the order first where the plan will be carried out."""
    return _plan_cancel(action, order)


def apply_to_order(*, action: CancelPendingOrder, done: Plan) -> None:
    """The order's own columns; its payments are booked by the gateway."""
    order = done.order
    order.status = done.status
    order.cancel_reason = action.reason
    order.save(update_fields=["status", "cancel_reason"])


def _plan_cancel(action: CancelPendingOrder, order: Order) -> Plan:
    if order.status != Order.Status.PENDING:
        raise CannotBeDone("Error: non-pending order cannot be cancelled")
    if action.reason not in CANCEL_REASONS:
        raise CannotBeDone("Error: invalid reason")
    # Every entry of the history comes back, refunds too, as the public tool does; the gate refuses what is too much.
    history = list(order.payments.select_related("method").all())
    return Plan(
        order=order,
        status=Order.Status.CANCELLED,
        title=f"Cancel order {order.number}",
        lines=tuple(_line_text(line.name, line.options, line.price) for line in order.lines.all()),
        refunds=tuple(Refund(payment=entry, amount=entry.amount) for entry in history),
        destination=describe_destination([entry.method for entry in history]),
        currency=order.currency,
        irreversible=True,
    )


def describe_destination(methods: list[PaymentMethod]) -> str:
    """Where money goes, in words a customer recognises: "Visa ending 4417"."""
    words = dict.fromkeys(describe_method(method) for method in methods)
    return " and ".join(words)


def describe_method(method: PaymentMethod) -> str:
    if method.source == PaymentMethod.Source.CREDIT_CARD and method.last_four:
        return f"{(method.brand or 'card').capitalize()} ending {method.last_four}"
    return METHOD_WORDS[PaymentMethod.Source(method.source)]


def _line_text(name: str, options: dict[str, str], price: int) -> LineText:
    return LineText(label=name, detail=", ".join(f"{key} {value}" for key, value in options.items()), amount=price)
