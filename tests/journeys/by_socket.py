"""A customer whose every word goes through the chat's socket, and who remembers what came back."""

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from asgiref.sync import sync_to_async

from tests.conversations.test_socket import Socket, connected, work
from tests.factories import Chat, start_chat

Frame = dict[str, Any]


class Caller:
    """`heard`: every event that the socket was sent, in order; `shown`: what a reply showed while it came."""

    def __init__(self, chat: Chat, socket: Socket) -> None:
        self.chat, self.socket = chat, socket
        self.heard: list[Frame] = []
        self.shown = ""
        self._sent = 0

    async def says(self, text: str) -> None:
        """Send, and let the worker answer."""
        self._sent += 1
        client_id = f"s{self._sent}"
        await self.socket.send(type="message", client_id=client_id, text=text)
        await self.hears("message", client_id=client_id)
        await work()

    async def hears(self, kind: str, **wanted: Any) -> Frame:
        """The next event like this; whatever comes before it is remembered too."""
        frames = await self.socket.until(kind, **wanted)
        self.heard += [frame["event"] for frame in frames if frame["type"] == "event"]
        self.shown += "".join(frame["text"] for frame in frames if frame["type"] == "delta")
        return dict(frames[-1].get("event", frames[-1]))

    async def sees_card(self) -> Frame:
        """The newest card, once the chat waits for its answer."""
        await self.hears("state", state="awaiting_customer")
        return next(event for event in reversed(self.heard) if event["kind"] == "request")

    async def answers(self, answer: str, request_id: str) -> None:
        await self.socket.send(type="answer", request_id=request_id, answer=answer)

    async def asks_for_person(self) -> None:
        await self.socket.send(type="handoff")

    async def saw_everything(self) -> bool:
        """Whether the screen has what is stored, from the first event to the last heard."""
        stored = await sync_to_async(self.chat.events)()
        return self.heard == stored[: len(self.heard)] and len(self.heard) > 0

    def texts(self, role: str = "agent") -> list[str]:
        return [event["text"] for event in self.heard if event["kind"] == "message" and event["role"] == role]

    def outcomes(self) -> list[str]:
        return [event["outcome"] for event in self.heard if event["kind"] == "request_closed"]

    def receipts(self) -> list[str]:
        return [event["status"] for event in self.heard if event["kind"] == "receipt"]


@contextlib.asynccontextmanager
async def calling(make: Callable[[], Chat] = start_chat) -> AsyncIterator[Caller]:
    """A socket to a chat that `make` has brought into some state."""
    chat = await sync_to_async(make)()
    async with connected(chat) as socket:
        await socket.hello()
        yield Caller(chat, socket)
