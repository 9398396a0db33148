"""What can happen between the desk and the provider, over real sockets: what is tried again, and what is not."""

import json
import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import anthropic
import httpx2
import pytest

from conversations.agent.faults import judge
from conversations.agent.llm import ReceiverFailed, get_model
from conversations.agent.protocol import ModelReply, ModelRequest, ModelUnavailable
from tests.scripted import Move, Scripted, call, say

REQUEST = {
    "system": "You help.",
    "tools": [],
    "messages": [{"role": "user", "content": [{"type": "text", "text": "<customer>Hi</customer>"}]}],
    "max_tokens": 100,
}
TRIES = 3
CANCEL = call("cancel_pending_order", order_id="#W5918442", reason="no longer needed")


def ask(seconds: float = 30, **more: Any) -> ModelReply:
    deadline = time.monotonic() + seconds
    return get_model().stream(ModelRequest(**REQUEST, deadline=deadline, **more), lambda _: None)


def fail(seconds: float = 30, **more: Any) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as gone:
        ask(seconds, **more)
    return gone.value


def frames(*events: dict[str, Any]) -> str:
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def fault(kind: str, after_bytes: int = 0, every_ms: int = 100) -> Move:
    return say("A whole answer.") | {
        "fault": {"kind": kind, "after_bytes": after_bytes, "every_ms": every_ms},
    }


def raw(body: str, content_type: str = "text/event-stream") -> Move:
    return {"raw": {"body": body, "content_type": content_type}}


USAGE = {"input_tokens": 1, "output_tokens": 1}
MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-haiku-5-5",
    "content": [],
    "stop_reason": None,
    "stop_sequence": None,
    "usage": USAGE,
}
BEGIN = {"type": "message_start", "message": MESSAGE}
TOOL = {"type": "tool_use", "id": "toolu_1", "name": "calculate", "input": {}}
STOP = {"type": "content_block_stop", "index": 0}
DONE = {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": USAGE}
OVER = {"type": "message_stop"}


def started(index: int = 0) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": TOOL}


def arguments(text: str, index: int = 0) -> dict[str, Any]:
    delta = {"type": "input_json_delta", "partial_json": text}
    return {"type": "content_block_delta", "index": index, "delta": delta}


def tool_stream(*pieces: str) -> Move:
    return raw(frames(BEGIN, started(), *(arguments(piece) for piece in pieces), STOP, DONE, OVER))


# What the provider does each time it is asked: how often it is asked, and how many of these may cost money.
AGAIN: dict[str, tuple[Move, int]] = {
    **{str(status): ({"status": status}, 0) for status in (429, 500, 502, 503, 529)},
    "504": ({"status": 504}, TRIES),
    "reset before the answer": (fault("silent"), TRIES),
}
ONCE: dict[str, tuple[Move, bool]] = {
    **{str(status): ({"status": status}, False) for status in (400, 401, 402, 403, 404, 413)},
    "early close before anything": (fault("close"), True),
    "early close inside": (fault("close", 900), True),
    "reset inside": (fault("reset", 900), True),
    "clean end before anything": (fault("end"), True),
    "clean end inside": (fault("end", 900), True),
    "clean end of a call": (CANCEL | {"fault": {"kind": "end", "after_bytes": 1_000}}, True),
    "error event": (say("Half an") | {"stream_error": "overloaded_error"}, True),
    "error event of a new kind": (say("Half an") | {"stream_error": "tired_error"}, True),
    "malformed event": (raw("event: message_start\ndata: {not json}\n\n"), True),
    "no message_start": (raw(frames(started(), STOP, DONE, OVER)), True),
    "html": (raw("<html>Welcome to the wifi</html>", "text/html"), True),
    "json": (raw("{}", "application/json"), True),
    "nothing": (raw(""), True),
    "arguments cut, block closed, call claimed": (tool_stream('{"expression": "1 +'), True),
    "arguments that are no object": (tool_stream('["1 + 1"]'), True),
    "arguments that are no number": (tool_stream('{"expression": NaN}'), True),
    "block never closed": (raw(frames(BEGIN, started(), arguments("{}"), DONE, OVER)), True),
    "block begun twice": (raw(frames(BEGIN, started(), started(1), STOP, DONE, OVER)), True),
    "block out of order": (raw(frames(BEGIN, started(3), STOP, DONE, OVER)), True),
    "words for no block": (raw(frames(BEGIN, arguments("{}"), DONE, OVER)), True),
    "more after the end": (raw(frames(BEGIN, started(), STOP, DONE, OVER, started(1))), True),
    "a message after the end": (raw(frames(BEGIN, DONE, OVER, BEGIN)), True),
}
SLOW: dict[str, Move] = {
    "headers": say("Late.") | {"delay_ms": 20_000},
    "headers byte by byte": fault("drip_head", every_ms=20),
    "first word": fault("hang"),
    "hang inside": fault("hang", 900),
    "trickle of the whole": fault("drip", every_ms=20),
    "trickle inside": fault("drip", 900, every_ms=20),
}


@pytest.mark.parametrize(("move", "lost"), AGAIN.values(), ids=AGAIN.keys())
def test_what_may_pass_is_tried_again_and_then_given_up(model: Scripted, move: Move, lost: int) -> None:
    model.rule = lambda _: move
    gone = fail()
    assert (len(model.requests), gone.tries, gone.lost, gone.began) == (TRIES, TRIES, lost, lost > 0)


@pytest.mark.parametrize(("move", "lost"), AGAIN.values(), ids=AGAIN.keys())
def test_what_passes_is_an_answer_that_tells_how_often_it_was_asked_for(model: Scripted, move: Move, lost: int) -> None:
    model.plays(move, say("A whole answer."))
    reply = ask()
    assert (reply.stop_reason, reply.content[0]["text"]) == ("end_turn", "A whole answer.")
    assert (reply.tries, reply.lost) == (2, lost // TRIES)


@pytest.mark.parametrize(("move", "began"), ONCE.values(), ids=ONCE.keys())
def test_what_cannot_pass_or_has_begun_is_not_tried_again(model: Scripted, move: Move, began: bool) -> None:
    model.rule = lambda _: move
    gone = fail()
    assert (len(model.requests), gone.tries, gone.began) == (1, 1, began)


@pytest.mark.parametrize("move", SLOW.values(), ids=SLOW.keys())
def test_nothing_outlasts_the_deadline(model: Scripted, move: Move) -> None:
    model.rule = lambda _: move
    began = time.monotonic()
    gone = fail(0.4)
    assert 0.3 < time.monotonic() - began < 1.5
    assert (len(model.requests), gone.began) == (1, True)


def test_a_silent_server_is_asked_again_while_the_turn_has_time(model: Scripted, settings: Any) -> None:
    settings.DESKAGENT_MODEL_READ_SECONDS = 0.2
    model.plays(say("Late.") | {"delay_ms": 20_000}, say("Here I am."))
    reply = ask()
    assert (reply.content[0]["text"], reply.tries, reply.lost) == ("Here I am.", 2, 1)


def test_a_server_that_falls_silent_inside_its_answer_is_not_asked_again(model: Scripted, settings: Any) -> None:
    settings.DESKAGENT_MODEL_READ_SECONDS = 0.2
    model.rule = lambda _: fault("hang", 900)
    assert fail().tries == 1


def test_a_server_that_is_not_there_costs_nothing(model: Scripted, settings: Any) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings.ANTHROPIC_BASE_URL = f"http://127.0.0.1:{free.getsockname()[1]}"
    gone = fail()
    assert (gone.tries, gone.began) == (TRIES, False)


def test_a_call_without_time_is_not_made(model: Scripted) -> None:
    assert (fail(0.1).tries, model.requests) == (0, [])


def test_the_provider_is_waited_for_as_long_as_it_asks(model: Scripted) -> None:
    model.plays({"status": 429, "retry_after": 1}, say("Here I am."))
    began = time.monotonic()
    assert ask().tries == 2
    assert time.monotonic() - began >= 1


def test_a_wait_longer_than_the_turn_is_not_begun(model: Scripted) -> None:
    model.rule = lambda _: {"status": 429, "retry_after": 3_600}
    began = time.monotonic()
    assert fail().tries == 1
    assert time.monotonic() - began < 5


def read_wait(header: str) -> float:
    request = httpx2.Request("POST", "http://provider/")
    response = httpx2.Response(429, headers={"retry-after": header}, request=request)
    error = anthropic.RateLimitError("slow down", response=response, body=None)
    return judge(error, opened=False, given=30).after


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7), ("0.5", 0.5), *((text, 0) for text in ("", "-5", "soon", "nan", "Mon, 99 Foo 2026"))],
)
def test_the_wait_is_read_from_seconds(header: str, seconds: float) -> None:
    assert read_wait(header) == seconds


@pytest.mark.parametrize(("hours", "least", "most"), [(1, 3_500, 3_600), (-1, 0, 0)])
def test_the_wait_is_read_from_a_date(hours: int, least: float, most: float) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(hours=hours), usegmt=True)
    assert least <= read_wait(date) <= most


def test_whoever_pays_is_asked_before_each_further_try(model: Scripted) -> None:
    model.rule = lambda _: {"status": 500}
    answers: Iterator[bool] = iter([True, False])
    gone = fail(may_retry=lambda: next(answers))
    assert (gone.tries, len(model.requests)) == (2, 2)


def test_arguments_cut_by_the_token_limit_are_no_call_to_run(model: Scripted) -> None:
    for size in range(30):
        model.rule = lambda _, size=size: CANCEL | {"json_bytes": size}
        assert ask().stop_reason == "max_tokens"


@pytest.mark.parametrize("kind", ["close", "hang"])
def test_a_reply_after_which_the_connection_breaks_is_whole(model: Scripted, kind: str) -> None:
    model.rule = lambda _: CANCEL | {"fault": {"kind": kind, "after_bytes": None}}
    reply = ask()
    assert (reply.stop_reason, reply.content[0]["input"]["order_id"]) == ("tool_use", "#W5918442")


def test_an_endless_stream_does_not_fill_the_memory(model: Scripted) -> None:
    words = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x" * 500_000}}
    text = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    model.rule = lambda _: raw(frames(BEGIN, text, *[words] * 5, STOP, DONE, OVER))
    assert "the reply has no end" in str(fail())


def test_the_words_receiver_that_breaks_is_not_taken_for_the_provider(model: Scripted) -> None:
    model.plays(say("A whole answer."), say("Again."))

    def receive(_: str) -> None:
        raise ValueError("the socket is gone")

    with pytest.raises(ReceiverFailed):
        get_model().stream(ModelRequest(**REQUEST), receive)
    assert ask().content[0]["text"] == "Again."


def test_a_connection_serves_many_calls(model: Scripted) -> None:
    model.rule = lambda _: say("Hello.")
    peers = set()
    server = model.server._server
    for _ in range(5):
        ask()
        peers |= set(server._open)
    assert len(peers) == 1
