"""The agent's words while they come: released by whole sentences, and never more than a preview of the message."""

import re
import time

from conversations import broadcast
from conversations.agent.reply_books import Books
from conversations.agent.reply_check import count_clean
from conversations.operations import Claim
from conversations.readable import make_all_readable

# Sentences that end close together go out as one: pushing each costs more than it shows.
BATCH_SECONDS = 0.04
# A reply without a full stop is not held back forever.
LONGEST_WAIT = 200
SENTENCE_END = re.compile(r"[.!?\u2026:;]['\u2019\u201d\")\]]*\s+|\n+")


class Preview:
    """Collects one reply's text and pushes it with its offset; a new reply of the same turn starts again at 0.

    What the books do not bear out is not shown, nor anything after it: the message that follows is the truth.
    """

    def __init__(self, claimed: Claim, books: Books | None = None) -> None:
        self._books = books
        self._said = ""
        self._held = False
        self._conversation_id = claimed.conversation.pk
        self._turn_id = claimed.turn_id
        self._stages = claimed.stages
        self._waiting = ""
        self._offset = 0
        self._pushed_at = 0.0

    def add(self, text: str) -> None:
        self._waiting = self._waiting + text if self._offset else (self._waiting + text).lstrip()
        if time.monotonic() - self._pushed_at >= BATCH_SECONDS:
            self._release(self._find_end())

    def flush(self) -> None:
        """The reply is whole: release the rest, without the space at its end, as the message is stored."""
        self._waiting = self._waiting.rstrip()
        self._release(len(self._waiting))

    def announce(self, seconds: int) -> None:
        """Tell the customer that an answer is being written, for at most this long."""
        self._push({"type": "chat.typing", "seconds": seconds})

    def _find_end(self) -> int:
        """Where the last whole sentence ends; of a very long one as much as is there, up to a space."""
        ends = [found.end() for found in SENTENCE_END.finditer(self._waiting)]
        if ends:
            return ends[-1]
        return self._waiting.rfind(" ") + 1 if len(self._waiting) >= LONGEST_WAIT else 0

    def _release(self, end: int) -> None:
        if end <= 0 or self._held:
            return
        text, self._waiting = make_all_readable(self._waiting[:end]), self._waiting[end:]
        if self._books is not None:
            clean = count_clean(self._said + text, self._books) - len(self._said)
            self._held, text = clean < len(text), text[: max(clean, 0)]
            if not text:
                return
            self._said += text
        self._push({"type": "chat.delta", "turn": self._turn_id, "offset": self._offset, "text": text})
        self._offset += len(text)
        self._pushed_at = time.monotonic()

    def _push(self, message: dict[str, object]) -> None:
        with self._stages.measuring("push"):
            broadcast.push(self._conversation_id, message)
