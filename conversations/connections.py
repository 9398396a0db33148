"""What a turn holds while it works: a place among the few that do, and a pooled database connection.

Both are given back before a wait, so that hundreds of waiting turns hold none. There are fewer places than connections:
in a rush turns queue here, in order and for as long as it takes, and not at the pool, which gives up after a while.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from django.conf import settings
from django.db import connection

# Connections of a process that are no turn's: heartbeats, sweeps, payments.
SPARE_CONNECTIONS = 4


class Places:
    """So many at once. Whoever comes back goes before newcomers, so that what is begun ends; among equals who asked
    first, where the standard semaphore lets a latecomer overtake."""

    def __init__(self, amount: int) -> None:
        self._free = amount
        self._returning: deque[threading.Lock] = deque()
        self._coming: deque[threading.Lock] = deque()
        self._lock = threading.Lock()

    def enter(self, *, returning: bool = False) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Lock()
            called.acquire()
            (self._returning if returning else self._coming).append(called)
        called.acquire()

    def leave(self) -> None:
        with self._lock:
            if queue := self._returning or self._coming:
                queue.popleft().release()
            else:
                self._free += 1


class _Own(threading.local):
    holds = False


_own = _Own()


@cache
def _places() -> Places:
    return Places(max(1, settings.DESKAGENT_DATABASE_CONNECTIONS - SPARE_CONNECTIONS))


@contextmanager
def working() -> Iterator[None]:
    """A place of this process while the block runs."""
    _places().enter()
    _own.holds = True
    try:
        yield
    finally:
        _own.holds = False
        _places().leave()


@contextmanager
def waiting() -> Iterator[None]:
    """Neither place nor connection while the block runs; afterwards a place again, if there was one before.

    Never inside a transaction: whoever has a place may be waiting for its rows.
    """
    give_back()
    if not _own.holds:
        yield
        return
    _places().leave()
    try:
        yield
    finally:
        _places().enter(returning=True)


def give_back() -> None:
    """Return this thread's connection to the pool; the next query takes one again.

    Does nothing where there is no pool (SQLite reopens its file at a cost), and nothing inside a transaction.
    """
    if "pool" in connection.settings_dict["OPTIONS"] and not connection.in_atomic_block:
        connection.close()
