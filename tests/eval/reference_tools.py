"""What the public tools answer, said a second time on plain dicts: the judge of our own golden set.

It shares no line and no import with the desk. A test holds it against everything that was recorded of the public
environment, so it may speak for a shop of which nothing was recorded.
"""

import copy
import hashlib
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

Record = dict[str, Any]
KINDS = ("orders", "products", "users")


class Refusal(Exception):
    """What a tool says after "Error: "."""


class Pristine:
    """A shop as its three files say, never changed, with the text of each record for the hash."""

    def __init__(self, folder: Path) -> None:
        self.records = {kind: json.loads((folder / f"{kind}.json").read_text(encoding="utf-8")) for kind in KINDS}
        self.texts = {
            kind: {key: f"({key!r}, {as_text(record)})" for key, record in rows.items()}
            for kind, rows in self.records.items()
        }


class Shop:
    """One episode's shop: `call` a tool, then take its `digest`. Records are copied before they change."""

    def __init__(self, pristine: Pristine) -> None:
        self._pristine = pristine
        self._rows: dict[str, Record] = {kind: dict(rows) for kind, rows in pristine.records.items()}
        self._own: set[tuple[str, str]] = set()

    def call(self, name: str, arguments: Record) -> str:
        if name not in TOOLS:
            return f"Unknown action {name}"
        try:
            return TOOLS[name](data=self, **arguments)
        except (Refusal, ArithmeticError, AttributeError, LookupError, SyntaxError, TypeError, ValueError) as error:
            return f"Error: {error}"

    def digest(self) -> str:
        whole = []
        for kind in KINDS:
            texts = dict(self._pristine.texts[kind])
            for owner, key in self._own:
                if owner == kind:
                    texts[key] = f"({key!r}, {as_text(self._rows[kind][key])})"
            whole.append(f"({kind!r}, {in_brackets([texts[key] for key in sorted(texts)])})")
        return hashlib.sha256(in_brackets(whole).encode("utf-8")).hexdigest()

    def see(self, kind: str, key: Any) -> Record:
        if key not in self._rows[kind]:
            raise Refusal(f"{kind[:-1]} not found")
        return self._rows[kind][key]

    def take(self, kind: str, key: str) -> Record:
        """The record, from now on this episode's own."""
        if (kind, key) not in self._own:
            self._rows[kind][key] = copy.deepcopy(self.see(kind, key))
            self._own.add((kind, key))
        return self._rows[kind][key]

    def all(self, kind: str) -> Record:
        return self._rows[kind]


def as_text(value: Any) -> str:
    """Python's text of a value in which dicts are sorted tuples of pairs and lists are tuples."""
    if isinstance(value, dict):
        return in_brackets([f"({key!r}, {as_text(value[key])})" for key in sorted(value)])
    if isinstance(value, list):
        return in_brackets([as_text(part) for part in value])
    return repr(value)


def in_brackets(parts: list[str]) -> str:
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"


# --- Reading ---


def find_user_id_by_email(data, email):
    for key, user in data.all("users").items():
        if user["email"].lower() == email.lower():
            return key
    raise Refusal("user not found")


def find_user_id_by_name_zip(data, first_name, last_name, zip):
    for key, user in data.all("users").items():
        first, last = user["name"]["first_name"].lower(), user["name"]["last_name"].lower()
        if (first, last) == (first_name.lower(), last_name.lower()) and user["address"]["zip"] == zip:
            return key
    raise Refusal("user not found")


def get_user_details(data, user_id):
    return json.dumps(data.see("users", user_id))


def get_order_details(data, order_id):
    return json.dumps(data.see("orders", order_id))


def get_product_details(data, product_id):
    return json.dumps(data.see("products", product_id))


def list_all_product_types(data):
    names = {product["name"]: product["product_id"] for product in data.all("products").values()}
    return json.dumps({name: names[name] for name in sorted(names)})


def calculate(data, expression):
    if any(letter not in "0123456789+-*/(). " for letter in expression):
        raise Refusal("invalid characters in expression")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        value = eval(expression, {"__builtins__": None}, {})  # of the letters above only
    return str(round(float(value), 2))


def think(data, thought):
    return ""


def transfer_to_human_agents(data, summary):
    return "Transfer successful"


# --- Changing ---


def open_order(data, order_id, status, done):
    order = data.see("orders", order_id)
    if order["status"] != status:
        raise Refusal(f"non-{status} order cannot be {done}")
    return data.take("orders", order_id)


def method_of(data, order, method_id):
    methods = data.see("users", order["user_id"])["payment_methods"]
    if method_id not in methods:
        raise Refusal("payment method not found")
    return methods[method_id]


def top_up(data, order, method_id, amount):
    """Gift cards alone hold money."""
    if "gift_card" in method_id:
        card = data.take("users", order["user_id"])["payment_methods"][method_id]
        card["balance"] = round(card["balance"] + amount, 2)


def entry(kind, amount, method_id):
    return {"transaction_type": kind, "amount": amount, "payment_method_id": method_id}


def require_items(order, item_ids, text):
    held = [item["item_id"] for item in order["items"]]
    for item_id in item_ids:
        if item_ids.count(item_id) > held.count(item_id):
            raise Refusal(text.format(item_id))


def price_swaps(data, order, item_ids, new_item_ids):
    """What the new items cost more than the old ones, unrounded."""
    require_items(order, item_ids, "{} not found")
    if len(item_ids) != len(new_item_ids):
        raise Refusal("the number of items to be exchanged should match")
    difference = 0
    for item_id, new_item_id in zip(item_ids, new_item_ids, strict=True):
        item = next(item for item in order["items"] if item["item_id"] == item_id)
        variant = data.see("products", item["product_id"])["variants"].get(new_item_id)
        if not variant or not variant["available"]:
            raise Refusal(f"new item {new_item_id} not found or available")
        difference += variant["price"] - item["price"]
    return difference


def require_balance(method, amount, purpose):
    if method["source"] == "gift_card" and method["balance"] < amount:
        raise Refusal(f"insufficient gift card balance to pay for the {purpose}")


def cancel_pending_order(data, order_id, reason):
    order = open_order(data, order_id, "pending", "cancelled")
    if reason not in ("no longer needed", "ordered by mistake"):
        raise Refusal("invalid reason")
    for paid in list(order["payment_history"]):
        order["payment_history"].append(entry("refund", paid["amount"], paid["payment_method_id"]))
        top_up(data, order, paid["payment_method_id"], paid["amount"])
    order.update(status="cancelled", cancel_reason=reason)
    return json.dumps(order)


def modify_pending_order_address(data, order_id, address1, address2, city, state, country, zip):
    order = open_order(data, order_id, "pending", "modified")
    order["address"] = dict(address1=address1, address2=address2, city=city, state=state, country=country, zip=zip)
    return json.dumps(order)


def modify_user_address(data, user_id, address1, address2, city, state, country, zip):
    data.see("users", user_id)
    user = data.take("users", user_id)
    user["address"] = dict(address1=address1, address2=address2, city=city, state=state, country=country, zip=zip)
    return json.dumps(user)


def modify_pending_order_payment(data, order_id, payment_method_id):
    order = open_order(data, order_id, "pending", "modified")
    method = method_of(data, order, payment_method_id)
    first, *more = order["payment_history"]
    if more or first["transaction_type"] != "payment":
        raise Refusal("there should be exactly one payment for a pending order")
    if first["payment_method_id"] == payment_method_id:
        raise Refusal("the new payment method should be different from the current one")
    amount = first["amount"]
    require_balance(method, amount, "order")
    order["payment_history"].append(entry("payment", amount, payment_method_id))
    order["payment_history"].append(entry("refund", amount, first["payment_method_id"]))
    top_up(data, order, payment_method_id, -amount)
    top_up(data, order, first["payment_method_id"], amount)
    return json.dumps(order)


def modify_pending_order_items(data, order_id, item_ids, new_item_ids, payment_method_id):
    order = open_order(data, order_id, "pending", "modified")
    difference = price_swaps(data, order, item_ids, new_item_ids)
    require_balance(method_of(data, order, payment_method_id), difference, "new item")
    kind = "payment" if difference > 0 else "refund"
    order["payment_history"].append(entry(kind, abs(difference), payment_method_id))
    top_up(data, order, payment_method_id, -difference)
    for item_id, new_item_id in zip(item_ids, new_item_ids, strict=True):
        item = next(item for item in order["items"] if item["item_id"] == item_id)
        variant = data.see("products", item["product_id"])["variants"][new_item_id]
        item.update(item_id=new_item_id, price=variant["price"], options=variant["options"])
    order["status"] = "pending (item modified)"
    return json.dumps(order)


def exchange_delivered_order_items(data, order_id, item_ids, new_item_ids, payment_method_id):
    order = open_order(data, order_id, "delivered", "exchanged")
    difference = round(price_swaps(data, order, item_ids, new_item_ids), 2)
    require_balance(method_of(data, order, payment_method_id), difference, "price difference")
    order["status"] = "exchange requested"
    order["exchange_items"] = sorted(item_ids)
    order["exchange_new_items"] = sorted(new_item_ids)
    order["exchange_payment_method_id"] = payment_method_id
    order["exchange_price_difference"] = difference
    return json.dumps(order)


def return_delivered_order_items(data, order_id, item_ids, payment_method_id):
    order = open_order(data, order_id, "delivered", "returned")
    method_of(data, order, payment_method_id)
    if "gift_card" not in payment_method_id and payment_method_id != order["payment_history"][0]["payment_method_id"]:
        raise Refusal("payment method should be either the original payment method or a gift card")
    require_items(order, item_ids, "some item not found")
    order["status"] = "return requested"
    order["return_items"] = sorted(item_ids)
    order["return_payment_method_id"] = payment_method_id
    return json.dumps(order)


def as_public(tool: Callable[..., str]) -> Callable[..., str]:
    """The tool under its public name, which Python's own message about misfitting arguments spells out."""
    name = tool.__name__
    tool.__module__ = f"tau_bench.envs.retail.tools.{name}"
    tool.__qualname__ = f"{name.title().replace('_', '')}.invoke"
    return tool


TOOLS = {
    tool.__name__: as_public(tool)
    for tool in (
        *(find_user_id_by_email, find_user_id_by_name_zip, get_user_details, get_order_details, get_product_details),
        *(list_all_product_types, calculate, think, transfer_to_human_agents, cancel_pending_order),
        *(modify_pending_order_address, modify_user_address, modify_pending_order_payment),
        *(modify_pending_order_items, exchange_delivered_order_items, return_delivered_order_items),
    )
}
