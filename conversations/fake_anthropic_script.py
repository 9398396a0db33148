"""What the loopback stand-in is told to answer, as a checked script.

A file reads `{"scripts": [{"match": "<regex>", "replies": [...]}], "default": [...]}`. The first script whose regex is
found in the text of the first user message speaks, else the default. Which of its replies comes next is the number of
assistant messages already in the request: nothing is remembered, so a retried request gets the same reply.
"""

import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from conversations.fake_anthropic_history import Json, list_blocks

Text = Annotated[str, Field(min_length=1)]


class ScriptError(Exception):
    """The script cannot be played as written. Mend the script; the message names the place."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ToolCall(_Strict):
    """A tool the stand-in calls; nothing checks that the request offered it, because a model may invent one."""

    name: Text
    # Whatever a tool takes, or should have refused: hostile calls are scripted here too.
    input: dict[str, Any] = {}


class Fault(_Strict):
    """What goes wrong on the wire after `after_bytes` of the body; null is after all of it.

    `end`: the body ends there as if it were whole. `close`: the connection ends inside it. `reset`: it breaks. `hang`:
    nothing comes any more. `drip`: the rest comes byte by byte, one each `every_ms`. `silent`: a reset without even
    the head of an answer. `drip_head`: the head itself comes byte by byte.
    """

    kind: Literal["end", "close", "reset", "hang", "drip", "silent", "drip_head"]
    after_bytes: Annotated[int, Field(ge=0)] | None = 0
    every_ms: Annotated[int, Field(ge=1)] = 100


class Raw(_Strict):
    """A body sent as it is, whatever the request asked for."""

    body: str
    content_type: Text = "text/event-stream; charset=utf-8"
    status: Annotated[int, Field(ge=200, le=599)] = 200


class Reply(_Strict):
    """One answer: blocks in the order thinking, text, tool calls, or an HTTP error or a raw body instead of them.

    `cut_after_bytes` closes the connection after so many bytes of the body. `stream_error` starts the stream properly
    and then sends this error type where the end of the message belongs. `when_last_user_contains` demands that text in
    the newest user message, tool results included. `unfinished` sends no stop reason. `json_bytes` sends only so many
    bytes of the last call's arguments, as when `max_tokens` ends a reply inside them.
    """

    text: Text | None = None
    tool_calls: list[ToolCall] = []
    thinking: Text | None = None
    stop_reason: Text | None = None
    delay_ms: Annotated[int, Field(ge=0)] = 0
    status: Annotated[int, Field(ge=400, le=599)] | None = None
    retry_after: Annotated[int, Field(ge=0)] | None = None
    cut_after_bytes: Annotated[int, Field(ge=0)] | None = None
    stream_error: Text | None = None
    unfinished: bool = False
    json_bytes: Annotated[int, Field(ge=0)] | None = None
    fault: Fault | None = None
    raw: Raw | None = None
    when_last_user_contains: Text | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        spoken = self.text or self.tool_calls or self.thinking or self.stop_reason or self.unfinished or self.raw
        if self.status is None and not spoken:
            raise ValueError("a reply needs text, tool_calls, thinking, stop_reason or status")
        if self.status is not None and (spoken or self.cut_after_bytes is not None or self.stream_error):
            raise ValueError("a reply with a status answers that error and nothing else")
        if self.status is None and self.retry_after is not None:
            raise ValueError("retry_after needs a status")
        if self.cut_after_bytes is not None and self.stream_error:
            raise ValueError("a stream ends by cut_after_bytes or by stream_error, not both")
        if self.fault is not None and (self.status is not None or self.cut_after_bytes is not None):
            raise ValueError("a fault goes with neither status nor cut_after_bytes")
        return self


class ScriptedConversation(_Strict):
    """The replies to every conversation whose first user message matches."""

    match: str
    replies: Annotated[list[Reply], Field(min_length=1)]

    @model_validator(mode="after")
    def _compiles(self) -> Self:
        try:
            re.compile(self.match)
        except re.error as error:
            raise ValueError(f"match is not a regular expression: {error}") from None
        return self


class Script(_Strict):
    """Who is answered with what; `from_file` and `from_dict` raise a `ScriptError` that names the place."""

    scripts: list[ScriptedConversation] = []
    default: list[Reply] = []

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.scripts and not self.default:
            raise ValueError("a script needs at least one reply, in scripts or in default")
        return self

    @classmethod
    def from_file(cls, path: Path) -> Self:
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ScriptError(f"{path}: {error.strerror}") from None
        except (ValueError, RecursionError) as error:
            raise ScriptError(f"{path}: not JSON: {error}") from None
        try:
            return cls.from_dict(raw)
        except ScriptError as error:
            raise ScriptError(f"{path}: {error}") from None

    @classmethod
    def from_dict(cls, raw: object) -> Self:
        try:
            return cls.model_validate(raw)
        except ValidationError as error:
            raise ScriptError(_describe(error)) from None

    def choose(self, body: Json) -> Reply:
        """The reply to a request that `check_request` has passed, without its guard being looked at."""
        opening = text_of(body["messages"][0])
        spoken = sum(1 for message in body["messages"] if message["role"] == "assistant")
        for number, script in enumerate(self.scripts):
            if re.search(script.match, opening):
                return _pick(script.replies, spoken, place=f"scripts.{number}, match {script.match!r}")
        return _pick(self.default, spoken, place="default")


def read_reply(raw: Reply | Json) -> Reply:
    """A reply from a programmable script, which may be written as a dict."""
    if isinstance(raw, Reply):
        return raw
    try:
        return Reply.model_validate(raw)
    except ValidationError as error:
        raise ScriptError(f"reply: {_describe(error)}") from None


def check_guard(reply: Reply, body: Json) -> None:
    """Raises `ScriptError` where the newest user message lacks the text the reply was written for."""
    wanted = reply.when_last_user_contains
    if wanted is not None and wanted not in text_of(body["messages"][-1]):
        raise ScriptError(f"the newest user message does not contain {wanted!r}")


def text_of(message: Json) -> str:
    """All text of a message, that of tool results included, one block a line."""
    lines = []
    for block in list_blocks(message):
        if block["type"] == "text":
            lines.append(block["text"])
        elif block["type"] == "tool_result":
            lines.append(text_of({"content": block.get("content", "")}))
    return "\n".join(lines)


def _pick(replies: list[Reply], number: int, *, place: str) -> Reply:
    if number >= len(replies):
        raise ScriptError(f"script has no reply {number} ({place})")
    return replies[number]


def _describe(error: ValidationError) -> str:
    faults = error.errors(include_url=False)
    return "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'script'}: {fault['msg']}" for fault in faults)
