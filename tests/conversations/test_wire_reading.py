"""A stream's events are put together as they come; what breaks the protocol is no reply."""

import json
from typing import Any

import pytest

from conversations.agent.wire import Reading

MESSAGE = {"model": "claude", "usage": {"input_tokens": 7, "output_tokens": 1, "cache_read_input_tokens": None}}
START = {"type": "message_start", "message": MESSAGE}
STOP = {"type": "message_stop"}


def begin(index: Any, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def grow(index: Any, kind: str, **piece: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **piece}}


def end(index: Any) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def ends_as(reason: str, **usage: Any) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9} | usage}


TEXT = begin(0, type="text", text="")


def read(*events: dict[str, Any]) -> tuple[Reading, str]:
    reading = Reading()
    said = "".join(reading.take(json.loads(json.dumps(event))) for event in events)
    reading.expect_end()
    return reading, said


def test_words_thoughts_and_calls_are_whole() -> None:
    reading, said = read(
        START,
        begin(0, type="thinking", thinking="", signature=""),
        grow(0, "thinking_delta", thinking="Hm"),
        grow(0, "thinking_delta", thinking="m."),
        grow(0, "signature_delta", signature="s1"),
        end(0),
        begin(1, type="text", text="A"),
        grow(1, "text_delta", text=" word."),
        end(1),
        begin(2, type="tool_use", id="t1", name="look", input={}),
        grow(2, "input_json_delta", partial_json='{"a": '),
        grow(2, "input_json_delta", partial_json="1}"),
        end(2),
        ends_as("tool_use", input_tokens=None, cache_read_input_tokens=5),
        STOP,
    )
    assert said == "A word."
    assert reading.content() == [
        {"type": "thinking", "thinking": "Hmm.", "signature": "s1"},
        {"type": "text", "text": "A word."},
        {"type": "tool_use", "id": "t1", "name": "look", "input": {"a": 1}},
    ]
    usage = reading.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (7, 9, 5)
    assert (reading.model, reading.stop_reason) == ("claude", "tool_use")


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([TEXT], id="nothing before the message"),
        pytest.param([START, START], id="it begins twice"),
        pytest.param([START, TEXT, TEXT], id="two blocks are open"),
        pytest.param([START, begin(1, type="text", text="")], id="the second block comes first"),
        pytest.param([START, grow(0, "text_delta", text="x")], id="words for no block"),
        pytest.param([START, TEXT, end(0), grow(0, "text_delta", text="x")], id="words for a closed block"),
        pytest.param([START, TEXT, grow(0, "text_delta", text=None)], id="words that are none"),
        pytest.param(
            [START, begin(0, type="tool_use", id="t", name="n", input={}), grow(0, "text_delta", text="x")],
            id="words for a call",
        ),
        pytest.param([START, TEXT, STOP], id="the end inside a block"),
        pytest.param([START, {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}], id="no count"),
        pytest.param([{"type": "message_start", "message": "hello"}], id="a message that is none"),
        pytest.param([{"no": "type"}], id="an event without a kind"),
        pytest.param([START], id="no end"),
    ],
)
def test_what_breaks_the_protocol_is_no_reply(events: list[dict[str, Any]]) -> None:
    with pytest.raises((ValueError, TypeError, LookupError)):
        read(*events)


def test_an_event_of_a_later_version_is_passed_over() -> None:
    reading, said = read(START, {"type": "weather", "sky": "blue"}, TEXT, end(0), ends_as("end_turn"), STOP)
    assert (said, reading.content()) == ("", [{"type": "text", "text": ""}])
