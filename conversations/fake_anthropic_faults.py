"""Answers that go wrong on the wire: cut, broken, silent, or too slow to ever end."""

import socket
import struct
import threading
from collections.abc import Callable, Iterable

from conversations.fake_anthropic_script import Fault, ScriptError

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n"
END = b"0\r\n\r\n"
# Close without waiting for what was not sent yet, which the peer sees as a reset.
ABRUPTLY = struct.pack("ii", 1, 0)


class FaultyAnswer:
    """One answer with its fault. `play` returns whether the connection can serve another request."""

    def __init__(self, fault: Fault, *, connection: socket.socket, write: Callable[[bytes], object]) -> None:
        self._fault = fault
        self._connection = connection
        self._write = write

    def play(self, body: bytes, stopping: threading.Event) -> bool:
        fault = self._fault
        sent = len(body) if fault.after_bytes is None else fault.after_bytes
        if sent > len(body):
            raise ScriptError(f"fault.after_bytes {sent} is beyond this body of {len(body)} bytes")
        if fault.kind == "silent":
            return self._reset()
        if fault.kind == "drip_head":
            self._drip((HEAD[at : at + 1] for at in range(len(HEAD))), stopping)
            return False
        self._write(HEAD + _chunk(body[:sent]))
        match fault.kind:
            case "end":
                self._write(END)
                return True
            case "reset":
                return self._reset()
            case "hang":
                stopping.wait()
            case "drip":
                rest = body[sent:]
                self._drip((_chunk(rest[at : at + 1]) for at in range(len(rest))), stopping)
        return False

    def _reset(self) -> bool:
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABRUPTLY)
        self._connection.close()
        return False

    def _drip(self, drops: Iterable[bytes], stopping: threading.Event) -> None:
        for drop in drops:
            if stopping.wait(self._fault.every_ms / 1000):
                return
            self._write(drop)


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data) if data else b""
