"""Counting together through Redis, and alone while it is away: nobody is locked out, and nobody waits for it twice."""

import logging
import math
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

# After a miss this process asks Redis no more for so long: a queue of time-outs would be worse than counting alone.
AWAY_SECONDS = 5.0
TELL_EVERY_SECONDS = 60.0

Store = TypeVar("Store")
Got = TypeVar("Got")


class Fallback(Generic[Store]):
    """A store that all processes share, if there is one, and this process's own beside it."""

    def __init__(self, shared: Store | None, own: Store, *, what: str) -> None:
        self._shared, self._own, self._what = shared, own, what
        self._away_until = self._told_at = -math.inf

    def use(self, act: Callable[[Store], Got]) -> Got:
        if self._shared is not None and time.monotonic() >= self._away_until:
            try:
                return act(self._shared)
            except (RedisError, OSError) as error:
                self._note(error)
        return act(self._own)

    def _note(self, error: Exception) -> None:
        now = time.monotonic()
        self._away_until = now + AWAY_SECONDS
        if now >= self._told_at + TELL_EVERY_SECONDS:
            self._told_at = now
            # Its message may hold the address with a password.
            logger.warning("Redis does not answer (%s): each process counts %s alone", type(error).__name__, self._what)
