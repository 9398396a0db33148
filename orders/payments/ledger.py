"""The local gateway: payments are booked in the shop's own rows, inside the transaction of the change."""

from datetime import timedelta

from django.db.models import F
from django.db.models.functions import Least

from orders.models import Effect, Order, Payment, PaymentMethod
from orders.payments.protocol import Answer, Description, Unreachable


class LedgerGateway:
    """No gateway at all: `book` does everything, so there is nothing to call."""

    description = Description(name="ledger", remote=False, keys=True, key_lifetime=timedelta.max, look_up=True)

    def refund(self, *, key: str, charge_id: str, amount: int, currency: str) -> Answer:
        raise Unreachable("no remote gateway is set up")

    def find(self, *, key: str) -> Answer | None:
        # A refund that an earlier remote gateway was asked for; only that one knows what became of it.
        raise Unreachable("no remote gateway is set up")


def book(
    *,
    order: Order,
    effect: Effect | None,
    kind: Payment.Kind,
    method: PaymentMethod,
    amount: int,
    wire: str,
    undoes: tuple[tuple[Payment, int], ...],
    state: Payment.State = Payment.State.SETTLED,
) -> Payment:
    """The next entry of the order's history, with the gift card's balance where one pays or is paid back.

    The database refuses to give back more of a payment than was paid (`orders_refunded_at_most_paid`), and a gift
    card below zero.
    """
    for payment, share in undoes:
        refunded = F("refunded") + share
        # Without an effect it is a replay of the public tool, which gives back more than was paid in some cases.
        Payment.objects.filter(pk=payment.pk).update(refunded=refunded if effect else Least(refunded, F("amount")))
    if method.source == PaymentMethod.Source.GIFT_CARD:
        _change_balance(method, amount if kind == Payment.Kind.REFUND else -amount)
    return Payment.objects.create(
        order=order,
        position=order.payments.count(),
        kind=kind,
        method=method,
        amount=amount,
        amount_wire=wire,
        currency=order.currency,
        effect=effect,
        state=state,
    )


def _change_balance(method: PaymentMethod, amount: int) -> None:
    card = PaymentMethod.objects.select_for_update().get(pk=method.pk)
    card.balance = (card.balance or 0) + amount
    # A sum of floats rounded to two decimals is a float again, so an untouched int balance becomes one.
    card.balance_wire = ""
    card.save(update_fields=["balance", "balance_wire"])
