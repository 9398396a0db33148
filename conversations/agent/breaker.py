"""A circuit breaker that all workers share: a provider that is down is left alone instead of being waited for.

closed      calls go through; `DESKAGENT_CIRCUIT_FAILURES` failed ones in a row within `WINDOW_SECONDS` open it.
open        nobody calls for `DESKAGENT_CIRCUIT_SECONDS`.
half-open   then one call at a time is a probe: an answer closes the circuit, a failure opens it again. Without a
            probe for `FORGET_SECONDS` it is closed.

The state lies in Django's cache: Redis with `REDIS_URL`, this process otherwise. While Redis is away each process
counts for itself, from closed. Only whole numbers are stored, so nothing is pickled.
"""

import logging
from dataclasses import dataclass
from enum import Enum, auto
from hashlib import sha256

from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache

from approvals.fallback import Fallback

logger = logging.getLogger(__name__)

WINDOW_SECONDS = 60
FORGET_SECONDS = 600


class Verdict(Enum):
    """What a call said about the provider. `NOTHING`: it ended for a reason of our own."""

    ANSWERED = auto()
    FAILED = auto()
    NOTHING = auto()


@dataclass(frozen=True)
class Permit:
    probe: bool


class Breaker:
    """The circuit of one address and model."""

    def __init__(self, name: str) -> None:
        key = sha256(name.encode()).hexdigest()[:16]
        self._failures, self._open, self._tripped, self._probe = (
            f"circuit:{key}:{part}" for part in ("failures", "open", "tripped", "probe")
        )
        self._stores: Fallback[BaseCache] = Fallback(cache, LocMemCache(f"circuit:{key}", {}), what="the circuit")

    def enter(self) -> Permit | None:
        """The right to call, or None while the circuit is open. Give it back with `leave`, whatever happened."""
        return self._stores.use(self._enter)

    def leave(self, permit: Permit, verdict: Verdict) -> None:
        self._stores.use(lambda store: self._leave(store, permit, verdict))

    def _enter(self, store: BaseCache) -> Permit | None:
        found = store.get_many([self._open, self._tripped])
        if self._open in found:
            return None
        if self._tripped not in found:
            return Permit(probe=False)
        # A probe whose process died is given up with the turn it belonged to.
        lasts = settings.DESKAGENT_TURN_DEADLINE_SECONDS
        return Permit(probe=True) if store.add(self._probe, 1, lasts) else None

    def _leave(self, store: BaseCache, permit: Permit, verdict: Verdict) -> None:
        if permit.probe:
            if verdict is Verdict.FAILED:
                self._trip(store)
            if verdict is Verdict.ANSWERED:
                store.delete_many([self._failures, self._open, self._tripped])
                logger.warning("circuit closed: the model provider answers again")
            store.delete(self._probe)
        elif verdict is Verdict.ANSWERED:
            store.delete(self._failures)
        elif verdict is Verdict.FAILED and self._count(store) >= settings.DESKAGENT_CIRCUIT_FAILURES:
            self._trip(store)

    def _count(self, store: BaseCache) -> int:
        store.add(self._failures, 0, WINDOW_SECONDS)
        try:
            return store.incr(self._failures)
        except ValueError:
            # The window ended between the two.
            return 1

    def _trip(self, store: BaseCache) -> None:
        store.set(self._tripped, 1, FORGET_SECONDS)
        store.set(self._open, 1, settings.DESKAGENT_CIRCUIT_SECONDS)
        store.delete(self._failures)
        logger.error("circuit open: the model provider is down, chats go to people")
