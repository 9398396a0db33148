"""A customer's side of the wire: one conversation over HTTP and its WebSocket, with nothing between."""

import asyncio
import base64
import json
import os
import struct
from typing import Any

HOST = "127.0.0.1"
TEXT, CLOSE = 1, 8


class SocketClosed(Exception):
    """The desk ended the connection."""


async def start_conversation(port: int) -> tuple[str, str]:
    """Id and token of a new conversation."""
    reader, writer = await asyncio.open_connection(HOST, port)
    head = (
        f"POST /api/v1/conversations/ HTTP/1.1\r\nHost: {HOST}:{port}\r\nContent-Type: application/json\r\n"
        "Content-Length: 2\r\nConnection: close\r\n\r\n{}"
    )
    writer.write(head.encode())
    answer = await reader.read()
    writer.close()
    status, _, body = answer.partition(b"\r\n\r\n")
    if b" 201 " not in status.split(b"\r\n")[0]:
        raise SocketClosed(f"no conversation: {status[:80]!r}")
    # Sent whole or in chunks; the object is the only brace in it.
    found = json.loads(body[body.index(b"{") : body.rindex(b"}") + 1])
    return found["id"], found["token"]


class Socket:
    """One open socket that has said hello."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, port: int, conversation: str, token: str) -> "Socket":
        reader, writer = await asyncio.open_connection(HOST, port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /ws/v1/conversations/{conversation}/ HTTP/1.1\r\nHost: {HOST}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise SocketClosed(f"no socket: {head[:80]!r}")
        socket = cls(reader, writer)
        await socket.send(type="hello", token=token, after=0)
        while (await socket.get())["type"] != "ready":
            pass
        return socket

    async def send(self, **frame: Any) -> None:
        payload = json.dumps(frame).encode()
        mask = os.urandom(4)
        size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack(">H", len(payload))
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
        self._writer.write(b"\x81" + size + mask + masked)
        await self._writer.drain()

    async def get(self) -> dict[str, Any]:
        """The next text frame; pings of the server are passed over."""
        while True:
            first, second = await self._reader.readexactly(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", await self._reader.readexactly(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", await self._reader.readexactly(8))[0]
            payload = await self._reader.readexactly(size)
            if first & 0x0F == CLOSE:
                raise SocketClosed(payload[2:].decode(errors="replace"))
            if first & 0x0F == TEXT:
                frame: dict[str, Any] = json.loads(payload)
                return frame

    def close(self) -> None:
        self._writer.close()
