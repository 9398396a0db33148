"""The Messages API's answers as bytes: a message, the same message as a stream of events, and the error body.

Tokens are an estimate, the same on every run: four bytes of JSON or text are one token.
"""

import json
import secrets
from collections.abc import Iterator

from conversations.fake_anthropic_history import Json, sign_thinking
from conversations.fake_anthropic_script import Reply

ERROR_TYPES = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
PIECES = 4


def new_id(prefix: str) -> str:
    """Never the same twice, as with the provider: a retried request gets other ids, so no code may key on one."""
    return f"{prefix}_{secrets.token_hex(12)}"


def error_type(status: int) -> str:
    return ERROR_TYPES.get(status, "api_error" if status >= 500 else "invalid_request_error")


def error_body(kind: str, message: str, request_id: str) -> Json:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": request_id}


def build_message(reply: Reply, body: Json, counts: Json | None = None) -> Json:
    """The finished message of a reply to this request, with new ids; `counts` are the input's, cached or not."""
    content: list[Json] = []
    if reply.thinking is not None:
        content.append({"type": "thinking", "thinking": reply.thinking, "signature": sign_thinking(reply.thinking)})
    if reply.text is not None:
        content.append({"type": "text", "text": reply.text})
    for call in reply.tool_calls:
        content.append({"type": "tool_use", "id": new_id("toolu"), "name": call.name, "input": call.input})
    return {
        "id": new_id("msg"),
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": _stop_reason(reply),
        "stop_sequence": None,
        "usage": {
            "input_tokens": 1,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            **(counts or {}),
            "output_tokens": estimate_tokens(content),
        },
    }


def _stop_reason(reply: Reply) -> str | None:
    if reply.unfinished:
        return None
    if reply.json_bytes is not None:
        return reply.stop_reason or "max_tokens"
    return reply.stop_reason or ("tool_use" if reply.tool_calls else "end_turn")


def estimate_tokens(content: object) -> int:
    """A quarter of the bytes, rounded up; ids have one length, so new ids do not change the count."""
    return -(-len(_compact(content).encode(errors="surrogatepass")) // 4)


def stream_message(message: Json, *, error: str | None = None, json_bytes: int | None = None) -> list[bytes]:
    """The events of a message, one an item; with `error`, an error event of this type stands for its end.

    `json_bytes` ends the last block's arguments early.
    """
    usage = message["usage"]
    start = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    frames = [_frame("message_start", message=start)]
    for index, block in enumerate(message["content"]):
        is_last = index == len(message["content"]) - 1
        empty, deltas = _take_apart(block, json_bytes if is_last else None)
        frames.append(_frame("content_block_start", index=index, content_block=empty))
        if index == 0:
            frames.append(_frame("ping"))
        frames.extend(_frame("content_block_delta", index=index, delta=delta) for delta in deltas)
        frames.append(_frame("content_block_stop", index=index))
    if error is not None:
        details = {"type": error, "message": "The stream was told to fail here."}
        return [*frames, _frame("error", error=details)]
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    return [*frames, _frame("message_delta", delta=end, usage=usage), _frame("message_stop")]


def _take_apart(block: Json, json_bytes: int | None) -> tuple[Json, list[Json]]:
    """The block as it is announced, and the deltas that fill it."""
    match block["type"]:
        case "text":
            return {**block, "text": ""}, [{"type": "text_delta", "text": piece} for piece in _split(block["text"])]
        case "thinking":
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _split(block["thinking"])]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
            return {**block, "thinking": "", "signature": ""}, deltas
        case _:
            pieces = ["", *_split(_compact(block["input"])[:json_bytes])]
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]


def _split(text: str) -> Iterator[str]:
    size = max(1, -(-len(text) // PIECES))
    return (text[at : at + size] for at in range(0, len(text), size))


def _compact(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _frame(event: str, **fields: object) -> bytes:
    return f"event: {event}\ndata: {json.dumps({'type': event, **fields})}\n\n".encode()
