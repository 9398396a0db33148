"""A loopback stand-in for a payment gateway, with a ledger of its own and faults on demand, for demo and tests.

It speaks what `orders.payments.http` expects. `PUT /faults` with `{"post": [...], "get": [...], "slow_ms": N}` says
what the next calls meet, one name a call, and how long a refund takes; `GET /refunds` lists the ledger;
`POST /forget` drops the keys.
"""

import json
import socket
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote

from orders.payments.fake_ledger import FakeLedger, Json, Reply

HOST = "127.0.0.1"
LARGEST_BODY = 64 * 1024
POLL_SECONDS = 0.02
# Before or after acting; `error_kept` is stored under the key as some gateways do, `pending` acts at the look-up.
POST_FAULTS = ("drop_before", "drop_after", "error_before", "error_after", "error_kept", "decline", "pending")
GET_FAULTS = ("drop_before", "error_before")


class WrongFaults(ValueError):
    """The faults are not ones that this stand-in knows; the message names them."""


def check_faults(faults: Json) -> Json:
    """The faults as they are kept. Raises `WrongFaults`."""
    known = {"post": POST_FAULTS, "get": GET_FAULTS}
    for name, value in faults.items():
        if name == "slow_ms" and isinstance(value, int) and 0 <= value <= 600_000:
            continue
        if name not in known or not isinstance(value, list) or not set(map(str, value)) <= set(known[name]):
            raise WrongFaults(f"{name}: {json.dumps(value)[:80]}")
    return {
        "post": list(faults.get("post", [])),
        "get": list(faults.get("get", [])),
        "slow_ms": faults.get("slow_ms", 0),
    }


class FakeGateway:
    """Serves from `start()` to `stop()` or as a context manager.

    `on_refund` is called with each `POST /refunds` body before anything else, from the server's thread.
    """

    def __init__(
        self, ledger: Path | None = None, port: int = 0, *, on_refund: Callable[[Json], None] | None = None
    ) -> None:
        self.ledger = FakeLedger(ledger)
        self.on_refund = on_refund or (lambda body: None)
        self.calls: list[tuple[str, str]] = []
        self.stopping = threading.Event()
        self._port = port
        self._faults = check_faults({})
        self._lock = threading.Lock()
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> Self:
        """Listens from here on; raises `OSError` where the port is taken and `OverflowError` where it is no port."""
        self._server = _Server(self, self._port)
        self._port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(POLL_SECONDS,), daemon=True)
        self.stopping.clear()
        self._thread.start()
        return self

    def stop(self) -> None:
        """Waits for open calls; the ledger stays, and `start` opens the same port again."""
        if self._server is None or self._thread is None:
            return
        self.stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._server = self._thread = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._port}"

    def fail(self, *names: str, get: tuple[str, ...] = (), slow_ms: int = 0) -> None:
        """The faults of the next calls, in order; calls after them are served well."""
        faults = check_faults({"post": list(names), "get": list(get), "slow_ms": slow_ms})
        with self._lock:
            self._faults = faults

    def set_faults(self, faults: Json) -> None:
        kept = check_faults(faults)
        with self._lock:
            self._faults = kept

    def note_call(self, method: str, key: str) -> tuple[str, float]:
        """Write a call down; the fault that it meets, or nothing, and the seconds it takes."""
        with self._lock:
            self.calls.append((method, key))
            waiting = self._faults[method.lower()]
            return (waiting.pop(0) if waiting else ""), self._faults["slow_ms"] / 1000


class _Server(ThreadingHTTPServer):
    # Closing waits for the open calls, so that nothing is written after `stop`.
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, fake: FakeGateway, port: int) -> None:
        self.fake = fake
        super().__init__((HOST, port), _Handler)

    def server_bind(self) -> None:
        # HTTPServer looks its own name up in DNS here, which stalls on machines without a resolver.
        TCPServer.server_bind(self)

    # The standard library types a request as socket or datagram pair.
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that went away is what the faults are for; anything else is a mistake in here and is shown."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    # A connection that says nothing must not hold up `stop`.
    timeout = 5

    def log_message(self, format: str, *args: Any) -> None:
        """Silence: the output belongs to the tests."""

    def do_POST(self) -> None:
        body = self._read_json()
        if self.path == "/refunds" and body is not None:
            self.server.fake.on_refund(body)
            self._refund(body)
        elif self.path == "/forget":
            self.server.fake.ledger.forget_keys()
            self._send(200, {})
        else:
            self._send(400, {"code": "invalid", "detail": "a JSON object is required"})

    def do_PUT(self) -> None:
        body = self._read_json()
        try:
            if self.path != "/faults" or body is None:
                raise WrongFaults("PUT /faults with a JSON object")
            self.server.fake.set_faults(body)
        except WrongFaults as error:
            self._send(400, {"code": "invalid", "detail": str(error)})
        else:
            self._send(200, {})

    def do_GET(self) -> None:
        fake = self.server.fake
        if self.path == "/refunds":
            self._send(200, fake.ledger.list_refunds())
            return
        key = unquote(self.path.removeprefix("/refunds/"))
        fault, _ = fake.note_call("GET", key)
        if fault == "drop_before":
            self._hang_up()
        elif fault:
            self._send(500, {"code": "error"})
        else:
            self._send(*fake.ledger.find(key))

    def _refund(self, body: Json) -> None:
        fake = self.server.fake
        fault, seconds = fake.note_call("POST", str(body.get("key")))
        fake.stopping.wait(seconds)
        if fault == "drop_before":
            self._hang_up()
            return
        if fault == "error_before":
            self._send(500, {"code": "error"})
            return
        reply: Reply = fake.ledger.refund(body, fault)
        if fault == "drop_after":
            self._hang_up()
        elif fault == "error_after":
            self._send(500, {"code": "error"})
        else:
            self._send(*reply)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _read_json(self) -> Json | None:
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > LARGEST_BODY:
            return None
        try:
            body = json.loads(self.rfile.read(int(length)) or b"{}")
        except (ValueError, RecursionError):
            return None
        return body if isinstance(body, dict) else None

    def _send(self, status: int, content: object) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
