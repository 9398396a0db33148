"""Customers who talk at the same time, each waiting for the answer before the next line."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from eval.bench import shop
from eval.bench.wire import Socket, SocketClosed, start_conversation

# Nobody begins another turn this long after the end.
GRACE_SECONDS = 5.0
LONGEST_ANSWER = 60.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """From sending the words: when the first words of the reply came, None for a card, and when the last did."""

    first: float | None
    final: float
    # What the socket was sent for it, the customer's own message left out.
    frames: int


@dataclass(kw_only=True)
class Load:
    answers: list[Answer] = field(default_factory=list)
    seconds: float = 0.0
    posted: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def turns_a_second(self) -> float:
        return round(len(self.answers) / self.seconds, 1)


def run_load(*, port: int, customers: int, seconds: float, places: Iterator[int]) -> Load:
    """`customers` at once for `seconds`; each order of `places` is one conversation."""
    return asyncio.run(_run(port, customers, seconds, places))


def hold_sockets(*, port: int, chats: list[tuple[str, str]]) -> "Held":
    """Idle sockets, one for each of these conversations, until `release`."""
    return Held(port, chats)


class Held:
    def __init__(self, port: int, chats: list[tuple[str, str]]) -> None:
        self._loop = asyncio.new_event_loop()
        self._sockets = self._loop.run_until_complete(_open_all(port, chats))

    def release(self) -> None:
        for socket in self._sockets:
            socket.close()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()


async def _open_all(port: int, chats: list[tuple[str, str]]) -> list[Socket]:
    # One after the other: a desk that is asked for a thousand at once would measure its backlog.
    return [await Socket.open(port, chat, token) for chat, token in chats]


async def _run(port: int, customers: int, seconds: float, places: Iterator[int]) -> Load:
    load = Load()
    began = time.perf_counter()
    await asyncio.gather(*(_talk_on(port, began + seconds, places, load) for _ in range(customers)))
    load.seconds = time.perf_counter() - began
    return load


async def _talk_on(port: int, until: float, places: Iterator[int], load: Load) -> None:
    while time.perf_counter() < until:
        try:
            await _talk(port, until, next(places), load)
        except (TimeoutError, OSError, EOFError, SocketClosed) as error:
            load.faults.append(f"{type(error).__name__}: {error}")


async def _talk(port: int, until: float, place: int, load: Load) -> None:
    socket = await Socket.open(port, *await start_conversation(port))
    try:
        for number, words in enumerate(shop.list_turns(place)):
            if time.perf_counter() > until + GRACE_SECONDS:
                return
            load.posted += 1
            load.answers.append(await asyncio.wait_for(_ask(socket, f"c{number}", words), LONGEST_ANSWER))
    finally:
        socket.close()


async def _ask(socket: Socket, client_id: str, words: str) -> Answer:
    started, first, frames = time.perf_counter(), None, -1
    await socket.send(type="message", client_id=client_id, text=words)
    while True:
        frame = await socket.get()
        frames += 1
        if frame["type"] == "error":
            raise SocketClosed(frame["code"])
        if frame["type"] == "delta" and first is None:
            first = time.perf_counter() - started
        event = frame.get("event", {})
        if event.get("kind") == "request" or event.get("role") == "agent":
            return Answer(first=first, final=time.perf_counter() - started, frames=frames)
