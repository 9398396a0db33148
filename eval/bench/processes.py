"""The product's own processes with the measured model in the worker, on the database this process looks at."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import redis
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

from deskagent.processes import Process, list_processes
from deskagent.stack import get_environment
from eval.processor import cpu_seconds

HOST = "127.0.0.1"
READY_SECONDS = 90.0
STOP_SECONDS = 30.0
PLENTY = "1000000"
ROOM = (
    *("MESSAGES_CONVERSATION_MINUTE", "MESSAGES_ADDRESS_MINUTE", "CONVERSATIONS_ADDRESS_MINUTE", "SOCKETS_ADDRESS"),
    *("SPEND_CAP_USD", "SPEND_CAP_VISITOR_USD", "SPEND_CAP_CONVERSATION_USD"),
)


@dataclass(kw_only=True)
class Stack:
    """Web server, worker and beat, their logs in a folder."""

    port: int
    folder: Path
    environment: dict[str, str]
    running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    def pid(self, name: str) -> int:
        return self.running[name].pid

    def start(self, process: Process, *, worker: str) -> None:
        """One process, without waiting for it; a worker runs the Celery app of the module `worker`."""
        words = [worker if word == "deskagent" else word for word in process.command[1:]]
        # At this level a worker says that it is ready.
        words += ["--loglevel", "INFO"] if process.name == "worker" else []
        with self._log(process.name).open("wb") as log:
            self.running[process.name] = subprocess.Popen(  # noqa: S603 - a command of deskagent.processes
                [sys.executable, *words], cwd=settings.BASE_DIR, env=self.environment, stdout=log, stderr=log
            )

    def replace_worker(self, worker: str) -> None:
        """End the worker as a deploy does, and start one of another module in its place."""
        old = self.running["worker"]
        old.terminate()
        try:
            old.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise CommandError("the worker does not end") from error
        [process] = [one for one in list_processes(host=HOST, port=self.port) if one.name == "worker"]
        self.start(process, worker=worker)
        self.wait_for_worker()

    def wait_for_web(self) -> None:
        self._wait_for("web", lambda _: _listens(self.port))

    def wait_for_worker(self) -> None:
        self._wait_for("worker", lambda said: "ready." in said)

    def kill(self) -> None:
        for child in self.running.values():
            child.kill()
            child.wait()

    def cpu(self) -> dict[str, float]:
        """Processor seconds so far, by who used them; `customers` is this process, which plays them."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
            backends = {pid for (pid,) in cursor.fetchall()}
        server = redis.Redis.from_url(settings.REDIS_URL).info("server")["process_id"]
        used = {name: cpu_seconds({child.pid}) for name, child in self.running.items()}
        used |= {"postgresql": cpu_seconds(backends), "redis": cpu_seconds({server}), "customers": time.process_time()}
        return used

    def resident(self, name: str) -> int:
        """Bytes of a process in memory, from Linux's books."""
        pages = Path(f"/proc/{self.pid(name)}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _wait_for(self, name: str, is_ready: Callable[[str], bool]) -> None:
        until = time.monotonic() + READY_SECONDS
        while not is_ready(said := self._log(name).read_text(encoding="utf-8", errors="replace")):
            if self.running[name].poll() is not None or time.monotonic() > until:
                raise CommandError(f"{name} did not start: {said[-2_000:]}")
            time.sleep(0.1)


@contextmanager
def run_stack(folder: Path, *, worker: str) -> Iterator[Stack]:
    """The three processes, ready for customers; limits and caps are out of the way."""
    own = connection.settings_dict
    where = f"{own['USER']}:{own['PASSWORD']}@{own['HOST']}:{own['PORT']}"
    given, _ = get_environment(host=HOST)
    environment = {
        **given,
        "DATABASE_URL": f"postgres://{where}/{own['NAME']}",
        "DESKAGENT_ANCHOR_FILE": str(folder / "anchors.jsonl"),
        **{f"DESKAGENT_{name}": PLENTY for name in ROOM},
    }
    stack = Stack(port=find_port(), folder=folder, environment=environment)
    try:
        for process in list_processes(host=HOST, port=stack.port):
            stack.start(process, worker=worker)
        stack.wait_for_web()
        stack.wait_for_worker()
        yield stack
    finally:
        stack.kill()


def find_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True
