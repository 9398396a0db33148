"""A model without a mind: it waits as a remote one does, looks something up, waits again and answers."""

import time
import uuid
from collections.abc import Callable

from conversations.agent.protocol import Block, ModelReply, ModelRequest, Usage

WAIT_SECONDS = 0.3
NAME = "waiting"


class WaitingModel:
    """Two calls a turn: a tool call, then words. Each takes `WAIT_SECONDS` and no processor time."""

    name = NAME

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply:
        time.sleep(WAIT_SECONDS)
        newest: Block = request.messages[-1]["content"][-1]
        if newest["type"] == "tool_result":
            on_text("Here is what we sell.")
            return _reply([{"type": "text", "text": "Here is what we sell."}], "end_turn")
        call = {"type": "tool_use", "id": uuid.uuid4().hex, "name": "list_all_product_types", "input": {}}
        return _reply([call], "tool_use")


def _reply(content: list[Block], stop_reason: str) -> ModelReply:
    wait = round(WAIT_SECONDS * 1000)
    return ModelReply(
        content=content,
        stop_reason=stop_reason,
        usage=Usage(input_tokens=1, output_tokens=1),
        model=NAME,
        first_token_ms=wait,
        latency_ms=wait,
    )
