"""Runs the production profile's processes on one machine and ends all of them with the first that ends."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO

from django.conf import settings

from deskagent.checks import is_loopback
from deskagent.processes import PREPARATIONS, Process, pass_on

LOOK_EVERY = 0.1
# Turns under way are finished within this, or left to the next start: their rows say how far they came.
STOP_SECONDS = 20.0
OWN_SECRETS = ("SECRET_KEY", "DESKAGENT_AUDIT_KEY", "ALLOWED_HOSTS")


class NoServices(Exception):
    """The message tells what is missing."""


@dataclass(frozen=True, kw_only=True)
class Ended:
    name: str
    code: int


@dataclass(frozen=True, kw_only=True)
class Child:
    name: str
    process: "subprocess.Popen[str]"
    reader: threading.Thread


def get_environment(*, host: str) -> tuple[dict[str, str], list[str]]:
    """The processes' variables, and those among them that were not given.

    On a desk that only this machine reaches, the secrets of `var/` stand in; any other desk has to be given its own.
    """
    missing = [name for name in OWN_SECRETS if name not in settings.DESKAGENT_GIVEN]
    if not is_loopback(settings.PUBLIC_HOST) or not is_loopback(host):
        return pass_on(), []
    own = {
        "SECRET_KEY": settings.SECRET_KEY,
        "DESKAGENT_AUDIT_KEY": settings.DESKAGENT_AUDIT_KEY,
        "ALLOWED_HOSTS": ",".join(settings.ALLOWED_HOSTS),
    }
    return pass_on(**{name: own[name] for name in missing}), missing


def start_services() -> dict[str, str]:
    """The URLs of private PostgreSQL and Redis servers, started where they do not run."""
    command = [str(Path(settings.BASE_DIR) / ".ci" / "services"), "start"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603 - our own script
    urls = dict(line.split("=", 1) for line in done.stdout.splitlines() if "_URL=" in line)
    if done.returncode or set(urls) != {"DATABASE_URL", "REDIS_URL"}:
        raise NoServices("PostgreSQL and Redis did not start; set DATABASE_URL and REDIS_URL to your own")
    return urls


def prepare(environment: dict[str, str]) -> int:
    """Migrate, and load the demo shop where the shop is empty; the exit code of the step that failed, or 0."""
    for command in PREPARATIONS:
        code = subprocess.run(_own_python(command), cwd=settings.BASE_DIR, env=environment, check=False).returncode  # noqa: S603
        if code:
            return code
    return 0


def run(
    processes: Iterable[Process],
    environment: dict[str, str],
    *,
    say: Callable[[str], None],
    patience: float = STOP_SECONDS,
) -> Ended | None:
    """Start all and wait: for SIGINT or SIGTERM, or for one to end by itself. None of them outlives the call."""
    stopping = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    running: list[Child] = []
    try:
        for process in processes:
            running.append(_start(process, environment, say))
        while not stopping.wait(LOOK_EVERY):
            for child in running:
                if (code := child.process.poll()) is not None:
                    return Ended(name=child.name, code=code)
        return None
    finally:
        _stop(running, patience)
        for number, handler in before.items():
            signal.signal(number, handler)


def _start(process: Process, environment: dict[str, str], say: Callable[[str], None]) -> Child:
    child = subprocess.Popen(  # noqa: S603 - a command of deskagent.processes
        _own_python(process.command),
        cwd=settings.BASE_DIR,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        # Ctrl+C reaches a whole group of processes; only the launcher decides when they end.
        start_new_session=True,
    )
    reader = threading.Thread(target=_repeat, args=(child.stdout, process.name, say), daemon=True)
    reader.start()
    return Child(name=process.name, process=child, reader=reader)


def _repeat(lines: IO[str], name: str, say: Callable[[str], None]) -> None:
    with lines:
        for line in lines:
            say(f"{name:<6} | {line.rstrip()}")


def _stop(running: list[Child], patience: float) -> None:
    for child in running:
        child.process.terminate()
    until = time.monotonic() + patience
    for child in running:
        try:
            child.process.wait(timeout=max(0.1, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.process.kill()
            child.process.wait()
        # Its last lines say why it ended; a grandchild that keeps the pipe open is not waited for.
        child.reader.join(timeout=2)


def _own_python(command: tuple[str, ...]) -> list[str]:
    return [sys.executable, *command[1:]] if command[0] == "python" else list(command)
