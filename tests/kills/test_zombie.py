"""A worker stands still past its leases, another one takes its work over, and then the first one wakes up."""

import signal
import time
from typing import Any

import pytest

from tests.kills.judging import assert_one_each
from tests.kills.stack import CAUGHT, CUSTOMERS, KilledStack, report

pytestmark = pytest.mark.kills

MODEL_SECONDS = "12"
GATEWAY_MS = 3_000


def wake_and_end(stack: KilledStack, zombie: str) -> float:
    """It wakes in the middle of what it did, and may finish that before it ends."""
    stack.running[zombie].send_signal(signal.SIGCONT)
    return stack.retire(zombie)


def finish(customers: list[Any], began: float) -> float:
    for customer in customers:
        customer.join()
    assert [str(customer.failure) for customer in customers if customer.failure] == []
    return float(max(customer.finished_at for customer in customers) - began)


@pytest.mark.xdist_group("local")
def test_turns_of_a_worker_that_stood_still_end_once(local_stack: KilledStack, record_property: Any) -> None:
    stack = local_stack
    stack.kill("worker")
    stack.env["SLOW_SECONDS"] = MODEL_SECONDS
    stack.add_worker("zombie", "tests.kills.slow_worker")
    stack.arm("worker", "lease taken", "count")
    customers = stack.customers(CUSTOMERS)
    for customer in customers:
        customer.start()
    held = stack.wait_for_passed(CUSTOMERS)
    stack.running["zombie"].send_signal(signal.SIGSTOP)
    stack.disarm()
    stopped = time.monotonic()
    stack.start_again("worker")
    slowest = finish(customers, stopped)

    ended = wake_and_end(stack, "zombie")
    report(
        record_property,
        point="zombie",
        caught=held,
        slowest_seconds=round(slowest, 1),
        zombie_ended_seconds=round(ended, 1),
    )
    found = assert_one_each(stack, customers)
    assert held >= CAUGHT
    # Taken over: the second claim of the same turn.
    assert sum(chat["claims"] >= 2 for chat in found["chats"].values()) >= CAUGHT


@pytest.mark.soak
@pytest.mark.xdist_group("remote")
def test_payments_of_a_worker_that_stood_still_are_made_once(remote_stack: KilledStack, record_property: Any) -> None:
    stack = remote_stack
    stack.slow_gateway(GATEWAY_MS)
    stack.arm("worker", "gateway called", "count")
    customers = stack.customers(CUSTOMERS)
    for customer in customers:
        customer.start()
    held = stack.wait_for_passed(CAUGHT)
    stack.running["worker"].send_signal(signal.SIGSTOP)
    stopped = time.monotonic()
    stack.add_worker("second")
    slowest = finish(customers, stopped)

    ended = wake_and_end(stack, "worker")
    report(
        record_property,
        point="zombie with payments",
        caught=held,
        slowest_seconds=round(slowest, 1),
        zombie_ended_seconds=round(ended, 1),
    )
    assert_one_each(stack, customers)
    assert held >= 10
