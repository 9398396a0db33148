"""Refuses the requests the Messages API refuses, in its words, so that a broken transcript fails in a test.

Only what a text agent with tools sends is known: text, thinking, tool calls and their results. Images, documents and
the provider's own tools are refused as unknown blocks.
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

# The provider's JSON, not yet checked: any shape may arrive.
Json = dict[str, Any]

REMOVED_PARAMETERS = ("temperature", "top_p", "top_k")
MAX_CACHE_MARKS = 4
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
TOOL_USE_ID = re.compile(r"[a-zA-Z0-9_-]+")

# For each role and block type: the required fields with their types, and the fields that may be there too.
BLOCKS: dict[str, dict[str, tuple[dict[str, type], set[str]]]] = {
    "user": {
        "text": ({"text": str}, {"cache_control", "citations"}),
        "tool_result": ({"tool_use_id": str}, {"content", "is_error", "cache_control", "toolset_name"}),
    },
    "assistant": {
        "text": ({"text": str}, {"cache_control", "citations"}),
        "tool_use": ({"id": str, "name": str, "input": dict}, {"cache_control", "caller", "toolset_name"}),
        "thinking": ({"thinking": str, "signature": str}, set()),
        "redacted_thinking": ({"data": str}, set()),
    },
}
JSON_WORDS = {str: "string", dict: "dictionary", int: "integer"}


class InvalidRequest(Exception):
    """Answer HTTP 400 `invalid_request_error` with this message; the same request will never be accepted."""


def check_request(body: Json) -> None:
    """Passes a request the provider would accept; raises `InvalidRequest` for the first fault otherwise."""
    _check_parameters(body)
    _check_tools(body.get("tools", []))
    _check_system(body.get("system", ""))
    messages = body["messages"]
    for index, message in enumerate(messages):
        _check_message(f"messages.{index}", message)
    _check_order(messages)
    _check_unique_tool_calls(messages)
    for index in range(1, len(messages), 2):
        _check_results(index, uses=messages[index], answer=messages[index + 1])
    _check_no_results(messages[0])
    marks = sum(1 for block in _markable(body) if block.get("cache_control") is not None)
    if marks > MAX_CACHE_MARKS:
        raise InvalidRequest(
            f"A maximum of {MAX_CACHE_MARKS} blocks with cache_control may be provided. Found {marks}."
        )


def list_blocks(message: Json) -> list[Json]:
    """The content of a message as blocks, also where the caller used the short form, a bare string."""
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def sign_thinking(thinking: str) -> str:
    """The signature this stand-in gives a thinking block, and demands back unchanged."""
    return base64.b64encode(hashlib.sha256(thinking.encode(errors="surrogatepass")).digest()).decode()


def _check_parameters(body: Json) -> None:
    for name, kind in {"model": str, "max_tokens": int}.items():
        _require(body, name, kind, place=name)
    if body["max_tokens"] < 1:
        raise InvalidRequest("max_tokens: Input should be greater than or equal to 1")
    for name in REMOVED_PARAMETERS:
        if name in body:
            raise InvalidRequest(f"`{name}` is deprecated for this model.")
    if not isinstance(body.get("messages"), list):
        raise InvalidRequest(
            "messages: Field required" if "messages" not in body else "messages: Input should be a list"
        )
    if not body["messages"]:
        raise InvalidRequest("messages: at least one message is required")


def _require(holder: Json, field: str, kind: type, *, place: str) -> None:
    if field not in holder:
        raise InvalidRequest(f"{place}: Field required")
    if not isinstance(holder[field], kind) or isinstance(holder[field], bool):
        raise InvalidRequest(f"{place}: Input should be a valid {JSON_WORDS[kind]}")


def _check_tools(tools: object) -> None:
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise InvalidRequest("tools: Input should be a list of tools")
    for index, tool in enumerate(tools):
        place = f"tools.{index}.custom"
        _require(tool, "name", str, place=f"{place}.name")
        _require(tool, "input_schema", dict, place=f"{place}.input_schema")
        if not TOOL_NAME.fullmatch(tool["name"]):
            raise InvalidRequest(f"{place}.name: String should match pattern '^{TOOL_NAME.pattern}$'")
    if len({tool["name"] for tool in tools}) < len(tools):
        raise InvalidRequest("tools: Tool names must be unique.")


def _check_system(system: object) -> None:
    if isinstance(system, str):
        return
    if not isinstance(system, list):
        raise InvalidRequest("system: Input should be a valid list")
    for index, block in enumerate(system):
        _check_text_block(f"system.{index}", block)


def _check_message(place: str, message: object) -> None:
    if not isinstance(message, dict):
        raise InvalidRequest(f"{place}: Input should be an object")
    role, content = message.get("role"), message.get("content")
    if role not in ("user", "assistant"):
        raise InvalidRequest(f"{place}.role: Input should be 'user' or 'assistant'")
    _refuse_extras(place, message, {"role", "content"})
    if content is None or not isinstance(content, str | list):
        raise InvalidRequest(f"{place}.content: Input should be a valid string or list")
    if not content:
        raise InvalidRequest(f"{place}: all messages must have non-empty content")
    for index, block in enumerate(list_blocks(message)):
        _check_block(f"{place}.content.{index}", block, role)


def _check_block(place: str, block: object, role: str) -> None:
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(block, dict) or not isinstance(kind, str) or kind not in BLOCKS[role]:
        expected = ", ".join(f"'{name}'" for name in BLOCKS[role])
        raise InvalidRequest(
            f"{place}: Input tag {kind!r} found using 'type' does not match any of the expected tags "
            f"in a message of the {role}: {expected}"
        )
    required, optional = BLOCKS[role][kind]
    for field, value_type in required.items():
        _require(block, field, value_type, place=f"{place}.{kind}.{field}")
    _refuse_extras(f"{place}.{kind}", block, {"type", *required, *optional})
    if kind == "text":
        _check_text_block(place, block)
    elif kind == "tool_use" and not TOOL_USE_ID.fullmatch(block["id"]):
        raise InvalidRequest(f"{place}.tool_use.id: String should match pattern '^{TOOL_USE_ID.pattern}$'")
    elif kind == "thinking" and block["signature"] != sign_thinking(block["thinking"]):
        raise InvalidRequest(f"{place}: Invalid `signature` in `thinking` block")
    elif kind == "tool_result":
        _check_result_content(f"{place}.tool_result", block.get("content", ""))


def _check_text_block(place: str, block: object) -> None:
    if not isinstance(block, dict) or block.get("type") != "text" or not isinstance(block.get("text"), str):
        raise InvalidRequest(f"{place}: Input should be a text block")
    area = place.split(".", maxsplit=1)[0]
    if not block["text"]:
        raise InvalidRequest(f"{area}: text content blocks must be non-empty")
    if not block["text"].strip():
        raise InvalidRequest(f"{area}: text content blocks must contain non-whitespace text")


def _check_result_content(place: str, content: object) -> None:
    if isinstance(content, str):
        return
    if not isinstance(content, list):
        raise InvalidRequest(f"{place}.content: Input should be a valid string or list")
    for index, block in enumerate(content):
        _check_text_block(f"{place}.content.{index}", block)


def _refuse_extras(place: str, holder: Json, known: set[str]) -> None:
    for field in holder:
        if field not in known:
            raise InvalidRequest(f"{place}.{field}: Extra inputs are not permitted")


def _check_order(messages: list[Json]) -> None:
    if messages[0]["role"] != "user":
        raise InvalidRequest('messages: first message must use the "user" role')
    for earlier, later in pairwise(messages):
        # The provider merges neighbours of one role. Our transcript never holds any, so here they mean a lost
        # message and are refused, in the words the provider once used.
        if earlier["role"] == later["role"]:
            raise InvalidRequest(
                'messages: roles must alternate between "user" and "assistant", '
                f'but found multiple "{later["role"]}" roles in a row'
            )
    if messages[-1]["role"] != "user":
        raise InvalidRequest(
            "This model does not support assistant message prefill. The conversation must end with a user message."
        )


def _check_unique_tool_calls(messages: list[Json]) -> None:
    seen: set[str] = set()
    for index, message in enumerate(messages):
        for place, block in enumerate(list_blocks(message)):
            if block["type"] != "tool_use":
                continue
            if block["id"] in seen:
                raise InvalidRequest(f"messages.{index}.content.{place}: `tool_use` ids must be unique")
            seen.add(block["id"])


def _check_results(index: int, *, uses: Json, answer: Json) -> None:
    """Every call of the assistant's message is answered once, at the head of the message right after it."""
    expected = [block["id"] for block in list_blocks(uses) if block["type"] == "tool_use"]
    answered: set[str] = set()
    blocks = list_blocks(answer)
    for place, block in enumerate(blocks):
        if block["type"] != "tool_result":
            continue
        answered_id = block["tool_use_id"]
        if answered_id not in expected:
            raise _unexpected_result(f"messages.{index + 1}.content.{place}", answered_id)
        if answered_id in answered:
            raise InvalidRequest(
                f"messages.{index + 1}.content.{place}: each tool_use must have a single result. "
                f"Found multiple `tool_result` blocks with id: {answered_id}"
            )
        if place > 0 and blocks[place - 1]["type"] != "tool_result":
            raise _missing_results(index, [answered_id], hint=" Results must come before any text of that message.")
        answered.add(answered_id)
    if missing := [use for use in expected if use not in answered]:
        raise _missing_results(index, missing)


def _check_no_results(first: Json) -> None:
    for place, block in enumerate(list_blocks(first)):
        if block["type"] == "tool_result":
            raise _unexpected_result(f"messages.0.content.{place}", block["tool_use_id"])


def _missing_results(index: int, ids: list[str], *, hint: str = "") -> InvalidRequest:
    return InvalidRequest(
        f"messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{', '.join(ids)}. Each `tool_use` block must have a corresponding `tool_result` block "
        f"in the next message.{hint}"
    )


def _unexpected_result(place: str, tool_use_id: str) -> InvalidRequest:
    return InvalidRequest(
        f"{place}: unexpected `tool_use_id` found in `tool_result` blocks: {tool_use_id}. "
        "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
    )


def _markable(body: Json) -> Iterator[Json]:
    """Everything that may carry a cache mark; the insides of a schema or of a call's input are plain data."""
    yield body
    yield from body.get("tools", [])
    if isinstance(body.get("system"), list):
        yield from body["system"]
    for message in body["messages"]:
        for block in list_blocks(message):
            yield block
            if isinstance(block.get("content"), list):
                yield from block["content"]
