"""SIGKILL of the real processes at each point but a payment's: nothing lost or doubled, all answered in a minute.

Every point catches `CAUGHT` turns or more with one kill; Redis is emptied in the same moment. Last a worker that
stands still past its leases. It needs PostgreSQL.
"""

import signal
import time
from typing import Any

import pytest

from audit.crash_points import Point
from tests.kills.judging import assert_one_each, finish_since, kill_at, wake_and_end
from tests.kills.stack import CAUGHT, CUSTOMERS, KilledStack, report

pytestmark = pytest.mark.kills

# Where each point is passed, and whether the order is one that a person has to approve.
WORKER, WEB = "worker", "web"
MODEL_SECONDS = "12"
LOCAL: dict[Point, tuple[str, bool]] = {
    "message saved": (WEB, False),
    "turn enqueued": (WEB, False),
    "lease taken": (WORKER, False),
    "model reply stored": (WORKER, False),
    "policy decided": (WORKER, False),
    "audit written": (WORKER, False),
    "approval requested": (WEB, True),
    "approval stored": (WEB, True),
    "intent committed": (WEB, False),
    "reply stored": (WORKER, False),
    "reply pushed": (WORKER, False),
}


@pytest.mark.parametrize("point", LOCAL)
def test_a_kill_loses_and_doubles_nothing(local_stack: KilledStack, point: Point, record_property: Any) -> None:
    where, large = LOCAL[point]
    kill_at(local_stack, where, point, record_property, large=large)


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
    slowest = finish_since(stopped, customers)

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
