"""The circuit that all workers share: when it opens, who probes it, and what customers see of it."""

import socket
import time
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django.fixtures import Settings

from approvals.models import ActionRequest
from conversations.agent.breaker import Breaker, Permit, Verdict
from conversations.models import Ticket
from orders.models import Effect
from tests.conftest import close_circuit
from tests.factories import start_chat
from tests.scripted import Scripted, say


@pytest.fixture
def workers(settings: Settings) -> Iterator[tuple[Breaker, Breaker]]:
    """Two workers with the same provider."""
    settings.DESKAGENT_CIRCUIT_FAILURES = 3
    name = uuid.uuid4().hex
    yield Breaker(name), Breaker(name)
    close_circuit(name)


def call(breaker: Breaker, verdict: Verdict) -> Permit | None:
    permit = breaker.enter()
    if permit is not None:
        breaker.leave(permit, verdict)
    return permit


def open_circuit(*breakers: Breaker) -> None:
    for number in range(3):
        assert call(breakers[number % len(breakers)], Verdict.FAILED) == Permit(probe=False)


def end_pause(settings: Settings, breaker: Breaker) -> None:
    """As if `DESKAGENT_CIRCUIT_SECONDS` had passed."""
    cache.delete(breaker._open)


def test_failures_of_different_workers_add_up(workers: tuple[Breaker, Breaker]) -> None:
    open_circuit(*workers)
    assert [worker.enter() for worker in workers] == [None, None]


def test_an_answer_between_failures_keeps_it_closed(workers: tuple[Breaker, Breaker]) -> None:
    for verdict in [Verdict.FAILED, Verdict.FAILED, Verdict.ANSWERED] * 4:
        assert call(workers[0], verdict) == Permit(probe=False)


def test_what_says_nothing_of_the_provider_changes_nothing(workers: tuple[Breaker, Breaker]) -> None:
    for _ in range(20):
        assert call(workers[0], Verdict.NOTHING) == Permit(probe=False)
    for verdict in (Verdict.FAILED, Verdict.FAILED, Verdict.NOTHING, Verdict.FAILED):
        call(workers[1], verdict)
    assert workers[0].enter() is None


def test_another_provider_has_a_circuit_of_its_own(workers: tuple[Breaker, Breaker]) -> None:
    open_circuit(*workers)
    assert Breaker("other").enter() == Permit(probe=False)


def test_after_the_pause_one_call_at_a_time_probes(workers: tuple[Breaker, Breaker], settings: Settings) -> None:
    open_circuit(*workers)
    end_pause(settings, workers[0])
    probe = workers[0].enter()
    assert probe == Permit(probe=True)
    assert workers[1].enter() is None
    workers[0].leave(probe, Verdict.NOTHING)
    assert workers[1].enter() == Permit(probe=True)


def test_a_probe_that_is_answered_closes_it(workers: tuple[Breaker, Breaker], settings: Settings) -> None:
    open_circuit(*workers)
    end_pause(settings, workers[0])
    call(workers[0], Verdict.ANSWERED)
    assert [worker.enter() for worker in workers] == [Permit(probe=False)] * 2
    assert call(workers[0], Verdict.FAILED) == Permit(probe=False)


def test_a_probe_that_fails_opens_it_again(workers: tuple[Breaker, Breaker], settings: Settings) -> None:
    open_circuit(*workers)
    end_pause(settings, workers[0])
    call(workers[0], Verdict.FAILED)
    assert workers[1].enter() is None
    end_pause(settings, workers[0])
    assert workers[1].enter() == Permit(probe=True)


def test_a_pause_ends_by_itself(workers: tuple[Breaker, Breaker], settings: Settings) -> None:
    settings.DESKAGENT_CIRCUIT_SECONDS = 0
    open_circuit(*workers)
    assert workers[1].enter() == Permit(probe=True)


def use_redis(settings: Settings, port: int) -> None:
    url = f"redis://127.0.0.1:{port}/0"
    options = {"socket_connect_timeout": 0.2, "socket_timeout": 0.2}
    backend = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": url, "OPTIONS": options}}
    settings.DESKAGENT_CIRCUIT_FAILURES = 3


@pytest.mark.parametrize("listens", [True, False], ids=["silent", "gone"])
def test_while_redis_is_away_each_worker_counts_for_itself(settings: Settings, listens: bool) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        if listens:
            taken.listen()
        use_redis(settings, taken.getsockname()[1])
        alone = Breaker(f"a provider without redis {listens}")
        began = time.monotonic()
        assert call(alone, Verdict.ANSWERED) == Permit(probe=False)
        open_circuit(alone)
        assert alone.enter() is None
        # It is not looked for at every step.
        assert time.monotonic() - began < 2


@pytest.mark.usefixtures("desk")
def test_customers_of_a_provider_that_is_down_get_a_person_at_once(model: Scripted, settings: Any) -> None:
    settings.DESKAGENT_CIRCUIT_FAILURES, settings.DESKAGENT_MODEL_TRIES = 2, 2
    model.rule = lambda _: {"status": 503}
    asked = []
    for number in range(1, 4):
        chat = start_chat()
        chat.say("Please cancel my order.")
        asked.append(len(model.requests))
        assert (chat.state(), chat.texts(), len(chat.texts("system"))) == ("with_person", [], 1)
        assert Ticket.objects.filter(reason="model_unavailable").count() == number
    # The third one waited for nobody.
    assert asked == [2, 4, 4]
    assert (ActionRequest.objects.count(), Effect.objects.count()) == (0, 0)


@pytest.mark.usefixtures("desk")
def test_a_provider_that_comes_back_is_found_by_one_call(model: Scripted, settings: Any) -> None:
    settings.DESKAGENT_CIRCUIT_FAILURES, settings.DESKAGENT_MODEL_TRIES = 1, 2
    settings.DESKAGENT_CIRCUIT_SECONDS = 0
    model.plays(*[{"status": 503}] * 2, {"status": 503}, say("Hello."), {"status": 503}, say("Again."))
    for _ in range(2):
        start_chat().say("Hi")
    # Two tries while it was closed, one for the probe.
    assert len(model.requests) == 3
    back = start_chat()
    back.say("Hi")
    assert back.texts() == ["Hello."]
    back.say("Still there?")
    assert back.texts() == ["Hello.", "Again."]
