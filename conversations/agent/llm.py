"""The one client of the vendor: streams a reply through the SDK and turns every fault into `ModelUnavailable`."""

import json
import time
from collections.abc import Callable
from functools import cache

import anthropic
import httpx2
from django.conf import settings

from conversations.agent.offline import OfflineModel
from conversations.agent.protocol import Block, Model, ModelReply, ModelRequest, ModelUnavailable, Usage

# Our own deadline is the turn's; the SDK retries once, and its time-out bounds a single read.
SDK_RETRIES = 1
READ_TIMEOUT_SECONDS = 60.0
# What a broken wire or a garbled stream raises inside the SDK, measured against a loopback server.
BROKEN_WIRE = (
    anthropic.APIError,
    httpx2.HTTPError,
    ValueError,
    AssertionError,
    AttributeError,
    TypeError,
    LookupError,
    RecursionError,
)
LARGEST_COUNT = 10_000_000


class AnthropicModel:
    """A Claude model, or any server that speaks its protocol at `ANTHROPIC_BASE_URL`."""

    def __init__(self, *, name: str, client: anthropic.Anthropic) -> None:
        self.name = name
        self._client = client

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply:
        started = time.monotonic()
        try:
            return self._stream(request, on_text, started)
        except BROKEN_WIRE as error:
            raise ModelUnavailable(f"{type(error).__name__}: {error}") from error

    def _stream(self, request: ModelRequest, on_text: Callable[[str], None], started: float) -> ModelReply:
        first_token = 0.0
        with self._client.messages.stream(
            model=self.name,
            max_tokens=request.max_tokens,
            # The mark makes the provider cache tools and system prompt, which stay the same bytes.
            system=[{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}],
            tools=request.tools,  # type: ignore[arg-type]
            messages=request.messages,  # type: ignore[arg-type]
        ) as stream:
            for text in stream.text_stream:
                first_token = first_token or time.monotonic()
                on_text(text)
            final = stream.get_final_message()
        ended = time.monotonic()
        return ModelReply(
            content=[_as_block(block) for block in final.content],
            stop_reason=_as_text(final.stop_reason) if final.stop_reason is not None else None,
            usage=_as_usage(final.usage),
            model=_as_text(final.model),
            first_token_ms=round(((first_token or ended) - started) * 1000),
            latency_ms=round((ended - started) * 1000),
        )


def get_model() -> Model:
    """The model of the settings: the offline one only where it was asked for by name."""
    if settings.DESKAGENT_MODEL == "offline":
        return OfflineModel()
    return _connect(
        settings.DESKAGENT_MODEL,
        settings.ANTHROPIC_API_KEY,
        settings.ANTHROPIC_AUTH_TOKEN,
        settings.ANTHROPIC_BASE_URL,
    )


@cache
def _connect(name: str, key: str, token: str, base_url: str) -> AnthropicModel:
    client = anthropic.Anthropic(
        api_key=key or None,
        auth_token=token or None,
        base_url=base_url or None,
        max_retries=SDK_RETRIES,
        timeout=READ_TIMEOUT_SECONDS,
    )
    return AnthropicModel(name=name, client=client)


def _as_block(block: anthropic.types.ContentBlock) -> Block:
    """The block as it may be sent back: the SDK adds fields to parsed ones that the provider refuses."""
    plain = block.to_dict()
    if plain.get("type") == "tool_use":
        _as_text(plain["id"]), _as_text(plain["name"])
        # What cannot be stored as JSON (NaN, a number of thousands of digits) raises here and is no reply.
        json.dumps(plain["input"], allow_nan=False)
        return {key: plain[key] for key in ("type", "id", "name", "input")}
    if plain.get("type") == "text":
        return {"type": "text", "text": _as_text(plain["text"])}
    return dict(plain)


def _as_usage(usage: anthropic.types.Usage) -> Usage:
    return Usage(
        input_tokens=_as_count(usage.input_tokens),
        output_tokens=_as_count(usage.output_tokens),
        cache_read_tokens=_as_count(usage.cache_read_input_tokens or 0),
        cache_write_tokens=_as_count(usage.cache_creation_input_tokens or 0),
    )


def _as_text(value: object) -> str:
    """The SDK builds its objects without checking what the wire said."""
    if not isinstance(value, str):
        raise TypeError(f"not a text: {type(value).__name__}")
    return value


def _as_count(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value <= LARGEST_COUNT:
        raise ValueError(f"not a count of tokens: {value!r}")
    return value
