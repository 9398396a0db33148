"""One kill at a point, and what a customer who asked for one cancellation has afterwards."""

import signal
from typing import Any

from audit.crash_points import Point
from tests.kills.customers import Customer, Staff
from tests.kills.stack import CAUGHT, CUSTOMERS, RECOVERED_SECONDS, KilledStack, report


def kill_at(stack: KilledStack, where: str, point: Point, record_property: Any, *, large: bool = False) -> None:
    staff = Staff(stack.url) if large else None
    stack.arm(where, point)
    customers = stack.customers(CUSTOMERS, large=large, staff=staff)
    for customer in customers:
        customer.start()
    caught = stack.wait_for_passed(CUSTOMERS)
    assert caught >= CAUGHT
    restarted = stack.crash()
    wait_for_all(customers)
    slowest = max(customer.finished_at for customer in customers) - restarted
    report(record_property, point=point, caught=caught, slowest_seconds=round(slowest, 1))
    assert_one_each(stack, customers)
    assert slowest <= RECOVERED_SECONDS


def wait_for_all(customers: list[Customer]) -> None:
    for customer in customers:
        customer.join()
    assert [str(customer.failure) for customer in customers if customer.failure] == []


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


def wake_and_end(stack: KilledStack, zombie: str) -> float:
    """It wakes in the middle of what it did, and may finish that before it ends."""
    stack.running[zombie].send_signal(signal.SIGCONT)
    return stack.retire(zombie)


def finish_since(began: float, customers: list[Customer]) -> float:
    wait_for_all(customers)
    return float(max(customer.finished_at for customer in customers) - began)
