"""What came over the wire, checked. The SDK's own reading builds an object for each word, three quarters of a call's
processor time, from whatever a server says, and a cut call looks whole in it; so events are read as they come.

Everything here raises a `ValueError`, `TypeError` or `LookupError` for a stream that breaks the protocol, and the SDK's
error for one that the server reports in the stream.
"""

import json
import logging
from collections.abc import Iterator
from typing import Any, NoReturn

import anthropic
import httpx2

from conversations.agent.protocol import Block, Usage

logger = logging.getLogger(__name__)

LARGEST_COUNT = 10_000_000
LONGEST_ERROR = 500
# Far above any `max_tokens`: what an endless stream may fill the memory with.
LARGEST_REPLY = 2_000_000
# Nothing that is stored may be too deep to be read again, in whatever depth of calls that happens.
DEEPEST_BLOCK = 200
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


def read_events(response: httpx2.Response) -> Iterator[dict[str, Any]]:
    """The events of a stream as the server sent them."""
    for sent in anthropic.Stream.raw_events(response):
        if sent.event in (None, "ping") or not sent.data:
            continue
        if sent.event == "error":
            raise anthropic.APIStatusError(sent.data[:LONGEST_ERROR], response=response, body=sent.data)
        yield _as_object(json.loads(sent.data))


class Reading:
    """One message while it comes: its blocks so far, which of them is open, and whether the end was seen."""

    def __init__(self) -> None:
        self.ended = False
        self._message: dict[str, Any] | None = None
        self._usage: dict[str, Any] = {}
        self._stop_reason: object = None
        self._blocks: list[dict[str, Any]] = []
        self._is_open = False
        # The arguments of each call, by its place.
        self._arguments: dict[int, str] = {}
        self._size = 0

    def take(self, event: dict[str, Any]) -> str:
        """The words that an event adds, for the customer to see."""
        kind = event["type"]
        if kind == "message_start":
            self._begin(_as_object(event["message"]))
        elif self._message is None:
            raise ValueError(f"{kind!r} before the message began")
        elif kind == "content_block_start":
            return self._begin_block(event["index"], _as_object(event["content_block"]))
        elif kind == "content_block_delta":
            self._expect_open(event["index"])
            return self._grow(self._blocks[-1], _as_object(event["delta"]))
        elif kind == "content_block_stop":
            self._expect_open(event["index"])
            self._is_open = False
        elif kind == "message_delta":
            self._end(_as_object(event["delta"]), _as_object(event["usage"]))
        elif kind == "message_stop":
            if self._is_open:
                raise ValueError("the message ends inside a block")
            self.ended = True
        return ""

    def expect_end(self) -> None:
        if not self.ended:
            raise ValueError("the stream ended before the message did")

    @property
    def model(self) -> str:
        return as_text(self._message["model"] if self._message else None)

    @property
    def stop_reason(self) -> str | None:
        return as_stop_reason(self._stop_reason)

    @property
    def usage(self) -> Usage:
        return Usage(
            input_tokens=_as_count(self._usage["input_tokens"]),
            output_tokens=_as_count(self._usage["output_tokens"]),
            cache_read_tokens=_as_count(self._usage.get("cache_read_input_tokens") or 0),
            cache_write_tokens=_as_count(self._usage.get("cache_creation_input_tokens") or 0),
        )

    def content(self) -> list[Block]:
        """The blocks as they may be sent back."""
        finished = self._stop_reason == "tool_use"
        return [
            _as_block(block, self._arguments.get(number, "") if finished else None)
            for number, block in enumerate(self._blocks)
        ]

    def _begin(self, message: dict[str, Any]) -> None:
        if self._message is not None:
            raise ValueError("the message begins twice")
        self._message = message
        self._usage = dict(_as_object(message["usage"]))

    def _begin_block(self, index: object, block: dict[str, Any]) -> str:
        if self._is_open or index != len(self._blocks):
            raise ValueError(f"block {index!r} begins out of order")
        self._is_open = True
        self._blocks.append(dict(block))
        return self._measure(block["text"]) if block["type"] == "text" else ""

    def _grow(self, block: dict[str, Any], delta: dict[str, Any]) -> str:
        kind = delta["type"]
        if kind == "text_delta":
            text = self._measure(delta["text"])
            block["text"] += text
            return text
        if kind == "input_json_delta":
            place = len(self._blocks) - 1
            self._arguments[place] = self._arguments.get(place, "") + self._measure(delta["partial_json"])
        elif kind == "thinking_delta":
            block["thinking"] += self._measure(delta["thinking"])
        elif kind == "signature_delta":
            block["signature"] = self._measure(delta["signature"])
        return ""

    def _end(self, delta: dict[str, Any], usage: dict[str, Any]) -> None:
        self._stop_reason = delta["stop_reason"]
        # Totals so far: they take the place of those at the beginning, where they are given at all.
        self._usage |= {name: value for name, value in usage.items() if value is not None}
        self._usage["output_tokens"] = usage["output_tokens"]

    def _expect_open(self, index: object) -> None:
        if not self._is_open or index != len(self._blocks) - 1:
            raise ValueError(f"block {index!r} is not open")

    def _measure(self, value: object) -> str:
        text = as_text(value)
        self._size += len(text)
        if self._size > LARGEST_REPLY:
            raise ValueError("the reply has no end")
        return text


def _as_block(plain: dict[str, Any], arguments: str | None) -> Block:
    _expect_shallow(plain)
    if plain["type"] == "tool_use":
        as_text(plain["id"]), as_text(plain["name"])
        # What is run must have come whole.
        given = json.loads(arguments, parse_constant=_refuse) if arguments else plain["input"]
        if not isinstance(given, dict):
            raise TypeError(f"arguments are {type(given).__name__}")
        # What cannot be stored as JSON (NaN, a number of thousands of digits) raises here and is no reply.
        json.dumps(given, allow_nan=False)
        _expect_shallow(given)
        return {"type": "tool_use", "id": plain["id"], "name": plain["name"], "input": given}
    if plain["type"] == "text":
        return {"type": "text", "text": as_text(plain["text"])}
    return plain


def _expect_shallow(given: dict[str, Any]) -> None:
    level: list[Any] = [given]
    for _ in range(DEEPEST_BLOCK):
        inner = [[*value.values()] if isinstance(value, dict) else value for value in level if value]
        level = [one for values in inner for one in values if isinstance(one, dict | list)]
        if not level:
            return
    raise ValueError("a block is nested too deep")


def as_stop_reason(value: object) -> str | None:
    """How the reply ended; the loop uses none that it does not know, and an alarm says that there is one."""
    reason = None if value is None else as_text(value)
    if reason not in KNOWN_ENDS:
        logger.error("%s: %r", ALARM, reason and reason[:40])
    return reason


def as_text(value: object) -> str:
    """A server may say anything."""
    if not isinstance(value, str):
        raise TypeError(f"not a text: {type(value).__name__}")
    return value


def _as_object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"not an object: {type(value).__name__}")
    return value


def _as_count(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value <= LARGEST_COUNT:
        raise ValueError(f"not a count of tokens: {value!r}")
    return value


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")
