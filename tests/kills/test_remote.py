"""A desk that pays back through a gateway: killed around a payment, deployed, without its broker, standing still."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from audit.crash_points import POINTS, Point
from tests.kills.customers import Customer, Staff
from tests.kills.jobs import ENDS, Job, at_once, open_jobs
from tests.kills.judging import assert_one_each, finish_since, kill_at, wait_for_all, wake_and_end
from tests.kills.parking import PASSED
from tests.kills.stack import CAUGHT, CUSTOMERS, RECOVERED_SECONDS, KilledStack, report
from tests.kills.test_local import LOCAL

pytestmark = pytest.mark.kills

REMOTE: tuple[Point, ...] = ("gateway called", "gateway answered", "result stored")
TURNS, IN_FLIGHT = 16, 12
GATEWAY_MS = 3_000
# What a worker that is asked to end may take beyond the payments it has under way.
GRACE_SECONDS = 27
LONGER_SECONDS = 60


def test_every_point_is_killed_at() -> None:
    assert sorted([*LOCAL, *REMOTE]) == sorted(POINTS)


@pytest.mark.parametrize("point", REMOTE)
def test_a_kill_around_a_payment_pays_once(remote_stack: KilledStack, point: Point, record_property: Any) -> None:
    kill_at(remote_stack, "worker", point, record_property)


def run_customers(stack: KilledStack, turns: int, in_flight: int) -> tuple[list[Customer], int]:
    """Begun, and so many of them waiting for the gateway."""
    stack.arm("worker", "gateway called", "count")
    customers = stack.customers(turns)
    for customer in customers:
        customer.start()
    return customers, stack.wait_for_passed(in_flight)


def finish(customers: list[Customer]) -> float:
    """The slowest one's seconds, from the first word to the reply after the receipt."""
    wait_for_all(customers)
    return float(max(customer.finished_at - customer.began_at for customer in customers))


@dataclass(frozen=True, kw_only=True)
class Deploy:
    """Each of `workers` is replaced while so many turns wait for a gateway that takes `gateway_ms`."""

    workers: tuple[str, ...]
    turns: int
    in_flight: int
    gateway_ms: int


SMALL = Deploy(workers=("worker", "second"), turns=TURNS, in_flight=IN_FLIGHT, gateway_ms=GATEWAY_MS)
WHOLE = Deploy(workers=("worker", "second", "third", "fourth"), turns=40, in_flight=40, gateway_ms=20_000)


@pytest.mark.parametrize("deploy", [SMALL, pytest.param(WHOLE, marks=pytest.mark.soak)], ids=["small", "whole"])
def test_a_deploy_repeats_and_loses_no_work(remote_stack: KilledStack, deploy: Deploy, record_property: Any) -> None:
    stack = remote_stack
    for name in deploy.workers[1:]:
        stack.add_worker(name)
    # All workers have begun to work, and have imported what they need.
    finish(run_customers(stack, 6, 6)[0])
    stack.slow_gateway(deploy.gateway_ms)
    customers, in_flight = run_customers(stack, deploy.turns, deploy.in_flight)
    busy = len(set((stack.folder / PASSED).read_text().split()))
    with ThreadPoolExecutor(len(deploy.workers)) as pool:
        ending = []
        for old in deploy.workers:
            stack.add_worker(f"{old}-again")
            # The next one is asked to end while this one still does: all have calls under way.
            ending.append(pool.submit(stack.retire, old))
        ended = [one.result() for one in ending]
    slowest = finish(customers)
    quiet = finish(run_customers(stack, deploy.turns, deploy.in_flight)[0])

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
    assert in_flight >= deploy.in_flight
    assert max(ended) <= deploy.gateway_ms / 1000 + GRACE_SECONDS
    assert slowest <= quiet + LONGER_SECONDS


def test_seventy_jobs_outlive_the_broker_and_the_worker(remote_stack: KilledStack, record_property: Any) -> None:
    stack = remote_stack
    staff = Staff(stack.url)
    jobs = open_jobs(stack)
    stack.slow_gateway(3_000)
    # Half of the work meets a worker that dies over it, half none at all.
    at_once(lambda job: job.accept(staff), jobs[::2])
    stack.kill("worker")
    at_once(lambda job: job.accept(staff), jobs[1::2])
    stack.wipe()
    stack.slow_gateway(0)
    stack.start_again("worker")
    restarted = time.monotonic()
    slowest = max(at_once(Job.wait, jobs)) - restarted
    report(record_property, point="broker wipe", caught=len(jobs), slowest_seconds=round(slowest, 1))

    found = stack.judge([job.customer for job in jobs])
    for job in jobs:
        chat = found["chats"][job.customer.id]
        expected = {"said": 1, "replies": 1, "turns": ["done"], **ENDS[job.kind]}
        assert {name: chat[name] for name in expected} == expected, (job.kind, chat)
        assert chat["receipts"].count("done") == len(chat["effects"])
    assert slowest <= RECOVERED_SECONDS


@pytest.mark.soak
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
    slowest = finish_since(stopped, customers)

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
