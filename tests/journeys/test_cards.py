"""Card, effect, receipt and answer of every write say one thing."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User

from approvals.models import ActionRequest
from conversations.models import Step
from orders.models import Customer, Effect, Line, Order, Payment, PaymentMethod, Variant
from orders.queries import export_customer, export_order
from tests.factories import LARGE, SMALL, decide, run_turns
from tests.scripted import Scripted, say
from tests.writes import (
    ADDRESS_OF_ORDER,
    ADDRESS_OF_USER,
    BACKPACK,
    BACKPACK_LARGE,
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
    LAMP_SAND,
    MUGS,
    MUGS_LARGE,
    MUGS_SLATE,
    NORA,
    PAYMENT,
    RETURN,
    WITH_ADDRESS,
    make_worth,
    open_card,
    press_yes,
)

pytestmark = pytest.mark.usefixtures("desk")

NEW_ADDRESS = "9 Ferry Lane, Duluth, MN 55802, USA"
OLD_ADDRESS = "18 Tannery Row, Apt 3, Minneapolis, MN 55406, USA"
OLD_KETTLE, NEW_KETTLE = "capacity 0.9 l, finish brushed steel", "capacity 0.9 l, finish matt black"
OLD_LAMP = "size small, color black"


def line(label: str, detail: str, amount: str | None = None) -> dict[str, str]:
    return {"label": label, "detail": detail} | ({} if amount is None else {"amount": amount})


@dataclass(frozen=True)
class Case:
    """What the card of one call shows, and how much of it is money back."""

    name: str
    title: str
    lines: list[dict[str, str]]
    amount: str
    back: int
    destination: str
    irreversible: bool = True
    changed: dict[str, Any] = field(default_factory=dict)


CASES = {
    "cancel": Case(
        CANCEL,
        f"Cancel order {SMALL}",
        [line("Gooseneck Kettle", OLD_KETTLE, "84.00"), line("Stoneware Mug Set", "pieces 2, glaze chalk", "38.00")],
        "122.00",
        12_200,
        "Visa ending 4417",
    ),
    "address of an order": Case(
        ADDRESS_OF_ORDER,
        f"Send order {SMALL} to another address",
        [line("New address", NEW_ADDRESS), line("Address so far", OLD_ADDRESS)],
        "0.00",
        0,
        NEW_ADDRESS,
        irreversible=False,
    ),
    "address with a second line": Case(
        ADDRESS_OF_ORDER,
        f"Send order {SMALL} to another address",
        [line("New address", "9 Ferry Lane, Suite 4, Duluth, MN 55802, USA"), line("Address so far", OLD_ADDRESS)],
        "0.00",
        0,
        "9 Ferry Lane, Suite 4, Duluth, MN 55802, USA",
        irreversible=False,
        changed={"address2": "Suite 4"},
    ),
    "dearer item": Case(
        ITEMS,
        f"Change 1 item of order {SMALL}",
        [line("Gooseneck Kettle", f"{OLD_KETTLE} → {NEW_KETTLE}", "5.00")],
        "-5.00",
        0,
        "Visa ending 4417",
    ),
    "dearer items paid with the gift card": Case(
        ITEMS,
        f"Change 2 items of order {SMALL}",
        [
            line("Stoneware Mug Set", "pieces 2, glaze chalk → pieces 4, glaze chalk", "34.00"),
            line("Gooseneck Kettle", f"{OLD_KETTLE} → {NEW_KETTLE}", "5.00"),
        ],
        "-39.00",
        0,
        "gift card",
        changed={
            "item_ids": [MUGS, KETTLE],
            "new_item_ids": [MUGS_LARGE, KETTLE_BLACK],
            "payment_method_id": GIFT_CARD,
        },
    ),
    "item of the same price": Case(
        ITEMS,
        f"Change 1 item of order {SMALL}",
        [line("Stoneware Mug Set", "pieces 2, glaze chalk → pieces 2, glaze slate", "0.00")],
        "0.00",
        0,
        "Visa ending 4417",
        changed={"item_ids": [MUGS], "new_item_ids": [MUGS_SLATE]},
    ),
    "payment": Case(
        PAYMENT,
        f"Pay order {SMALL} with another method",
        [
            line("Paid with gift card", "instead", "122.00"),
            line("Back to Visa ending 4417", "the first payment", "122.00"),
        ],
        "0.00",
        0,
        "gift card",
        irreversible=False,
    ),
    "address of the account": Case(
        ADDRESS_OF_USER,
        "Change your default address",
        [line("New address", NEW_ADDRESS), line("Address so far", OLD_ADDRESS)],
        "0.00",
        0,
        NEW_ADDRESS,
        irreversible=False,
    ),
    "return": Case(
        RETURN,
        f"Return 1 item of order {DELIVERED}",
        [line("Desk Lamp", OLD_LAMP, "96.00")],
        "96.00",
        9_600,
        "Visa ending 4417",
    ),
    "return of all to the gift card": Case(
        RETURN,
        f"Return 2 items of order {DELIVERED}",
        [line("Canvas Backpack", "volume 18 l, color olive", "118.00"), line("Desk Lamp", OLD_LAMP, "96.00")],
        "214.00",
        21_400,
        "gift card",
        changed={"item_ids": [BACKPACK, LAMP], "payment_method_id": GIFT_CARD},
    ),
    "exchange for a dearer one": Case(
        EXCHANGE,
        f"Exchange 1 item of order {DELIVERED}",
        [line("Desk Lamp", f"{OLD_LAMP} → size large, color black", "18.50")],
        "-18.50",
        0,
        "Visa ending 4417",
    ),
    "exchange at the same price": Case(
        EXCHANGE,
        f"Exchange 2 items of order {DELIVERED}",
        [
            line("Canvas Backpack", "volume 18 l, color olive → volume 18 l, color navy", "0.00"),
            line("Desk Lamp", f"{OLD_LAMP} → size small, color sand", "0.00"),
        ],
        "0.00",
        0,
        "gift card",
        changed={
            "item_ids": [BACKPACK, LAMP],
            "new_item_ids": [BACKPACK_NAVY, LAMP_SAND],
            "payment_method_id": GIFT_CARD,
        },
    ),
    "exchange of one dearer and one of the same price": Case(
        EXCHANGE,
        f"Exchange 2 items of order {DELIVERED}",
        [
            line("Canvas Backpack", "volume 18 l, color olive → volume 26 l, color olive", "24.40"),
            line("Desk Lamp", f"{OLD_LAMP} → size small, color sand", "0.00"),
        ],
        "-24.40",
        0,
        "Visa ending 4417",
        changed={"item_ids": [BACKPACK, LAMP], "new_item_ids": [BACKPACK_LARGE, LAMP_SAND]},
    ),
}


def rows_of(name: str) -> dict[str, Any]:
    if name == ADDRESS_OF_USER:
        return export_customer(Customer.objects.get(user_id=NORA))
    return export_order(Order.objects.get(number=HONEST[name]["order_id"]))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_card_effect_receipt_and_answer_say_one_thing(model: Scripted, case: Case) -> None:
    arguments = HONEST[case.name] | case.changed
    chat = open_card(model, case.name, **case.changed)
    press_yes(model, chat)
    card, [receipt], effect = chat.card(), chat.events("receipt"), Effect.objects.get()
    number = arguments.get("order_id", "")

    shown = {"action": case.name, "lines": case.lines, "amount": case.amount, "destination": case.destination}
    shown |= {"currency": "USD"}
    assert {key: card[key] for key in shown} == shown
    assert (card["title"], card["irreversible"]) == (case.title, case.irreversible)
    assert {key: receipt[key] for key in shown} == shown
    assert (receipt["order_id"], receipt["status"]) == (number, "done")
    assert (effect.action, effect.order_number, effect.user_id) == (case.name, number, NORA)
    assert (effect.amount, effect.currency, effect.destination) == (case.back, "USD", case.destination)
    assert (effect.arguments, effect.state, effect.approved_by) == (arguments, "done", "")
    # The model hears the tool's own answer, which is the record after the change.
    assert model.last_results()[-1] == effect.result == json.dumps(rows_of(case.name))


@pytest.mark.parametrize("name", GIVES_MONEY)
def test_less_money_is_shown_as_money_back_and_booked_as_such(model: Scripted, name: str) -> None:
    make_worth(name, 4_250)
    chat = open_card(model, name)
    assert chat.card()["amount"] == "42.50"
    press_yes(model, chat)
    [receipt], effect = chat.events("receipt"), Effect.objects.get()
    assert (receipt["amount"], effect.amount) == ("42.50", 4_250)


def test_a_cheaper_swap_beside_a_dearer_one_counts_as_the_difference(model: Scripted) -> None:
    Line.objects.filter(order__number=SMALL, variant_id=KETTLE).update(price=10_000)
    Payment.objects.filter(order__number=SMALL).update(amount=13_800)
    swap = {"item_ids": [KETTLE, MUGS], "new_item_ids": [KETTLE_BLACK, MUGS_LARGE]}
    chat = open_card(model, ITEMS, **swap)
    assert [row["amount"] for row in chat.card()["lines"]] == ["-11.00", "34.00"]
    assert chat.card()["amount"] == "-23.00"
    press_yes(model, chat)
    assert Effect.objects.get().amount == 0


@pytest.mark.parametrize("name", [ITEMS, EXCHANGE])
def test_a_customer_who_pays_more_than_the_limit_does_not_wait(model: Scripted, name: str) -> None:
    """The limit is about money that leaves the shop."""
    Variant.objects.filter(item_id=HONEST[name]["new_item_ids"][0]).update(price=500_000)
    chat = open_card(model, name)
    assert chat.card()["amount"] == {ITEMS: "-4916.00", EXCHANGE: "-4904.00"}[name]
    press_yes(model, chat)
    assert (Effect.objects.get().amount, chat.state()) == (0, "open")


def test_a_change_of_payment_above_the_limit_does_not_wait(model: Scripted) -> None:
    PaymentMethod.objects.filter(method_id=GIFT_CARD).update(balance=200_000, balance_wire="")
    chat = open_card(model, PAYMENT, order_id=LARGE)
    assert (chat.card()["amount"], [row["amount"] for row in chat.card()["lines"]]) == ("0.00", ["1284.50"] * 2)
    press_yes(model, chat)
    assert Effect.objects.get().amount == 0


@pytest.mark.parametrize("name", GIVES_MONEY)
def test_what_staff_approved_is_the_card_that_the_customer_saw(model: Scripted, bob: User, name: str) -> None:
    make_worth(name, 123_456)
    chat = open_card(model, name)
    chat.press("yes")
    card = chat.card()
    request = ActionRequest.objects.get()
    assert (request.card["title"], request.amount, request.destination) == (card["title"], 123_456, card["destination"])
    model.plays(say("Approved."))
    assert decide(bob, card["request_id"], "approve").status_code == 200
    run_turns()
    [receipt], effect = chat.events("receipt"), Effect.objects.get()
    assert (receipt["lines"], receipt["amount"], receipt["destination"]) == (
        card["lines"],
        "1234.56",
        "Visa ending 4417",
    )
    assert (effect.amount, effect.approved_by) == (123_456, "bob")


def test_the_last_step_of_a_granted_write_is_the_only_result_of_its_call(model: Scripted) -> None:
    chat = open_card(model, RETURN)
    press_yes(model, chat)
    results = [
        block
        for request in model.requests[-1:]
        for message in request["messages"]
        for block in message["content"]
        if message["role"] == "user" and block["type"] == "tool_result"
    ]
    assert len({block["tool_use_id"] for block in results}) == len(results) == 2
    assert Step.objects.filter(call_id__gt="").count() == 2


@pytest.mark.parametrize("name", WITH_ADDRESS)
def test_an_address_card_names_the_place_of_now_as_well(model: Scripted, name: str) -> None:
    chat = open_card(model, name)
    press_yes(model, chat)
    place = Customer.objects.get(user_id=NORA) if name == ADDRESS_OF_USER else Order.objects.get(number=SMALL)
    assert {part: getattr(place, part) for part in ("address1", "city", "zip")} == {
        "address1": "9 Ferry Lane",
        "city": "Duluth",
        "zip": "55802",
    }
    chat = open_card(model, name, address1="10 Ferry Lane")
    assert chat.card()["lines"][1] == line("Address so far", NEW_ADDRESS)
