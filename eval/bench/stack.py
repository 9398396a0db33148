"""Through the whole stack: sockets, web server, broker, worker and back, as the production profile runs them."""

import itertools
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.models import Count
from django.utils import timezone

from conversations.models import Message, ModelCall, Turn
from conversations.operations import start_conversation
from deskagent.processes import list_processes
from deskagent.stack import get_environment
from eval.bench import shop
from eval.bench.engine import Say
from eval.bench.figures import STAGES, in_ms, percentile
from eval.bench.load import Load, hold_sockets, run_load
from eval.bench.scripted import WAIT_SECONDS
from eval.database import temporary_database
from orders.interchange import load as load_shop

HOST = "127.0.0.1"
READY_SECONDS = 90.0
IDLE_SOCKETS, STAGES_AT = 1_000, 16
# Seconds of one turn among many, on a busy machine.
SLOWEST_TURN = 0.12
PLENTY = "1000000"
ROOM = (
    *("MESSAGES_CONVERSATION_MINUTE", "MESSAGES_ADDRESS_MINUTE", "CONVERSATIONS_ADDRESS_MINUTE", "SOCKETS_ADDRESS"),
    *("SPEND_CAP_USD", "SPEND_CAP_VISITOR_USD", "SPEND_CAP_CONVERSATION_USD"),
)


@dataclass(frozen=True, kw_only=True)
class Stack:
    port: int
    web: int


def measure_stack(*, sockets: list[int], seconds: float, within: float, say: Say) -> Iterator[dict[str, Any]]:
    """On the configured PostgreSQL and an idle Redis, as the figures come; a temporary database holds all of it."""
    until = time.monotonic() + within
    if connection.vendor != "postgresql" or not settings.REDIS_URL:
        raise CommandError("the stack needs a PostgreSQL and an idle Redis: DATABASE_URL and REDIS_URL")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    places = itertools.count()
    found: dict[str, dict[str, Any]] = {}
    with temporary_database(), tempfile.TemporaryDirectory() as folder:
        shop.write_shop(Path(folder))
        load_shop(folder=Path(folder), replace=True)
        with _processes(Path(folder)) as stack:
            # Once without a clock: both processes import what they need with their first turn.
            run_load(port=stack.port, customers=4, seconds=1.0, places=places)
            for number in sockets:
                if time.monotonic() + seconds + number * SLOWEST_TURN > until:
                    say(f"N={number}: not measured, out of time")
                    continue
                began = timezone.now()
                load = run_load(port=stack.port, customers=number, seconds=seconds, places=places)
                say(_report(load, number, began))
                found[f"N={number}"] = _describe(load)
                yield {"socket": found, **_look(load, number, began)}
            memory = _hold_idle(stack)
            say(f"web server's memory for {IDLE_SOCKETS} idle sockets: {memory} MB")
            yield {"rss_mb_1000_sockets": memory}


@contextmanager
def _processes(folder: Path) -> Iterator[Stack]:
    own = connection.settings_dict
    where = f"{own['USER']}:{own['PASSWORD']}@{own['HOST']}:{own['PORT']}"
    given, _ = get_environment(host=HOST)
    port = find_port()
    environment = {
        **given,
        "DATABASE_URL": f"postgres://{where}/{own['NAME']}",
        "DESKAGENT_ANCHOR_FILE": str(folder / "anchors.jsonl"),
        **{f"DESKAGENT_{name}": PLENTY for name in ROOM},
    }
    started: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for process in list_processes(host=HOST, port=port):
            words = ["eval.bench.worker" if word == "deskagent" else word for word in process.command[1:]]
            # At this level a worker says that it is ready.
            words += ["--loglevel", "INFO"] if process.name == "worker" else []
            with (folder / f"{process.name}.log").open("wb") as log:
                started[process.name] = subprocess.Popen(  # noqa: S603 - a command of deskagent.processes
                    [sys.executable, *words], cwd=settings.BASE_DIR, env=environment, stdout=log, stderr=log
                )
        _wait_for(started["web"], folder / "web.log", lambda _: _listens(port))
        _wait_for(started["worker"], folder / "worker.log", lambda said: "ready." in said)
        yield Stack(port=port, web=started["web"].pid)
    finally:
        for child in started.values():
            child.kill()
            child.wait()


def _wait_for(process: "subprocess.Popen[bytes]", log: Path, is_ready: Callable[[str], bool]) -> None:
    until = time.monotonic() + READY_SECONDS
    while not is_ready(said := log.read_text(encoding="utf-8", errors="replace")):
        if process.poll() is not None or time.monotonic() > until:
            raise CommandError(f"{log.stem} did not start: {said[-2_000:]}")
        time.sleep(0.1)


def _listens(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True


def find_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _describe(load: Load) -> dict[str, Any]:
    """Of the replies in words; a card has no first words."""
    spoken = [answer for answer in load.answers if answer.first is not None]
    firsts = [answer.first for answer in spoken if answer.first is not None]
    return {
        "first_p50": in_ms(firsts, 0.5),
        "first_p95": in_ms(firsts, 0.95),
        "final_p50": in_ms((answer.final for answer in spoken), 0.5),
        "turns_s": load.turns_a_second,
    }


def _look(load: Load, number: int, began: datetime) -> dict[str, Any]:
    """What one of the loads tells beside its speed."""
    found: dict[str, Any] = {}
    if number == 1:
        replies = [answer.frames for answer in load.answers if answer.first is not None]
        found["messages_per_reply"] = percentile(replies, 0.5)
    if number == STAGES_AT:
        rows = list(Turn.objects.filter(created_at__gte=began).values_list("stage_ms", flat=True))
        seen = {stage: [row[stage] for row in rows if stage in row] for stage in STAGES}
        found["stage_ms_p95"] = {stage: round(percentile(ms, 0.95), 1) if ms else None for stage, ms in seen.items()}
    calls = ModelCall.objects.filter(created_at__gte=began).count()
    # Of the largest load, which is the last.
    found["model_calls_s"] = round(calls / load.seconds, 1)
    return found


def _report(load: Load, number: int, began: datetime) -> str:
    answered = Message.objects.filter(role=Message.Role.AGENT, turn__created_at__gte=began).values_list("turn")
    doubled = sum(count > 1 for _, count in answered.annotate(count=Count("pk")))
    states = (Turn.State.FAILED, Turn.State.WITH_PERSON)
    failed = Turn.objects.filter(created_at__gte=began, state__in=states).count()
    finals = [answer.final for answer in load.answers]
    waited = 2 * WAIT_SECONDS * 1000
    described = _describe(load)
    over = round(described["first_p50"] - waited, 1)
    after = round(described["final_p50"] - described["first_p50"], 1)
    lost = load.posted - len(load.answers)
    fault = f"; {load.faults[0]}" if load.faults else ""
    return (
        f"N={number}: {load.turns_a_second} turns/s of {len(finals)}, first sentence {over} ms over the model's "
        f"{waited:.0f} (p50), final p50 {after} ms later, p95 {in_ms(finals, 0.95)} ms, "
        f"lost {lost}, doubled {doubled}, failed {failed}{fault}"
    )


def _hold_idle(stack: Stack) -> float:
    """Growth of the web server's memory, each socket in a chat of its own."""
    chats = [(str(chat.pk), token) for chat, token in (start_conversation() for _ in range(IDLE_SOCKETS))]
    before = _resident(stack.web)
    held = hold_sockets(port=stack.port, chats=chats)
    grown = _resident(stack.web) - before
    held.release()
    return round(grown / 2**20, 1)


def _resident(process: int) -> int:
    """Bytes in memory, from Linux's books."""
    pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
