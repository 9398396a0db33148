"""The agent's words while they come: pushed in small batches, and never more than a preview of the message."""

import time

from conversations import broadcast
from conversations.operations import Claim

# The first words go at once, the rest in batches: pushing every token costs more than it shows.
BATCH_SECONDS = 0.04


class Preview:
    """Collects one reply's text and pushes it with its offset; a new reply of the same turn starts again at 0."""

    def __init__(self, claimed: Claim) -> None:
        self._conversation_id = claimed.conversation.pk
        self._turn_id = claimed.turn_id
        self._waiting = ""
        self._offset = 0
        self._pushed_at = 0.0

    def add(self, text: str) -> None:
        self._waiting += text
        if time.monotonic() - self._pushed_at >= BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        if not self._waiting:
            return
        message = {"type": "chat.delta", "turn": self._turn_id, "offset": self._offset, "text": self._waiting}
        broadcast.push(self._conversation_id, message)
        self._offset += len(self._waiting)
        self._waiting, self._pushed_at = "", time.monotonic()

    def announce(self, seconds: int) -> None:
        """Tell the customer that an answer is being written, for at most this long."""
        broadcast.push(self._conversation_id, {"type": "chat.typing", "seconds": seconds})
