"""What the loop asks of a language model, real or offline: one request in, one streamed reply out.

Blocks, messages and tools are plain dicts in the provider's own form, because they are stored as sent and a
prompt is their concatenation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

# The provider's JSON: its schema is the SDK's, not ours.
Block = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One call. `max_tokens` bounds the reply; `messages` alternate user and assistant, newest last.

    `deadline`: when it must be over, in seconds of `time.monotonic()`; without one the turn's whole time is given.
    `may_retry`: asked before each further try, for a caller that pays for it; without one the client decides alone.
    `tool_choice`: which tool the reply has to call, where it has to call one.
    """

    system: str
    tools: list[Block]
    messages: list[Block]
    max_tokens: int
    deadline: float | None = None
    may_retry: Callable[[], bool] | None = None
    tool_choice: Block | None = None


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of one call, as the provider bills them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, kw_only=True)
class ModelReply:
    """A whole reply. Run its tool calls only where `stop_reason` is `tool_use`.

    `tries`: how often the provider was asked. `lost`: those before this reply that may cost money nobody saw counted.
    """

    content: list[Block]
    stop_reason: str | None
    usage: Usage
    model: str
    first_token_ms: int
    latency_ms: int
    tries: int = 1
    lost: int = 0


class ModelUnavailable(Exception):
    """No usable reply came. Tell the customer and fetch a person; never act without the model.

    `tries`: how often the provider was asked. `lost`: how many of them may cost money all the same.
    """

    def __init__(self, message: str = "", *, tries: int = 0, lost: int = 0) -> None:
        super().__init__(message)
        self.tries = tries
        self.lost = lost

    @property
    def began(self) -> bool:
        """Whether money may have been spent."""
        return self.lost > 0


class Model(Protocol):
    """Both implementations raise `ModelUnavailable` and nothing else for anything that goes wrong on the way."""

    @property
    def name(self) -> str: ...

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply: ...
