"""A refused approval says what changed."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from approvals import operations as gate
from approvals.differences import LONGEST, describe_differences
from orders.models import Customer, Line, Order, Payment, PaymentMethod
from tests.approvals.waiting import BOTH, make_waiting, price
from tests.factories import LARGE, OTHER_USER
from tests.writes import BACKPACK, BACKPACK_NAVY, CANCEL, DELIVERED, EXCHANGE, GRINDER, LAMP, LAMP_SAND, RETURN, VISA

pytestmark = pytest.mark.usefixtures("shop")
Changes = dict[str, tuple[str, Any, list[str]]]


def line(number: str, item: str) -> Any:
    return Line.objects.filter(order__number=number, variant_id=item)


def order(number: str) -> Any:
    return Order.objects.filter(number=number)


METHOD = PaymentMethod.objects.filter(method_id=VISA)
CHANGES: Changes = {
    "return: status": (
        RETURN,
        lambda: order(DELIVERED).update(status="return requested"),
        [f"order {DELIVERED} is now return requested, it was delivered"],
    ),
    "return: price": (
        RETURN,
        lambda: line(DELIVERED, LAMP).update(price=150_001),
        ["at $1,500.01 was ", "at $1,500.00", "the amount is now $1,700.01, it was $1,700.00"],
    ),
    "return: name": (RETURN, lambda: line(DELIVERED, LAMP).update(name="Torch"), ["Torch", " was "]),
    "return: currency": (
        RETURN,
        lambda: order(DELIVERED).update(currency="EUR"),
        ["the amount is now 1,700.00 EUR, it was $1,700.00"],
    ),
    "return: method": (
        RETURN,
        lambda: METHOD.update(last_four="0001"),
        ["the destination is now Visa ending 0001, it was Visa ending 4417"],
    ),
    "return: line gone": (RETURN, lambda: line(DELIVERED, LAMP).delete(), ["some item not found"]),
    "return: customer": (
        RETURN,
        lambda: order(DELIVERED).update(customer=Customer.objects.get(user_id=OTHER_USER)),
        [f"{DELIVERED} is no longer there, or no longer this customer's"],
    ),
    "exchange: price of the new item": (
        EXCHANGE,
        lambda: line(DELIVERED, LAMP).update(price=150_100),
        ["the amount is now"],
    ),
    "cancel: status": (
        CANCEL,
        lambda: order(LARGE).update(status="processed"),
        [f"order {LARGE} is now processed, it was pending"],
    ),
    "cancel: paid otherwise": (
        CANCEL,
        lambda: Payment.objects.filter(order__number=LARGE).update(amount=128_451),
        ["the amount is now $1,284.51, it was $1,284.50"],
    ),
    "cancel: options": (CANCEL, lambda: line(LARGE, GRINDER).update(options={"colour": "red"}), ["colour red"]),
}
ASKED: dict[str, dict[str, Any]] = {
    RETURN: BOTH,
    EXCHANGE: BOTH | {"new_item_ids": [LAMP_SAND, BACKPACK_NAVY]},
    CANCEL: {"order_id": LARGE},
}


@pytest.mark.parametrize(("name", "change", "said"), CHANGES.values(), ids=CHANGES.keys())
def test_staff_are_told_what_changed(bob: User, name: str, change: Any, said: list[str]) -> None:
    if name != CANCEL:
        price(150_000, item=LAMP)
        price(20_000, item=BACKPACK)
    request = make_waiting(name, **ASKED[name])
    change()
    with pytest.raises(gate.Stale) as refused:
        gate.approve(request_id=request.pk, staff=bob)
    assert [part for part in said if part not in str(refused.value)] == []
    assert str(refused.value).endswith("Nothing ran.")
    request.refresh_from_db()
    assert request.reason in str(refused.value)


CARD: dict[str, Any] = {
    "title": "Return",
    "lines": [{"label": "Lamp", "detail": "", "amount": "5.00"}, {"label": "New address", "detail": "1 Main"}],
    "amount": "5.00",
    "currency": "USD",
    "destination": "Visa",
}
DIFFERENCES: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({"title": "Send"}, "it is now “Send”"),
    ({"destination": ""}, "the destination is now nowhere, it was Visa"),
    ({"lines": CARD["lines"][:1]}, "New address (1 Main) is gone"),
    ({"lines": [*CARD["lines"], {"label": "Cup", "detail": "red"}]}, "Cup (red) is new"),
    (
        {"lines": [CARD["lines"][0], {"label": "New address", "detail": "2 Main"}]},
        "New address (2 Main) was New address (1 Main)",
    ),
]


@pytest.mark.parametrize(("changed", "said"), DIFFERENCES)
def test_two_cards_are_compared_part_by_part(changed: dict[str, Any], said: str) -> None:
    assert describe_differences(CARD, CARD | changed) == said


def test_what_is_told_stays_short() -> None:
    lines = [{"label": "x" * 300, "detail": ""} for _ in range(50)]
    assert len(describe_differences(CARD, CARD | {"lines": lines})) == LONGEST
