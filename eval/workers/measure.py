"""One measurement: real workers on a database of their own, fed through the product's operations."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Count
from django.utils import timezone

from conversations.models import Message, Turn
from conversations.operations import post_customer_message, start_conversation
from deskagent.stack import get_environment
from eval.database import temporary_database
from eval.processor import cpu_seconds
from orders.interchange import load

ENDED = (Turn.State.DONE, Turn.State.FAILED, Turn.State.WITH_PERSON)
POSTERS = 4
LOOK_EVERY = 0.05
LONGEST_SECONDS = 300.0
WORKER = "deskagent-measured-worker"


@dataclass(frozen=True, kw_only=True)
class Setup:
    """`processes` workers of one pool; `conversations` customers who each send `rounds` messages, one at a time."""

    pool: str
    concurrency: int
    processes: int
    conversations: int
    rounds: int


@dataclass(frozen=True, kw_only=True)
class Measured:
    turns: int
    seconds: float
    turns_a_second: float
    median_turn_ms: int
    lost: int
    doubled: int
    failed: int
    most_connections: int
    # The workers' processor time: unlike the clock it hardly depends on what else the machine does.
    cpu_ms_a_turn: float


def measure(setup: Setup) -> Measured:
    with temporary_database():
        load(folder=settings.BASE_DIR / "orders" / "demo", replace=True)
        customers = [start_conversation()[0].pk for _ in range(setup.conversations)]
        with _workers(setup) as started, _watching_connections() as seen:
            # Once without a clock: workers import what they need with their first turn.
            _talk(customers, first=1, last=1)
            began, used = timezone.now(), cpu_seconds(started)
            _talk(customers, first=2, last=1 + setup.rounds)
            used = cpu_seconds(started) - used
        return _judge(setup, began, most_connections=max(seen, default=0), cpu_seconds=used)


@contextmanager
def _workers(setup: Setup) -> Iterator[list[int]]:
    own = connection.settings_dict
    where = f"{own['USER']}:{own['PASSWORD']}@{own['HOST']}:{own['PORT']}"
    given, _ = get_environment(host="127.0.0.1")
    environment = given | {"DATABASE_URL": f"postgres://{where}/{own['NAME']}", "PGAPPNAME": WORKER}
    started = [
        subprocess.Popen(  # noqa: S603 - our own command
            [
                *(
                    sys.executable,
                    "-m",
                    "celery",
                    "-A",
                    "eval.workers.app",
                    "worker",
                    "--hostname",
                    f"{place}@measured",
                ),
                *("--pool", setup.pool, "--concurrency", str(setup.concurrency), "--loglevel", "INFO"),
                *("--without-gossip", "--without-mingle"),
            ],
            cwd=Path(settings.BASE_DIR),
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for place in range(setup.processes)
    ]
    try:
        for process in started:
            _wait_until_ready(process)
        yield [process.pid for process in started]
    finally:
        for process in started:
            process.kill()
            process.wait()


def _wait_until_ready(process: "subprocess.Popen[str]") -> None:
    if process.stdout is None:
        raise RuntimeError("a worker without output")
    said = []
    for line in process.stdout:
        said.append(line)
        if "ready." in line:
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return
    raise RuntimeError(f"a worker did not start: {''.join(said)}")


@contextmanager
def _watching_connections() -> Iterator[list[int]]:
    """How many connections the workers held, looked up ten times a second."""
    seen: list[int] = []
    stopping = threading.Event()

    def watch() -> None:
        with connection.cursor() as cursor:
            while not stopping.wait(0.1):
                cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = %s", [WORKER])
                seen.append(cursor.fetchone()[0])
        connection.close()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        stopping.set()
        watcher.join()


def _talk(customers: list[UUID], *, first: int, last: int) -> None:
    """Each customer sends these messages, the next one once the one before it is answered."""
    posted = dict.fromkeys(customers, first - 1)
    until = time.monotonic() + LONGEST_SECONDS
    with ThreadPoolExecutor(POSTERS) as posters:
        while time.monotonic() < until:
            answered = _count_ended()
            due = [one for one in customers if posted[one] < last and answered.get(one, 0) == posted[one]]
            for one in due:
                posted[one] += 1
            list(posters.map(lambda one: _post(one, posted[one]), due))
            if not due and all(answered.get(one, 0) >= last for one in customers):
                return
            time.sleep(LOOK_EVERY)


def _post(conversation_id: UUID, number: int) -> None:
    text = f"What do you sell? This is question {number}."
    try:
        post_customer_message(conversation_id=conversation_id, client_id=f"c{number}", text=text)
    finally:
        connection.close()


def _count_ended() -> dict[UUID, int]:
    ended = Turn.objects.filter(state__in=ENDED).values_list("conversation_id")
    return dict(ended.annotate(turns=Count("pk")))


def _judge(setup: Setup, began: datetime, *, most_connections: int, cpu_seconds: float) -> Measured:
    wanted = setup.conversations * setup.rounds
    turns = list(Turn.objects.filter(created_at__gte=began).values_list("state", "created_at", "ended_at"))
    ended = [(created, end) for _, created, end in turns if end is not None]
    seconds = (max(end for _, end in ended) - began).total_seconds()
    answers = Message.objects.filter(role=Message.Role.AGENT, turn__created_at__gte=began)
    answered = answers.values_list("turn").annotate(count=Count("pk"))
    return Measured(
        turns=len(ended),
        seconds=round(seconds, 2),
        turns_a_second=round(len(ended) / seconds, 1),
        median_turn_ms=round(median((end - created).total_seconds() for created, end in ended) * 1000),
        lost=wanted - len(answered),
        doubled=sum(count > 1 for _, count in answered) + max(0, len(turns) - wanted),
        failed=sum(state != Turn.State.DONE for state, _, _ in turns),
        most_connections=most_connections,
        cpu_ms_a_turn=round(cpu_seconds / wanted * 1000, 1),
    )
