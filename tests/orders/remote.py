"""What tests of remote refunds share: a cancellation that is claimed, the books, and the gateway's own ledger."""

from typing import Any
from uuid import UUID

from django.db import transaction

from audit.queries import list_entries, verify
from orders.changes import Subject
from orders.executor import Execution, Grant, execute
from orders.models import Effect, Order, Payment, PaymentMethod, Refund
from orders.payments.fake import FakeGateway
from policy.actions import Action, CancelPendingOrder
from tests.factories import SMALL

CONVERSATION = UUID(int=5)


def make_grant(*, key: str = "k1", request: int = 1) -> Grant:
    return Grant(
        key=key,
        request_id=UUID(int=request),
        conversation=CONVERSATION,
        actor="agent",
        approved_by="",
        policy_version=1,
        rule="",
    )


def carry(action: Action, number: str = SMALL) -> Execution:
    order = Order.objects.get(number=number)
    with transaction.atomic():
        return execute(action=action, subject=Subject(customer=order.customer, order=order), grant=make_grant())


def cancel(number: str = SMALL) -> Effect:
    return carry(CancelPendingOrder(order_id=number, reason="ordered by mistake"), number).effect


def pay_partly_with(source: str, amount: int = 1_000, number: str = SMALL) -> PaymentMethod:
    """A second payment of the order, with a new method of its customer."""
    order = Order.objects.get(number=number)
    balance = 0 if source == "gift_card" else None
    method = PaymentMethod.objects.create(
        customer=order.customer, position=9, method_id=f"{source}_9", source=source, balance=balance
    )
    Payment.objects.create(order=order, position=1, kind="payment", method=method, amount=amount)
    return method


def given_back(fake: FakeGateway) -> list[tuple[str, str, int]]:
    """Key, charge and amount of everything that the gateway really paid back."""
    return [(line["key"], line["charge_id"], line["amount"]) for line in fake.ledger.list_refunds()["refunds"]]


def standing(number: str = SMALL) -> dict[str, Any]:
    """How effect, refunds, history and payment of the one order stand."""
    order = Order.objects.get(number=number)
    history = order.payments.filter(kind="refund").order_by("position")
    return {
        "effect": Effect.objects.get(order=order).state,
        "refunds": list(Refund.objects.filter(effect__order=order).values_list("state", flat=True)),
        "history": list(history.values_list("state", flat=True)),
        "refunded": list(order.payments.filter(kind="payment").values_list("refunded", flat=True)),
        "order": order.status,
    }


def stand(state: str, refunds: str, history: str, refunded: int = 12_200) -> dict[str, Any]:
    return {
        "effect": state,
        "refunds": [refunds],
        "history": [history],
        "refunded": [refunded],
        "order": "cancelled",
    }


CLAIMED = stand("claimed", "claimed", "pending")
DONE = stand("done", "done", "settled")
UNKNOWN = stand("unknown", "unknown", "pending")
FAILED = stand("failed", "failed", "failed", refunded=0)


def told() -> list[tuple[str, str]]:
    """Events and verdicts of the audit log, oldest first; the chain must hold."""
    assert verify().broken is None
    return [(entry.event, entry.verdict) for entry in list_entries(subject=str(CONVERSATION))]
