"""Workers are replaced while payments are being made: nothing is repeated, lost or long in coming."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.kills.judging import assert_one_each
from tests.kills.parking import PASSED
from tests.kills.stack import KilledStack, report

pytestmark = [pytest.mark.kills, pytest.mark.xdist_group("remote")]

TURNS, IN_FLIGHT = 16, 12
GATEWAY_MS = 3_000
# A worker of a deploy has this long, as `docker-compose.yml` says, before it is killed.
GRACE_SECONDS = 30
LONGER_SECONDS = 30


def run_customers(stack: KilledStack, turns: int = TURNS, in_flight: int = IN_FLIGHT) -> tuple[list[Any], int]:
    """Begun, and so many of them waiting for the gateway."""
    stack.arm("worker", "gateway called", "count")
    customers = stack.customers(turns)
    for customer in customers:
        customer.start()
    return customers, stack.wait_for_passed(in_flight)


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
    # Both workers have begun to work, and have imported what they need.
    finish(run_customers(stack, 6, 6)[0])
    customers, in_flight = run_customers(stack)
    busy = len(set((stack.folder / PASSED).read_text().split()))
    for new in ("third", "fourth"):
        stack.add_worker(new)
    # The second is asked to end while the first one still does: both have calls under way.
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(stack.retire, ("worker", "second")))
    slowest = finish(customers)
    quiet = finish(run_customers(stack)[0])

    report(
        record_property,
        point="deploy",
        caught=in_flight,
        workers_with_calls=busy,
        slowest_seconds=round(slowest, 1),
        quiet_seconds=round(quiet, 1),
        workers_ended_seconds=[round(seconds, 1) for seconds in ended],
    )
    assert_one_each(stack, customers)
    assert in_flight >= IN_FLIGHT
    assert max(ended) <= GRACE_SECONDS
    assert slowest <= quiet + LONGER_SECONDS
