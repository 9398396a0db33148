"""A model that answers a call it has answered before from a folder, so that a second identical run costs nothing."""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from conversations.agent.protocol import Block, Model, ModelReply, ModelRequest, Usage


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    content: list[Block]
    stop_reason: str
    model: str


class ReplayedModel:
    """Wraps a model for evaluation. A stored reply has no usage, because nothing was billed for it.

    `sample` tells repeated trials apart: equal samples get equal replies, another sample asks anew.
    """

    def __init__(self, model: Model, *, folder: Path, sample: int = 0) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.name = model.name
        self._model, self._folder, self._sample = model, folder, sample

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply:
        path = self._folder / f"{digest(self.name, request, self._sample)}.json"
        stored = _read(path)
        if stored is not None:
            for block in stored.content:
                if block["type"] == "text":
                    on_text(block["text"])
            return _as_reply(stored, usage=Usage())
        reply = self._model.stream(request, on_text)
        if reply.stop_reason is None:
            # Cut off: the next run should get a whole one.
            return reply
        new = _Stored(content=reply.content, stop_reason=reply.stop_reason, model=reply.model)
        # Where two runs asked at the same time, both go on with the reply that a later run will read.
        kept = _write_once(path, new)
        return _as_reply(kept, usage=reply.usage, first_token_ms=reply.first_token_ms, latency_ms=reply.latency_ms)


def digest(model: str, request: ModelRequest, sample: int = 0) -> str:
    """Names everything that decides a reply, byte for byte; only the ids of tool calls, which are random and tell the
    model nothing but what belongs together, count by their order."""
    numbers: dict[str, str] = {}
    asked = {
        "model": model,
        "sample": sample,
        "max_tokens": request.max_tokens,
        "system": request.system,
        "tools": request.tools,
        "messages": [
            {**message, "content": [_number(block, numbers) for block in message["content"]]}
            if isinstance(message["content"], list)
            else message
            for message in request.messages
        ],
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def _number(block: Block, numbers: dict[str, str]) -> Block:
    name = {"tool_use": "id", "tool_result": "tool_use_id"}.get(block["type"])
    if name is None:
        return block
    return {**block, name: numbers.setdefault(block[name], str(len(numbers)))}


def _read(path: Path) -> _Stored | None:
    """The stored reply; None where there is none, or none that can be read."""
    try:
        return _Stored.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _write_once(path: Path, reply: _Stored) -> _Stored:
    """Store the reply whole or not at all, and return what is stored under its name now."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, suffix=".part", encoding="utf-8") as file:
        file.write(reply.model_dump_json())
        file.flush()
        try:
            os.link(file.name, path)
        except FileExistsError:
            kept = _read(path)
            if kept is not None:
                return kept
            path.write_text(reply.model_dump_json(), encoding="utf-8")
    return reply


def _as_reply(stored: _Stored, *, usage: Usage, first_token_ms: int = 0, latency_ms: int = 0) -> ModelReply:
    fields: dict[str, Any] = stored.model_dump()
    return ModelReply(**fields, usage=usage, first_token_ms=first_token_ms, latency_ms=latency_ms)
