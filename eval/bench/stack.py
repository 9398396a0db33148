"""Through the whole stack: sockets, web server, broker, worker and back, as the production profile runs them."""

import itertools
import resource
import tempfile
import time
from collections.abc import Iterator
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
from eval.bench import shop
from eval.bench.engine import Say
from eval.bench.figures import STAGES, in_ms, percentile
from eval.bench.load import Load, hold_sockets, run_load
from eval.bench.processes import Stack, run_stack
from eval.bench.scripted import PROFILE, WAIT_SECONDS
from eval.database import temporary_database
from orders.interchange import load as load_shop

IDLE_SOCKETS, STAGES_AT, PROFILE_AT = 1_000, 16, 64
# Seconds of one turn among many, on a busy machine.
SLOWEST_TURN = 0.12
# No desk on two cores begins more conversations than this, of three turns each.
MOST_TALKS_SECOND = 40
WORKER, PROFILE_WORKER = "eval.bench.worker", "eval.bench.profile_worker"


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
        # Whoever runs out of orders asks for ones that do not exist, and measures another conversation.
        orders = shop.ORDERS + int(len(sockets) * seconds * MOST_TALKS_SECOND)
        shop.write_shop(Path(folder), orders=orders, large=0)
        load_shop(folder=Path(folder), replace=True)
        with run_stack(Path(folder), worker=WORKER) as stack:
            # Once without a clock: both processes import what they need with their first turn.
            run_load(port=stack.port, customers=4, seconds=1.0, places=places)
            for number in sockets:
                if time.monotonic() + seconds + number * SLOWEST_TURN > until:
                    say(f"N={number}: not measured, out of time")
                    continue
                began, used = timezone.now(), stack.cpu()
                load = run_load(port=stack.port, customers=number, seconds=seconds, places=places)
                say(_report(load, number, began, waited=2 * WAIT_SECONDS))
                say(_report_cpu(load, used, stack.cpu()))
                found[f"N={number}"] = _describe(load)
                yield {"socket": found, **_look(load, number, began)}
            memory = _hold_idle(stack)
            say(f"web server's memory for {IDLE_SOCKETS} idle sockets: {memory} MB")
            yield {"rss_mb_1000_sockets": memory}
            if PROFILE_AT in sockets and time.monotonic() + seconds + PROFILE_AT * SLOWEST_TURN + sum(PROFILE) < until:
                yield {"turn_p95_profile": _profile(stack, seconds, places, say)}


def _profile(stack: Stack, seconds: float, places: Iterator[int], say: Say) -> float:
    """Milliseconds of a turn, p95, with the waits of a slow day: each stands before the call that it would delay."""
    stack.replace_worker(PROFILE_WORKER)
    run_load(port=stack.port, customers=4, seconds=1.0, places=places)
    began = timezone.now()
    load = run_load(port=stack.port, customers=PROFILE_AT, seconds=seconds, places=places)
    say(f"slow day, {_report(load, PROFILE_AT, began, waited=sum(PROFILE))}")
    return in_ms((answer.final for answer in load.answers), 0.95)


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


def _report(load: Load, number: int, began: datetime, *, waited: float) -> str:
    answered = Message.objects.filter(role=Message.Role.AGENT, turn__created_at__gte=began).values_list("turn")
    doubled = sum(count > 1 for _, count in answered.annotate(count=Count("pk")))
    states = (Turn.State.FAILED, Turn.State.WITH_PERSON)
    failed = Turn.objects.filter(created_at__gte=began, state__in=states).count()
    finals = [answer.final for answer in load.answers]
    described = _describe(load)
    over = round(described["first_p50"] - waited * 1000, 1)
    after = round(described["final_p50"] - described["first_p50"], 1)
    lost = load.posted - len(load.answers)
    fault = f"; {load.faults[0]}" if load.faults else ""
    return (
        f"N={number}: {load.turns_a_second} turns/s of {len(finals)}, first sentence {over} ms over the model's "
        f"{waited * 1000:.0f} (p50), final p50 {after} ms later, p95 {in_ms(finals, 0.95)} ms, "
        f"lost {lost}, doubled {doubled}, failed {failed}{fault}"
    )


def _report_cpu(load: Load, before: dict[str, float], after: dict[str, float]) -> str:
    """Where the machine's time went, which depends less on its other work than the clock does."""
    turns = max(len(load.answers), 1)
    spent = {name: (after[name] - before[name]) / turns * 1000 for name in before}
    each = ", ".join(f"{name} {ms:.1f}" for name, ms in spent.items() if ms >= 0.1)
    return f"  processor ms a turn: {sum(spent.values()):.1f} ({each})"


def _hold_idle(stack: Stack) -> float:
    """Growth of the web server's memory, each socket in a chat of its own."""
    chats = [(str(chat.pk), token) for chat, token in (start_conversation() for _ in range(IDLE_SOCKETS))]
    before = stack.resident("web")
    held = hold_sockets(port=stack.port, chats=chats)
    grown = stack.resident("web") - before
    held.release()
    return round(grown / 2**20, 1)
