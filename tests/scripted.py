"""A model that does what a test says, spoken to over the wire like the real one."""

from collections.abc import Callable
from typing import Any

from conversations.fake_anthropic import FakeAnthropic, Reply

Move = dict[str, Any]


def call(name: str, **arguments: Any) -> Move:
    return {"tool_calls": [{"name": name, "input": arguments}]}


def calls(*pairs: tuple[str, dict[str, Any]]) -> Move:
    return {"tool_calls": [{"name": name, "input": arguments} for name, arguments in pairs]}


def say(text: str) -> Move:
    return {"text": text}


class Scripted:
    """Plays its moves in order, one a request; with `rule`, a function of the request decides instead."""

    server: FakeAnthropic

    def __init__(self) -> None:
        self.moves: list[Move] = []
        self.rule: Callable[[dict[str, Any]], Move] | None = None

    def plays(self, *moves: Move) -> None:
        self.moves.extend(moves)

    def respond(self, body: dict[str, Any]) -> Reply | dict[str, Any]:
        if self.rule is not None:
            return self.rule(body)
        return self.moves.pop(0)

    @property
    def requests(self) -> list[dict[str, Any]]:
        return self.server.requests

    def last_blocks(self) -> list[dict[str, Any]]:
        """The blocks of the newest user message of the newest request."""
        return self.requests[-1]["messages"][-1]["content"]

    def last_results(self) -> list[str]:
        return [block["content"] for block in self.last_blocks() if block["type"] == "tool_result"]
