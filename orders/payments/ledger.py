"""The local gateway: payments are booked in the shop's own rows, inside the transaction of the change."""

from datetime import timedelta

from django.db.models import F
from django.db.models.functions import Least

from audit.statements import Change, Slot, Tuples, insert
from orders.models import Effect, Order, Payment, PaymentMethod
from orders.payments.protocol import Answer, Description, Unreachable

_PAYMENT, _SHARE = Slot("pk", Payment._meta.pk), Slot("share", Payment._meta.get_field("refunded"))
_GIVE_BACK = Change(lambda: Payment.objects.filter(pk=_PAYMENT), refunded=F("refunded") + _SHARE)
_GIVE_BACK_AT_MOST = Change(
    lambda: Payment.objects.filter(pk=_PAYMENT), refunded=Least(F("refunded") + _SHARE, F("amount"))
)


_ENTRIES = Tuples(lambda: Payment.objects.filter(order_id=Slot("order", Order._meta.pk)).values_list("pk"))


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
        # Without an effect it is a replay of the public tool, which gives back more than was paid in some cases.
        (_GIVE_BACK if effect else _GIVE_BACK_AT_MOST).run(pk=payment.pk, share=share)
    if method.source == PaymentMethod.Source.GIFT_CARD:
        _change_balance(method, amount if kind == Payment.Kind.REFUND else -amount)
    entry = Payment(
        order=order,
        position=len(_ENTRIES.list(order=order.pk)),
        kind=kind,
        method=method,
        amount=amount,
        amount_wire=wire,
        currency=order.currency,
        effect=effect,
        state=state,
    )
    insert(entry)
    return entry


def _change_balance(method: PaymentMethod, amount: int) -> None:
    card = PaymentMethod.objects.select_for_update().get(pk=method.pk)
    card.balance = (card.balance or 0) + amount
    # A sum of floats rounded to two decimals is a float again, so an untouched int balance becomes one.
    card.balance_wire = ""
    card.save(update_fields=["balance", "balance_wire"])
