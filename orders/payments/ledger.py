"""The local gateway: refunds are booked in the shop's own rows, inside the transaction of the change."""

from django.db.models import F

from orders.models import Effect, Payment, PaymentMethod


def book_refund(*, effect: Effect, payment: Payment, amount: int, position: int) -> Payment:
    """A refund row for `payment`, its running total, and the gift card's balance where that is where it came from.

    The database refuses more than was paid (`orders_refunded_at_most_paid`).
    """
    Payment.objects.filter(pk=payment.pk).update(refunded=F("refunded") + amount)
    if payment.method.source == PaymentMethod.Source.GIFT_CARD:
        _credit(payment.method, amount)
    return Payment.objects.create(
        order_id=payment.order_id,
        position=position,
        kind=Payment.Kind.REFUND,
        method=payment.method,
        amount=amount,
        amount_wire=payment.amount_wire if amount == payment.amount else "",
        currency=payment.currency,
        effect=effect,
    )


def _credit(method: PaymentMethod, amount: int) -> None:
    card = PaymentMethod.objects.select_for_update().get(pk=method.pk)
    card.balance = (card.balance or 0) + amount
    # A sum of floats rounded to two decimals is a float again, so an untouched int balance becomes one.
    card.balance_wire = ""
    card.save(update_fields=["balance", "balance_wire"])
