"""What came over the wire, checked: the SDK builds its objects from whatever a server says, and a cut call looks whole.

Everything here raises a `ValueError`, `TypeError` or `LookupError` for a stream that breaks the protocol.
"""

import json
import logging
from typing import Any, NoReturn

import anthropic

from conversations.agent.protocol import Block, Usage

logger = logging.getLogger(__name__)

LARGEST_COUNT = 10_000_000
# Far above any `max_tokens`: what an endless stream may fill the memory with.
LARGEST_REPLY = 2_000_000
KNOWN_ENDS = frozenset(
    {
        "end_turn",
        "tool_use",
        "max_tokens",
        "stop_sequence",
        "refusal",
        "pause_turn",
        "model_context_window_exceeded",
    }
)
# What an operator's alert looks for: the provider ends replies in a way this version does not know.
ALARM = "ALARM unknown stop reason"


class Reading:
    """One stream while it comes: which blocks are open, the arguments of each call, and whether the end was seen."""

    def __init__(self) -> None:
        self.ended = False
        self._blocks = 0
        self._open: int | None = None
        self._arguments: dict[int, str] = {}
        self._size = 0

    def take(self, event: Any) -> str:
        """The words that an event adds, for the customer to see."""
        match event.type:
            case "content_block_start":
                if self._open is not None or event.index != self._blocks:
                    raise ValueError(f"block {event.index!r} begins out of order")
                self._open, self._blocks = event.index, self._blocks + 1
            case "content_block_delta":
                return self._grow(event)
            case "content_block_stop":
                self._expect_open(event.index)
                self._open = None
            case "message_stop":
                if self._open is not None:
                    raise ValueError("the message ends inside a block")
                self.ended = True
        return ""

    def _grow(self, event: Any) -> str:
        self._expect_open(event.index)
        delta = event.delta
        if delta.type == "text_delta":
            return self._measure(delta.text)
        if delta.type == "input_json_delta":
            piece = self._measure(delta.partial_json)
            self._arguments[event.index] = self._arguments.get(event.index, "") + piece
        return ""

    def _expect_open(self, index: object) -> None:
        if self._open is None or index != self._open:
            raise ValueError(f"block {index!r} is not open")

    def _measure(self, value: object) -> str:
        text = as_text(value)
        self._size += len(text)
        if self._size > LARGEST_REPLY:
            raise ValueError("the reply has no end")
        return text

    def expect_end(self) -> None:
        if not self.ended:
            raise ValueError("the stream ended before the message did")

    def content(self, message: anthropic.types.Message) -> list[Block]:
        """The blocks as they may be sent back: the SDK adds fields to parsed ones that the provider refuses."""
        finished = message.stop_reason == "tool_use"
        return [
            _as_block(block.to_dict(warnings=False), self._arguments.get(number, "") if finished else None)
            for number, block in enumerate(message.content)
        ]


def _as_block(plain: dict[str, Any], arguments: str | None) -> Block:
    if plain.get("type") == "tool_use":
        as_text(plain["id"]), as_text(plain["name"])
        # The SDK completes JSON that was cut; what is run must have come whole.
        given = json.loads(arguments, parse_constant=_refuse) if arguments else plain["input"]
        if not isinstance(given, dict):
            raise TypeError(f"arguments are {type(given).__name__}")
        # What cannot be stored as JSON (NaN, a number of thousands of digits) raises here and is no reply.
        json.dumps(given, allow_nan=False)
        return {"type": "tool_use", "id": plain["id"], "name": plain["name"], "input": given}
    if plain.get("type") == "text":
        return {"type": "text", "text": as_text(plain["text"])}
    return dict(plain)


def as_usage(usage: anthropic.types.Usage) -> Usage:
    return Usage(
        input_tokens=_as_count(usage.input_tokens),
        output_tokens=_as_count(usage.output_tokens),
        cache_read_tokens=_as_count(usage.cache_read_input_tokens or 0),
        cache_write_tokens=_as_count(usage.cache_creation_input_tokens or 0),
    )


def as_stop_reason(value: object) -> str | None:
    """How the reply ended; the loop uses none that it does not know, and an alarm says that there is one."""
    reason = None if value is None else as_text(value)
    if reason not in KNOWN_ENDS:
        logger.error("%s: %r", ALARM, reason and reason[:40])
    return reason


def as_text(value: object) -> str:
    """The SDK builds its objects without checking what the wire said."""
    if not isinstance(value, str):
        raise TypeError(f"not a text: {type(value).__name__}")
    return value


def _as_count(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value <= LARGEST_COUNT:
        raise ValueError(f"not a count of tokens: {value!r}")
    return value


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")
