"""Caps to the cent: what the product lets through is what a reference in decimals lets through, on either engine."""

import random
import uuid
from dataclasses import dataclass, field
from decimal import Decimal

import pytest
from django.db import transaction

from orders.changes import CannotBeDone, Subject, plan
from orders.executor import Grant, execute
from orders.models import Order, Payment
from orders.queries import get_refundable
from policy.actions import IssueRefund
from policy.decisions import decide
from policy.facts import Facts
from policy.money import to_decimal, to_minor
from policy.queries import get_active
from policy.rules import Outcome
from tests.without_return import make_order

SOURCES = ("credit_card", "paypal", "gift_card")
# Sums of these go wrong in floats.
AWKWARD = ["0.10"] * 10 + ["33.33"] * 3 + ["0.01", "0.07", "19.99", "100.00", "1000.10"]


@dataclass
class Reference:
    """The cap as a person with pencil and paper keeps it: one sum of decimals for each payment, one mark a line."""

    prices: list[Decimal]
    left: list[Decimal]
    gone: set[int] = field(default_factory=set)

    def allows(self, places: list[int]) -> bool:
        asked = sum((self.prices[place] for place in places), Decimal(0))
        return bool(asked) and not self.gone & set(places) and asked <= sum(self.left, Decimal(0))

    def give(self, places: list[int]) -> None:
        asked = sum((self.prices[place] for place in places), Decimal(0))
        self.gone |= set(places)
        for place, payment in enumerate(self.left):
            share = min(asked, payment)
            self.left[place] -= share
            asked -= share


def draw_amounts(dice: random.Random) -> list[str]:
    kind = dice.randrange(4)
    if kind == 0:
        return ["0.10"] * 10
    if kind == 1:
        return ["33.33"] * 3
    return [dice.choice(AWKWARD) for _ in range(dice.randint(1, 6))]


def draw_payments(dice: random.Random, total: Decimal) -> list[tuple[str, int]]:
    """One to three payments that cover the lines, or a little less or more."""
    whole = max(1, to_minor(total) + dice.choice([0, 0, 0, -1, 1, -33, -10]))
    cuts = sorted(dice.randint(0, whole) for _ in range(dice.randrange(3)))
    parts = [end - begin for begin, end in zip([0, *cuts], [*cuts, whole], strict=True)]
    # The reference gives oldest first: one method for each, so that no order among equals is left open.
    return [(source, part) for source, part in zip(dice.sample(SOURCES, len(parts)), parts, strict=True) if part]


def play_set(number: str, dice: random.Random) -> int:
    """One order with refunds drawn at random; the product and the reference agree after each of them."""
    prices = [Decimal(text) for text in draw_amounts(dice)]
    paid = draw_payments(dice, sum(prices, Decimal(0)))
    make_order(number, [to_minor(price) for price in prices], paid)
    reference = Reference(prices=prices, left=[to_decimal(amount) for _, amount in paid])
    asked = 0
    while asked < 12 and len(reference.gone) < len(prices):
        places = dice.sample(range(len(prices)), dice.randint(1, min(4, len(prices))))
        expected = reference.allows(places)
        assert ask(number, places) is expected, (number, prices, paid, places)
        if expected:
            reference.give(places)
        rows = Payment.objects.filter(order__number=number, kind="payment").order_by("position")
        assert [to_decimal(row.amount - row.refunded) for row in rows] == reference.left
        asked += 1
    return asked


def ask(number: str, places: list[int]) -> bool:
    """Whether the product refunds these lines; only the cap can object."""
    action = IssueRefund(order_id=number, item_ids=[f"{number}-{place}" for place in places], reason_code="damaged")
    with transaction.atomic():
        order = Order.objects.select_for_update().select_related("customer").get(number=number)
        subject = Subject(customer=order.customer, order=order)
        try:
            planned = plan(action=action, subject=subject)
        except CannotBeDone:
            return False
        facts = Facts(
            verified=True,
            confirmed=True,
            approved=True,
            money_back=planned.money_back,
            refundable=get_refundable(order),
            fits_payments=planned.fits_payments,
            order_status="delivered",
            shipment_status="delivered",
            days_since_delivery=1,
        )
        decision = decide(action=action, facts=facts, limits=get_active().limits)
        if decision.outcome is not Outcome.ALLOW:
            assert decision.rule == "R5"
            return False
        grant = Grant(
            key=uuid.uuid4().hex,
            request_id=uuid.uuid4(),
            conversation=uuid.UUID(int=5),
            actor="agent",
            approved_by="bob",
            policy_version=1,
            rule="",
        )
        execute(action=action, subject=subject, grant=grant)
    return True


def play_sets(count: int, seed: int) -> int:
    dice = random.Random(seed)
    return sum(play_set(f"#S{number}", dice) for number in range(count))


@pytest.mark.usefixtures("desk")
def test_a_few_random_sets_agree_with_the_reference() -> None:
    assert play_sets(25, seed=16) > 50


# In parts, so that a soak that was interrupted goes on; each has dice of its own.
@pytest.mark.soak
@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("part", range(20))
def test_ten_thousand_random_sets_agree_with_the_reference(part: int) -> None:
    assert play_sets(500, seed=1_616 + part) > 500


@pytest.mark.parametrize(("price", "count"), [("0.10", 10), ("33.33", 3), ("0.01", 7)])
@pytest.mark.usefixtures("desk")
def test_the_last_cent_is_refunded_and_none_beyond_it(price: str, count: int) -> None:
    one = to_minor(price)
    for number, short in (("#E1", 0), ("#E2", 1)):
        make_order(number, [one] * count, [("credit_card", one * count - short)])
        assert [ask(number, [place]) for place in range(count)] == [True] * (count - 1) + [not short]
