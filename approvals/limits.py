"""How often somebody may ask: counted over all processes in Redis, or in memory where the desk is one process.

A window moves with the clock, so no minute holds more than the limit. What was refused is not counted: who waits as
long as told is served. An unreachable Redis locks nobody out: each process then counts for itself.
"""

import math
import threading
import time
from collections import deque
from dataclasses import dataclass
from functools import lru_cache

import limits
import redis
from django.conf import settings
from limits.storage import MemoryStorage, RedisStorage, Storage
from limits.strategies import MovingWindowRateLimiter
from redis.backoff import NoBackoff
from redis.retry import Retry

from approvals.fallback import Fallback

MINUTE, HOUR = 60, 60 * 60
# A customer's request waits this long for a counter, and no longer.
PATIENCE_SECONDS = 0.5
TIDY_EVERY_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Limit:
    """So many within a time; `setting` holds the number."""

    setting: str
    seconds: int
    of_what: str


MESSAGES_CONVERSATION = Limit(
    setting="DESKAGENT_MESSAGES_CONVERSATION_MINUTE", seconds=MINUTE, of_what="messages in this chat"
)
MESSAGES_ADDRESS = Limit(
    setting="DESKAGENT_MESSAGES_ADDRESS_MINUTE", seconds=MINUTE, of_what="messages from your network"
)
CONVERSATIONS_ADDRESS = Limit(
    setting="DESKAGENT_CONVERSATIONS_ADDRESS_MINUTE", seconds=MINUTE, of_what="new chats from your network"
)
SIGN_INS_ADDRESS = Limit(
    setting="DESKAGENT_SIGN_INS_ADDRESS_MINUTE", seconds=MINUTE, of_what="sign-ins from your network"
)
SIGN_INS_USER = Limit(setting="DESKAGENT_SIGN_INS_USER_HOUR", seconds=HOUR, of_what="sign-ins under this name")

HELP_ADDRESS = Limit(
    setting="DESKAGENT_HELP_NOTES_ADDRESS_HOUR", seconds=HOUR, of_what="searches and votes from your network"
)


class SlowDown(Exception):
    """Over a limit; nothing was done. After `retry_after` seconds there is room again."""

    def __init__(self, limit: Limit, retry_after: int) -> None:
        self.limit = limit
        self.retry_after = retry_after
        super().__init__(f"There were too many {limit.of_what}. Please try again in {retry_after} s.")


def take(*asked: tuple[Limit, str]) -> None:
    """Count one of each limit for its key, in this order; `SlowDown` at the first that is full.

    Never inside a transaction: it may ask the network.
    """
    for limit, key in asked:
        wait = _counters(settings.REDIS_URL).take(limit, key)
        if wait:
            raise SlowDown(limit, math.ceil(wait))


def forget_all() -> None:
    """Begin anew with counters of no history in this process; what Redis holds stays."""
    _counters.cache_clear()


class Meter:
    """At most `amount` within `seconds`, for one owner that lives in one process."""

    def __init__(self, amount: int, seconds: float = math.inf) -> None:
        self.seconds = seconds
        self.times: deque[float] = deque(maxlen=amount)

    def take(self) -> bool:
        now = time.monotonic()
        if len(self.times) == self.times.maxlen and self.times[0] > now - self.seconds:
            return False
        self.times.append(now)
        return True


class _Counters:
    def __init__(self, url: str) -> None:
        self.own = MemoryStorage()
        # The library's memory may count short where two threads meet, and keeps the keys it once saw.
        self.lock = threading.Lock()
        self.tidied_at = time.monotonic()
        self.stores: Fallback[Storage] = Fallback(_connect(url) if url else None, self.own, what="limits")

    def take(self, limit: Limit, key: str) -> float:
        """The seconds to wait; 0 when it was counted."""
        return self.stores.use(lambda storage: self._take_from(storage, limit, key))

    def _take_from(self, storage: Storage, limit: Limit, key: str) -> float:
        if storage is not self.own:
            return _take(MovingWindowRateLimiter(storage), limit, key)
        with self.lock:
            self._tidy()
            return _take(MovingWindowRateLimiter(self.own), limit, key)

    def _tidy(self) -> None:
        if time.monotonic() < self.tidied_at + TIDY_EVERY_SECONDS:
            return
        self.tidied_at = time.monotonic()
        for key, entries in list(self.own.events.items()):
            if not entries:
                self.own.clear(key)


def _take(limiter: MovingWindowRateLimiter, limit: Limit, key: str) -> float:
    item = limits.RateLimitItemPerSecond(getattr(settings, limit.setting), limit.seconds, namespace=limit.setting)
    if limiter.hit(item, key):
        return 0.0
    return max(limiter.get_window_stats(item, key).reset_time - time.time(), 1.0)


def _connect(url: str) -> RedisStorage:
    pool = redis.ConnectionPool.from_url(
        url,
        socket_connect_timeout=PATIENCE_SECONDS,
        socket_timeout=PATIENCE_SECONDS,
        # The client would wait for seconds between tries of its own.
        retry=Retry(NoBackoff(), 0),
    )
    return RedisStorage(url, connection_pool=pool, key_prefix="deskagent")


@lru_cache(maxsize=1)
def _counters(url: str) -> _Counters:
    return _Counters(url)
