"""The shop's data in and out: the same records, byte for byte, or a refusal that names file and place."""

import json
import shutil
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from audit.queries import verify
from orders.exported import StoreUnreadable
from orders.hashing import store_hash
from orders.interchange import ShopNotEmpty, export_shop, is_empty, load
from orders.models import Customer, Effect, Order, PaymentMethod
from tests.conftest import ROOT
from tests.factories import NORA_EMAIL, SMALL, load_shop, start_chat

DEMO = ROOT / "orders" / "demo"
KINDS = ("users", "orders", "products")
TAU_HASH = "5a4b2cb59f4d12dea7e4adff24a7f8fada510ead49372ea4a729a82bbb5f49b5"
Store = dict[str, dict[str, Any]]


def read_store(folder: Path) -> Store:
    return {kind: json.loads((folder / f"{kind}.json").read_text(encoding="utf-8")) for kind in KINDS}


def write_store(folder: Path, store: Store) -> Path:
    folder.mkdir(exist_ok=True)
    for kind in KINDS:
        (folder / f"{kind}.json").write_text(json.dumps(store[kind]), encoding="utf-8")
    return folder


def methods_of(store: Store) -> list[dict[str, Any]]:
    return [method for user in store["users"].values() for method in user["payment_methods"].values()]


def run(command: str, *arguments: Any, **options: Any) -> str:
    out = StringIO()
    call_command(command, *arguments, stdout=out, **options)
    return out.getvalue().strip()


def assert_same_records(exported: Store, given: Store) -> None:
    assert exported.keys() == given.keys()
    for kind in KINDS:
        assert exported[kind].keys() == given[kind].keys()
        for key, record in given[kind].items():
            # As text: the order of keys, ints against floats and float noise count, as they do in a tool's answer.
            assert json.dumps(exported[kind][key]) == json.dumps(record), f"{kind} {key}"


@pytest.mark.django_db
def test_the_public_store_loads_exports_and_hashes_as_published(tau: Path) -> None:
    assert run("load_store", tau) == "500 customers, 1000 orders, 50 products"
    assert run("store_hash") == TAU_HASH
    assert_same_records(export_shop(), read_store(tau))
    balances = [method["balance"] for method in methods_of(export_shop()) if method["source"] == "gift_card"]
    assert len(balances) > 100
    assert {type(balance) for balance in balances} == {int}


@pytest.mark.django_db
def test_the_demo_shop_comes_out_as_it_went_in() -> None:
    load_shop()
    given = read_store(DEMO)
    assert_same_records(export_shop(), given)
    assert list(export_shop()["users"]) == list(given["users"])


@pytest.mark.django_db
@pytest.mark.parametrize("balance", [0, 5, 5.0, 0.0, 12.3, 1131.1200000000001, 10_000_000])
def test_a_gift_cards_balance_keeps_its_kind_of_number(tmp_path: Path, balance: float) -> None:
    store = read_store(DEMO)
    method = gift_card(store)
    method["balance"] = balance
    load(folder=write_store(tmp_path, store))
    assert_same_records(export_shop(), store)
    assert PaymentMethod.objects.get(method_id=method["id"]).balance == round(balance * 100)


@pytest.mark.django_db
def test_keys_in_an_unusual_order_come_back_in_it(tmp_path: Path) -> None:
    store = read_store(DEMO)
    for product in store["products"].values():
        product["variants"] = dict(reversed(product["variants"].items()))
        for variant in product["variants"].values():
            variant["options"] = dict(reversed(variant["options"].items())) | {"é \u2028 \U0001f600": '"\\'}
    for user in store["users"].values():
        user["payment_methods"] = dict(reversed(user["payment_methods"].items()))
        user["orders"] = user["orders"][::-1]
    load(folder=write_store(tmp_path, store))
    assert_same_records(export_shop(), store)


@pytest.mark.django_db
def test_one_digit_more_is_another_hash(tmp_path: Path) -> None:
    load_shop()
    before = run("store_hash")
    assert len(before) == 64
    store = read_store(DEMO)
    store["orders"][SMALL]["payment_history"][0]["amount"] += 1e-13
    load(folder=write_store(tmp_path, store), replace=True)
    assert run("store_hash") != before
    load_shop()
    assert run("store_hash") == before


# Each fault is made in a copy of the demo shop; the message has to hold every one of the words.
Fault = tuple[Callable[[Store], Any], list[str]]
FIRST_USER = "nora_lindahl_1042"
FAULTS: dict[str, Fault] = {
    "unknown status": (lambda s: s["orders"][SMALL].update(status="shipped"), ["orders.json", SMALL, "status"]),
    "status in capitals": (lambda s: s["orders"][SMALL].update(status="PENDING"), ["orders.json", SMALL, "status"]),
    "status and more": (lambda s: s["orders"][SMALL].update(status="pending\n"), ["orders.json", SMALL, "status"]),
    "order of an unknown user": (
        lambda s: s["orders"][SMALL].update(user_id="nobody_0000"),
        ["orders.json", SMALL, "nobody_0000"],
    ),
    "order of another user": (
        lambda s: s["orders"][SMALL].update(user_id="zoe_marchetti_5136"),
        ["orders.json", SMALL, "zoe_marchetti_5136"],
    ),
    "order nobody lists": (lambda s: s["users"][FIRST_USER]["orders"].remove(SMALL), ["orders.json", SMALL]),
    "listed order missing": (lambda s: s["orders"].pop(SMALL), ["users.json", FIRST_USER, SMALL]),
    "unknown item": (
        lambda s: s["orders"][SMALL]["items"][0].update(item_id="0000000000"),
        ["orders.json", SMALL, "0000000000"],
    ),
    "unknown product": (lambda s: s["orders"][SMALL]["items"][0].update(product_id="1"), ["orders.json", SMALL]),
    "unknown payment method": (
        lambda s: s["orders"][SMALL]["payment_history"][0].update(payment_method_id="card_0"),
        ["orders.json", SMALL, "card_0"],
    ),
    "extra field in a user": (lambda s: s["users"][FIRST_USER].update(tier="gold"), ["users.json", FIRST_USER, "tier"]),
    "extra field in an item": (
        lambda s: s["orders"][SMALL]["items"][0].update(discount=1),
        ["orders.json", SMALL, "items.0.discount"],
    ),
    "missing field": (lambda s: s["orders"][SMALL].pop("items"), ["orders.json", SMALL, "items"]),
    "negative price": (
        lambda s: first_variant(s).update(price=-0.01),
        ["products.json", "variants", "price", "greater than or equal"],
    ),
    "negative amount": (
        lambda s: s["orders"][SMALL]["payment_history"][0].update(amount=-1),
        ["orders.json", SMALL, "payment_history.0.amount"],
    ),
    "negative balance": (
        lambda s: gift_card(s).update(balance=-5),
        ["users.json", "balance", "greater than or equal"],
    ),
    "price beyond every shop": (lambda s: first_variant(s).update(price=10_000_001), ["products.json", "price"]),
    "price not a number": (lambda s: first_variant(s).update(price=float("nan")), ["products.json", "price"]),
    "price without end": (lambda s: first_variant(s).update(price=float("inf")), ["products.json", "price"]),
    "price as text": (lambda s: first_variant(s).update(price="5.00"), ["products.json", "price"]),
    "price as true": (lambda s: first_variant(s).update(price=True), ["products.json", "price"]),
    "available as a number": (lambda s: first_variant(s).update(available=1), ["products.json", "available"]),
    "options as a list": (lambda s: first_variant(s).update(options=["red"]), ["products.json", "options"]),
    "zip as a number": (
        lambda s: s["users"][FIRST_USER]["address"].update(zip=55406),
        ["users.json", FIRST_USER, "address.zip"],
    ),
    "name as text": (lambda s: s["users"][FIRST_USER].update(name="Nora Lindahl"), ["users.json", FIRST_USER, "name"]),
    "email missing": (lambda s: s["users"][FIRST_USER].update(email=None), ["users.json", FIRST_USER, "email"]),
    "half a character": (lambda s: s["users"][FIRST_USER].update(email="\ud800"), ["users.json", FIRST_USER, "email"]),
    "unknown source": (lambda s: gift_card(s).update(source="cash"), ["users.json", "source"]),
    "unknown transaction": (
        lambda s: s["orders"][SMALL]["payment_history"][0].update(transaction_type="chargeback"),
        ["orders.json", SMALL, "transaction_type"],
    ),
    "a name without end": (
        lambda s: s["users"][FIRST_USER]["name"].update(last_name="x" * 201),
        ["users.json", FIRST_USER, "last_name"],
    ),
    "orders as an object": (lambda s: s["users"][FIRST_USER].update(orders={}), ["users.json", FIRST_USER, "orders"]),
    "a record that is null": (lambda s: s["orders"].update({SMALL: None}), ["orders.json", SMALL]),
}


def first_variant(store: Store) -> dict[str, Any]:
    return next(iter(next(iter(store["products"].values()))["variants"].values()))


def gift_card(store: Store) -> dict[str, Any]:
    return next(method for method in methods_of(store) if method["source"] == "gift_card")


@pytest.mark.django_db
@pytest.mark.parametrize(("break_it", "named"), FAULTS.values(), ids=FAULTS)
def test_a_broken_store_is_named_and_leaves_the_shop_untouched(
    tmp_path: Path, break_it: Callable[[Store], Any], named: list[str]
) -> None:
    load_shop()
    before = store_hash()
    store = read_store(DEMO)
    load(folder=write_store(tmp_path, store), replace=True)
    break_it(store)
    with pytest.raises(StoreUnreadable) as failure:
        load(folder=write_store(tmp_path, store), replace=True)
    missing = [word for word in named if word not in str(failure.value)]
    assert missing == [], str(failure.value)
    assert store_hash() == before


FILE_FAULTS: dict[str, bytes | None] = {
    "missing": None,
    "empty": b"",
    "cut off": b'{"a": {',
    "a list": b"[]",
    "a word": b"null",
    "two documents": b"{} {}",
    "no text": b"\xff\xfe\x00",
    "a page": b"<html></html>",
}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("content", FILE_FAULTS.values(), ids=FILE_FAULTS)
def test_a_file_that_is_no_store_is_named_by_the_command(tmp_path: Path, kind: str, content: bytes | None) -> None:
    load_shop()
    before = store_hash()
    folder = tmp_path / "store"
    shutil.copytree(DEMO, folder)
    path = folder / f"{kind}.json"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CommandError, match=rf"^{kind}\.json: "):
        run("load_store", folder, replace=True)
    assert store_hash() == before


@pytest.mark.django_db
def test_a_folder_that_is_a_file_or_nothing_is_named(tmp_path: Path) -> None:
    for folder in (tmp_path / "gone", DEMO / "users.json"):
        with pytest.raises(CommandError, match=r"users\.json: "):
            run("load_store", folder)
    assert is_empty()


@pytest.mark.django_db
def test_a_full_shop_is_replaced_only_when_asked() -> None:
    assert is_empty()
    assert "customers" in run("load_store", DEMO)
    Customer.objects.filter(email=NORA_EMAIL).update(city="Duluth")
    changed = store_hash()

    with pytest.raises(CommandError, match="--replace"):
        run("load_store", DEMO)
    with pytest.raises(ShopNotEmpty):
        load(folder=DEMO)
    assert run("load_store", DEMO, if_empty=True) == ""
    assert store_hash() == changed

    assert "customers" in run("load_store", DEMO, replace=True)
    assert store_hash() != changed


@pytest.mark.django_db
def test_an_empty_shop_is_filled_by_if_empty_and_a_broken_one_is_still_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"users\.json"):
        run("load_store", tmp_path, if_empty=True)
    assert "customers" in run("load_store", DEMO, if_empty=True)
    assert not is_empty()


@pytest.mark.usefixtures("desk")
def test_replacing_the_shop_after_a_chat_keeps_what_was_done_and_its_proof() -> None:
    fresh = store_hash()
    chat = start_chat()
    chat.say(f"Hello, please cancel order {SMALL}, I don't need it anymore. My e-mail is {NORA_EMAIL}")
    chat.press("yes")
    assert store_hash() != fresh
    entries = verify().entries
    events = chat.events()

    run("load_store", DEMO, replace=True)

    assert store_hash() == fresh
    [effect] = Effect.objects.all()
    assert (effect.order_number, effect.user_id, effect.amount, effect.state) == (SMALL, FIRST_USER, 12_200, "done")
    assert (effect.order, effect.customer) == (None, None)
    assert json.loads(effect.result)["status"] == "cancelled"
    assert (verify().broken, verify().entries) == (None, entries)
    assert chat.events() == events
    assert Order.objects.get(number=SMALL).status == "pending"
