"""SIGKILL at each named point of the real processes: nothing lost, nothing doubled, everybody answered in a minute.

Every point catches `CAUGHT` turns or more with one kill; Redis is emptied in the same moment. It needs PostgreSQL.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from audit.crash_points import Point
from tests.factories import LARGE, SMALL
from tests.kills.customers import Customer, Staff
from tests.kills.shop import write_shop
from tests.process import StackProcess

pytestmark = pytest.mark.kills
CUSTOMERS, CAUGHT, RECOVERED_SECONDS = 24, 20, 60
ROUNDS = int(os.environ.get("KILL_ROUNDS", "1"))

# Where each point is passed, and whether the order is one that a person has to approve.
WORKER, WEB = "worker", "web"
WATCHED = {WORKER: "tests.kills.worker", WEB: "tests.kills.web:application"}
PASSED: dict[Point, tuple[str, bool]] = {
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

SUMMARY = """
import json
from collections import Counter
from approvals.models import ActionRequest
from conversations.models import Conversation, Event, Message, Turn
from orders.models import Effect, Order
def spread(rows): return dict(Counter(str(count) for count in rows))
ids = list(Conversation.objects.values_list("pk", flat=True))
print(json.dumps({
    "conversations": len(ids),
    "effects": spread(Effect.objects.filter(conversation=pk).count() for pk in ids),
    "receipts": spread(Event.objects.filter(conversation=pk, kind="receipt").count() for pk in ids),
    "said": spread(Message.objects.filter(conversation=pk, role="customer").count() for pk in ids),
    "cards": spread(Event.objects.filter(conversation=pk, kind="request").count() for pk in ids),
    "replies": spread(Message.objects.filter(conversation=pk, role="agent").count() for pk in ids),
    "turns": spread(Turn.objects.values_list("state", flat=True)),
    "cancelled": Order.objects.filter(status="cancelled").count(),
}))
"""


class KilledStack(StackProcess):
    """A stack whose worker or web server is started with a watcher, and killed by it."""

    def load(self, folder: Path, *, order: str) -> None:
        write_shop(folder, customers=CUSTOMERS, order=order)
        self.env |= {"DESKAGENT_SWEEP_SECONDS": "2", "DESKAGENT_LEASE_SECONDS": "6"}
        # Whoever is parked inside a transaction keeps a connection.
        self.env["DESKAGENT_DATABASE_CONNECTIONS"] = str(2 * CUSTOMERS)
        self.manage("migrate", "--verbosity", "0")
        self.manage("load_store", str(folder))
        self.manage("createsuperuser", "--noinput", "--username", "bob", "--email", "bob@example.com")

    def watch(self, point: Point, file: Path) -> None:
        self.env |= {"PARK_AT": point, "PARK_FILE": str(file)}
        where, _ = PASSED[point]
        self.instead_of = {where: WATCHED[where]}

    def kill_and_restart(self) -> float:
        self.stop(signal.SIGKILL)
        redis.Redis.from_url(self.env["REDIS_URL"]).flushdb()
        self.instead_of = {}
        self.start()
        return time.monotonic()


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[KilledStack]:
    desk = KilledStack(tmp_path)
    yield desk
    desk.stop(signal.SIGKILL)


def wait_until_parked(file: Path, customers: list[Customer]) -> int:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        caught = len(file.read_text().splitlines()) if file.exists() else 0
        if caught >= len(customers):
            break
        time.sleep(0.2)
    return caught


@pytest.mark.parametrize("round_", range(ROUNDS))
@pytest.mark.parametrize("point", PASSED)
def test_a_kill_loses_and_doubles_nothing(stack: KilledStack, tmp_path: Path, point: Point, round_: int) -> None:
    _, needs_person = PASSED[point]
    parked = tmp_path / "parked"
    stack.load(tmp_path / "shop", order=LARGE if needs_person else SMALL)
    stack.watch(point, parked)
    stack.start()
    staff = Staff(stack.url) if needs_person else None
    customers = [Customer(stack.url, number, staff) for number in range(CUSTOMERS)]
    for customer in customers:
        customer.start()
    caught = wait_until_parked(parked, customers)
    assert caught >= CAUGHT
    restarted = stack.kill_and_restart()
    for customer in customers:
        customer.join()
    assert [str(customer.failure) for customer in customers if customer.failure] == []
    slowest = max(customer.finished_at for customer in customers) - restarted
    told = json.loads(stack.manage("shell", "--no-imports", "-c", SUMMARY).splitlines()[-1])
    sys.stdout.write(f"\n{point}: caught {caught}, slowest after the restart {slowest:.1f} s, {told}\n")
    assert told["conversations"] >= CUSTOMERS
    for name in ("effects", "receipts", "said", "cards", "replies"):
        # A conversation whose start was lost on the way has nothing in it; all others have one of each.
        assert told[name].pop("0", 0) == told["conversations"] - CUSTOMERS, (name, told)
        assert told[name] == {"1": CUSTOMERS}, (name, told)
    assert told["cancelled"] == CUSTOMERS
    assert set(told["turns"]) == {"done"}, told
    assert slowest <= RECOVERED_SECONDS
    assert stack.manage("verify_audit").startswith("ok ")
