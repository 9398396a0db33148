"""The client of a REST gateway: only exactly what was agreed is believed, and no transaction is open meanwhile."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.db import transaction

from orders.payments import Answer, Declined, Unreachable
from orders.payments.fake import FakeGateway
from orders.payments.http import HttpGateway, Patience

ASKED: dict[str, Any] = {"key": "k1", "charge_id": "W1-0", "amount": 12_200, "currency": "USD"}
GOOD: dict[str, Any] = {"id": "re_1", **ASKED, "status": "done"}
QUICK = Patience(connect=0.5, read=0.2, whole=0.5)


@contextmanager
def answering(answer: Callable[[socket.socket], None]) -> Iterator[tuple[HttpGateway, list[bytes]]]:
    """A gateway behind a server that reads each request and then does `answer` to the connection."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection, suppress(OSError):
                        heard.append(connection.recv(65_536))
                        answer(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield HttpGateway(f"http://127.0.0.1:{server.getsockname()[1]}", QUICK), heard
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
    thread.join(5)
    assert not thread.is_alive()


def says(status: int, body: bytes, *, headers: str = "Content-Type: application/json") -> Callable[[Any], None]:
    head = f"HTTP/1.1 {status} X\r\n{headers}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return lambda connection: connection.sendall(head.encode() + body)


def as_json(**changed: Any) -> Callable[[Any], None]:
    return says(200, json.dumps(GOOD | changed).encode())


def without(name: str) -> Callable[[Any], None]:
    return says(200, json.dumps({key: value for key, value in GOOD.items() if key != name}).encode())


def trickle(connection: socket.socket) -> None:
    """One byte at a time, each well within the patience for the next bytes."""
    for byte in b"HTTP/1.1 200 X\r\nA: " + b"a" * 10_000:
        connection.sendall(bytes([byte]))
        threading.Event().wait(0.02)


def say_nothing(connection: socket.socket) -> None:
    connection.recv(1)


HTML = b"<html><body>Welcome to our payment page</body></html>"
# What any call must not believe.
STRANGE: dict[str, Callable[[Any], None]] = {
    "a page": says(200, HTML, headers="Content-Type: text/html"),
    "an empty body": says(200, b""),
    "broken JSON": says(200, b'{"id": "re_1",'),
    "a list": says(200, b"[]"),
    "null": says(200, b"null"),
    "nested too deep": says(200, b"[" * 60_000),
    "not UTF-8": says(200, b'{"id": "\xff"}'),
    "a huge number": says(200, b'{"amount": ' + b"9" * 10_000 + b"}"),
    "a huge body": says(200, json.dumps(GOOD | {"x": "a" * 70_000}).encode()),
    "an amount as text": as_json(amount="12200"),
    "an amount as a float": as_json(amount=12_200.0),
    "an amount as a yes": as_json(amount=True),
    "a key as a number": as_json(key=1),
    "another key": as_json(key="k2"),
    "another key, declined": as_json(key="k2", status="declined"),
    "an unknown status": as_json(status="succeeded"),
    "no status": without("status"),
    "no amount": without("amount"),
    "no id": without("id"),
    "an id with markup": as_json(id="<b>x y</b>"),
    "an id too long": as_json(id="r" * 81),
    "an odd currency": as_json(currency="dollars"),
    "a redirect": says(302, b"", headers="Location: http://127.0.0.1:1/"),
    "no content": says(204, b""),
    "not yours": says(403, b'{"code": "forbidden", "key": "k1"}'),
    "too many": says(429, b'{"code": "slow_down", "key": "k1"}'),
    "a fault": says(500, json.dumps(GOOD).encode()),
    "a proxy's fault": says(502, HTML),
    "another key's refusal": says(402, b'{"code": "declined", "key": "k2"}'),
    "another refusal": says(402, b'{"code": "not_found", "key": "k1"}'),
    "a page as refusal": says(402, HTML),
    "a page as not found": says(404, HTML),
    "another not found": says(404, b'{"code": "not_found", "key": "k2"}'),
    "hung up": lambda connection: connection.close(),
    "hung up in the middle": lambda connection: connection.sendall(b"HTTP/1.1 200 X\r\nContent-Length: 99\r\n\r\n{"),
    "no HTTP": lambda connection: connection.sendall(b"220 ready\r\n"),
    "endless headers": lambda connection: connection.sendall(b"HTTP/1.1 200 X\r\n" + b"A: b\r\n" * 200),
    "silence": say_nothing,
    "one byte after another": trickle,
}


def refund(gateway: HttpGateway) -> Answer:
    return gateway.refund(**ASKED)


def find(gateway: HttpGateway) -> Answer | None:
    return gateway.find(key="k1")


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("ask", [refund, find])
def test_a_strange_answer_means_that_nobody_knows(name: str, ask: Callable[[HttpGateway], Any]) -> None:
    with answering(STRANGE[name]) as (gateway, heard):
        with pytest.raises(Unreachable):
            ask(gateway)
        assert len(heard) == 1


@pytest.mark.parametrize("ask", [refund, find])
@pytest.mark.parametrize(("status", "settled"), [("done", True), ("pending", False)])
def test_the_agreed_answer_is_believed(ask: Callable[[HttpGateway], Any], status: str, settled: bool) -> None:
    with answering(as_json(status=status, more="is ignored")) as (gateway, heard):
        assert ask(gateway) == Answer(gateway_id="re_1", **ASKED, settled=settled)
    assert b"Idempotency-Key: k1" in heard[0]


@pytest.mark.parametrize(
    ("answer", "ask"),
    [
        (says(402, b'{"code": "declined", "key": "k1", "detail": "no"}'), refund),
        (as_json(status="declined", reason="no"), refund),
        (as_json(status="declined", reason="no"), find),
    ],
)
def test_a_refusal_is_final(answer: Callable[[Any], None], ask: Callable[[HttpGateway], Any]) -> None:
    with answering(answer) as (gateway, _), pytest.raises(Declined, match="no"):
        ask(gateway)


def test_no_such_refund_is_only_what_the_gateway_itself_says() -> None:
    with answering(says(404, b'{"code": "not_found", "key": "k1"}')) as (gateway, _):
        assert find(gateway) is None
        with pytest.raises(Unreachable):
            refund(gateway)


def test_a_closed_port_means_that_nobody_knows() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(Unreachable):
        refund(HttpGateway(f"http://127.0.0.1:{port}", QUICK))


def test_a_page_in_another_language_than_tls_means_that_nobody_knows() -> None:
    with answering(as_json()) as (gateway, _):
        port = gateway._url.port
        with pytest.raises(Unreachable):
            refund(HttpGateway(f"https://127.0.0.1:{port}", QUICK))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ask", [refund, find])
def test_inside_a_transaction_it_raises_before_anything_is_sent(ask: Callable[[HttpGateway], Any]) -> None:
    with FakeGateway() as fake:
        gateway = HttpGateway(fake.url)
        with pytest.raises(RuntimeError, match="inside a database transaction"), transaction.atomic():
            ask(gateway)
        assert fake.calls == []
        ask(gateway)
        assert len(fake.calls) == 1
