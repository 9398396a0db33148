"""Workers are replaced one by one while payments are being made: nothing is repeated, lost or long in coming."""

from typing import Any

import pytest

from tests.kills.judging import assert_one_each
from tests.kills.stack import KilledStack, report

pytestmark = [pytest.mark.kills, pytest.mark.xdist_group("remote")]

TURNS, IN_FLIGHT = 16, 12
GATEWAY_MS = 3_000
# A worker of a deploy has this long, as `docker-compose.yml` says, before it is killed.
GRACE_SECONDS = 30
LONGER_SECONDS = 20


def run_customers(stack: KilledStack) -> tuple[list[Any], int]:
    """Begun, and so many of them waiting for the gateway."""
    stack.arm("worker", "gateway called", "count")
    customers = stack.customers(TURNS)
    for customer in customers:
        customer.start()
    return customers, stack.wait_for_passed(IN_FLIGHT)


def finish(customers: list[Any]) -> float:
    """The slowest one's seconds, from the first word to the reply after the receipt."""
    for customer in customers:
        customer.join()
    assert [str(customer.failure) for customer in customers if customer.failure] == []
    return float(max(customer.finished_at - customer.began_at for customer in customers))


def test_a_deploy_repeats_and_loses_no_work(remote_stack: KilledStack, record_property: Any) -> None:
    stack = remote_stack
    stack.slow_gateway(GATEWAY_MS)
    stack.add_worker("second")
    quiet = finish(run_customers(stack)[0])

    customers, in_flight = run_customers(stack)
    ended = []
    for old, new in (("worker", "third"), ("second", "fourth")):
        stack.add_worker(new)
        ended.append(stack.retire(old))
    slowest = finish(customers)

    report(
        record_property,
        point="deploy",
        caught=in_flight,
        slowest_seconds=round(slowest, 1),
        quiet_seconds=round(quiet, 1),
        workers_ended_seconds=[round(seconds, 1) for seconds in ended],
    )
    assert_one_each(stack, customers)
    assert in_flight >= IN_FLIGHT
    assert max(ended) <= GRACE_SECONDS
    assert slowest <= quiet + LONGER_SECONDS
