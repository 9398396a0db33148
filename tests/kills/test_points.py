"""SIGKILL at each named point of the real processes: nothing lost, nothing doubled, everybody answered in a minute.

Every point catches `CAUGHT` turns or more with one kill; Redis is emptied in the same moment. It needs PostgreSQL.
"""

from typing import Any

import pytest

from audit.crash_points import POINTS, Point
from tests.kills.customers import Staff
from tests.kills.judging import assert_one_each
from tests.kills.stack import CAUGHT, CUSTOMERS, RECOVERED_SECONDS, KilledStack, report

pytestmark = pytest.mark.kills

# Where each point is passed, and whether the order is one that a person has to approve.
WORKER, WEB = "worker", "web"
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
REMOTE: tuple[Point, ...] = ("gateway called", "gateway answered", "result stored")


def test_every_point_is_killed_at() -> None:
    assert sorted([*LOCAL, *REMOTE]) == sorted(POINTS)


@pytest.mark.xdist_group("local")
@pytest.mark.parametrize("point", LOCAL)
def test_a_kill_loses_and_doubles_nothing(local_stack: KilledStack, point: Point, record_property: Any) -> None:
    where, large = LOCAL[point]
    kill_at(local_stack, where, point, record_property, large=large)


@pytest.mark.xdist_group("remote")
@pytest.mark.parametrize("point", REMOTE)
def test_a_kill_around_a_payment_pays_once(remote_stack: KilledStack, point: Point, record_property: Any) -> None:
    kill_at(remote_stack, WORKER, point, record_property)


def kill_at(stack: KilledStack, where: str, point: Point, record_property: Any, *, large: bool = False) -> None:
    staff = Staff(stack.url) if large else None
    stack.arm(where, point)
    customers = stack.customers(CUSTOMERS, large=large, staff=staff)
    for customer in customers:
        customer.start()
    caught = stack.wait_for_passed(CUSTOMERS)
    assert caught >= CAUGHT
    restarted = stack.crash()
    for customer in customers:
        customer.join()
    assert [str(customer.failure) for customer in customers if customer.failure] == []
    slowest = max(customer.finished_at for customer in customers) - restarted
    report(record_property, point=point, caught=caught, slowest_seconds=round(slowest, 1))
    assert_one_each(stack, customers)
    assert slowest <= RECOVERED_SECONDS
