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
    """One call. `max_tokens` bounds the reply; `messages` alternate user and assistant, newest last."""

    system: str
    tools: list[Block]
    messages: list[Block]
    max_tokens: int


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens of one call, as the provider bills them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, kw_only=True)
class ModelReply:
    """A finished reply. Run its tool calls only where `stop_reason` is `tool_use`: a cut stream looks whole."""

    content: list[Block]
    stop_reason: str | None
    usage: Usage
    model: str
    first_token_ms: int
    latency_ms: int


class ModelUnavailable(Exception):
    """No usable reply came. Tell the customer and fetch a person; never act without the model."""


class Model(Protocol):
    """Both implementations raise `ModelUnavailable` and nothing else for anything that goes wrong on the way."""

    @property
    def name(self) -> str: ...

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply: ...
