"""A model that waits, then does what the measured conversation wants next: a function of the request alone."""

import re
import time
import uuid
from collections.abc import Callable

from conversations.agent.protocol import Block, ModelReply, ModelRequest, Usage

# Paid like the default model, so that every measured turn also keeps the shop's books on spending.
NAME = "claude-haiku-5-5"
# How long each call of the model takes where the whole stack is measured.
WAIT_SECONDS = 0.3
# A slow day: triage by a small model 300 ms and half of the model's 1,200, then a tool's 500 and the other half.
PROFILE = (0.9, 1.1)
SENTENCES = {
    "found": "Thank you, now I have found you in our list.",
    "status": "Your order is here and it has not left yet.",
    "done": "Your order is cancelled now and your money comes back.",
}
USAGE = Usage(input_tokens=120, output_tokens=60, cache_read_tokens=4_800)
NUMBER = re.compile(r"#W\d+")
NAMED = re.compile(r"I am (\w+) (\w+), zip (\w+)")


class ScriptedModel:
    """Every turn waits `first` and `second` seconds, also the one that answers a card and needs one call alone.

    `spent` counts the model's own seconds, without what the desk does with its words.
    """

    name = NAME

    def __init__(self, first: float = 0.0, second: float = 0.0) -> None:
        self._first, self._second = first, second
        self.calls = 0
        self.spent = 0.0

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply:
        started = time.perf_counter()
        last = request.messages[-1]["content"]
        content = decide(request)
        seconds = self._find_wait({block["type"] for block in last})
        if seconds:
            time.sleep(seconds)
        self.spent += time.perf_counter() - started
        self.calls += 1
        for block in content:
            if block["type"] == "text":
                for word in block["text"].split():
                    on_text(f"{word} ")
        wait = round(seconds * 1000)
        return ModelReply(
            content=content,
            stop_reason="tool_use" if content[0]["type"] == "tool_use" else "end_turn",
            usage=USAGE,
            model=NAME,
            first_token_ms=wait,
            latency_ms=wait,
        )

    def _find_wait(self, heard: set[str]) -> float:
        if "tool_result" not in heard:
            return self._first
        # The words beside a result are the answer to a card, and this call is the turn's only one.
        return self._first + self._second if "text" in heard else self._second


def decide(request: ModelRequest) -> list[Block]:
    """The content of the next reply."""
    last: list[Block] = request.messages[-1]["content"]
    results = [block for block in last if block["type"] == "tool_result"]
    if not results:
        return _hear(last[-1]["text"])
    called = _find_call(request.messages, results[-1]["tool_use_id"])
    if called["name"] == "find_user_id_by_name_zip":
        return speak("found")
    if called["name"] == "cancel_pending_order":
        return speak("done")
    if "cancel" in _last_words(request.messages):
        return _call("cancel_pending_order", order_id=called["input"]["order_id"], reason="no longer needed")
    return speak("status")


def speak(what: str) -> list[Block]:
    """Forty words in four sentences."""
    return [{"type": "text", "text": " ".join([SENTENCES[what]] * 4)}]


def _hear(words: str) -> list[Block]:
    if named := NAMED.search(words):
        return _call("find_user_id_by_name_zip", first_name=named[1], last_name=named[2], zip=named[3])
    number = NUMBER.search(words)
    return _call("get_order_details", order_id=number[0]) if number else speak("status")


def _call(name: str, **arguments: str) -> list[Block]:
    return [{"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex}", "name": name, "input": arguments}]


def _find_call(messages: list[Block], call_id: str) -> Block:
    for message in reversed(messages):
        content: list[Block] = message["content"]
        for block in content:
            if block["type"] == "tool_use" and block["id"] == call_id:
                return block
    raise LookupError(f"no call {call_id}")


def _last_words(messages: list[Block]) -> str:
    for message in reversed(messages):
        for block in reversed(message["content"]):
            if message["role"] == "user" and block["type"] == "text":
                return str(block["text"])
    return ""
