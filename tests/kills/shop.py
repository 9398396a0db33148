"""A shop as large as a kill test needs: the demo shop's first customer and one order of hers, many times over."""

import json
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

DEMO = ROOT / "orders" / "demo"


def write_shop(folder: Path, *, customers: int, order: str) -> None:
    """A store directory; customer and order N are `email_of(N)` and `number_of(N)`."""
    users, orders = read("users"), read("orders")
    model = orders[order]
    user = users[model["user_id"]]
    folder.mkdir()
    (folder / "products.json").write_text((DEMO / "products.json").read_text())
    people, bought = {}, {}
    for one in range(customers):
        name = f"nora_lindahl_{9000 + one}"
        methods = {f"{key}{one}": {**method, "id": f"{key}{one}"} for key, method in user["payment_methods"].items()}
        people[name] = {**user, "email": email_of(one), "payment_methods": methods, "orders": [number_of(one)]}
        paid = [
            {**entry, "payment_method_id": f"{entry['payment_method_id']}{one}"} for entry in model["payment_history"]
        ]
        bought[number_of(one)] = {**model, "order_id": number_of(one), "user_id": name, "payment_history": paid}
    (folder / "users.json").write_text(json.dumps(people))
    (folder / "orders.json").write_text(json.dumps(bought))


def email_of(one: int) -> str:
    return f"nora{one}@example.com"


def number_of(one: int) -> str:
    return f"#W{7_000_000 + one}"


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DEMO / f"{name}.json").read_text())
    return found
