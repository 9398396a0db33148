"""How long a worker holds a turn: as long as it lives and the turn's deadline allows, whatever it waits for."""

import threading
import time
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from audit.queries import list_entries
from conversations import history, tasks
from conversations.agent import prompt
from conversations.agent import turn as agent
from conversations.agent.protocol import ModelReply, ModelRequest, Usage
from conversations.models import Ticket, Turn
from conversations.operations import Claim, claim, holding, kept, sweep
from conversations.operations.leases import renew
from conversations.operations.turns import MOST_CLAIMS
from tests.conversations.helpers import at_once
from tests.factories import Chat, start_chat
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk")
FOREVER = 20


class Waiting:
    """A model of this process whose reply comes when the test says so."""

    name = "waiting"

    def __init__(self, text: str = "Here I am.") -> None:
        self.text, self.asked, self.go_on = text, threading.Semaphore(0), threading.Event()
        self.calls = 0

    def stream(self, request: ModelRequest, on_text: Any) -> ModelReply:
        self.calls += 1
        self.asked.release()
        assert self.go_on.wait(FOREVER)
        content = [{"type": "text", "text": self.text}]
        return ModelReply(
            content=content, stop_reason="end_turn", usage=Usage(), model=self.name, first_token_ms=0, latency_ms=0
        )


def queued(words: str = "Hello") -> tuple[Chat, Turn]:
    chat = start_chat()
    assert chat.send(words).status_code == 202
    return chat, Turn.objects.get()


def take(turn: Turn) -> Claim:
    claimed = claim(turn_id=turn.pk)
    assert claimed is not None
    return claimed


def lease_of(turn: Turn) -> Any:
    return Turn.objects.get(pk=turn.pk).lease_until


def test_a_lease_is_renewed_while_the_model_is_slow(settings: Settings) -> None:
    settings.DESKAGENT_LEASE_SECONDS = 3
    chat, turn = queued()
    model = Waiting()
    worker = threading.Thread(target=agent.run, kwargs={"turn_id": turn.pk, "model": model})
    worker.start()
    assert model.asked.acquire(timeout=FOREVER)
    first = lease_of(turn)
    until = time.monotonic() + FOREVER
    while (timezone.now() < first or lease_of(turn) == first) and time.monotonic() < until:
        time.sleep(0.05)
    # The first lease is over, and the turn is still its worker's.
    assert lease_of(turn) > first
    assert claim(turn_id=turn.pk) is None
    model.go_on.set()
    worker.join(FOREVER)
    assert (chat.texts(), model.calls) == (["Here I am."], 1)


def test_a_silent_workers_turn_is_anothers_and_the_silent_one_cannot_speak_later() -> None:
    """What a stopped process does when it goes on: its reply was asked for, and belongs nowhere."""
    chat, turn = queued()
    stopped, lively = Waiting("From the grave."), Waiting("From the living.")
    worker = threading.Thread(target=agent.run, kwargs={"turn_id": turn.pk, "model": stopped})
    worker.start()
    assert stopped.asked.acquire(timeout=FOREVER)
    lively.go_on.set()
    while not lively.calls:
        # The heartbeat of this process lives on, and may renew what the test ends.
        end_lease(turn)
        agent.run(turn_id=turn.pk, model=lively)
    assert chat.texts() == ["From the living."]
    stopped.go_on.set()
    worker.join(FOREVER)
    assert chat.texts() == ["From the living."]
    assert Turn.objects.get().fence == 2


def test_the_heartbeat_renews_only_what_is_still_held() -> None:
    _, turn = queued()
    old = take(turn)
    now = timezone.now()
    assert renew({old}, now=now + timedelta(seconds=5)) == 1
    assert lease_of(turn) == now + timedelta(seconds=35)
    Turn.objects.filter(pk=turn.pk).update(lease_until=now - timedelta(seconds=1))
    new = take(turn)
    before = lease_of(turn)
    assert renew({old}, now=now + timedelta(seconds=50)) == 0
    assert lease_of(turn) == before
    assert renew({new}, now=now + timedelta(seconds=50)) == 1


def test_a_turn_past_its_deadline_is_not_kept() -> None:
    _, turn = queued()
    claimed = take(turn)
    assert renew({claimed}, now=claimed.deadline + timedelta(seconds=9)) == 1
    assert renew({claimed}, now=claimed.deadline + timedelta(seconds=11)) == 0


def test_many_turns_are_kept_by_one_thread() -> None:
    _, turn = queued()
    claimed = take(turn)
    with kept(claimed), kept(claimed):
        assert [one.name for one in threading.enumerate()].count("leases") == 1


def test_an_abandoned_turn_past_its_deadline_goes_to_a_person(model: Scripted) -> None:
    chat, turn = queued()
    take(turn)
    long_ago = timezone.now() - timedelta(seconds=91)
    Turn.objects.filter(pk=turn.pk).update(started_at=long_ago, lease_until=timezone.now() - timedelta(seconds=1))
    tasks.run_turn(turn_id=turn.pk)
    assert (chat.state(), model.requests) == ("with_person", [])
    assert Turn.objects.get().state == Turn.State.FAILED
    assert Ticket.objects.get().reason == "limit"
    assert len(chat.texts("system")) == 1


def test_a_turn_that_ends_every_worker_goes_to_a_person(model: Scripted) -> None:
    chat, turn = queued()
    for _ in range(MOST_CLAIMS):
        take(turn)
        Turn.objects.filter(pk=turn.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    tasks.run_turn(turn_id=turn.pk)
    assert (chat.state(), Ticket.objects.get().reason, model.requests) == ("with_person", "fault", [])


def test_a_fault_in_the_first_look_goes_to_a_person(settings: Settings) -> None:
    chat, turn = queued()
    # Not a number: counting the conversation's turns against it fails inside the claiming transaction.
    settings.DESKAGENT_TURNS_CONVERSATION = None
    tasks.run_turn(turn_id=turn.pk)
    assert (chat.state(), Ticket.objects.get().reason) == ("with_person", "fault")
    assert Turn.objects.get().state == Turn.State.FAILED


def test_steps_of_a_dead_worker_count_against_the_limit(model: Scripted, settings: Settings) -> None:
    settings.DESKAGENT_STEPS_TURN = 2
    think = call("calculate", expression="1 + 1")
    model.plays(think, think, say("Never asked for."))
    chat, turn = queued()
    tasks.run_turn(turn_id=turn.pk)
    assert (chat.state(), len(model.requests)) == ("with_person", 2)


def test_a_worker_that_dies_gives_its_turn_no_new_start(model: Scripted, settings: Settings) -> None:
    """One of two steps was stored before the worker died: the next one has one step left."""
    settings.DESKAGENT_STEPS_TURN = 2
    think = call("calculate", expression="1 + 1")
    model.plays(think, think, say("Never asked for."))
    chat, turn = queued()
    claimed = take(turn)
    with holding(claimed) as (conversation, held):
        prompt.pin(conversation)
        history.add_reply(conversation, held, [], after=0, discarded=True)
    Turn.objects.filter(pk=turn.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    tasks.run_turn(turn_id=turn.pk)
    assert (chat.state(), len(model.requests)) == ("with_person", 1)


@pytest.mark.parametrize("beats", [2, 5])
def test_beats_at_once_nudge_a_lost_turn_once(beats: int) -> None:
    _, turn = queued()
    Turn.objects.filter(pk=turn.pk).update(created_at=timezone.now() - timedelta(seconds=6))
    now = timezone.now()
    done = at_once(*[lambda: sweep(now=now)] * beats)
    assert [error for error in done if isinstance(error, Exception)] == []
    assert sum(one.nudged for one in done) == 1
    assert sweep(now=now + timedelta(seconds=19)).nudged == 0
    assert sweep(now=now + timedelta(seconds=21)).nudged == 1


def test_two_workers_forced_onto_one_turn_give_one_outcome_each_time() -> None:
    """Small here (n = 40); the soak run does 500."""
    assert force_two_workers(40) == {"answers": 40, "turns": 40, "answered": 40, "unseen": 40}


@pytest.mark.soak
def test_two_workers_forced_onto_one_turn_five_hundred_times() -> None:
    assert force_two_workers(500) == {"answers": 500, "turns": 500, "answered": 500, "unseen": 500}


def force_two_workers(times: int) -> dict[str, int]:
    """Two workers hold one turn, as far as each knows, and hear the model's reply at the same moment."""
    answers = turns = 0
    calls: Counter[str] = Counter()
    for _ in range(times):
        chat = start_chat()
        chat.send("Hello")
        turn = Turn.objects.get(state=Turn.State.QUEUED)
        model = Waiting()
        workers = [start_worker(turn, model), start_worker(turn, model)]
        model.go_on.set()
        for worker in workers:
            worker.join(FOREVER)
        assert model.calls == 2
        answers += len(chat.texts())
        calls.update(entry.verdict for entry in list_entries(subject=chat.id).filter(event="model_call"))
        turns += Turn.objects.filter(conversation_id=chat.id, state=Turn.State.DONE).count()
    # Both calls were made, so both are paid and recorded; one of them answered.
    return {"answers": answers, "turns": turns, "answered": calls["end_turn"], "unseen": calls["unseen"]}


def start_worker(turn: Turn, model: Waiting) -> threading.Thread:
    """One that has the turn and waits for its model, whoever else believes to have it."""
    while True:
        end_lease(turn)
        worker = threading.Thread(target=work_on, args=(turn, model))
        worker.start()
        while worker.is_alive():
            if model.asked.acquire(timeout=0.1):
                return worker
        # A heartbeat came between.
        worker.join()


def end_lease(turn: Turn) -> None:
    Turn.objects.filter(pk=turn.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def work_on(turn: Turn, model: Waiting) -> None:
    try:
        agent.run(turn_id=turn.pk, model=model)
    finally:
        connection.close()
