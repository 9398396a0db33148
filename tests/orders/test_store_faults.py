"""A store that contradicts itself, or that one of the databases could not hold, is named and changes nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, models, transaction

from orders.exported import StoreUnreadable
from orders.hashing import store_hash
from orders.interchange import export_shop, is_empty, load
from orders.models import Customer, Line, Order, Payment, PaymentMethod, Product, Variant
from tests.factories import LARGE, OTHERS, SMALL, load_shop
from tests.orders.test_interchange import (
    DEMO,
    FIRST_USER,
    KINDS,
    Store,
    assert_same_records,
    first_variant,
    gift_card,
    methods_of,
    read_store,
    write_store,
)

Fault = tuple[Callable[[Store], Any], list[str]]
OTHER_USER = "zoe_marchetti_5136"


def user(store: Store) -> dict[str, Any]:
    return store["users"][FIRST_USER]


def order(store: Store) -> dict[str, Any]:
    return store["orders"][SMALL]


def paid(store: Store) -> dict[str, Any]:
    return order(store)["payment_history"][0]


def credit_card(store: Store) -> dict[str, Any]:
    return next(method for method in methods_of(store) if method["source"] == "credit_card")


def paypal(store: Store) -> dict[str, Any]:
    store["users"][FIRST_USER]["payment_methods"]["paypal_1"] = {"source": "paypal", "id": "paypal_1"}
    return store["users"][FIRST_USER]["payment_methods"]["paypal_1"]


def first_product(store: Store) -> dict[str, Any]:
    return next(iter(store["products"].values()))


def pay_by_anothers_method(store: Store) -> None:
    other = next(iter(store["users"][OTHER_USER]["payment_methods"]))
    assert other not in user(store)["payment_methods"]
    paid(store)["payment_method_id"] = other


def share_a_method(store: Store) -> None:
    key, method = next(iter(user(store)["payment_methods"].items()))
    store["users"][OTHER_USER]["payment_methods"][key] = dict(method)


def share_a_variant(store: Store) -> None:
    one, other, *_ = store["products"].values()
    key, variant = next(iter(one["variants"].items()))
    other["variants"][key] = dict(variant)


def take_an_item_of_another_product(store: Store) -> None:
    item = order(store)["items"][0]
    item["product_id"] = next(key for key in store["products"] if key != item["product_id"])


def refund(*amounts: float) -> Callable[[Store], None]:
    def add(store: Store) -> None:
        for amount in amounts:
            order(store)["payment_history"].append({**paid(store), "transaction_type": "refund", "amount": amount})

    return add


def rename(kind: str, old: str, new: str) -> Callable[[Store], None]:
    def move(store: Store) -> None:
        store[kind] = {(new if key == old else key): value for key, value in store[kind].items()}

    return move


USERS, ORDERS, PRODUCTS = "users.json", "orders.json", "products.json"
FAULTS: dict[str, Fault] = {
    # O1: what is refunded goes to the method that paid.
    "paid by another customer's method": (pay_by_anothers_method, [ORDERS, SMALL, FIRST_USER]),
    "refunded to another customer's method": (
        lambda s: (refund(1.0)(s), order(s)["payment_history"][1].update(payment_method_id="gift_card_0")),
        [ORDERS, SMALL, "gift_card_0"],
    ),
    "method of two users": (share_a_method, [USERS, "payment method", FIRST_USER, OTHER_USER]),
    "variant in two products": (share_a_variant, [PRODUCTS, "variant"]),
    "item under another product": (take_an_item_of_another_product, [ORDERS, SMALL, "products.json lacks"]),
    "more refunded than paid": (refund(9999.0), [ORDERS, SMALL, "refunded more"]),
    "a cent more refunded than paid": (refund(100.0, 22.01), [ORDERS, SMALL, "refunded more"]),
    "order listed by two users": (
        lambda s: s["users"][OTHER_USER]["orders"].append(SMALL),
        [USERS, SMALL, FIRST_USER, OTHER_USER],
    ),
    "order listed twice": (lambda s: user(s)["orders"].append(SMALL), [USERS, FIRST_USER, SMALL, "twice"]),
    # Fields that belong to a source.
    "card with a balance": (lambda s: credit_card(s).update(balance=5), [USERS, "a credit_card has no balance"]),
    "PayPal with a balance": (lambda s: paypal(s).update(balance=0), [USERS, "a paypal has no balance"]),
    "PayPal with digits": (lambda s: paypal(s).update(last_four="1234"), [USERS, "a paypal has no last_four"]),
    "gift card without a balance": (lambda s: gift_card(s).pop("balance"), [USERS, "a gift_card has a balance"]),
    "gift card of null": (lambda s: gift_card(s).update(balance=None), [USERS, "balance"]),
    "card without digits": (lambda s: credit_card(s).pop("last_four"), [USERS, "a credit_card has a last_four"]),
    "card without a brand": (lambda s: credit_card(s).pop("brand"), [USERS, "a credit_card has a brand"]),
    "whole card number": (lambda s: credit_card(s).update(last_four="4111111111111111"), [USERS, "last_four"]),
    "three digits": (lambda s: credit_card(s).update(last_four="123"), [USERS, "last_four"]),
    "digits and a line break": (lambda s: credit_card(s).update(last_four="123\n"), [USERS, "last_four"]),
    "wide digits": (lambda s: credit_card(s).update(last_four="１２３４"), [USERS, "last_four"]),
    "empty cancel reason": (lambda s: order(s).update(cancel_reason=""), [ORDERS, SMALL, "cancel_reason"]),
    "cancel reason of null": (lambda s: order(s).update(cancel_reason=None), [ORDERS, SMALL, "cancel_reason"]),
    # A key and the id inside.
    "method's id": (lambda s: gift_card(s).update(id="gift_card_0"), [USERS, "payment_methods", "gift_card_0"]),
    "order's id": (lambda s: order(s).update(order_id="#W0"), [ORDERS, SMALL, "#W0"]),
    "product's id": (lambda s: first_product(s).update(product_id="1"), [PRODUCTS, "another id, 1"]),
    "variant's id": (lambda s: first_variant(s).update(item_id="1"), [PRODUCTS, "variants", "another id, 1"]),
    "empty user": (lambda s: s["users"].update({"": user(s) | {"payment_methods": {}, "orders": []}}), [USERS, "''"]),
    # Amounts.
    "a third decimal": (lambda s: first_variant(s).update(price=1.005), [PRODUCTS, "price", "two decimals"]),
    "half a cent": (lambda s: paid(s).update(amount=121.995), [ORDERS, SMALL, "payment_history.0.amount"]),
    "a hair over the noise": (lambda s: gift_card(s).update(balance=5.00001), [USERS, "balance"]),
    # Text that not every database holds.
    "NUL in a name": (lambda s: user(s)["name"].update(last_name="a\x00b"), [USERS, FIRST_USER, "name.last_name"]),
    "NUL in an option": (lambda s: first_variant(s)["options"].update(a="\x00"), [PRODUCTS, "options.a"]),
    "NUL in an option's name": (lambda s: first_variant(s)["options"].update({"\x00": "a"}), [PRODUCTS, "options"]),
    "NUL in a tracking id": (
        lambda s: order(s)["fulfillments"].append({"tracking_id": ["\x00"], "item_ids": []}),
        [ORDERS, SMALL, "tracking_id.0"],
    ),
    "half a character in a key": (
        lambda s: s["products"].update({"\ud800": {"name": "x", "product_id": "\ud800", "variants": {}}}),
        [PRODUCTS, "half a character"],
    ),
    "half a character in an extra field": (lambda s: user(s).update({"\udfff": 1}), [USERS, FIRST_USER]),
    "order number with NUL": (rename("orders", SMALL, "#W\x00"), [ORDERS, "NUL"]),
    # Shape.
    "nested options": (lambda s: first_variant(s)["options"].update(a={"b": {}}), [PRODUCTS, "options.a"]),
    "email that grows in lower case": (lambda s: user(s).update(email="İ" * 200), [USERS, FIRST_USER, "email"]),
    "more than positions can count": (
        lambda s: order(s).update(fulfillments=[{"tracking_id": [], "item_ids": []}] * 32_768),
        [ORDERS, SMALL, "fulfillments"],
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("break_it", "named"), FAULTS.values(), ids=FAULTS)
def test_a_store_that_contradicts_itself_is_named_and_changes_nothing(
    tmp_path: Path, break_it: Callable[[Store], Any], named: list[str]
) -> None:
    load_shop()
    before = store_hash()
    store = read_store(DEMO)
    break_it(store)
    with pytest.raises(StoreUnreadable) as failure:
        load(folder=write_store(tmp_path, store), replace=True)
    assert [word for word in named if word not in str(failure.value)] == [], str(failure.value)
    str(failure.value).encode()
    assert store_hash() == before


Place = tuple[type[models.Model], str, Callable[[Store, str], Any]]
COLUMNS: list[Place] = [
    *(
        (Customer, name, lambda s, text, name=name: user(s)["address"].update({name: text}))
        for name in ("address1", "address2", "city", "country", "state", "zip")
    ),
    *((Order, name, lambda s, text, name=name: order(s)["address"].update({name: text})) for name in ("city", "zip")),
    (Customer, "first_name", lambda s, text: user(s)["name"].update(first_name=text)),
    (Customer, "last_name", lambda s, text: user(s)["name"].update(last_name=text)),
    (Customer, "email", lambda s, text: user(s).update(email=text)),
    (Customer, "user_id", lambda s, text: s["users"].update({text: user(s) | {"payment_methods": {}, "orders": []}})),
    (PaymentMethod, "brand", lambda s, text: credit_card(s).update(brand=text)),
    (
        PaymentMethod,
        "method_id",
        lambda s, text: user(s)["payment_methods"].update({text: {"source": "paypal", "id": text}}),
    ),
    (Product, "name", lambda s, text: first_product(s).update(name=text)),
    (
        Product,
        "product_id",
        lambda s, text: s["products"].update({text: {"name": "x", "product_id": text, "variants": {}}}),
    ),
    (
        Variant,
        "item_id",
        lambda s, text: first_product(s)["variants"].update({text: first_variant(s) | {"item_id": text}}),
    ),
    (Line, "name", lambda s, text: order(s)["items"][0].update(name=text)),
    (Order, "cancel_reason", lambda s, text: order(s).update(cancel_reason=text)),
    (
        Order,
        "number",
        lambda s, text: (
            user(s)["orders"].append(text),
            s["orders"].update({text: order(s) | {"order_id": text}}),
        ),
    ),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("model", "column", "put"), COLUMNS)
def test_a_text_is_as_long_as_its_column_and_no_longer(
    tmp_path: Path, model: type[models.Model], column: str, put: Callable[[Store, str], Any]
) -> None:
    longest = model._meta.get_field(column).max_length
    store = read_store(DEMO)
    put(store, "é" * longest)
    load(folder=write_store(tmp_path, store))
    assert_same_records(export_shop(), store)

    store = read_store(DEMO)
    put(store, "é" * (longest + 1))
    before = store_hash()
    with pytest.raises(StoreUnreadable, match=rf"(users|orders|products)\.json: .*{longest} characters"):
        load(folder=write_store(tmp_path, store), replace=True)
    assert store_hash() == before


BROKEN_JSON = {
    "nested objects": ('{"a":' * 100_000, "nested too deeply"),
    "nested lists": ("[" * 100_000, "nested too deeply"),
    "nested and whole": ("[" * 5_000 + "]" * 5_000, "nested too deeply"),
    "the same key twice": ('{"k1": null, "k1": null}', "the key 'k1' stands twice in one object"),
    "the same key twice inside": ('{"k1": {"a": 1, "\\u0061": 1}}', "the key 'a' stands twice in one object"),
    "a number of 5,000 digits": ('{"k1": ' + "9" * 5_000 + "}", "is too long"),
    "an amount of 5,000 digits": ('{"k1": 0.' + "9" * 5_000 + "}", "is too long"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("text", "named"), BROKEN_JSON.values(), ids=BROKEN_JSON)
def test_json_that_breaks_its_reader_is_named(tmp_path: Path, kind: str, text: str, named: str) -> None:
    write_store(tmp_path, read_store(DEMO))
    (tmp_path / f"{kind}.json").write_text(text, encoding="utf-8")
    with pytest.raises(StoreUnreadable, match=rf"^{kind}\.json: ") as failure:
        load(folder=tmp_path)
    assert named in str(failure.value)
    assert len(str(failure.value)) < 300
    assert is_empty()


@pytest.mark.django_db
def test_an_order_written_twice_in_its_file_is_named(tmp_path: Path) -> None:
    store = read_store(DEMO)
    write_store(tmp_path, store)
    path = tmp_path / "orders.json"
    delivered = json.dumps(order(store) | {"status": "delivered"})
    path.write_text(path.read_text(encoding="utf-8")[:-1] + f', "{SMALL}": {delivered}}}', encoding="utf-8")
    with pytest.raises(StoreUnreadable, match=rf"orders\.json: the key '{SMALL}' stands twice"):
        load(folder=tmp_path)


@pytest.mark.django_db
def test_what_is_refunded_in_full_or_by_another_method_of_the_customer_is_loaded(tmp_path: Path) -> None:
    store = read_store(DEMO)
    paypal(store)
    history = order(store)["payment_history"]
    history.append({"transaction_type": "refund", "amount": 100.0, "payment_method_id": "paypal_1"})
    history.append(
        {"transaction_type": "refund", "amount": 22.0, "payment_method_id": paid(store)["payment_method_id"]}
    )
    load(folder=write_store(tmp_path, store))
    assert_same_records(export_shop(), store)
    assert Payment.objects.get(order__number=SMALL, kind="payment").refunded == 12_200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("source", "balance", "right"),
    [
        ("gift_card", 0, True),
        ("gift_card", 500, True),
        ("gift_card", None, False),
        ("gift_card", -1, False),
        ("credit_card", None, True),
        ("credit_card", 0, False),
        ("paypal", 500, False),
    ],
)
def test_a_gift_card_and_nothing_else_has_a_balance_in_the_database(
    source: str, balance: int | None, right: bool
) -> None:
    load_shop()
    method = PaymentMethod.objects.order_by("pk").first()
    assert method is not None
    changed = PaymentMethod.objects.filter(pk=method.pk)
    if right:
        assert changed.update(source=source, balance=balance) == 1
        return
    with pytest.raises(IntegrityError), transaction.atomic():
        changed.update(source=source, balance=balance)


@pytest.mark.django_db
def test_the_export_keeps_the_order_of_the_files_whatever_was_changed_since(tmp_path: Path) -> None:
    store = read_store(DEMO)
    for kind in KINDS:
        store[kind] = dict(reversed(store[kind].items()))
    load(folder=write_store(tmp_path, store))
    Order.objects.filter(number__in=[SMALL, LARGE, OTHERS]).update(status="delivered")
    Product.objects.filter(pk=Product.objects.latest("pk").pk).update(name="Renamed")
    exported = export_shop()
    for kind in KINDS:
        assert list(exported[kind]) == list(store[kind])
