"""A yes covers what its card showed and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from audit.queries import list_entries
from orders.models import Customer, Effect, Line, Order, Payment, PaymentMethod, Variant
from tests.factories import SMALL, decide, run_turns
from tests.scripted import Scripted, say
from tests.writes import (
    ADDRESS_OF_ORDER,
    ADDRESS_OF_USER,
    CANCEL,
    DELIVERED,
    EXCHANGE,
    GIFT_CARD,
    GIVES_MONEY,
    HONEST,
    ITEMS,
    KETTLE,
    LAMP,
    LAMP_SAND,
    MUGS,
    NORA,
    PAYMENT,
    RETURN,
    VISA,
    WRITES,
    make_worth,
    open_card,
    press_yes,
    state_of_shop,
)

pytestmark = pytest.mark.usefixtures("desk")

Change = Callable[[], Any]


def order_row(name: str) -> Any:
    return Order.objects.filter(number=HONEST[name]["order_id"])


def line_row(name: str) -> Any:
    item = KETTLE if name in (CANCEL, ITEMS) else LAMP
    return Line.objects.filter(order__number=HONEST[name]["order_id"], variant_id=item)


def new_variant(name: str) -> Any:
    return Variant.objects.filter(item_id=HONEST[name]["new_item_ids"][0])


VISA_ROW = PaymentMethod.objects.filter(method_id=VISA)
GIFT_ROW = PaymentMethod.objects.filter(method_id=GIFT_CARD)
NORA_ROW = Customer.objects.filter(user_id=NORA)
OTHER_OPTIONS = {"capacity": "0.9 l", "finish": "gold"}
STALE: dict[str, tuple[str, Change]] = {}
for _name in (CANCEL, ITEMS, RETURN, EXCHANGE):
    STALE[f"{_name}: price of an item, a cent"] = (
        _name,
        lambda n=_name: line_row(n).update(price=line_row(n).get().price + 1),
    )
    STALE[f"{_name}: options of an item"] = (_name, lambda n=_name: line_row(n).update(options=OTHER_OPTIONS))
    STALE[f"{_name}: name of an item"] = (_name, lambda n=_name: line_row(n).update(name="Kettle"))
    STALE[f"{_name}: last four"] = (_name, lambda: VISA_ROW.update(last_four="4418"))
    STALE[f"{_name}: brand"] = (_name, lambda: VISA_ROW.update(brand="mastercard"))
    STALE[f"{_name}: item gone"] = (_name, lambda n=_name: line_row(n).delete())
    STALE[f"{_name}: currency"] = (_name, lambda n=_name: order_row(n).update(currency="EUR"))
for _name in (ITEMS, EXCHANGE):
    STALE[f"{_name}: price of the new item"] = (_name, lambda n=_name: new_variant(n).update(price=1))
    STALE[f"{_name}: options of the new item"] = (_name, lambda n=_name: new_variant(n).update(options=OTHER_OPTIONS))
    STALE[f"{_name}: new item sold out"] = (_name, lambda n=_name: new_variant(n).update(available=False))
for _name in [name for name in WRITES if name != ADDRESS_OF_USER]:
    for _status in ("processed", "cancelled", "pending (item modified)", "return requested"):
        STALE[f"{_name}: status {_status}"] = (_name, lambda n=_name, s=_status: order_row(n).update(status=s))
    STALE[f"{_name}: order of somebody else"] = (
        _name,
        lambda n=_name: order_row(n).update(customer=Customer.objects.exclude(user_id=NORA).first()),
    )
for _part in ("address1", "address2", "city", "state", "zip", "country"):
    STALE[f"order: {_part} so far"] = (
        ADDRESS_OF_ORDER,
        lambda p=_part: order_row(ADDRESS_OF_ORDER).update(**{p: "else"}),
    )
    STALE[f"account: {_part} so far"] = (ADDRESS_OF_USER, lambda p=_part: NORA_ROW.update(**{p: "else"}))
STALE |= {
    "cancel: amount paid": (CANCEL, lambda: Payment.objects.filter(order__number=SMALL).update(amount=12_201)),
    "cancel: another method paid": (
        CANCEL,
        lambda: Payment.objects.filter(order__number=SMALL).update(method=GIFT_CARD),
    ),
    "cancel: paid twice": (
        CANCEL,
        lambda: Payment.objects.create(
            order=order_row(CANCEL).get(), position=1, kind="payment", method=GIFT_ROW.get(), amount=1
        ),
    ),
    "payment: amount paid": (PAYMENT, lambda: Payment.objects.filter(order__number=SMALL).update(amount=12_199)),
    "payment: last four of the first": (PAYMENT, lambda: VISA_ROW.update(last_four="0000")),
    "payment: gift card spent": (PAYMENT, lambda: GIFT_ROW.update(balance=12_199, balance_wire="")),
    "payment: method of somebody else": (
        PAYMENT,
        lambda: GIFT_ROW.update(customer=Customer.objects.exclude(user_id=NORA).first()),
    ),
    "return: another method paid": (
        RETURN,
        lambda: Payment.objects.filter(order__number=DELIVERED).update(method=GIFT_CARD),
    ),
}
# Of what a card shows nothing, its yes does not depend on it.
STANDS: dict[str, tuple[str, Change]] = {
    "cancel: address": (CANCEL, lambda: order_row(CANCEL).update(city="elsewhere")),
    "cancel: price of today": (CANCEL, lambda: Variant.objects.filter(item_id=KETTLE).update(price=1)),
    "items: price of another line": (
        ITEMS,
        lambda: Line.objects.filter(order__number=SMALL, variant_id=MUGS).update(price=1),
    ),
    "exchange: stock of another item": (
        EXCHANGE,
        lambda: Variant.objects.filter(item_id=LAMP_SAND).update(available=False),
    ),
    "exchange: old item sold out": (EXCHANGE, lambda: Variant.objects.filter(item_id=LAMP).update(available=False)),
    "return: gift card topped up": (RETURN, lambda: GIFT_ROW.update(balance=99, balance_wire="")),
    "payment: gift card still holds enough": (PAYMENT, lambda: GIFT_ROW.update(balance=12_200, balance_wire="")),
    "account: name": (ADDRESS_OF_USER, lambda: NORA_ROW.update(last_name="Lind")),
    "order: address of the account": (ADDRESS_OF_ORDER, lambda: NORA_ROW.update(city="elsewhere")),
}


@pytest.mark.parametrize(("name", "change"), STALE.values(), ids=STALE.keys())
def test_a_yes_does_not_cover_what_changed_after_the_card(model: Scripted, name: str, change: Change) -> None:
    chat = open_card(model, name)
    change()
    before = state_of_shop()
    press_yes(model, chat)
    assert state_of_shop() == before
    assert [event["outcome"] for event in chat.events("request_closed")] == ["stale"]
    assert chat.events("receipt") == []
    entry = list_entries(subject=chat.id).get(event="write_refused")
    assert (entry.action, entry.verdict) == (name, "stale")


@pytest.mark.parametrize(("name", "change"), STANDS.values(), ids=STANDS.keys())
def test_a_yes_stands_when_nothing_on_its_card_changed(model: Scripted, name: str, change: Change) -> None:
    chat = open_card(model, name)
    change()
    press_yes(model, chat)
    assert [event["outcome"] for event in chat.events("request_closed")] == ["granted"]
    assert Effect.objects.get().action == name


@pytest.mark.parametrize("name", GIVES_MONEY)
def test_an_approval_does_not_cover_what_changed_while_it_waited(model: Scripted, bob: User, name: str) -> None:
    make_worth(name, 123_456)
    chat = open_card(model, name)
    chat.press("yes")
    line_row(name).update(price=line_row(name).get().price + 1)
    Payment.objects.filter(order=order_row(name).get()).update(amount=1_000_000)
    before = state_of_shop()
    model.plays(say("I see."))
    assert decide(bob, chat.card()["request_id"], "approve").status_code == 409
    run_turns()
    assert state_of_shop() == before
    assert [event["outcome"] for event in chat.events("request_closed")] == ["stale"]
