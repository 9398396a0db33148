"""A rule-based stand-in for the language model: it speaks the same protocol, passes the same gate and keeps no state.

It serves demos, tests and load; it never stands in silently for the real one.
"""

import json
import re
import secrets
import time
from collections.abc import Callable

from conversations.agent.offline_desk import Say
from conversations.agent.offline_dialogue import Dialogue
from conversations.agent.protocol import Block, ModelReply, ModelRequest, Usage

BYTES_A_TOKEN = 4
PIECE = re.compile(r".+?(?:(?<=[.?])\s+|\n|$)", re.DOTALL)


class OfflineModel:
    """The same request gives the same words and the same tool input; only the tool call's id is new."""

    name = "offline"

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply:
        start = time.monotonic()
        move = Dialogue(request).next_move()
        first_token_ms = _since(start)
        if isinstance(move, Say):
            text = move.text.encode()[: request.max_tokens * BYTES_A_TOKEN].decode(errors="ignore")
            for piece in PIECE.findall(text):
                on_text(piece)
            content: list[Block] = [{"type": "text", "text": text}]
            stop = "end_turn" if text == move.text else "max_tokens"
        else:
            call_id = f"toolu_{secrets.token_hex(12)}"
            content = [{"type": "tool_use", "id": call_id, "name": move.tool, "input": move.input}]
            stop = "tool_use"
        usage = Usage(
            input_tokens=_count_tokens([request.system, request.tools, request.messages]),
            output_tokens=_count_tokens(content),
        )
        return ModelReply(
            content=content,
            stop_reason=stop,
            usage=usage,
            model=self.name,
            first_token_ms=first_token_ms,
            latency_ms=_since(start),
        )


def _since(start: float) -> int:
    return round((time.monotonic() - start) * 1000)


def _count_tokens(sent: object) -> int:
    return -(-len(json.dumps(sent, ensure_ascii=False).encode()) // BYTES_A_TOKEN)
