"""Pushing to sockets: a hint with the news in it. The rows are the truth; whoever misses a push reads them again.

A channel layer belongs to one event loop. In the process that serves sockets that loop is theirs (the in-memory
layer works in no other); a worker process gets one of its own, in one background thread.
"""

import asyncio
import threading
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer
from django.db import transaction

# Pushes go one by one; without an end, one that hangs would keep all later ones waiting.
LONGEST_PUSH = 5.0
_loops: list[asyncio.AbstractEventLoop] = []
_starting = threading.Lock()


def attach_loop() -> None:
    """Called on the loop that serves sockets; every later push of this process goes through it."""
    loop = asyncio.get_running_loop()
    if not _loops or _loops[0] is not loop:
        _loops[:] = [loop]


def group_of(conversation_id: UUID) -> str:
    return f"conversation.{conversation_id}"


def push_event(conversation_id: UUID, event: dict[str, Any]) -> None:
    """Send an event once this transaction is committed."""
    message = {"type": "chat.event", "event": event}
    transaction.on_commit(lambda: push(conversation_id, message), robust=True)


def push_session_end(conversation_id: UUID) -> None:
    """Close the sockets of a conversation whose token ended, once that is committed."""
    transaction.on_commit(lambda: push(conversation_id, {"type": "chat.end"}), robust=True)


def push(conversation_id: UUID, message: dict[str, Any]) -> None:
    """Send now, without waiting: nobody's work may hang on who is listening."""
    layer = get_channel_layer()
    sending = asyncio.wait_for(layer.group_send(group_of(conversation_id), message), LONGEST_PUSH)
    asyncio.run_coroutine_threadsafe(sending, _get_loop())


def _get_loop() -> asyncio.AbstractEventLoop:
    with _starting:
        if not _loops or _loops[0].is_closed():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="broadcast", daemon=True).start()
            _loops[:] = [loop]
        return _loops[0]
