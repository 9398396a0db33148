"""What a customer who asked for one cancellation has, whatever was killed on the way."""

from typing import Any

from tests.kills.customers import Customer
from tests.kills.stack import KilledStack


def assert_one_each(stack: KilledStack, customers: list[Customer]) -> dict[str, Any]:
    """Each of them said one thing, got one card, one effect, one receipt of it and one reply."""
    found = stack.judge(customers)
    paid = 0 if stack.ledger is None else 1
    for chat in found["chats"].values():
        # A refund that was on its way is told as such, once.
        assert chat["receipts"] in (["done"], ["processing", "done"]), chat
        told = {name: chat[name] for name in chat if name not in ("receipts", "claims")}
        assert told == {
            "effects": ["done"],
            "orders": ["cancelled"],
            "paid": paid,
            "cards": 1,
            "said": 1,
            "replies": 1,
            "turns": ["done"],
        }
    return found
