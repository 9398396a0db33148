"""Each request the provider refuses has the nearest request it accepts beside it, so the reason is the right one."""

import copy
import re

import pytest

from conversations.fake_anthropic_history import InvalidRequest, check_request, sign_thinking


def use(*ids: str, **fields) -> dict:
    calls = [{"type": "tool_use", "id": each, "name": "find", "input": {}} | fields for each in ids]
    return {"role": "assistant", "content": calls}


def result(tool_use_id: str, **fields) -> dict:
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": "ok", **fields}


def user(*content: dict) -> dict:
    return {"role": "user", "content": list(content)}


def text(said: str, **fields) -> dict:
    return {"type": "text", "text": said, **fields}


def tool(name: object, **fields) -> dict:
    return {"name": name, "input_schema": {"type": "object"}, **fields}


def marked(count: int) -> list[dict]:
    return [text(f"part {number}", cache_control={"type": "ephemeral"}) for number in range(count)]


ASKED = {"role": "user", "content": "Hello"}
SAID = {"role": "assistant", "content": "Hi."}
MISSING = "`tool_use` ids were found without `tool_result` blocks immediately after: "
UNEXPECTED = "unexpected `tool_use_id` found in `tool_result` blocks: "

# name: messages refused, the provider's words, and the nearest messages it accepts
HISTORIES = {
    "no messages": ([], "messages: at least one message is required", [ASKED]),
    "assistant first": ([SAID, ASKED], 'messages: first message must use the "user" role', [ASKED, SAID, ASKED]),
    "unknown role": ([{**ASKED, "role": "system"}], "messages.0.role: Input should be 'user' or", [ASKED]),
    "no role": ([{"content": "Hello"}], "messages.0.role", [ASKED]),
    "not an object": (["Hello"], "messages.0: Input should be an object", [ASKED]),
    "assistant twice": ([ASKED, SAID, SAID, ASKED], 'multiple "assistant" roles in a row', [ASKED, SAID, ASKED]),
    "user twice": ([ASKED, ASKED], 'multiple "user" roles in a row', [ASKED, SAID, ASKED]),
    "prefill": ([ASKED, SAID], "does not support assistant message prefill", [ASKED, SAID, ASKED]),
    "empty string": ([{**ASKED, "content": ""}], "messages.0: all messages must have non-empty content", [ASKED]),
    "empty list": ([ASKED, {**SAID, "content": []}, ASKED], "messages.1: all messages must have", [ASKED, SAID, ASKED]),
    "no content": ([{"role": "user"}], "messages.0.content", [ASKED]),
    "content of a strange type": ([{**ASKED, "content": 7}], "messages.0.content: Input should be", [ASKED]),
    "empty text": ([user(text(""))], "text content blocks must be non-empty", [user(text("a"))]),
    "blank text": ([user(text(" \n\t"))], "must contain non-whitespace text", [user(text(" a "))]),
    "blank string": ([{**ASKED, "content": "  "}], "must contain non-whitespace text", [{**ASKED, "content": " a"}]),
    "blank reply": (
        [ASKED, {"role": "assistant", "content": [text(" ")]}, ASKED],
        "must contain non-whitespace text",
        [ASKED, {"role": "assistant", "content": [text("a")]}, ASKED],
    ),
    "empty text in a result": (
        [ASKED, use("a"), user(result("a", content=[text("")]))],
        "text content blocks must be non-empty",
        [ASKED, use("a"), user(result("a", content=[text("x")]))],
    ),
    "unknown block": ([user({"type": "video"})], "messages.0.content.0: Input tag 'video'", [user(text("a"))]),
    "a block without a type": ([user({"text": "a"})], "messages.0.content.0: Input tag None", [user(text("a"))]),
    "a call by the user": ([user(use("a")["content"][0])], "Input tag 'tool_use'", [user(text("a"))]),
    "our own field in a message": ([{**ASKED, "id": 5}], "messages.0.id: Extra inputs are not permitted", [ASKED]),
    "our own field in a block": (
        [user(text("a", shown=True))],
        "messages.0.content.0.text.shown: Extra inputs are not permitted",
        [user(text("a", citations=None))],
    ),
    "a call without an answer": (
        [ASKED, use("a"), ASKED],
        f"messages.1: {MISSING}a.",
        [ASKED, use("a"), user(result("a"))],
    ),
    "one of two calls without an answer": (
        [ASKED, use("a", "b"), user(result("a"))],
        f"messages.1: {MISSING}b.",
        [ASKED, use("a", "b"), user(result("b"), result("a"))],
    ),
    "an answer one message late": (
        [ASKED, use("a"), ASKED, SAID, user(result("a"))],
        f"messages.1: {MISSING}a.",
        [ASKED, use("a"), user(result("a")), SAID, ASKED],
    ),
    "an answer to nothing": ([user(result("a"))], f"messages.0.content.0: {UNEXPECTED}a.", [user(text("a"))]),
    "an answer to another call": (
        [ASKED, use("a"), user(result("a"), result("b"))],
        f"messages.2.content.1: {UNEXPECTED}b.",
        [ASKED, use("a", "b"), user(result("a"), result("b"))],
    ),
    "an answer to an older call": (
        [ASKED, use("a"), user(result("a")), SAID, user(result("a"))],
        f"messages.4.content.0: {UNEXPECTED}a.",
        [ASKED, use("a"), user(result("a")), SAID, ASKED],
    ),
    "two answers to one call": (
        [ASKED, use("a"), user(result("a"), result("a"))],
        "messages.2.content.1: each tool_use must have a single result",
        [ASKED, use("a"), user(result("a"))],
    ),
    "text before the answer": (
        [ASKED, use("a"), user(text("wait"), result("a"))],
        "Results must come before any text",
        [ASKED, use("a"), user(result("a"), text("wait"))],
    ),
    "text between the answers": (
        [ASKED, use("a", "b"), user(result("a"), text("wait"), result("b"))],
        "Results must come before any text",
        [ASKED, use("a", "b"), user(result("a"), result("b"), text("wait"))],
    ),
    "one id for two calls": (
        [ASKED, use("a"), user(result("a")), use("a"), user(result("a"))],
        "messages.3.content.0: `tool_use` ids must be unique",
        [ASKED, use("a"), user(result("a")), use("b"), user(result("b"))],
    ),
    "one id twice in a message": (
        [ASKED, use("a", "a"), user(result("a"))],
        "messages.1.content.1: `tool_use` ids must be unique",
        [ASKED, use("a", "b"), user(result("a"), result("b"))],
    ),
    "a call with text for input": (
        [ASKED, use("a", input="{}"), user(result("a"))],
        "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
        [ASKED, use("a", input={"n": 1}), user(result("a"))],
    ),
    "an id with a space": (
        [ASKED, use("a b"), user(result("a b"))],
        "messages.1.content.0.tool_use.id: String should match",
        [ASKED, use("a-b"), user(result("a-b"))],
    ),
    "a forged thinking block": (
        [ASKED, {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm.", "signature": "x"}]}, ASKED],
        "Invalid `signature` in `thinking` block",
        [
            ASKED,
            {
                "role": "assistant",
                "content": [{"type": "thinking", "thinking": "Hm.", "signature": sign_thinking("Hm.")}],
            },
            ASKED,
        ],
    ),
}


@pytest.mark.parametrize("name", HISTORIES)
def test_a_history_the_provider_refuses_is_refused_and_its_valid_twin_is_not(name: str) -> None:
    refused, words, accepted = HISTORIES[name]
    body = {"model": "m", "max_tokens": 9}
    before = copy.deepcopy(refused)
    with pytest.raises(InvalidRequest, match=re.escape(words)):
        check_request({**body, "messages": refused})
    check_request({**body, "messages": accepted})
    assert refused == before


GONE = object()
# name: fields refused, the provider's words, and the nearest fields it accepts
PARAMETERS = {
    "no model": ({"model": GONE}, "model: Field required", {"model": "m"}),
    "no room": ({"max_tokens": GONE}, "max_tokens: Field required", {"max_tokens": 1}),
    "room for nothing": ({"max_tokens": 0}, "max_tokens: Input should be greater", {"max_tokens": 1}),
    "room in words": ({"max_tokens": "9"}, "max_tokens: Input should be a valid integer", {"max_tokens": 9}),
    "room true": ({"max_tokens": True}, "max_tokens: Input should be a valid integer", {"max_tokens": 9}),
    "no history": ({"messages": GONE}, "messages: Field required", {}),
    "a history that is no list": ({"messages": "Hello"}, "messages: Input should be", {}),
    "temperature": ({"temperature": 0}, "`temperature` is deprecated for this model", {}),
    "top_p": ({"top_p": 1}, "`top_p` is deprecated for this model", {}),
    "top_k": ({"top_k": 1}, "`top_k` is deprecated for this model", {}),
    "tools of one name": (
        {"tools": [tool("a"), tool("a")]},
        "Tool names must be unique",
        {"tools": [tool("a"), tool("b")]},
    ),
    "a tool name with a dot": (
        {"tools": [tool("a.b")]},
        "tools.0.custom.name: String should",
        {"tools": [tool("a_b-C9")]},
    ),
    "a tool name with a line end": (
        {"tools": [tool("a\n")]},
        "tools.0.custom.name: String should",
        {"tools": [tool("a")]},
    ),
    "a long tool name": ({"tools": [tool("a" * 129)]}, "tools.0.custom.name: String", {"tools": [tool("a" * 128)]}),
    "a tool without a name": ({"tools": [{"input_schema": {}}]}, "tools.0.custom.name: Field required", {"tools": []}),
    "a tool without a schema": (
        {"tools": [{"name": "a"}]},
        "tools.0.custom.input_schema: Field",
        {"tools": [tool("a")]},
    ),
    "blank system prompt": (
        {"system": [text(" ")]},
        "system: text content blocks must",
        {"system": [text("Be kind.")]},
    ),
    "five cache marks": ({"system": marked(5)}, "A maximum of 4 blocks with cache_control", {"system": marked(4)}),
    "five cache marks spread out": (
        {
            "system": marked(3),
            "tools": [tool("a", cache_control={"type": "ephemeral"})],
            "messages": [user(*marked(1))],
        },
        "Found 5",
        {
            "system": marked(2),
            "tools": [tool("a", cache_control={"type": "ephemeral"})],
            "messages": [user(*marked(1))],
        },
    ),
    "five cache marks, one for the whole request": (
        {"system": marked(4), "cache_control": {"type": "ephemeral"}},
        "Found 5",
        {"system": marked(3), "cache_control": {"type": "ephemeral"}},
    ),
    "five cache marks, one inside a result": (
        {"system": marked(4), "messages": [ASKED, use("a"), user(result("a", content=marked(1)))]},
        "Found 5",
        {"system": marked(4), "messages": [ASKED, use("a", input={"cache_control": "data"}), user(result("a"))]},
    ),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_the_provider_refuses_are_refused_and_their_valid_twins_are_not(name: str) -> None:
    refused, words, accepted = PARAMETERS[name]
    body = {"model": "m", "max_tokens": 9, "messages": [ASKED]}
    with pytest.raises(InvalidRequest, match=re.escape(words)):
        check_request({key: value for key, value in {**body, **refused}.items() if value is not GONE})
    check_request({**body, **accepted})
