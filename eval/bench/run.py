"""The parts of the benchmark, each in a process of its own on the database it needs, put together."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from deskagent.processes import pass_on
from deskagent.stack import NoServices, start_services
from eval.bench.engine import Say
from eval.bench.figures import SHAPE, fill

# In this order, with the most seconds that each may take; the last one asked for has whatever they leave.
PARTS = {"sqlite": 75.0, "postgresql": 85.0, "cache": 25.0, "stack": 270.0}
NEED_SERVERS = {"postgresql", "stack"}
# Of the five minutes; what is left is for servers to start and stop.
WHOLE_SECONDS = 270.0
STOP_SECONDS = 15.0
# Where there is a RAM disk, no figure is the disk's.
RAM = Path("/dev/shm")  # noqa: S108 - folders of their own are made in it
# Not to be inherited: the benchmark measures the defaults.
OWN = ("DESKAGENT_", "ANTHROPIC_", "DATABASE_URL", "REDIS_URL")
NO_WAIT = "-c synchronous_commit=off"


def run(*, parts: list[str], say: Say) -> dict[str, Any]:
    """The figures of these parts in the contract's shape; a part that fails or finds no time leaves null."""
    until = time.monotonic() + WHOLE_SECONDS
    found: dict[str, dict[str, Any]] = {}
    none: dict[str, str] = {}
    with services(say) if NEED_SERVERS & {*parts} else nullcontext(none) as urls:
        for part in parts:
            environment = environment_of(part, urls)
            left = until - time.monotonic()
            if part != parts[-1]:
                left = min(left, PARTS[part])
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
    """One part's figures, those it had when its time was over; progress lines pass through. Raises `CommandError`."""
    name = part if part in ("cache", "stack") else "engine"
    arguments = options or (name, "--within", f"{seconds:.0f}")
    child = subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "manage.py", "bench_part", *arguments],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        said, _ = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        said = _stop(child)
    except BaseException:
        _stop(child)
        raise
    # Each line holds all of the lines before it.
    if not said.strip():
        raise CommandError(f"it ended with {child.returncode} and no figure")
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def _stop(child: "subprocess.Popen[str]") -> str:
    """Ended so that it can end its own processes; what it said."""
    child.terminate()
    try:
        return child.communicate(timeout=STOP_SECONDS)[0]
    except subprocess.TimeoutExpired:
        child.kill()
        return child.communicate()[0]


def merge(found: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """One set of figures; where both engines give one, the worse stands."""
    engines = [found[name] for name in ("sqlite", "postgresql") if name in found]
    merged: dict[str, Any] = {**found.get("cache", {}), **found.get("stack", {})}
    for name in ("commits", "queries", "bytes"):
        given = [engine[name] for engine in engines if name in engine]
        merged[name] = {key: max(one[key] for one in given) for key in given[0]} if given else {}
    for name in ("decision_ms_p95", "audit_write_ms_p95", "search_ms_p95"):
        merged[name] = max((engine[name] for engine in engines if name in engine), default=None)
    grown = [engine["growth"] for engine in engines if "growth" in engine]
    merged["growth"] = max(grown, key=lambda cpu: cpu["turn_200"] / cpu["turn_1"], default={})
    merged["turn_ms"] = {vendor: figures for engine in engines for vendor, figures in engine["turn_ms"].items()}
    return merged
