"""A loopback stand-in for the Anthropic Messages API, so that demo, tests and evaluation need no key and no network.

It answers from a script, or from a function, over real HTTP with real event streams, and refuses what the provider
refuses. Token counts are an estimate, four bytes a token; what is counted as cached follows the provider's rule.
"""

import contextlib
import json
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Any, Self

from conversations.fake_anthropic_cache import PromptCache
from conversations.fake_anthropic_faults import FaultyAnswer
from conversations.fake_anthropic_history import InvalidRequest, Json, check_request
from conversations.fake_anthropic_script import Reply, Script, ScriptError, check_guard, read_reply
from conversations.fake_anthropic_wire import build_message, error_body, error_type, new_id, stream_message

__all__ = ["FakeAnthropic", "Reply", "Script", "ScriptError"]

HOST = "127.0.0.1"
MAX_BODY_BYTES = 32 * 1024 * 1024
STOP_SECONDS = 5
POLL_SECONDS = 0.02


class FakeAnthropic:
    """Serves `script`, or what `respond` returns for each request, from `start()` to `stop()` or as a context manager.

    `respond` is called from many threads at once. Every body stays in memory for `requests`, too much for a soak.
    """

    def __init__(
        self, script: Script | None = None, port: int = 0, *, respond: Callable[[Json], Reply | Json] | None = None
    ) -> None:
        if script is not None and respond is None:
            respond = script.choose
        elif script is not None or respond is None:
            raise ValueError("give a script or respond, one of them")
        self._respond: Callable[[Json], Reply | Json] = respond
        self._port = port
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._bodies: list[bytes] = []
        self._complaints: list[str] = []
        self.cache = PromptCache()

    def start(self) -> Self:
        """Listens from here on; raises `OSError` where the port is taken and `OverflowError` where it is no port."""
        if self._server is not None:
            raise RuntimeError("the stand-in is running already")
        self._server = _Server(self, self._port)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(POLL_SECONDS,), daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """Ends every open connection, also one in the middle of a reply. What was recorded stays readable."""
        if self._server is None or self._thread is None:
            return
        self._server.stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._server.hang_up()
        self._server = self._thread = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        if self._server is None:
            raise RuntimeError("the stand-in is not running")
        return f"http://{HOST}:{self._server.server_address[1]}"

    @property
    def requests(self) -> list[Json]:
        """The body of every call so far, refused ones included, oldest first; the caller's own copy."""
        with self._lock:
            bodies = list(self._bodies)
        return [json.loads(body) for body in bodies]

    @property
    def complaints(self) -> list[str]:
        """Why calls failed that were not told to: callers turn any failure into a ticket, so tests ask here."""
        with self._lock:
            return list(self._complaints)

    def record(self, raw: bytes) -> None:
        with self._lock:
            self._bodies.append(raw)

    def complain(self, message: str) -> None:
        with self._lock:
            self._complaints.append(message)

    def reply_to(self, body: Json) -> Reply:
        """The checked reply; raises `InvalidRequest` or `ScriptError`."""
        check_request(body)
        reply = read_reply(self._respond(body))
        check_guard(reply, body)
        return reply


class _Server(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, fake: FakeAnthropic, port: int) -> None:
        self.fake = fake
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._open: dict[socket.socket, threading.Thread] = {}
        super().__init__((HOST, port), _Handler)

    def server_bind(self) -> None:
        # HTTPServer looks its own name up in DNS here, which stalls on machines without a resolver.
        TCPServer.server_bind(self)

    # The standard library types a request as socket or datagram pair; a TCP server gets sockets.
    def process_request(self, request: Any, client_address: Any) -> None:
        """Keeps the connection and its thread, because the library forgets daemon threads and `stop` must end them."""
        thread = threading.Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        with self._lock:
            self._open[request] = thread
        thread.start()

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        with self._lock:
            connections = list(self._open.items())
        for connection, _ in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for _, thread in connections:
            thread.join(STOP_SECONDS)

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exception()
        if isinstance(error, ConnectionError):
            return
        self.fake.complain(f"{type(error).__name__}: {error}")
        super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    # Otherwise each small event waits for the acknowledgement of the one before it, which the peer delays by 40 ms.
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Silence: the output belongs to the tests."""

    def do_GET(self) -> None:
        if self.path == "/requests":
            self._send(200, self.server.fake.requests)
        else:
            self._send_error(404, "Not found")

    def do_POST(self) -> None:
        try:
            raw = self._read_body()
            if self.path.partition("?")[0] != "/v1/messages":
                self._send_error(404, "Not found")
                return
            body = _parse(raw)
            self.server.fake.record(raw)
            if not (self.headers.get("x-api-key") or self.headers.get("authorization")):
                self._complain(401, "x-api-key header is required")
                return
            self._play(self.server.fake.reply_to(body), body)
        except InvalidRequest as refused:
            self._complain(400, str(refused))
        except ScriptError as broken:
            self._complain(500, str(broken))

    def _read_body(self) -> bytes:
        length = self.headers.get("content-length", "")
        if not length.isascii() or not length.isdigit() or int(length) > MAX_BODY_BYTES:
            # What follows cannot be told from the next request.
            self.close_connection = True
            raise InvalidRequest(f"content-length: a body of at most {MAX_BODY_BYTES} bytes is required")
        return self.rfile.read(int(length))

    def _play(self, reply: Reply, body: Json) -> None:
        if self.server.stopping.wait(reply.delay_ms / 1000):
            self.close_connection = True
        elif reply.status is not None:
            headers = {} if reply.retry_after is None else {"retry-after": str(reply.retry_after)}
            self._send_error(reply.status, "The script answers with this error.", headers)
        elif reply.raw is not None:
            self._send_raw(reply.raw.status, reply.raw.content_type, reply.raw.body.encode(errors="surrogatepass"))
        else:
            self._send_message(reply, body)

    def _send_message(self, reply: Reply, body: Json) -> None:
        message = build_message(reply, body, self.server.fake.cache.count(body))
        if body.get("stream") is True:
            frames = stream_message(message, error=reply.stream_error, json_bytes=reply.json_bytes)
            if reply.fault is not None:
                answer = FaultyAnswer(reply.fault, connection=self.connection, write=self.wfile.write)
                self.close_connection = not answer.play(b"".join(frames), self.server.stopping)
                return
            self._send_chunks("text/event-stream; charset=utf-8", frames, reply.cut_after_bytes)
        elif reply.stream_error is not None or reply.fault is not None:
            raise ScriptError("stream_error and fault need a request with stream: true")
        else:
            self._send_chunks("application/json", [json.dumps(message).encode()], reply.cut_after_bytes)

    def _send_chunks(self, content_type: str, frames: Sequence[bytes], cut: int | None) -> None:
        if cut is not None:
            whole = b"".join(frames)
            if cut >= len(whole):
                raise ScriptError(f"cut_after_bytes {cut} is not inside this body of {len(whole)} bytes")
            frames = [whole[:cut]] if cut else []
        self._send_head(200, {"content-type": content_type, "transfer-encoding": "chunked"})
        for frame in frames:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(frame), frame))
        if cut is None:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True

    def _complain(self, status: int, message: str) -> None:
        self.server.fake.complain(f"{status}: {message}")
        self._send_error(status, message)

    def _send_error(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        request_id = new_id("req")
        body = error_body(error_type(status), message, request_id)
        self._send(status, body, {"request-id": request_id, **(headers or {})})

    def _send(self, status: int, content: object, headers: dict[str, str] | None = None) -> None:
        self._send_raw(status, "application/json", json.dumps(content).encode(), headers)

    def _send_raw(self, status: int, kind: str, body: bytes, headers: dict[str, str] | None = None) -> None:
        self._send_head(status, {"content-type": kind, "content-length": str(len(body)), **(headers or {})})
        self.wfile.write(body)

    def _send_head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"request-id": new_id("req"), **headers}.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("connection", "close")
        self.end_headers()


def _parse(raw: bytes) -> Json:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise InvalidRequest("The request body is not valid JSON") from None
    if not isinstance(body, dict):
        raise InvalidRequest("The request body is not a JSON object")
    return body
