"""Web server, worker and beat to be killed, with a shop of many customers and a payment gateway beside them."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import redis

from audit.crash_points import Point
from deskagent.processes import Process
from tests.conftest import ROOT
from tests.kills.customers import Customer
from tests.kills.parking import ARMED, PASSED
from tests.kills.shop import FIRST_LARGE, write_shop
from tests.process import StackProcess

CUSTOMERS, CAUGHT, RECOVERED_SECONDS = 24, 20, 60
SMALL_ORDERS, LARGE_ORDERS = 400, 100
WATCHED = {"worker": "tests.kills.worker", "web": "tests.kills.web:application"}


class KilledStack(StackProcess):
    """A desk of its own; with `remote` it pays back through a gateway process that outlives every kill."""

    def __init__(self, folder: Path, *, remote: bool) -> None:
        super().__init__(folder)
        self.folder = folder
        self.ledger = folder / "gateway.jsonl" if remote else None
        self.gateway: subprocess.Popen[str] | None = None
        self.instead_of = dict(WATCHED)
        self._small, self._large = count(), count(FIRST_LARGE)
        self.env |= {
            "KILLS_FOLDER": str(folder),
            "DESKAGENT_SWEEP_SECONDS": "2",
            "DESKAGENT_LEASE_SECONDS": "6",
            "DESKAGENT_CONVERSATIONS_ADDRESS_MINUTE": "1000",
            "DESKAGENT_MESSAGES_ADDRESS_MINUTE": "1000",
            # Whoever is parked inside a transaction keeps a connection, and one of the places of those that compute.
            "DESKAGENT_DATABASE_CONNECTIONS": str(CUSTOMERS + 8),
        }

    def prepare(self) -> "KilledStack":
        write_shop(self.folder / "shop", small=SMALL_ORDERS, large=LARGE_ORDERS)
        if self.ledger is not None:
            self._start_gateway(self.ledger)
        self._ask_desk("prepare")
        self.start()
        return self

    def customers(self, number: int, *, large: bool = False, staff: Any = None) -> list[Customer]:
        """Customers whose orders nobody has touched yet."""
        numbers = self._large if large else self._small
        return [Customer(self.url, next(numbers), staff) for _ in range(number)]

    def arm(self, where: str, point: Point, what: str = "park") -> None:
        (self.folder / PASSED).unlink(missing_ok=True)
        # Renamed into its place: a process may read it at any time.
        (self.folder / "next").write_text(f"{where}|{point}|{what}")
        (self.folder / "next").rename(self.folder / ARMED)

    def disarm(self) -> None:
        (self.folder / ARMED).unlink(missing_ok=True)

    def wait_for_passed(self, wanted: int, seconds: float = 60) -> int:
        """How many passed the armed point, as soon as so many did."""
        file, until = self.folder / PASSED, time.monotonic() + seconds
        passed = 0
        while passed < wanted and time.monotonic() < until:
            time.sleep(0.1)
            passed = len(file.read_text().splitlines()) if file.exists() else 0
        return passed

    def crash(self) -> float:
        """Everything but the database is gone, and started again; the moment at which it was up."""
        self.disarm()
        self.stop(signal.SIGKILL)
        self.wipe()
        self.start()
        return time.monotonic()

    def wipe(self) -> None:
        redis.Redis.from_url(self.env["REDIS_URL"]).flushdb()

    def add_worker(self, name: str, module: str = WATCHED["worker"]) -> None:
        """One more worker beside the others."""
        command = (*self.named["worker"].command, "--hostname", f"{name}@%h")
        self.named[name] = Process(name=name, command=command)
        self.instead_of[name] = module
        self.start_again(name)

    def retire(self, name: str, seconds: float = 60) -> float:
        """End one process as a deploy does; how long it took to end."""
        began = time.monotonic()
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=seconds)
        self.processes.remove(process)
        assert process.stdout is not None
        process.stdout.close()
        return time.monotonic() - began

    def slow_gateway(self, milliseconds: int) -> None:
        request = urllib.request.Request(
            f"{self.env['DESKAGENT_GATEWAY_URL']}/faults",
            json.dumps({"slow_ms": milliseconds}).encode(),
            {"Content-Type": "application/json"},
            method="PUT",
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert answer.status == 200

    def judge(self, customers: list[Customer]) -> dict[str, Any]:
        """What became of these customers, in rows; the books and the audit log must hold."""
        chats = json.dumps([customer.id for customer in customers])
        found: dict[str, Any] = json.loads(self._ask_desk("judge", chats).splitlines()[-1])
        assert found["broken"] == []
        assert found["unchecked"] == []
        assert found["audit"].startswith("ok ")
        return found

    def close(self) -> None:
        self.stop(signal.SIGKILL)
        if self.gateway is not None:
            assert self.gateway.stdout is not None
            self.gateway.kill()
            self.gateway.wait(timeout=20)
            self.gateway.stdout.close()

    def _start_gateway(self, ledger: Path) -> None:
        self.gateway = subprocess.Popen(
            [sys.executable, "manage.py", "fake_gateway", "--port", "0", "--ledger", str(ledger)],
            cwd=ROOT,
            env=self.env,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.gateway.stdout is not None
        url = self.gateway.stdout.readline().split()[-1]
        self.env |= {"DESKAGENT_GATEWAY": "http", "DESKAGENT_GATEWAY_URL": url}

    def _ask_desk(self, what: str, words: str = "") -> str:
        ledger = [str(self.ledger)] if self.ledger else []
        done = subprocess.run(
            [sys.executable, "-m", "tests.kills.desk", what, str(self.folder), *ledger],
            cwd=ROOT,
            env={**self.env, "DJANGO_SETTINGS_MODULE": "deskagent.settings"},
            input=words,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def report(record: Callable[[str, object], None], **measured: Any) -> None:
    """Into the output of this run, and into the log of a long one."""
    measured["load"] = round(os.getloadavg()[0], 1)
    for name, value in measured.items():
        record(name, value)
    sys.stdout.write("\n" + ", ".join(f"{name} {value}" for name, value in measured.items()) + "\n")
