"""A plain WebSocket client for a desk in a process of its own: frames over a socket, nothing between."""

import base64
import json
import os
import socket
import struct
from typing import Any

from tests.process import DeskProcess, Visitor


class WireSocket:
    """One connection to a visitor's chat."""

    def __init__(self, desk: DeskProcess, visitor: Visitor, *, address: str = "127.0.0.1", header: str = "") -> None:
        self.wire = socket.create_connection(("127.0.0.1", desk.port), timeout=20, source_address=(address, 0))
        self.wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        path = "/ws/v1/conversations/" + visitor.url.rstrip("/").rsplit("/", 1)[1] + "/"
        request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{desk.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"{header and header + chr(13) + chr(10)}\r\n"
        )
        self.wire.sendall(request.encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.wire.recv(1)
        assert head.startswith(b"HTTP/1.1 101"), head
        self.send(type="hello", token=visitor.token, after=0)
        assert self.get()["type"] == "ready"

    def send(self, **frame: Any) -> None:
        payload = json.dumps(frame).encode()
        mask = os.urandom(4)
        length = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack(">H", len(payload))
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
        self.wire.sendall(b"\x81" + length + mask + masked)

    def get(self) -> dict[str, Any]:
        """The next text frame; pings of the server are passed over."""
        while True:
            first, second = self._read(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self._read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self._read(8))[0]
            payload = self._read(size)
            if first & 0x0F == 1:
                frame: dict[str, Any] = json.loads(payload)
                return frame

    def until(self, kind: str) -> dict[str, Any]:
        """The first frame of this type."""
        while (frame := self.get())["type"] != kind:
            pass
        return frame

    def close(self) -> None:
        self.wire.close()

    def _read(self, count: int) -> bytes:
        got = b""
        while len(got) < count:
            piece = self.wire.recv(count - len(got))
            assert piece, "the socket was closed"
            got += piece
        return got
