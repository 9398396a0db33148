"""A made-up shop in the form of the demo data, large enough that no two measured conversations share an order."""

import json
from pathlib import Path
from typing import Any

ORDERS, CUSTOMERS = 2_000, 1_000
# How many more are over the amount that needs a person.
LARGE = 200
ITEMS = 4
PRODUCTS, VARIANTS = 12, 4
FIRST = ("Ada", "Bela", "Cora", "Dario", "Edda", "Falk", "Gesa", "Hugo", "Ines", "Jaro")
LAST = ("Amsel", "Birke", "Clasen", "Dorn", "Eiche", "Fink", "Ginster", "Hasel", "Igel", "Jasper")
NAMES = ("Felt Slippers", "Oak Stool", "Linen Apron", "Copper Pan", "Wool Blanket", "Cork Mat")


def order_number(place: int) -> str:
    return f"#W{place + 1_000_000}"


def product_id(place: int) -> str:
    return f"{place + 5_000_000}"


def customer_of(place: int) -> int:
    return place % CUSTOMERS


def list_turns(place: int) -> list[str]:
    """What the customer of this order says: who they are, what they want, and yes."""
    customer, number = customer_of(place), order_number(place)
    return [
        f"Hi, I am {_first(customer)} {_last(customer)}, zip {_zip(customer)}",
        f"Please cancel order {number}, I no longer need it",
        f"yes, cancel {number}",
    ]


def ask_status(place: int) -> str:
    return f"What is the status of order {order_number(place)}?"


def write_shop(folder: Path, *, orders: int = ORDERS, large: int = LARGE) -> None:
    """The three files that `orders.interchange.load` reads; the last `large` orders are over the amount."""
    whole = orders + large
    files = {
        "users.json": {f"bench_{place}": _user(place, whole) for place in range(min(CUSTOMERS, whole))},
        "orders.json": {order_number(place): make_order(place, is_large=place >= orders) for place in range(whole)},
        "products.json": {product_id(place): _product(place) for place in range(PRODUCTS)},
    }
    for name, rows in files.items():
        (folder / name).write_text(json.dumps(rows), encoding="utf-8")


def _first(customer: int) -> str:
    return FIRST[customer % 10]


def _last(customer: int) -> str:
    return LAST[customer // 10 % 10]


def _zip(customer: int) -> str:
    return f"{customer + 10_000}"


def _address(place: int) -> dict[str, str]:
    return {
        "address1": f"{place + 1} Harbour Lane",
        "address2": "Flat 2",
        "city": "Portland",
        "country": "USA",
        "state": "OR",
        "zip": _zip(customer_of(place)),
    }


def _user(place: int, whole: int) -> dict[str, Any]:
    card = f"credit_card_{place + 2_000_000}"
    return {
        "name": {"first_name": _first(place), "last_name": _last(place)},
        "address": _address(place),
        "email": f"customer{place}@example.com",
        "payment_methods": {card: {"source": "credit_card", "brand": "visa", "last_four": "4242", "id": card}},
        "orders": [order_number(number) for number in range(place, whole, CUSTOMERS)],
    }


def make_order(place: int, *, is_large: bool = False) -> dict[str, Any]:
    items = [_item(place, number) for number in range(ITEMS)]
    if is_large:
        items[0]["price"] = 2_400.0
    total = round(sum(item["price"] for item in items), 2)
    card = f"credit_card_{customer_of(place) + 2_000_000}"
    return {
        "order_id": order_number(place),
        "user_id": f"bench_{customer_of(place)}",
        "address": _address(place),
        "items": items,
        "fulfillments": [],
        "status": "pending",
        "payment_history": [{"transaction_type": "payment", "amount": total, "payment_method_id": card}],
    }


def _item(place: int, number: int) -> dict[str, Any]:
    product = (place + number) % PRODUCTS
    variant = place % VARIANTS
    return {
        "name": _name(product),
        "product_id": product_id(product),
        "item_id": _item_id(product, variant),
        "price": _price(product, variant),
        "options": _options(variant),
    }


def _product(place: int) -> dict[str, Any]:
    variants = {
        _item_id(place, number): {
            "item_id": _item_id(place, number),
            "options": _options(number),
            "available": True,
            "price": _price(place, number),
        }
        for number in range(VARIANTS)
    }
    return {"name": _name(place), "product_id": product_id(place), "variants": variants}


def _name(product: int) -> str:
    return f"{NAMES[product % len(NAMES)]} {'Classic' if product < len(NAMES) else 'Large'}"


def _item_id(product: int, variant: int) -> str:
    return f"{7_000_000 + product * 100 + variant}"


def _price(product: int, variant: int) -> float:
    return round(14.5 + product * 2.25 + variant, 2)


def _options(variant: int) -> dict[str, str]:
    return {"colour": ("sand", "slate", "moss", "rust")[variant], "size": "medium", "material": "undyed natural fibre"}
