"""Pushing to sockets: a hint with the news in it. The rows are the truth; whoever misses a push reads them again.

A channel layer belongs to one event loop. In the process that serves sockets that loop is theirs (the in-memory
layer works in no other); a worker process gets one of its own, in one background thread.
"""

import asyncio
import logging
import threading
from collections import deque
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer
from django.db import transaction
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

# Pushes go one by one; without an end, one that hangs would keep all later ones waiting.
LONGEST_PUSH = 5.0


class _Outbox:
    """What waits for one event loop. Waking it costs more than sending, so it is woken once for all that waits."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._waiting: deque[tuple[str, dict[str, Any]]] = deque()
        self._lock = threading.Lock()
        self._sending: set[asyncio.Task[None]] = set()

    def put(self, group: str, message: dict[str, Any]) -> None:
        with self._lock:
            sleeps = not self._waiting
            self._waiting.append((group, message))
        if sleeps:
            self.loop.call_soon_threadsafe(self._send_all)

    def _send_all(self) -> None:
        with self._lock:
            waiting = [*self._waiting]
            self._waiting.clear()
        for group, message in waiting:
            # A task of its own for each: one that hangs keeps no other waiting.
            task = self.loop.create_task(_send(group, message))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)


_outboxes: list[_Outbox] = []
_starting = threading.Lock()


def attach_loop() -> None:
    """Called on the loop that serves sockets; every later push of this process goes through it."""
    loop = asyncio.get_running_loop()
    if not _outboxes or _outboxes[0].loop is not loop:
        _outboxes[:] = [_Outbox(loop)]


def group_of(conversation_id: UUID) -> str:
    return f"conversation.{conversation_id}"


def push_events(conversation_id: UUID, events: list[dict[str, Any]]) -> None:
    """Send the events once this transaction is committed: whoever comes first sends all that there are by then."""
    transaction.on_commit(lambda: _push_all(conversation_id, events), robust=True)


def push_session_end(conversation_id: UUID) -> None:
    """Close the sockets of a conversation whose token ended, once that is committed."""
    transaction.on_commit(lambda: push(conversation_id, {"type": "chat.end"}), robust=True)


def push(conversation_id: UUID, message: dict[str, Any]) -> None:
    """Send now, without waiting: nobody's work may hang on who is listening."""
    _get_outbox().put(group_of(conversation_id), message)


def _push_all(conversation_id: UUID, events: list[dict[str, Any]]) -> None:
    if events:
        push(conversation_id, {"type": "chat.events", "events": [*events]})
        events.clear()


async def _send(group: str, message: dict[str, Any]) -> None:
    try:
        async with asyncio.timeout(LONGEST_PUSH):
            await get_channel_layer().group_send(group, message)
    except (OSError, RedisError) as error:
        # Sockets read the rows once they miss an event.
        logger.warning("a push was lost: %s", type(error).__name__)


def _get_outbox() -> _Outbox:
    with _starting:
        if not _outboxes or _outboxes[0].loop.is_closed():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="broadcast", daemon=True).start()
            _outboxes[:] = [_Outbox(loop)]
        return _outboxes[0]
