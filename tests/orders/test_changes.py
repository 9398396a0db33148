"""What each action writes to the shop's rows, and what only the raw door does."""

import json
from typing import Any

import pytest
from django.db import transaction

from orders import changes
from orders.changes import CannotBeDone
from orders.executor import replay
from orders.interchange import export_shop
from orders.models import Effect, Line, Order, Payment, Variant
from policy.actions import Action
from tests.factories import SMALL, load_shop
from tests.writes import (
    ADDRESS,
    ADDRESS_OF_ORDER,
    ADDRESS_OF_USER,
    BACKPACK,
    BACKPACK_NAVY,
    CANCEL,
    DELIVERED,
    EXCHANGE,
    GIFT_CARD,
    GIVES_MONEY,
    HONEST,
    ITEMS,
    KETTLE,
    KETTLE_BLACK,
    LAMP,
    LAMP_LARGE,
    LAMP_SAND,
    MUGS,
    MUGS_LARGE,
    MUGS_SLATE,
    NORA,
    PAYMENT,
    RETURN,
    VISA,
    WRITES,
    make_action,
    run_action,
    subject_of,
)

KETTLE_LARGE = "2604417206"
MISSING = "(not there)"


@pytest.fixture(autouse=True)
def shop(db: None) -> None:
    load_shop()


def leaves(value: Any, path: str = "") -> dict[str, str]:
    """Every value of the export by its path, as the bytes it is written with."""
    if isinstance(value, dict):
        return {key: leaf for name, item in value.items() for key, leaf in leaves(item, f"{path}/{name}").items()}
    if isinstance(value, list):
        return {key: leaf for at, item in enumerate(value) for key, leaf in leaves(item, f"{path}/{at}").items()}
    return {path: json.dumps(value)}


def difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, str]:
    old, new = leaves(before), leaves(after)
    return {path: new.get(path, MISSING) for path in {*old, *new} if old.get(path) != new.get(path)}


def changed_by(action: Action) -> dict[str, str]:
    before = export_shop()
    run_action(action)
    return difference(before, export_shop())


def at(number: str, **paths: str) -> dict[str, str]:
    return {f"/orders/{number}/{path.replace('__', '/')}": text for path, text in paths.items()}


def booked(number: str, place: int, kind: str, amount: str, method: str) -> dict[str, str]:
    entry = f"/orders/{number}/payment_history/{place}/"
    values = {"transaction_type": f'"{kind}"', "amount": amount, "payment_method_id": f'"{method}"'}
    return {entry + key: value for key, value in values.items()}


BALANCE = f"/users/{NORA}/payment_methods/{GIFT_CARD}/balance"
WRITTEN = {part: json.dumps(value) for part, value in ADDRESS.items() if part not in ("country", "state")}
EXPECTED: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "cancel": (
        CANCEL,
        {},
        at(SMALL, status='"cancelled"', cancel_reason='"no longer needed"') | booked(SMALL, 1, "refund", "122.0", VISA),
    ),
    "address of an order": (
        ADDRESS_OF_ORDER,
        {},
        {f"/orders/{SMALL}/address/{part}": value for part, value in WRITTEN.items()},
    ),
    "address of the account": (
        ADDRESS_OF_USER,
        {},
        {f"/users/{NORA}/address/{part}": value for part, value in WRITTEN.items()},
    ),
    "dearer item": (
        ITEMS,
        {},
        at(
            SMALL,
            status='"pending (item modified)"',
            items__0__item_id=f'"{KETTLE_BLACK}"',
            items__0__price="89.0",
            items__0__options__finish='"matt black"',
        )
        | booked(SMALL, 1, "payment", "5.0", VISA),
    ),
    "dearer item paid with the gift card": (
        ITEMS,
        {"item_ids": [MUGS], "new_item_ids": [MUGS_LARGE], "payment_method_id": GIFT_CARD},
        at(
            SMALL,
            status='"pending (item modified)"',
            items__1__item_id=f'"{MUGS_LARGE}"',
            items__1__price="72.0",
            items__1__options__pieces='"4"',
        )
        | booked(SMALL, 1, "payment", "34.0", GIFT_CARD)
        | {BALANCE: "116.0"},
    ),
    "item of the same price": (
        ITEMS,
        {"item_ids": [MUGS], "new_item_ids": [MUGS_SLATE]},
        at(
            SMALL,
            status='"pending (item modified)"',
            items__1__item_id=f'"{MUGS_SLATE}"',
            items__1__options__glaze='"slate"',
        )
        | booked(SMALL, 1, "refund", "0.0", VISA),
    ),
    "payment": (
        PAYMENT,
        {},
        booked(SMALL, 1, "payment", "122.0", GIFT_CARD) | booked(SMALL, 2, "refund", "122.0", VISA) | {BALANCE: "28.0"},
    ),
    "return": (
        RETURN,
        {"item_ids": [LAMP, BACKPACK]},
        at(
            DELIVERED,
            status='"return requested"',
            return_items__0=f'"{LAMP}"',
            return_items__1=f'"{BACKPACK}"',
            return_payment_method_id=f'"{VISA}"',
        ),
    ),
    "return to the gift card": (
        RETURN,
        {"item_ids": [BACKPACK], "payment_method_id": GIFT_CARD},
        at(
            DELIVERED,
            status='"return requested"',
            return_items__0=f'"{BACKPACK}"',
            return_payment_method_id=f'"{GIFT_CARD}"',
        ),
    ),
    "exchange": (
        EXCHANGE,
        {"item_ids": [BACKPACK, LAMP], "new_item_ids": [BACKPACK_NAVY, LAMP_LARGE]},
        at(
            DELIVERED,
            status='"exchange requested"',
            exchange_items__0=f'"{LAMP}"',
            exchange_items__1=f'"{BACKPACK}"',
            exchange_new_items__0=f'"{LAMP_LARGE}"',
            exchange_new_items__1=f'"{BACKPACK_NAVY}"',
            exchange_payment_method_id=f'"{VISA}"',
            exchange_price_difference="18.5",
        ),
    ),
}


@pytest.mark.parametrize(("name", "changed", "expected"), EXPECTED.values(), ids=EXPECTED.keys())
def test_exactly_these_values_of_the_whole_shop_change(
    name: str, changed: dict[str, Any], expected: dict[str, str]
) -> None:
    assert changed_by(make_action(name, **changed)) == expected


@pytest.mark.parametrize(("name", "changed", "expected"), EXPECTED.values(), ids=EXPECTED.keys())
def test_the_raw_door_does_and_answers_the_same_without_an_effect(
    name: str, changed: dict[str, Any], expected: dict[str, str]
) -> None:
    action = make_action(name, **changed)
    before = export_shop()
    with transaction.atomic():
        raw = replay(action=action, subject=subject_of(action))
        assert difference(before, export_shop()) == expected
        assert not Effect.objects.exists()
        transaction.set_rollback(True)
    assert export_shop() == before
    assert run_action(action).result == raw


@pytest.mark.parametrize("name", WRITES)
def test_a_plan_writes_nothing(name: str) -> None:
    before = export_shop(), list(Payment.objects.values_list())
    action = make_action(name)
    first = changes.plan(action=action, subject=subject_of(action))
    second = changes.plan(action=action, subject=subject_of(action))
    assert (export_shop(), list(Payment.objects.values_list())) == before
    assert first.fingerprint() == second.fingerprint()


@pytest.mark.parametrize("name", WRITES)
def test_what_a_plan_says_is_what_is_booked(name: str) -> None:
    action = make_action(name)
    planned = changes.plan(action=action, subject=subject_of(action))
    effect = run_action(action).effect
    rows = list(effect.payments.order_by("position").values_list("kind", "method_id", "amount"))
    assert rows == [(entry.kind, entry.method.method_id, entry.amount) for entry in planned.bookings]
    assert (effect.amount, effect.destination) == (planned.money_back, planned.destination)


def test_an_address_is_written_in_the_tools_order_and_kept_so() -> None:
    run_action(make_action(ADDRESS_OF_ORDER))
    run_action(make_action(ADDRESS_OF_USER))
    shop = export_shop()
    for record in (shop["orders"][SMALL], shop["users"][NORA]):
        assert list(record["address"]) == ["address1", "address2", "city", "state", "country", "zip"]
        assert record["address"] == ADDRESS
    assert list(shop["orders"][DELIVERED]["address"]) == ["address1", "address2", "city", "country", "state", "zip"]
    assert json.loads(run_action(make_action(ADDRESS_OF_ORDER, city="Ely")).result)["address"] == ADDRESS | {
        "city": "Ely"
    }


@pytest.mark.parametrize("name", [RETURN, EXCHANGE])
def test_items_on_their_way_back_are_listed_in_the_tools_order(name: str) -> None:
    both = {"item_ids": [BACKPACK, LAMP]} | ({"new_item_ids": [BACKPACK_NAVY, LAMP_SAND]} if name == EXCHANGE else {})
    answer = json.loads(run_action(make_action(name, **both)).result)
    assert answer["return_items" if name == RETURN else "exchange_items"] == [LAMP, BACKPACK]
    assert answer.get("exchange_new_items", [LAMP_SAND, BACKPACK_NAVY]) == [LAMP_SAND, BACKPACK_NAVY]
    added = {
        RETURN: ["return_items", "return_payment_method_id"],
        EXCHANGE: [
            "exchange_items",
            "exchange_new_items",
            "exchange_payment_method_id",
            "exchange_price_difference",
        ],
    }
    assert list(answer)[-len(added[name]) :] == added[name]


# --- Items ---


def lines_of(number: str = SMALL) -> list[tuple[str, int, str]]:
    rows = Line.objects.filter(order__number=number).order_by("position")
    return [(row.variant_id, row.price, " ".join(row.options.values())) for row in rows]


def add_line(item_id: str, price: int) -> None:
    order, variant = Order.objects.get(number=SMALL), Variant.objects.get(item_id=item_id)
    Line.objects.create(
        order=order,
        position=order.lines.count(),
        variant=variant,
        product=variant.product,
        name=variant.product.name,
        options=variant.options,
        price=price,
    )


def test_a_new_item_can_be_swapped_on_in_the_same_call() -> None:
    """Kettle to black and black to large: the first line that holds the black one by then goes on."""
    add_line(KETTLE_BLACK, 8_900)
    action = make_action(ITEMS, item_ids=[KETTLE, KETTLE_BLACK], new_item_ids=[KETTLE_BLACK, KETTLE_LARGE])
    planned = changes.plan(action=action, subject=subject_of(action))
    assert [entry.amount for entry in planned.lines] == [500, 750]
    run_action(action)
    assert lines_of() == [
        (KETTLE_LARGE, 9_650, "1.2 l brushed steel"),
        (MUGS, 3_800, "2 chalk"),
        (KETTLE_BLACK, 8_900, "0.9 l matt black"),
    ]
    assert Payment.objects.get(order__number=SMALL, position=1).amount == 1_250


def test_two_items_can_change_places() -> None:
    add_line(KETTLE_BLACK, 8_900)
    run_action(make_action(ITEMS, item_ids=[KETTLE_BLACK, KETTLE], new_item_ids=[KETTLE, KETTLE_BLACK]))
    assert sorted(lines_of()) == sorted(
        [
            (KETTLE, 8_400, "0.9 l brushed steel"),
            (MUGS, 3_800, "2 chalk"),
            (KETTLE_BLACK, 8_900, "0.9 l matt black"),
        ]
    )
    assert Payment.objects.get(order__number=SMALL, position=1).amount == 0


def test_what_was_paid_for_an_item_counts_and_not_its_price_of_today() -> None:
    Line.objects.filter(order__number=SMALL, variant_id=KETTLE).update(price=9_500)
    Variant.objects.filter(item_id=KETTLE).update(price=100)
    assert run_action(make_action(ITEMS)).effect.amount == 600
    assert lines_of()[0] == (KETTLE_BLACK, 8_900, "0.9 l matt black")


@pytest.mark.parametrize("name", [ITEMS, RETURN, EXCHANGE])
def test_the_raw_door_takes_an_item_twice_where_the_order_holds_it_twice(name: str) -> None:
    """The models refuse it, since a card could not tell the two apart."""
    twice = {"item_ids": HONEST[name]["item_ids"] * 2}
    if "new_item_ids" in HONEST[name]:
        twice["new_item_ids"] = HONEST[name]["new_item_ids"] * 2
    action = make_action(name, **twice)
    with pytest.raises(CannotBeDone, match="not found"):
        replay(action=action, subject=subject_of(action))
    number = HONEST[name]["order_id"]
    line = Line.objects.get(order__number=number, variant_id=HONEST[name]["item_ids"][0])
    line.pk, line.position = None, 9
    line.save()

    answer = json.loads(replay(action=action, subject=subject_of(action)))
    if name == ITEMS:
        assert [row["item_id"] for row in answer["items"]] == [KETTLE_BLACK, MUGS, KETTLE_BLACK]
        assert answer["payment_history"][-1]["amount"] == 10.0
    else:
        assert answer["return_items" if name == RETURN else "exchange_items"] == [LAMP, LAMP]
        assert answer.get("exchange_price_difference", 37.0) == 37.0


@pytest.mark.parametrize("name", GIVES_MONEY)
def test_two_of_one_item_count_once_each_for_the_money(name: str) -> None:
    """An honest call names one of the two, and one is what goes back or changes."""
    item = KETTLE if name in (CANCEL, ITEMS) else LAMP
    line = Line.objects.get(order__number=HONEST[name]["order_id"], variant_id=item)
    price = line.price
    line.pk, line.position = None, 9
    line.save()
    Payment.objects.filter(order__number=HONEST[name]["order_id"]).update(amount=1_000_000)
    planned = changes.plan(action=make_action(name), subject=subject_of(make_action(name)))
    assert planned.total == {CANCEL: 1_000_000, ITEMS: -500, RETURN: price, EXCHANGE: -1_850}[name]
    assert len(planned.lines) == (3 if name == CANCEL else 1)


@pytest.mark.parametrize(
    ("prices", "difference", "text"),
    [
        # Sums of floats with noise: the books hold cents, the answer the number as the tools write it.
        ((10_10, 10_30), 20, "0.20000000000000107"),
        ((8_400, 8_930), 530, "5.299999999999997"),
        ((10_000, 10_000), 0, "0.0"),
    ],
)
def test_float_noise_stays_out_of_the_books(prices: tuple[int, int], difference: int, text: str) -> None:
    old, new = prices
    Line.objects.filter(order__number=SMALL, variant_id=KETTLE).update(price=old)
    Variant.objects.filter(item_id=KETTLE_BLACK).update(price=new)
    answer = json.loads(run_action(make_action(ITEMS)).result)
    assert json.dumps(answer["payment_history"][-1]["amount"]) == text
    assert Payment.objects.get(order__number=SMALL, position=1).amount == difference
    Line.objects.filter(order__number=DELIVERED, variant_id=LAMP).update(price=old)
    Variant.objects.filter(item_id=LAMP_LARGE).update(price=new)
    answer = json.loads(run_action(make_action(EXCHANGE)).result)
    assert answer["exchange_price_difference"] == difference / 100
    assert Order.objects.get(number=DELIVERED).exchange_difference == difference
