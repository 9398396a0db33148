"""Redis is wiped, killed, hung and started again under a running desk: nothing is lost, nothing happens twice."""

import json
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.factories import OTHER_EMAIL, OTHERS
from tests.process import StackProcess, Visitor
from tests.wire_socket import WireSocket

RECOVERY_SECONDS = 60.0
# What a customer waits at most for "your message is here", with or without Redis.
ACCEPTED_SECONDS = 2.0
ORDERS = [
    ("#W5918442", "nora.lindahl@example.com"),
    (OTHERS, OTHER_EMAIL),
    ("#W2099788", "tomasz.brandt@example.com"),
    ("#W9468575", "amara.okafor@example.com"),
]
QUESTIONS = 16


class OwnRedis:
    """A Redis that only this desk uses, to be stopped without asking anybody."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder = folder
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.client = redis.Redis(port=self.port)
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)],
            stdout=subprocess.DEVNULL,
        )
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                self.client.ping()
                return
            except redis.ConnectionError:
                time.sleep(0.05)
        raise AssertionError("Redis does not answer")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.client.close()
        self.process.send_signal(signal.SIGCONT)
        self.stop()


@pytest.fixture(scope="module")
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnRedis]:
    server = OwnRedis(tmp_path_factory.mktemp("redis"))
    yield server
    server.close()


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory, own_redis: OwnRedis) -> Iterator[StackProcess]:
    desk = StackProcess(tmp_path_factory.mktemp("stack"))
    desk.env |= {
        "REDIS_URL": own_redis.url,
        # A worker that was killed is found out soon, and its turns still have time to be answered by another one.
        "DESKAGENT_LEASE_SECONDS": "5",
        "DESKAGENT_TURN_DEADLINE_SECONDS": "60",
    }
    desk.prepare().start()
    yield desk
    desk.stop(signal.SIGKILL)


def post(visitor: Visitor, path: str, body: dict[str, Any]) -> float:
    """How long it took to be accepted."""
    began = time.monotonic()
    assert visitor.call(path, body)[0] == 202
    return time.monotonic() - began


def ask_readiness(desk: StackProcess) -> tuple[int, dict[str, str], float]:
    began = time.monotonic()
    try:
        with urllib.request.urlopen(f"{desk.url}/readyz", timeout=20) as answer:
            status, found = answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            status, found = error.code, json.load(error)
    return status, found["parts"], time.monotonic() - began


def wait_until_ready(desk: StackProcess) -> None:
    until = time.monotonic() + RECOVERY_SECONDS
    while ask_readiness(desk)[0] != 200:
        assert time.monotonic() < until, ask_readiness(desk)
        time.sleep(0.2)


def test_a_wiped_redis_and_killed_workers_lose_and_double_nothing(stack: StackProcess, own_redis: OwnRedis) -> None:
    buyers = [Visitor(stack) for _ in ORDERS]
    for buyer, (order, email) in zip(buyers, ORDERS, strict=True):
        text = f"Cancel order {order}, I don't need it any more. My e-mail is {email}"
        post(buyer, "messages/", {"client_id": "1", "text": text})
    cards = [buyer.wait_for("request", seconds=RECOVERY_SECONDS)[0]["request_id"] for buyer in buyers]
    askers = [Visitor(stack) for _ in range(QUESTIONS)]

    # Half of the work meets a worker that dies over it, half none at all; then the broker forgets everything.
    for asker in askers[: QUESTIONS // 2]:
        post(asker, "messages/", {"client_id": "1", "text": "hello"})
    stack.kill("worker")
    for asker in askers[QUESTIONS // 2 :]:
        post(asker, "messages/", {"client_id": "1", "text": "hello"})
    for buyer, card in zip(buyers, cards, strict=True):
        post(buyer, "answers/", {"request_id": card, "answer": "yes"})
    own_redis.client.flushall()
    began = time.monotonic()
    stack.start_again("worker")

    for visitor in [*askers, *buyers]:
        visitor.wait_for("message", count=2, seconds=RECOVERY_SECONDS - (time.monotonic() - began))
    for visitor in [*askers, *buyers]:
        said = [event for event in visitor.events("message") if event["role"] == "agent"]
        assert len(said) == 1, visitor.events("message")
    for buyer, (order, _) in zip(buyers, ORDERS, strict=True):
        assert [receipt["order_id"] for receipt in buyer.events("receipt")] == [order]
    assert stack.manage("verify_audit").startswith("ok ")


@pytest.mark.parametrize("how", ["stopped", "hung"])
def test_without_redis_messages_are_accepted_at_once_and_answered_once_it_is_back(
    stack: StackProcess, own_redis: OwnRedis, how: str
) -> None:
    wait_until_ready(stack)
    visitor, watcher = Visitor(stack), Visitor(stack)
    wire = WireSocket(stack, watcher)
    post(visitor, "messages/", {"client_id": "1", "text": "hello"})
    visitor.wait_for("message", count=2, seconds=RECOVERY_SECONDS)

    if how == "stopped":
        own_redis.stop()
    else:
        own_redis.process.send_signal(signal.SIGSTOP)
    waits = [post(Visitor(stack), "messages/", {"client_id": "1", "text": "hello"}) for _ in range(3)]
    waits.append(post(visitor, "messages/", {"client_id": "2", "text": "hello again"}))
    assert max(waits) <= ACCEPTED_SECONDS, waits
    # A socket that was open hears an answer to its ping, and its own words as well: they are read from the rows.
    wire.send(type="message", client_id="1", text="hello")
    wire.send(type="ping")
    assert wire.until("event")["event"]["text"] == "hello"
    status, parts, took = ask_readiness(stack)
    assert (status, parts["database"], parts["audit"]) == (503, "ok", "ok")
    assert parts["broker"] != "ok" and parts["cache"] != "ok"
    assert took < 3

    if how == "stopped":
        own_redis.start()
    else:
        own_redis.process.send_signal(signal.SIGCONT)
    visitor.wait_for("message", count=4, seconds=RECOVERY_SECONDS)
    watcher.wait_for("message", count=2, seconds=RECOVERY_SECONDS)
    wait_until_ready(stack)
    newcomer = Visitor(stack)
    late = WireSocket(stack, newcomer)
    post(newcomer, "messages/", {"client_id": "1", "text": "hello"})
    heard = [late.until("event")["event"]["role"] for _ in range(2)]
    assert heard == ["customer", "agent"]
    for socket_ in (wire, late):
        socket_.close()
