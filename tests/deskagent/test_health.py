"""What probes see: life without a database, readiness part by part and in time, figures for who may read them."""

import threading
import time
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from kombu.exceptions import OperationalError
from prometheus_client.parser import text_string_to_metric_families
from pytest_django.fixtures import Settings

from audit.operations import Details, record
from deskagent.health import Readiness
from tests.factories import SMALL, start_chat
from tests.scripted import Scripted, call, say

TOKEN = "a token of some length"


def read_figures(client: Client, **headers: str) -> dict[tuple[str, str], float]:
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, next(iter(sample.labels.values()), "")): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


@pytest.fixture
def log(desk: None) -> None:
    """The shop's chain, which `migrate` began and other tests emptied."""
    with transaction.atomic():
        record(event="read_ok", subject="shop", actor="agent", details=Details())


# Without a database fixture, so that a look at one would fail the test.
@pytest.mark.parametrize("host", ["127.0.0.1", "10.0.0.9:8000", "evil.example"])
def test_life_needs_no_database_no_host_name_and_no_https(settings: Settings, client: Client, host: str) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get("/healthz", headers={"Host": host})
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert "Set-Cookie" not in answer.headers


def test_another_path_still_wants_https(settings: Settings, client: Client) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz/more").status_code == 301


def test_a_desk_that_could_work_is_ready(log: None, settings: Settings, client: Client) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get("/readyz", headers={"Host": "10.0.0.9:8000"})
    parts = {"database": "ok", "audit": "ok", "broker": "ok", "cache": "ok"}
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "parts": parts})


def test_a_desk_that_cannot_write_its_log_is_not_ready(log: None, settings: Settings, client: Client) -> None:
    settings.DESKAGENT_AUDIT_KEY = "the key that another machine made for itself"
    answer = client.get("/readyz")
    assert answer.status_code == 503
    parts = answer.json()["parts"]
    assert "another key" in parts.pop("audit")
    assert set(parts.values()) == {"ok"}


@pytest.mark.parametrize("fault", [DatabaseError("host db, password x"), OperationalError("x"), OSError("x")])
def test_a_part_that_fails_is_named_without_its_message(fault: Exception) -> None:
    def fail() -> str:
        raise fault

    assert Readiness({"well": str, "ill": fail}, seconds=5).ask() == {"well": "", "ill": type(fault).__name__}


def test_a_part_that_hangs_is_reported_in_time_and_asked_once() -> None:
    released, asked = threading.Event(), []

    def hang() -> str:
        asked.append(1)
        released.wait(20)
        return ""

    readiness = Readiness({"well": str, "hung": hang, "hung too": hang}, seconds=0.2)
    began = time.monotonic()
    for _ in range(3):
        assert readiness.ask() == {"well": "", "hung": "no answer within 0.2 s", "hung too": "no answer within 0.2 s"}
    assert time.monotonic() - began < 3
    assert len(asked) == 2
    released.set()
    # Each question waits for the answers on their way, on a busy machine more than once.
    assert any(not any(readiness.ask().values()) for _ in range(50))


def test_the_figures_are_what_the_rows_say(desk: None, model: Scripted, client: Client, settings: Settings) -> None:
    settings.DESKAGENT_METRICS_TOKEN = TOKEN
    empty = read_figures(client, Authorization=f"Bearer {TOKEN}")
    assert empty["deskagent_turns", "queued"] == empty["deskagent_model_calls_total", ""] == 0
    model.plays(call("get_order_details", order_id=SMALL), say("Here it is."))
    start_chat().say("What about my order?")
    waiting = start_chat()
    waiting.send("Is anybody there?")
    person = start_chat()
    person.send("I want to talk to a person")
    person.post("handoff")

    figures = read_figures(client, Authorization=f"Bearer {TOKEN}")
    assert figures["deskagent_turns", "done"] == 1
    assert figures["deskagent_turns", "queued"] >= 1
    assert 0 < figures["deskagent_oldest_queued_turn_age_seconds", ""] < 60
    assert figures["deskagent_open_tickets", ""] == 1
    assert figures["deskagent_requests_awaiting_staff", ""] == 0
    assert figures["deskagent_model_calls_total", ""] == 2
    # All of a prompt is written to the cache: the newest message holds a mark.
    assert figures["deskagent_model_tokens_total", "cache_write"] > 0
    assert {state for name, state in figures if name == "deskagent_effects"} == {"claimed", "done", "failed", "unknown"}


@pytest.mark.parametrize(
    ("token", "public", "peer", "headers", "status"),
    [
        ("", "127.0.0.1", "127.0.0.1", {}, 200),
        ("", "127.0.0.1", "10.0.0.9", {}, 403),
        ("", "127.0.0.1", "", {}, 403),
        ("", "127.0.0.1", "127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("", "desk.example.com", "127.0.0.1", {}, 403),
        # Behind a proxy, and nobody told the desk its address.
        ("", "127.0.0.1 desk.example.com", "127.0.0.1", {}, 403),
        ("", "desk.example.com", "127.0.0.1", {"Authorization": "Bearer "}, 403),
        (TOKEN, "desk.example.com", "10.0.0.9", {"Authorization": f"Bearer {TOKEN}"}, 200),
        (TOKEN, "127.0.0.1", "127.0.0.1", {}, 403),
        (TOKEN, "127.0.0.1", "127.0.0.1", {"Authorization": TOKEN}, 403),
        (TOKEN, "127.0.0.1", "127.0.0.1", {"Authorization": f"Bearer {TOKEN}x"}, 403),
        (TOKEN, "127.0.0.1", "127.0.0.1", {"Authorization": "Bearer \u00e4"}, 403),
    ],
)
def test_figures_are_for_this_machine_or_a_token(
    desk: None, settings: Settings, token: str, public: str, peer: str, headers: dict[str, Any], status: int
) -> None:
    settings.DESKAGENT_METRICS_TOKEN, settings.PUBLIC_HOST = token, public.split()[0]
    settings.ALLOWED_HOSTS = public.split()
    answer = Client(REMOTE_ADDR=peer).get("/metrics", headers=headers)
    assert answer.status_code == status
    assert (b"deskagent_turns" in answer.content) is (status == 200)
