"""The cache of identical calls: a second identical run asks nobody and costs nothing."""

import itertools
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conversations.agent import prices
from conversations.agent.llm import get_model
from conversations.agent.protocol import ModelReply, ModelRequest, ModelUnavailable, Usage
from eval.replayed import ReplayedModel, digest
from tests.scripted import Scripted, call, say

ASK = ModelRequest(
    system="You help.",
    tools=[],
    messages=[{"role": "user", "content": [{"type": "text", "text": "<customer>Hi</customer>"}]}],
    max_tokens=100,
)


def play(model: ReplayedModel) -> tuple[list[ModelReply], list[str]]:
    """A run of two calls: a tool, its result, and an answer."""
    heard: list[str] = []
    first = model.stream(ASK, heard.append)
    (used,) = [block for block in first.content if block["type"] == "tool_use"]
    result = {"type": "tool_result", "tool_use_id": used["id"], "content": "4", "is_error": False}
    messages = [*ASK.messages, {"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
    return [first, model.stream(replace(ASK, messages=messages), heard.append)], heard


def test_a_second_identical_run_makes_no_call_and_costs_nothing(model: Scripted, tmp_path: Path) -> None:
    model.plays(call("calculate", expression="2 + 2"), say("It is 4."))
    live, words = play(ReplayedModel(get_model(), folder=tmp_path))
    assert len(model.requests) == 2
    assert all(prices.price("claude-haiku-5-5", reply.usage) > 0 for reply in live)

    again, same_words = play(ReplayedModel(get_model(), folder=tmp_path))
    assert len(model.requests) == 2
    assert [(reply.content, reply.stop_reason) for reply in again] == [
        (reply.content, reply.stop_reason) for reply in live
    ]
    assert "".join(same_words) == "".join(words) == "It is 4."
    assert sum(prices.price("claude-haiku-5-5", reply.usage) for reply in again) == 0


def test_another_sample_of_the_same_call_asks_anew(model: Scripted, tmp_path: Path) -> None:
    model.plays(say("One."), say("Two."))
    texts = [
        ReplayedModel(get_model(), folder=tmp_path, sample=sample).stream(ASK, lambda _: None).content[0]["text"]
        for sample in (0, 1, 0, 1)
    ]
    assert texts == ["One.", "Two.", "One.", "Two."]


def test_a_cut_or_failed_reply_is_not_kept(model: Scripted, tmp_path: Path) -> None:
    model.plays({"status": 400}, say("Whole."))
    replayed = ReplayedModel(get_model(), folder=tmp_path)
    with pytest.raises(ModelUnavailable):
        replayed.stream(ASK, lambda _: None)
    assert list(tmp_path.iterdir()) == []
    cut = ModelReply(content=[], stop_reason=None, usage=Usage(), model="m", first_token_ms=0, latency_ms=0)
    ReplayedModel(Fixed(lambda: cut), folder=tmp_path).stream(ASK, lambda _: None)
    assert list(tmp_path.iterdir()) == []
    assert replayed.stream(ASK, lambda _: None).content[0]["text"] == "Whole."


@pytest.mark.parametrize("damage", ["", "{", '{"content": 1}', "[]"])
def test_a_damaged_entry_is_asked_again_and_mended(tmp_path: Path, damage: str) -> None:
    fixed = Fixed(lambda: reply_of("Whole."))
    replayed = ReplayedModel(fixed, folder=tmp_path)
    replayed.stream(ASK, lambda _: None)
    (entry,) = tmp_path.iterdir()
    entry.write_text(damage)
    assert [replayed.stream(ASK, lambda _: None).content for _ in range(2)] == [reply_of("Whole.").content] * 2
    assert fixed.asked == 2


def test_calls_at_the_same_time_all_go_on_with_the_reply_that_is_kept(tmp_path: Path) -> None:
    numbers, barrier = itertools.count(), threading.Barrier(8)

    def answer() -> ModelReply:
        barrier.wait(timeout=30)
        return reply_of(f"Answer {next(numbers)}.")

    replies: list[Any] = []
    model = ReplayedModel(Fixed(answer), folder=tmp_path)
    threads = [threading.Thread(target=lambda: replies.append(model.stream(ASK, lambda _: None))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = model.stream(ASK, lambda _: None)
    assert len(replies) == 8
    assert all(reply.content == kept.content for reply in replies)


@pytest.mark.parametrize(
    "change",
    [
        {"system": "You help!"},
        {"max_tokens": 101},
        {"tools": [{"name": "calculate"}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "<customer>Hi!</customer>"}]}]},
    ],
)
def test_any_other_request_has_another_digest(change: dict[str, Any]) -> None:
    assert digest("m", replace(ASK, **change)) != digest("m", ASK)
    assert digest("n", ASK) != digest("m", ASK)


def test_ids_of_calls_count_by_their_order_only() -> None:
    def with_ids(used: list[str], answered: list[str]) -> ModelRequest:
        uses = [{"type": "tool_use", "id": name, "name": "calculate", "input": {}} for name in used]
        results = [{"type": "tool_result", "tool_use_id": name, "content": "4"} for name in answered]
        messages = [{"role": "assistant", "content": uses}, {"role": "user", "content": results}]
        return replace(ASK, messages=messages)

    one = digest("m", with_ids(["a", "b"], ["a", "b"]))
    assert digest("m", with_ids(["x", "y"], ["x", "y"])) == one
    assert digest("m", with_ids(["a", "b"], ["b", "a"])) != one


class Fixed:
    name = "claude-haiku-5-5"

    def __init__(self, answer: Callable[[], ModelReply]) -> None:
        self._answer = answer
        self.asked = 0

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply:
        self.asked += 1
        return self._answer()


def reply_of(text: str) -> ModelReply:
    return ModelReply(
        content=[{"type": "text", "text": text}],
        stop_reason="end_turn",
        usage=Usage(input_tokens=10, output_tokens=10),
        model="claude-haiku-5-5",
        first_token_ms=1,
        latency_ms=2,
    )
