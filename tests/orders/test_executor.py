"""The one write: exactly the rows it should change, all of them or none, once for a key, and never too much money."""

import copy
import json
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction

from audit.chains import GENESIS, conversation_chain
from audit.models import Entry, Head
from audit.operations import Details, record
from audit.queries import list_entries, verify
from orders import changes
from orders.executor import Execution, Grant, execute
from orders.interchange import export_shop
from orders.models import Effect, Order, Payment, PaymentMethod
from orders.queries import get_granted_alone, get_refundable
from policy.actions import CancelPendingOrder
from tests.factories import LARGE, OTHERS, SMALL, load_shop, now

CONVERSATION = UUID(int=5)
ON_A_GIFT_CARD = "#W3057214"
EVERY_PENDING = [SMALL, LARGE, OTHERS, ON_A_GIFT_CARD]
ACTION = CancelPendingOrder(order_id=SMALL, reason="ordered by mistake")


@pytest.fixture(autouse=True)
def shop(db: None) -> None:
    load_shop()


def make_grant(*, key: str = "k1", request: int = 1, approved_by: str = "") -> Grant:
    return Grant(
        key=key,
        request_id=UUID(int=request),
        conversation=CONVERSATION,
        actor="agent",
        approved_by=approved_by,
        policy_version=1,
        rule="R4" if approved_by else "",
    )


def subject_of(order: Order | str) -> changes.Subject:
    row = Order.objects.get(number=order) if isinstance(order, str) else order
    return changes.Subject(customer=row.customer, order=row)


def cancel(number: str = SMALL, *, order: Order | None = None, **grant: Any) -> Execution:
    action = CancelPendingOrder(order_id=number, reason="ordered by mistake")
    with transaction.atomic():
        return execute(action=action, subject=subject_of(order or number), grant=make_grant(**grant))


def as_texts(shop: dict[str, Any]) -> dict[str, str]:
    """Every record as the text a tool answers."""
    return {f"{kind} {key}": json.dumps(record) for kind, records in shop.items() for key, record in records.items()}


def stamp() -> Any:
    """Everything a failed write must leave as it was."""
    books = list(Payment.objects.order_by("pk").values_list())
    return as_texts(export_shop()), books, list(Effect.objects.values_list()), Entry.objects.count()


def pay_with_gift_card(number: str = SMALL) -> PaymentMethod:
    """Give the order's payment to a gift card of its customer, with a whole number for a balance."""
    order = Order.objects.get(number=number)
    card = PaymentMethod.objects.create(
        customer=order.customer, position=9, method_id="gift_card_9", source="gift_card", balance=500, balance_wire="5"
    )
    order.payments.update(method=card)
    return card


@pytest.mark.parametrize("number", EVERY_PENDING)
def test_a_cancellation_changes_its_order_and_no_other_record(number: str) -> None:
    before = export_shop()
    expected = copy.deepcopy(before)
    record = expected["orders"][number]
    paid = list(record["payment_history"])
    record["status"] = "cancelled"
    record["cancel_reason"] = "ordered by mistake"
    record["payment_history"] += [{**entry, "transaction_type": "refund"} for entry in paid]
    for entry in paid:
        method = expected["users"][record["user_id"]]["payment_methods"][entry["payment_method_id"]]
        if method["source"] == "gift_card":
            method["balance"] = round(method["balance"] + entry["amount"], 2)

    execution = cancel(number)

    assert as_texts(export_shop()) == as_texts(expected)
    assert execution.result == json.dumps(expected["orders"][number])
    assert before["orders"][number]["status"] == "pending"


def test_a_refund_to_a_gift_card_raises_its_balance_which_is_a_float_from_then_on() -> None:
    card = pay_with_gift_card()
    before = export_shop()

    cancel()

    after = export_shop()
    card.refresh_from_db()
    assert (card.balance, card.balance_wire) == (12_700, "")
    user = before["orders"][SMALL]["user_id"]
    balance = after["users"][user]["payment_methods"]["gift_card_9"]["balance"]
    assert (type(before["users"][user]["payment_methods"]["gift_card_9"]["balance"]), type(balance)) == (int, float)
    assert balance == 127.0
    for shop in (before, after):
        shop["users"][user]["payment_methods"].pop("gift_card_9")
        shop["orders"].pop(SMALL)
    assert before == after


def test_float_noise_of_a_payment_is_in_its_refund_too() -> None:
    Payment.objects.filter(order__number=SMALL).update(amount=113_112, amount_wire="1131.1200000000001")
    cancel()
    history = export_shop()["orders"][SMALL]["payment_history"]
    assert [entry["amount"] for entry in history] == [1131.1200000000001] * 2
    assert Effect.objects.get().amount == 113_112


def test_every_payment_goes_back_to_where_it_came_from() -> None:
    first = Payment.objects.get(order__number=SMALL)
    card = PaymentMethod.objects.create(
        customer=first.order.customer, position=9, method_id="gift_card_9", source="gift_card", balance=0
    )
    Payment.objects.create(order=first.order, position=1, kind="payment", method=card, amount=1)
    cancel()
    refunds = first.order.payments.filter(kind="refund")
    assert [(row.method_id, row.amount, row.position) for row in refunds] == [
        (first.method_id, 12_200, 2),
        ("gift_card_9", 1, 3),
    ]
    assert Effect.objects.get().amount == 12_201
    assert get_refundable(first.order) == 0


def test_the_effect_says_what_was_done_for_whom_and_by_whose_leave() -> None:
    effect = cancel(LARGE, approved_by="bob").effect
    effect.refresh_from_db()
    assert (effect.key, effect.request_id, effect.conversation) == ("k1", UUID(int=1), CONVERSATION)
    assert (effect.order_number, effect.amount, effect.currency, effect.state) == (LARGE, 128_450, "USD", "done")
    assert (effect.action, effect.approved_by) == ("cancel_pending_order", "bob")
    assert effect.arguments == {"order_id": LARGE, "reason": "ordered by mistake"}
    assert effect.settled_at is not None
    assert [row.order.number for row in Payment.objects.filter(effect=effect, kind="refund")] == [LARGE]
    [entry] = list_entries(subject=str(CONVERSATION))
    evidence = entry.fields
    assert (entry.event, entry.actor, entry.rule, entry.policy_version) == ("write_ok", "agent", "R4", 1)
    assert evidence["facts"]["amount"] == "1284.50"
    assert evidence["facts"]["approved_by"] == "bob"
    assert verify().broken is None


def test_only_what_no_person_approved_counts_as_granted_alone() -> None:
    order = Order.objects.get(number=OTHERS)
    cancel(LARGE, approved_by="bob")
    assert get_granted_alone(customer=order.customer, order=order, conversation=CONVERSATION, now=now()) == 0
    cancel(SMALL, key="k2", request=2)
    assert get_granted_alone(customer=order.customer, order=order, conversation=CONVERSATION, now=now()) == 12_200
    assert get_granted_alone(customer=order.customer, order=order, conversation=UUID(int=6), now=now()) == 0


@pytest.mark.parametrize("status", [value for value in Order.Status.values if value != "pending"])
def test_an_order_that_is_no_longer_pending_is_refused(status: str) -> None:
    assert changes.plan(action=ACTION, subject=subject_of(SMALL)).money_back == 12_200
    Order.objects.filter(number=SMALL).update(status=status)
    before = stamp()
    with pytest.raises(changes.CannotBeDone, match="non-pending order cannot be cancelled"):
        cancel()
    assert stamp() == before


@pytest.mark.parametrize(
    ("key", "request_id"), [("k1", 1), ("k1", 2), ("k2", 1)], ids=["same", "same key", "same request"]
)
@pytest.mark.parametrize("number", [SMALL, OTHERS], ids=["same order", "another order"])
def test_one_consent_runs_once_whatever_the_order_says(number: str, key: str, request_id: int) -> None:
    cancel()
    Order.objects.filter(number=SMALL).update(status="pending", cancel_reason="")
    Payment.objects.update(refunded=0)
    before = stamp()
    with pytest.raises(IntegrityError):
        cancel(number, key=key, request=request_id)
    assert stamp() == before
    assert cancel(OTHERS, key="k3", request=3).effect.order_number == OTHERS


def test_a_copy_of_the_order_read_before_the_change_refunds_nothing_twice() -> None:
    stale = Order.objects.get(number=SMALL)
    cancel()
    assert stale.status == "pending"
    before = stamp()
    with pytest.raises(IntegrityError, match="orders_refunded_at_most_paid"):
        cancel(order=stale, key="k2", request=2)
    assert stamp() == before


@pytest.mark.parametrize("refunded", [1, 6_100, 12_199, 12_200])
def test_the_database_refuses_to_give_back_more_than_was_paid(refunded: int) -> None:
    Payment.objects.filter(order__number=SMALL).update(refunded=refunded)
    before = stamp()
    with pytest.raises(IntegrityError, match="orders_refunded_at_most_paid"):
        cancel()
    assert stamp() == before


def test_what_a_refund_in_the_history_gave_back_is_not_given_back_again() -> None:
    card = pay_with_gift_card()
    paid = Payment.objects.get(order__number=SMALL)
    paid.refunded = 1
    paid.save(update_fields=["refunded"])
    Payment.objects.create(order=paid.order, position=1, kind="refund", method=card, amount=1)
    before = stamp()
    with pytest.raises(IntegrityError, match="orders_refunded_at_most_paid"):
        cancel()
    assert stamp() == before


@pytest.mark.parametrize(
    ("row", "value"),
    [
        ("refunded", -1),
        ("refunded", 12_201),
        ("amount", -1),
    ],
)
def test_the_books_cannot_say_what_cannot_be(row: str, value: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Payment.objects.filter(order__number=SMALL).update(**{row: value})


@pytest.mark.parametrize(("source", "balance"), [("gift_card", -1), ("credit_card", 0), ("paypal", 1)])
def test_only_a_gift_card_has_a_balance_and_never_below_nothing(source: str, balance: int) -> None:
    card = pay_with_gift_card()
    with pytest.raises(IntegrityError), transaction.atomic():
        PaymentMethod.objects.filter(pk=card.pk).update(source=source, balance=balance)


def test_a_crash_after_the_change_and_before_the_commit_leaves_nothing() -> None:
    before = stamp()
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        cancel()
        assert Order.objects.get(number=SMALL).status == "cancelled"
        raise ZeroDivisionError
    assert stamp() == before
    cancel()
    assert verify().broken is None


def test_a_change_whose_proof_cannot_be_written_does_not_happen() -> None:
    with transaction.atomic():
        record(event="triaged", subject=str(CONVERSATION), actor="agent", details=Details())
    # A head that counts too few makes the next entry take a place that is taken.
    Head.objects.filter(chain=conversation_chain(str(CONVERSATION))).update(count=0, hash=GENESIS)
    before = stamp()
    with pytest.raises(IntegrityError):
        cancel()
    assert stamp() == before


@pytest.mark.django_db(transaction=True)
def test_a_write_outside_a_transaction_is_a_mistake_and_changes_nothing() -> None:
    before = stamp()
    with pytest.raises(RuntimeError, match="inside the transaction"):
        execute(action=ACTION, subject=subject_of(SMALL), grant=make_grant())
    assert stamp() == before
    cancel()
    assert Order.objects.get(number=SMALL).status == "cancelled"
