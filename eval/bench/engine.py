"""What one database engine gives: a turn's cost, its growth, what it leaves behind, and single steps of it."""

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import connection, transaction

from approvals import operations as gate
from approvals.models import ActionRequest, State
from audit.operations import Details, record
from eval.bench import searching, shop
from eval.bench.counters import counting_commits, measure_bytes
from eval.bench.figures import in_ms
from eval.bench.inprocess import Cost, Desk, WentWrong, check_all_done, desk
from policy.actions import CancelPendingOrder
from policy.decisions import decide
from policy.facts import Facts
from policy.queries import get_active

WARM, COUNTED, APPROVED = 5, 9, 9
LONG_TURNS = 200
SINGLE_STEPS = 300
Say = Callable[[str], None]


def measure_turns(*, conversations: int) -> dict[str, Any]:
    """Only the cost of a turn, for runs that take turns with another program's."""
    with desk() as here:
        _warm(here)
        costs = [here.talk(place) for place in range(conversations)]
        check_all_done()
    return _describe(costs)


def measure_approvals(*, conversations: int) -> dict[str, Any]:
    """Only what a member of staff waits for, for the same."""
    with desk(large=max(shop.LARGE, conversations)) as here:
        _warm(here)
        return {"approve_ms": _approve(here, conversations)}


def measure_engine(*, conversations: int, say: Say) -> Iterator[dict[str, Any]]:
    """Every figure that needs no other process, as they come."""
    vendor = connection.vendor
    with desk() as here:
        _warm(here)
        empty = measure_bytes()
        costs = [here.talk(place) for place in range(conversations)]
        check_all_done()
        short = (measure_bytes() - empty) / conversations
        found = _describe(costs)
        say(f"{vendor}: turn {found['turn_ms'][vendor]} ms, {found['by_turn']} of {conversations} conversations")
        yield found
        counted = _count(here)
        say(f"{vendor}: commits {counted['commits']}, queries {counted['queries']} of a turn's worker")
        yield counted
        approved, decision = _approve(here, APPROVED), _time_decisions()
        say(f"{vendor}: approving click to reply {approved} ms (p50), decision {decision} ms (p95)")
        yield {"approve_ms": approved, "decision_ms_p95": decision, "audit_write_ms_p95": _time_audit()}
        searches = searching.measure()
        say(
            f"search {searches[searching.SMALL]} ms at {searching.SMALL:,} passages, {searches[searching.LARGE]} ms at "
            f"{searching.LARGE:,} (p95)"
        )
        yield {"search_ms_p95": searches[searching.SMALL]}
        before = measure_bytes()
        growth = _grow(here)
        size = {"turns_3": round(short), "turns_200": measure_bytes() - before}
        say(f"{vendor}: CPU ms {growth}, bytes a conversation {size}")
        check_all_done()
        yield {"growth": growth, "bytes": size}


def _warm(here: Desk) -> None:
    for place in range(WARM):
        here.talk(shop.ORDERS - 1 - place)


def _describe(costs: list[list[Cost]]) -> dict[str, Any]:
    every = [cost for talk in costs for cost in talk]
    seconds = [cost.seconds for cost in every]
    return {
        "turn_ms": {connection.vendor: {"p50": in_ms(seconds, 0.5), "p95": in_ms(seconds, 0.95)}},
        "by_turn": {f"turn_{place + 1}": in_ms((talk[place].seconds for talk in costs), 0.5) for place in range(3)},
        "cpu_ms": in_ms((cost.cpu for cost in every), 0.5),
    }


def _count(here: Desk) -> dict[str, Any]:
    """The first turn only reads; of the two that write, proposing and carrying out, the dearer one counts."""
    counted: list[list[Cost]] = []
    with counting_commits() as commits:
        for place in range(COUNTED):
            chat = here.open_chat()
            counted.append([here.count(chat, words, commits) for words in shop.list_turns(1_000 + place)])
    # Another process of the server may commit between two looks, so the median stands.
    return {
        name: {
            "read": median(getattr(talk[0], name) for talk in counted),
            "write": max(median(getattr(talk[place], name) for talk in counted) for place in (1, 2)),
        }
        for name in ("commits", "queries")
    }


def _grow(here: Desk) -> dict[str, float]:
    """Processor time of early, later and late turns that all ask the same; the first, which verifies, is left out."""
    chat, place = here.open_chat(), 1_200
    here.say(chat, shop.list_turns(place)[0])
    cpu = [here.say(chat, shop.ask_status(place)).cpu for _ in range(LONG_TURNS - 1)]
    windows = {"turn_1": cpu[:10], "turn_50": cpu[43:53], "turn_200": cpu[-10:]}
    return {name: in_ms(window, 0.5) for name, window in windows.items()}


def _approve(here: Desk, conversations: int) -> float:
    """From the click of the member of staff to the stored reply, without the model's time."""
    staff = User.objects.create_superuser("bench", "bench@example.com")
    taken = []
    for number in range(conversations):
        chat, place = here.open_chat(), shop.ORDERS + number
        for words in shop.list_turns(place):
            here.say(chat, words)
        request_id = _find_waiting(chat)
        spent, started = here.spent, time.perf_counter()
        gate.approve(request_id=request_id, staff=staff)
        here.work()
        taken.append(time.perf_counter() - started - (here.spent - spent))
    return in_ms(taken, 0.5)


def _find_waiting(chat: UUID) -> UUID:
    waiting = ActionRequest.objects.filter(session__conversation=chat, state=State.AWAITING_STAFF).first()
    if waiting is None:
        raise WentWrong("a large cancellation does not wait for a person")
    return waiting.pk


def _time_decisions() -> float:
    action = CancelPendingOrder(order_id=shop.order_number(0), reason="no longer needed")
    facts = Facts(verified=True, confirmed=True, money_back=7_150, refundable=7_150)
    limits = get_active().limits
    return in_ms(_time(lambda: decide(action=action, facts=facts, limits=limits)), 0.95)


def _time_audit() -> float:
    """One entry of a chain, without the commit around it."""
    subject = str(uuid4())
    details = Details(action="cancel_pending_order", arguments={"order_id": shop.order_number(0)}, verdict="allowed")
    with transaction.atomic():
        return in_ms(_time(lambda: record(event="read_ok", subject=subject, actor="agent", details=details)), 0.95)


def _time(call: Callable[[], object]) -> list[float]:
    taken = []
    for _ in range(SINGLE_STEPS):
        started = time.perf_counter()
        call()
        taken.append(time.perf_counter() - started)
    return taken
