"""Which payments a refund gives back, what a gift card pays and gets, and one change after another."""

import json
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from orders import changes
from orders.changes import CannotBeDone
from orders.executor import replay
from orders.interchange import export_shop
from orders.models import Effect, Line, Order, Payment, PaymentMethod, Variant
from orders.payments.ledger import book
from orders.queries import get_refundable
from policy.actions import Action
from policy.decisions import decide
from policy.facts import Facts
from policy.limits import Limits
from policy.rules import Outcome
from tests.factories import SMALL, load_shop
from tests.writes import (
    ADDRESS_OF_ORDER,
    ADDRESS_OF_USER,
    CANCEL,
    EXCHANGE,
    GIFT_CARD,
    ITEMS,
    KETTLE,
    KETTLE_BLACK,
    PAYMENT,
    RETURN,
    VISA,
    make_action,
    make_worth,
    run_action,
    subject_of,
)


@pytest.fixture(autouse=True)
def shop(db: None) -> None:
    load_shop()


def pay_again(amount: int, method_id: str = GIFT_CARD) -> None:
    """A second payment of the small order, as its prices ask for."""
    order = Order.objects.get(number=SMALL)
    method = PaymentMethod.objects.get(method_id=method_id)
    place = order.payments.count()
    Payment.objects.create(order=order, position=place, kind="payment", method=method, amount=amount)


def set_paid(first: int, second: int) -> None:
    """The small order paid with the Visa and then the gift card; its kettle was dear enough for both."""
    Payment.objects.filter(order__number=SMALL).update(amount=first)
    pay_again(second)
    Line.objects.filter(order__number=SMALL, variant_id=KETTLE).update(price=first + second - 3_800)


def given_back() -> list[tuple[str, int]]:
    rows = Payment.objects.filter(order__number=SMALL, kind="payment").order_by("position")
    return list(rows.values_list("method_id", "refunded"))


@pytest.mark.parametrize(
    ("paid", "method", "expected"),
    [
        ((10_000, 8_900), VISA, [(VISA, 10_000), (GIFT_CARD, 0)]),
        ((10_000, 8_900), GIFT_CARD, [(VISA, 1_100), (GIFT_CARD, 8_900)]),
        ((9_999, 8_901), VISA, [(VISA, 9_999), (GIFT_CARD, 1)]),
        ((18_900, 0), GIFT_CARD, [(VISA, 10_000), (GIFT_CARD, 0)]),
        ((1, 18_899), VISA, [(VISA, 1), (GIFT_CARD, 9_999)]),
        ((1, 18_899), GIFT_CARD, [(VISA, 0), (GIFT_CARD, 10_000)]),
    ],
)
def test_a_refund_comes_off_the_payment_of_its_method_first(
    paid: tuple[int, int], method: str, expected: list[tuple[str, int]]
) -> None:
    """18,900 paid, of which the kettle 15,100: a new one for 8,900 - 3,800 gives 10,000 back."""
    set_paid(*paid)
    Variant.objects.filter(item_id=KETTLE_BLACK).update(price=5_100)
    order = Order.objects.get(number=SMALL)
    assert get_refundable(order) == 18_900
    effect = run_action(make_action(ITEMS, payment_method_id=method)).effect
    assert (effect.amount, given_back(), get_refundable(order)) == (10_000, expected, 8_900)
    assert order.payments.filter(kind="refund").values_list("method_id", "amount").get() == (method, 10_000)


@pytest.mark.parametrize("paid", [(12_200, 0), (1, 12_199), (6_000, 6_200)])
def test_a_cancelled_order_has_nothing_left_to_give_back(paid: tuple[int, int]) -> None:
    set_paid(*paid)
    effect = run_action(make_action(CANCEL)).effect
    assert (effect.amount, given_back()) == (12_200, [(VISA, paid[0]), (GIFT_CARD, paid[1])])
    assert get_refundable(Order.objects.get(number=SMALL)) == 0
    assert PaymentMethod.objects.get(method_id=GIFT_CARD).balance == 15_000 + paid[1]


def test_a_change_of_payment_moves_what_can_be_given_back_to_the_new_one() -> None:
    run_action(make_action(PAYMENT))
    assert given_back() == [(VISA, 12_200), (GIFT_CARD, 0)]
    assert get_refundable(Order.objects.get(number=SMALL)) == 12_200


@pytest.mark.parametrize("name", [RETURN, EXCHANGE, ADDRESS_OF_ORDER, ADDRESS_OF_USER])
def test_what_books_nothing_leaves_the_payments_alone(name: str) -> None:
    before = list(Payment.objects.order_by("pk").values_list())
    balances = list(PaymentMethod.objects.order_by("pk").values_list())
    run_action(make_action(name))
    assert list(Payment.objects.order_by("pk").values_list()) == before
    assert list(PaymentMethod.objects.order_by("pk").values_list()) == balances


# --- Gift cards ---


def set_balance(amount: int) -> None:
    PaymentMethod.objects.filter(method_id=GIFT_CARD).update(balance=amount, balance_wire="")


def balance() -> int | None:
    return PaymentMethod.objects.get(method_id=GIFT_CARD).balance


SPENDS = [(PAYMENT, {}, 12_200, 0), (ITEMS, {}, 500, 0), (EXCHANGE, {}, 1_850, 1_850)]


@pytest.mark.parametrize(("name", "changed", "price", "left"), SPENDS, ids=[row[0] for row in SPENDS])
def test_a_gift_card_pays_to_its_last_cent_and_not_one_more(
    name: str, changed: dict[str, Any], price: int, left: int
) -> None:
    action = make_action(name, **changed, payment_method_id=GIFT_CARD)
    set_balance(price - 1)
    before = export_shop()
    with pytest.raises(CannotBeDone, match="insufficient gift card balance"):
        run_action(action)
    assert export_shop() == before
    set_balance(price)
    run_action(action)
    # An exchange is paid for when the items are back.
    assert balance() == left


@pytest.mark.parametrize("name", [CANCEL, ITEMS])
def test_money_back_raises_a_gift_card(name: str) -> None:
    Payment.objects.filter(order__number=SMALL).update(method=GIFT_CARD)
    make_worth(name, 4_321)
    run_action(make_action(name, **({"payment_method_id": GIFT_CARD} if name == ITEMS else {})))
    assert balance() == 15_000 + 4_321


def test_the_database_has_the_last_word_on_a_gift_card() -> None:
    """A plan made before another order spent the card is booked by nobody."""
    action = make_action(PAYMENT)
    [paid, _] = changes.plan(action=action, subject=subject_of(action)).bookings
    set_balance(12_199)
    before = export_shop()
    order = Order.objects.get(number=SMALL)
    with pytest.raises(IntegrityError, match="orders_only_gift_cards_have_a_balance"), transaction.atomic():
        book(
            order=order,
            effect=None,
            kind=paid.kind,
            method=paid.method,
            amount=paid.amount,
            wire=paid.wire,
            undoes=paid.undoes,
        )
    assert export_shop() == before


# --- One change after another ---


def facts_of(action: Action) -> Facts:
    subject = subject_of(action)
    planned = changes.plan(action=action, subject=subject)
    return Facts(verified=True, confirmed=True, money_back=planned.money_back, refundable=get_refundable(subject.order))


LIMITS = Limits(currency="USD", person_above="1000.00")  # type: ignore[arg-type]


def test_after_a_change_of_payment_a_cancel_would_give_too_much_back_so_the_gate_refuses() -> None:
    """The public tool gives every entry of the history back; only the raw door does that."""
    cancel = make_action(CANCEL)
    assert decide(action=cancel, facts=facts_of(cancel), limits=LIMITS).outcome is Outcome.ALLOW
    run_action(make_action(PAYMENT))
    facts = facts_of(cancel)
    assert (facts.money_back, facts.refundable) == (36_600, 12_200)
    decision = decide(action=cancel, facts=facts, limits=LIMITS)
    assert (decision.outcome, decision.rule) == (Outcome.REFUSE, "R5")

    before = export_shop()
    with pytest.raises(IntegrityError, match="orders_refunded_at_most_paid"):
        run_action(cancel)
    assert export_shop() == before

    answer = json.loads(replay(action=cancel, subject=subject_of(cancel)))
    assert [(entry["transaction_type"], entry["amount"]) for entry in answer["payment_history"]] == [
        ("payment", 122.0),
        ("payment", 122.0),
        ("refund", 122.0),
        *[("refund", 122.0)] * 3,
    ]
    assert given_back() == [(VISA, 12_200), (GIFT_CARD, 12_200)]


BOTH_DONE = [
    (ITEMS, CANCEL),
    (ITEMS, ITEMS),
    (ITEMS, PAYMENT),
    (ITEMS, ADDRESS_OF_ORDER),
    (PAYMENT, PAYMENT),
    (CANCEL, CANCEL),
    (CANCEL, ITEMS),
    (CANCEL, PAYMENT),
    (CANCEL, ADDRESS_OF_ORDER),
    (RETURN, RETURN),
    (RETURN, EXCHANGE),
    (EXCHANGE, RETURN),
    (EXCHANGE, EXCHANGE),
]


@pytest.mark.parametrize(("first", "second"), BOTH_DONE)
def test_the_second_of_two_changes_cannot_be_done(first: str, second: str) -> None:
    action = make_action(second)
    changes.plan(action=action, subject=subject_of(action))
    run_action(make_action(first))
    before = export_shop()
    with pytest.raises(CannotBeDone):
        run_action(action)
    assert export_shop() == before


@pytest.mark.parametrize(
    ("first", "second"),
    [(ADDRESS_OF_ORDER, ITEMS), (PAYMENT, ITEMS), (ADDRESS_OF_USER, CANCEL), (PAYMENT, ADDRESS_OF_ORDER)],
)
def test_the_second_of_two_changes_is_done_where_the_order_still_waits(first: str, second: str) -> None:
    run_action(make_action(first))
    run_action(make_action(second))
    assert list(Effect.objects.order_by("pk").values_list("action", flat=True)) == [first, second]
