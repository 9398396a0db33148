"""A write call that is cut off, after each of its bytes and in each of the ways a stream can end: it never runs."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import httpx2
import pytest
from django.contrib.auth.models import User

from approvals.models import ActionRequest
from conversations.agent.breaker import Breaker
from conversations.agent.llm import AnthropicModel, get_model
from conversations.agent.protocol import Model, ModelRequest, ModelUnavailable
from conversations.fake_anthropic_script import read_reply
from conversations.fake_anthropic_wire import build_message, stream_message
from conversations.models import Ticket
from orders.models import Effect, Order
from tests.conversations.helpers import CANCEL_SMALL, LOOK_UP, assert_requests_extend, staff_call
from tests.factories import SMALL, run_turns, staff_client, start_chat
from tests.scripted import Move, Scripted, say

REQUEST = ModelRequest(
    system="You help.",
    tools=[],
    messages=[{"role": "user", "content": [{"type": "text", "text": "Cancel it."}]}],
    max_tokens=100,
)
RECORDED = b"".join(stream_message(build_message(read_reply(CANCEL_SMALL), {"model": "claude-haiku-5-5"})))


def frame(event: str, **fields: Any) -> str:
    return f"event: {event}\ndata: {json.dumps({'type': event, **fields})}\n\n"


ERROR = "\n\n" + frame("error", error={"type": "overloaded_error", "message": "Overloaded"})
TOKENS = (
    "\n\n"
    + frame("content_block_stop", index=0)
    + frame("message_delta", delta={"stop_reason": "max_tokens", "stop_sequence": None}, usage={"output_tokens": 9})
    + frame("message_stop")
)


def followed_by(tail: str) -> Callable[[int], Iterator[bytes]]:
    return lambda cut: iter([RECORDED[:cut], tail.encode()])


def broken_off(cut: int) -> Iterator[bytes]:
    yield RECORDED[:cut]
    raise httpx2.RemoteProtocolError("peer closed connection without sending complete message body")


WAYS: dict[str, Callable[[int], Iterator[bytes]]] = {
    "clean end": followed_by(""),
    "abrupt end": broken_off,
    "error event": followed_by(ERROR),
    "max_tokens": followed_by(TOKENS),
}


class Body(httpx2.SyncByteStream):
    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces


def ask(model: Model) -> str | None:
    try:
        return model.stream(REQUEST, lambda _: None).stop_reason
    except ModelUnavailable as gone:
        assert (gone.tries, gone.began) == (1, True)
        return "unavailable"


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_no_cut_after_any_byte_looks_like_a_call_to_run(settings: Any, way: Callable[[int], Iterator[bytes]]) -> None:
    """All bytes, so without sockets; the next test cuts on the wire."""
    settings.DESKAGENT_CIRCUIT_FAILURES = 1_000_000
    bodies = iter([way(cut) for cut in range(len(RECORDED) + 1)])

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=Body(next(bodies)))

    with httpx2.Client(transport=httpx2.MockTransport(answer)) as http:
        client = anthropic.Anthropic(api_key="x", max_retries=0, http_client=http)
        model = AnthropicModel(name="claude-haiku-5-5", client=client, breaker=Breaker("cut"))
        *seen, whole = (ask(model) for _ in range(len(RECORDED) + 1))
    assert len(seen) > 1_000
    assert set(seen) <= {"unavailable", "max_tokens"}
    assert whole == ("unavailable" if way in (WAYS["error event"], WAYS["max_tokens"]) else "tool_use")


@pytest.mark.parametrize("kind", ["end", "close", "reset"])
def test_no_cut_on_the_wire_looks_like_a_call_to_run(model: Scripted, settings: Any, kind: str) -> None:
    settings.DESKAGENT_CIRCUIT_FAILURES = 1_000_000
    cuts = [*range(0, len(RECORDED) - 40, 41), *range(len(RECORDED) - 40, len(RECORDED))]
    for cut in cuts:
        model.rule = lambda _, cut=cut: CANCEL_SMALL | {"fault": {"kind": kind, "after_bytes": cut}}
        assert ask(get_model()) == "unavailable", cut
    model.rule = lambda _: CANCEL_SMALL
    assert ask(get_model()) == "tool_use"


SAMPLE = [0, len(RECORDED) // 2, RECORDED.index(b"event: message_delta"), len(RECORDED) - 1]
LATE = [
    *({"fault": {"kind": kind, "after_bytes": cut}} for kind in ("end", "close") for cut in SAMPLE),
    *({"raw": {"body": RECORDED[:cut].decode() + tail}} for tail in (ERROR, TOKENS) for cut in SAMPLE[1:3]),
]


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("late", LATE)
def test_a_customer_whose_call_was_cut_gets_one_apology_and_the_next_message_works(
    bob: User, model: Scripted, late: Move
) -> None:
    model.plays(LOOK_UP, CANCEL_SMALL | late)
    chat = start_chat()
    chat.say("Please cancel my order.")
    assert (chat.state(), chat.texts(), len(chat.texts("system"))) == ("with_person", [], 1)
    assert (ActionRequest.objects.count(), Effect.objects.count(), Ticket.objects.count()) == (0, 0, 1)
    assert Order.objects.get(number=SMALL).status == "pending"
    client = staff_client(bob)
    for name in ("take-over", "hand-back"):
        assert staff_call(client, chat, name).status_code == 200
    model.rule = lambda _: say("I am back.")
    run_turns()
    chat.say("Are you there?")
    assert (chat.texts(), chat.state()) == (["I am back."] * 2, "open")
    assert_requests_extend(model.requests[1:])
