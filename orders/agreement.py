"""What the three export files have to agree on, checked before a row is written."""

from collections.abc import Mapping

from orders.exported import OrderIn, ProductIn, StoreUnreadable, UserIn
from orders.models import Customer
from orders.wire import read_wire


def check_agreement(users: dict[str, UserIn], orders: dict[str, OrderIn], products: dict[str, ProductIn]) -> None:
    """Raises `StoreUnreadable` at the first contradiction, with its file and place."""
    _check_products(products)
    _check_users(users)
    _check_owners(users, orders)
    for number, order in orders.items():
        _check_items(number, order, products)
        _check_payments(number, order, users[order.user_id])


def _check_products(products: dict[str, ProductIn]) -> None:
    holders: dict[str, str] = {}
    for product_id, product in products.items():
        _check_key("products.json", product_id, product.product_id)
        for item_id, variant in product.variants.items():
            _check_key(f"products.json: {product_id}: variants", item_id, variant.item_id)
        _check_only_one("products.json", "variant", product_id, product.variants, holders)


def _check_users(users: dict[str, UserIn]) -> None:
    longest = Customer._meta.get_field("user_id").max_length or 0
    holders: dict[str, str] = {}
    for user_id, user in users.items():
        if not 0 < len(user_id) <= longest:
            raise StoreUnreadable(f"users.json: {user_id[:longest]!r} must have 1 to {longest} characters")
        for method_id, method in user.payment_methods.items():
            _check_key(f"users.json: {user_id}: payment_methods", method_id, method.id)
        _check_only_one("users.json", "payment method", user_id, user.payment_methods, holders)


def _check_key(place: str, key: str, own: str) -> None:
    if key != own:
        raise StoreUnreadable(f"{place}: {key} holds another id, {own}")


def _check_only_one(place: str, kind: str, holder: str, held: Mapping[str, object], holders: dict[str, str]) -> None:
    for key in held:
        if key in holders:
            raise StoreUnreadable(f"{place}: {holder} has {kind} {key}, which {holders[key]} has too")
        holders[key] = holder


def _check_owners(users: dict[str, UserIn], orders: dict[str, OrderIn]) -> None:
    for number, order in orders.items():
        _check_key("orders.json", number, order.order_id)
        owner = users.get(order.user_id)
        if owner is None or number not in owner.orders:
            raise StoreUnreadable(f"orders.json: {number} does not belong to the orders of user {order.user_id!r}")
    for user_id, user in users.items():
        seen: set[str] = set()
        for number in user.orders:
            if number not in orders:
                raise StoreUnreadable(f"users.json: {user_id} has order {number}, which orders.json lacks")
            if orders[number].user_id != user_id:
                raise StoreUnreadable(f"users.json: {user_id} has order {number} of {orders[number].user_id}")
            if number in seen:
                raise StoreUnreadable(f"users.json: {user_id} has order {number} twice")
            seen.add(number)


def _check_items(number: str, order: OrderIn, products: dict[str, ProductIn]) -> None:
    for item in order.items:
        product = products.get(item.product_id)
        if product is None or item.item_id not in product.variants:
            held = f"item {item.item_id} of product {item.product_id}"
            raise StoreUnreadable(f"orders.json: {number} holds {held}, which products.json lacks")


def _check_payments(number: str, order: OrderIn, owner: UserIn) -> None:
    """An order is paid by its own customer's methods: what is refunded goes back to them."""
    balance = 0
    for entry in order.payment_history:
        if entry.payment_method_id not in owner.payment_methods:
            raise StoreUnreadable(
                f"orders.json: {number} was paid by {entry.payment_method_id}, which user {order.user_id} does not have"
            )
        minor, _ = read_wire(entry.amount)
        balance += minor if entry.transaction_type == "payment" else -minor
    if balance < 0:
        raise StoreUnreadable(f"orders.json: {number} was refunded more than was paid for it")
