"""A shop as large as kill tests need: the demo shop's first customer and one order of hers, many times over."""

import json
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.factories import LARGE, SMALL

DEMO = ROOT / "orders" / "demo"
# Customer and order N are `email_of(N)` and `number_of(N)`; from here on a person has to approve what is given back.
FIRST_LARGE = 100_000


def write_shop(folder: Path, *, small: int, large: int) -> None:
    """A store directory with so many customers of either kind."""
    users, orders = read("users"), read("orders")
    folder.mkdir()
    (folder / "products.json").write_text((DEMO / "products.json").read_text())
    people, bought = {}, {}
    for one in [*range(small), *range(FIRST_LARGE, FIRST_LARGE + large)]:
        order = orders[LARGE if one >= FIRST_LARGE else SMALL]
        user = users[order["user_id"]]
        name = f"nora_lindahl_{1_000_000 + one}"
        methods = {f"{key}{one}": {**method, "id": f"{key}{one}"} for key, method in user["payment_methods"].items()}
        people[name] = {**user, "email": email_of(one), "payment_methods": methods, "orders": [number_of(one)]}
        paid = [
            {**entry, "payment_method_id": f"{entry['payment_method_id']}{one}"} for entry in order["payment_history"]
        ]
        bought[number_of(one)] = {**order, "order_id": number_of(one), "user_id": name, "payment_history": paid}
    (folder / "users.json").write_text(json.dumps(people))
    (folder / "orders.json").write_text(json.dumps(bought))


def email_of(one: int) -> str:
    return f"nora{one}@example.com"


def number_of(one: int) -> str:
    return f"#W{7_000_000 + one}"


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DEMO / f"{name}.json").read_text())
    return found
