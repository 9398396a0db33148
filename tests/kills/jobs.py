"""Seventy jobs of four kinds: what makes each of them accepted work, and how its customer sees that it is over."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from tests.kills.customers import Customer, Staff
from tests.kills.stack import KilledStack

KINDS = {"message": 20, "card answered no": 15, "request decided": 15, "refund to carry out": 20}
ENDS: dict[str, dict[str, Any]] = {
    "message": {"effects": [], "paid": 0, "cards": 0, "receipts": []},
    "card answered no": {"effects": [], "paid": 0, "cards": 1, "receipts": []},
    "request decided": {"effects": ["done"], "paid": 1, "cards": 1},
    "refund to carry out": {"effects": ["done"], "paid": 1, "cards": 1},
}


@dataclass
class Job:
    """Work that the desk has said yes to, and how its customer sees that it is over."""

    kind: str
    customer: Customer
    card: dict[str, Any] = field(default_factory=dict)

    def open(self) -> None:
        if self.kind == "message":
            return
        self.card = self.customer.open_card()
        if self.kind == "request decided":
            # The customer's yes; now it waits for a member of staff.
            self.customer.answer(self.card, "yes")

    def accept(self, staff: Staff) -> None:
        if self.kind == "message":
            self.customer.say("hello")
        elif self.kind == "request decided":
            staff.approve(self.card["request_id"])
        else:
            self.customer.answer(self.card, "no" if self.kind == "card answered no" else "yes")

    def wait(self) -> float:
        """Until it is over; the moment of that."""
        if ENDS[self.kind]["paid"]:
            self.customer.wait_for_end()
        else:
            self.customer.wait_for("message", after=self.card.get("seq", 0))
        ended = time.monotonic()
        self.customer.caller.http.close()
        return ended


def at_once(do: Callable[[Any], Any], rows: list[Any]) -> list[Any]:
    with ThreadPoolExecutor(len(rows)) as pool:
        return list(pool.map(do, rows))


def open_jobs(stack: KilledStack) -> list[Job]:
    """Everything up to the word that makes it work for a worker."""
    jobs = [
        Job(kind, customer)
        for kind, number in KINDS.items()
        for customer in stack.customers(number, large=kind == "request decided")
    ]
    at_once(Job.open, jobs)
    return jobs
