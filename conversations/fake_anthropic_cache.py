"""Prompt caching by the provider's rule, so that a test sees what a change of the prompt would cost.

A request is a row of blocks: tools, system, messages. At each mark the row up to it is written; a later request finds
the longest row that was written before, byte for byte, looking back from each of its marks over 20 blocks. Rows under
the least size are never written, and one that nobody reads for its lifetime is forgotten.
"""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from conversations.fake_anthropic_history import Json, list_blocks

LOOK_BACK_BLOCKS = 20
LEAST_TOKENS = 512
LEAST_TOKENS_OF = {"claude-haiku-4-5": 4_096}
SHORT_SECONDS = 300.0
LIFETIMES = {"1h": 3_600.0}
BYTES_A_TOKEN = 4


@dataclass(frozen=True)
class _Point:
    """The end of one block: what stands up to it, how large that is, and how long a mark here lives."""

    digest: bytes
    tokens: int
    lifetime: float | None


class PromptCache:
    """What has been written, shared by all requests of one server."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        # Until when, and for how long after each reading.
        self._entries: dict[bytes, tuple[float, float]] = {}

    def count(self, body: Json) -> Json:
        """The three input counts of a request, which is hereby read and written."""
        points = list(_walk(body))
        least = LEAST_TOKENS_OF.get(body["model"], LEAST_TOKENS)
        marks = [place for place, point in enumerate(points) if point.lifetime and point.tokens >= least]
        total = points[-1].tokens
        with self._lock:
            read = max((self._find(points, mark) for mark in marks), default=0)
            for mark in marks:
                self._write(points[mark])
        written = max((points[mark].tokens for mark in marks), default=0)
        return {
            "input_tokens": total - max(written, read),
            "cache_creation_input_tokens": max(written - read, 0),
            "cache_read_input_tokens": read,
        }

    def _find(self, points: list[_Point], mark: int) -> int:
        """The size of the longest live row at this mark or before it; finding it gives it a new life."""
        now = self._clock()
        for place in range(mark, max(mark - LOOK_BACK_BLOCKS, -1), -1):
            until, lifetime = self._entries.get(points[place].digest, (0.0, 0.0))
            if until > now:
                self._entries[points[place].digest] = (now + lifetime, lifetime)
                return points[place].tokens
        return 0

    def _write(self, point: _Point) -> None:
        lifetime = point.lifetime or 0.0
        self._entries[point.digest] = (self._clock() + lifetime, lifetime)


def _walk(body: Json) -> Iterator[_Point]:
    blocks = list(_list_all(body))
    row, size = hashlib.sha256(body["model"].encode()), 0
    for place, (area, block) in enumerate(blocks):
        plain = {key: value for key, value in block.items() if key != "cache_control"}
        # In the order it came: a key that moved is another prompt.
        written = json.dumps([area, plain], ensure_ascii=False, separators=(",", ":"))
        raw = written.encode(errors="surrogatepass")
        row.update(raw)
        size += len(raw)
        # The automatic mark of the whole request stands on its last block.
        mark = block.get("cache_control") or (body.get("cache_control") if place == len(blocks) - 1 else None)
        lifetime = LIFETIMES.get(mark.get("ttl"), SHORT_SECONDS) if mark else None
        yield _Point(row.digest(), -(-size // BYTES_A_TOKEN), lifetime)


def _list_all(body: Json) -> Iterator[tuple[str, Json]]:
    for tool in body.get("tools", []):
        yield "tool", tool
    system = body.get("system") or []
    for block in [{"type": "text", "text": system}] if isinstance(system, str) else system:
        yield "system", block
    for number, message in enumerate(body["messages"]):
        for block in list_blocks(message):
            yield f"{number} {message['role']}", block
