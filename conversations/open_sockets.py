"""How many sockets are open in this process, by whom: a file descriptor is held by no other process."""

import threading
from collections import Counter


class OpenSockets:
    """Counts by key, from any thread."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def enter(self, key: str, most: int) -> bool:
        """Count one more, unless there are `most` already. What entered has to leave."""
        with self._lock:
            if self._counts[key] >= most:
                return False
            self._counts[key] += 1
            return True

    def leave(self, key: str) -> None:
        with self._lock:
            self._counts[key] -= 1
            # A key without sockets must not stay.
            if self._counts[key] <= 0:
                del self._counts[key]
