"""A flood against real processes, by HTTP and by socket, under invented headers: the limit holds, others are served."""

import http.client
import json
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.process import DeskProcess, StackProcess, free_port, make_desk
from tests.wire_socket import WireSocket

LIMIT, CALLS, LANES, WINDOW = 40, 1_000, 8, 60
# What a customer waits at most for "your message is here", whatever others do.
ACCEPTED_SECONDS = 2.0
MALLORY, ALICE = "127.0.0.2", "127.0.0.3"


class Line:
    """One visitor's connection that stays open, from an address of their own."""

    def __init__(self, port: int, address: str) -> None:
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(address, 0))
        self.port = port
        self.token = self.path = ""
        status, started = self.call("", {})
        assert status == 201, started
        self.path, self.token = started["id"] + "/", started["token"]
        self.url = f"/{self.path}"

    def call(self, path: str, body: dict[str, Any], **headers: str) -> tuple[int, dict[str, Any]]:
        about = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}", **headers}
        self.wire.request("POST", f"/api/v1/conversations/{self.path}{path}", json.dumps(body), about)
        answer = self.wire.getresponse()
        return answer.status, json.loads(answer.read())

    def send(self, number: int, **headers: str) -> int:
        return self.call("messages/", {"client_id": f"h{number}", "text": f"Message {number}"}, **headers)[0]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DeskProcess]:
    running = make_desk(tmp_path)
    running.env |= {
        "DESKAGENT_MESSAGES_ADDRESS_MINUTE": str(LIMIT),
        "DESKAGENT_MESSAGES_CONVERSATION_MINUTE": "1000",
        "DESKAGENT_CONVERSATIONS_ADDRESS_MINUTE": "1000",
    }
    running.prepare().start()
    yield running
    running.stop()


def start_webs(desk: DeskProcess) -> list[int]:
    """Four web processes where they share a Redis; the embedded profile is one process."""
    ports = [desk.port]
    if isinstance(desk, StackProcess):
        ports += [free_port() for _ in range(3)]
        with ThreadPoolExecutor() as pool:
            list(pool.map(desk.start_web, ports[1:]))
    return ports


def flood_by_http(line: Line, served: list[float]) -> None:
    forger = random.Random(line.token)
    for number in range(CALLS // LANES):
        forged = ".".join(str(forger.randrange(1, 255)) for _ in range(4))
        code = line.send(number, **{"X-Forwarded-For": forged, "X-Real-IP": forged, "Forwarded": f"for={forged}"})
        assert code in (202, 429)
        if code == 202:
            served.append(time.monotonic())


def flood_by_socket(line: Line, served: list[float]) -> None:
    socket = WireSocket(line, line, address=MALLORY, header="X-Forwarded-For: 198.51.100.1")
    for number in range(CALLS // LANES):
        own = f"s{number}"
        socket.send(type="message", client_id=own, text=f"Message {number}")
        frame = socket.get()
        while own not in (frame.get("client_id"), frame.get("event", {}).get("client_id")):
            frame = socket.get()
        if frame["type"] == "event":
            served.append(time.monotonic())
        else:
            assert frame["code"] == "slow_down"
    socket.close()


def test_a_flood_is_held_to_the_limit_and_others_are_served(desk: DeskProcess) -> None:
    ports = start_webs(desk)
    served: list[float] = []
    floods = [flood_by_http, flood_by_socket] * (LANES // 2)
    lines = [Line(ports[number // 2 % len(ports)], MALLORY) for number in range(LANES)]
    alices = [Line(port, ALICE) for port in ports]
    took = []
    with ThreadPoolExecutor(LANES) as pool:
        lanes = [pool.submit(flood, line, served) for flood, line in zip(floods, lines, strict=True)]
        for number in range(2 * len(alices)):
            began = time.monotonic()
            assert alices[number % len(alices)].send(number) == 202
            took.append(time.monotonic() - began)
        for lane in lanes:
            lane.result()
    for line in (*lines, *alices):
        line.wire.close()
    most = max(sum(begin <= at < begin + WINDOW for at in served) for begin in served)
    sys.stdout.write(f"flood: {CALLS} sent, {most} served in a minute, others at most {max(took) * 1000:.0f} ms\n")
    assert len(served) >= LIMIT
    assert most <= LIMIT * 1.1
    assert max(took) <= ACCEPTED_SECONDS
