"""The parts of the benchmark, each in a process of its own on the database it needs, put together."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from deskagent.processes import pass_on
from deskagent.stack import NoServices, start_services
from eval.bench.engine import Say
from eval.bench.figures import SHAPE, fill

PARTS = ("sqlite", "postgresql", "cache", "stack")
WHOLE_SECONDS = 300.0
# Where there is a RAM disk, no figure is the disk's.
RAM = Path("/dev/shm")  # noqa: S108 - folders of their own are made in it
# Not to be inherited: the benchmark measures the defaults.
OWN = ("DESKAGENT_", "ANTHROPIC_", "DATABASE_URL", "REDIS_URL")
NO_WAIT = "-c synchronous_commit=off"


def run(*, parts: list[str], say: Say) -> dict[str, Any]:
    """The figures of these parts in the contract's shape; a part that fails or finds no time leaves null."""
    until = time.monotonic() + WHOLE_SECONDS
    found: dict[str, dict[str, Any]] = {}
    with services(say) as urls:
        for part in parts:
            environment = environment_of(part, urls)
            left = until - time.monotonic()
            if environment is None or left < 1:
                say(f"{part}: not measured, {'out of time' if environment else 'no PostgreSQL and Redis'}")
                continue
            try:
                found[part] = measure(part, environment, seconds=left)
            except CommandError as error:
                say(f"{part}: not measured, {error}")
    return fill(SHAPE, merge(found))


@contextmanager
def services(say: Say) -> Iterator[dict[str, str]]:
    """The URLs of the private servers, started and stopped unless they run already; empty where there are none."""
    ran = (Path(settings.BASE_DIR) / "var" / "services" / "urls").exists()
    try:
        urls = start_services()
    except NoServices as error:
        say(str(error))
        yield {}
        return
    try:
        yield urls
    finally:
        if not ran:
            command = [str(Path(settings.BASE_DIR) / ".ci" / "services"), "stop"]
            subprocess.run(command, check=False)  # noqa: S603 - our own script


def environment_of(part: str, urls: dict[str, str]) -> dict[str, str] | None:
    """The variables of a part's process, or None where its servers are missing."""
    plain = {name: value for name, value in pass_on().items() if not name.startswith(OWN)}
    folder = RAM if RAM.is_dir() else Path(tempfile.gettempdir())
    plain |= {"TMPDIR": str(folder), "REDIS_URL": "", "DESKAGENT_MODEL": "offline"}
    if part in ("sqlite", "cache"):
        return plain | {"DATABASE_URL": f"sqlite:///{folder / 'deskagent_bench.sqlite3'}"}
    if not urls:
        return None
    if part == "stack":
        return plain | urls
    return plain | {"DATABASE_URL": urls["DATABASE_URL"], "PGOPTIONS": NO_WAIT}


def measure(part: str, environment: dict[str, str], *, seconds: float, options: tuple[str, ...] = ()) -> dict[str, Any]:
    """One part's figures; its progress lines pass through. Raises `CommandError`."""
    name = part if part in ("cache", "stack") else "engine"
    return ask(
        [sys.executable, "manage.py", "bench_part", *(options or (name,))],
        folder=Path(settings.BASE_DIR),
        environment=environment,
        seconds=seconds,
    )


def ask(command: list[str], *, folder: Path, environment: dict[str, str], seconds: float) -> dict[str, Any]:
    """The JSON object on a command's last line."""
    try:
        done = subprocess.run(  # noqa: S603 - commands of ours
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise CommandError(f"no end within {seconds:.0f} s") from None
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        raise CommandError(f"it ended with {done.returncode}")
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def merge(found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """One set of figures; where both engines give one, the worse stands."""
    engines = [found[name] for name in ("sqlite", "postgresql") if name in found]
    merged: dict[str, Any] = {**found.get("cache", {}), **found.get("stack", {})}
    if not engines:
        return merged
    merged["turn_ms"] = {vendor: figures for engine in engines for vendor, figures in engine["turn_ms"].items()}
    for name in ("commits", "queries", "bytes"):
        merged[name] = {key: max(engine[name][key] for engine in engines) for key in engines[0][name]}
    merged["growth"] = max((engine["growth"] for engine in engines), key=lambda cpu: cpu["turn_200"] / cpu["turn_1"])
    for name in ("decision_ms_p95", "audit_write_ms_p95"):
        merged[name] = max(engine[name] for engine in engines)
    return merged
