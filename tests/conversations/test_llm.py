"""The vendor's client on the wire: what is sent back, what is counted, and what counts as no answer."""

from typing import Any

import pytest

from conversations.agent.llm import AnthropicModel, get_model
from conversations.agent.offline import OfflineModel
from conversations.agent.protocol import ModelRequest, ModelUnavailable
from conversations.models import ModelCall
from tests.factories import NORA_EMAIL, start_chat
from tests.scripted import Scripted, call, say

REQUEST = ModelRequest(
    system="You help.",
    tools=[],
    messages=[{"role": "user", "content": [{"type": "text", "text": "<customer>Hi</customer>"}]}],
    max_tokens=100,
)


@pytest.mark.usefixtures("desk")
def test_thinking_goes_back_unchanged(model: Scripted) -> None:
    model.plays({"thinking": "They gave an e-mail.", **call("find_user_id_by_email", email=NORA_EMAIL)}, say("Hello."))
    start_chat().say("hi")
    first = model.requests[1]["messages"][1]["content"]
    assert [block["type"] for block in first] == ["thinking", "tool_use"]
    assert first[0]["thinking"] == "They gave an e-mail."


@pytest.mark.usefixtures("desk")
def test_each_call_leaves_its_metadata(model: Scripted) -> None:
    model.plays(call("find_user_id_by_email", email=NORA_EMAIL), say("Hello."))
    start_chat().say("hi")
    rows = list(ModelCall.objects.order_by("pk"))
    assert [row.stop_reason for row in rows] == ["tool_use", "end_turn"]
    assert all(row.model == "claude-haiku-5-5" and row.prompt_version == "retail-2" for row in rows)
    assert all(row.input_tokens + row.cache_read_tokens + row.cache_write_tokens > 0 for row in rows)
    assert all(row.output_tokens > 0 for row in rows)


FAULTS: dict[str, dict[str, Any]] = {
    "rate limit": {"status": 429},
    "server error": {"status": 500},
    "overloaded": {"status": 529},
    "refused request": {"status": 400},
    "wrong key": {"status": 401},
    "error inside the stream": {"text": "Half an", "stream_error": "overloaded_error"},
    "cut before the first block": {"text": "A whole answer.", "cut_after_bytes": 30},
    "cut inside a block": {"text": "A whole answer.", "cut_after_bytes": 700},
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_on_the_wire_is_no_answer_or_an_unfinished_one(model: Scripted, fault: dict[str, Any]) -> None:
    model.rule = lambda _: fault
    try:
        reply = get_model().stream(REQUEST, lambda _: None)
    except ModelUnavailable:
        return
    # A stream that ends cleanly but early raises nothing; it lacks the stop reason that running a tool needs.
    assert "cut_after_bytes" in fault
    assert reply.stop_reason is None


def test_a_whole_answer_is_one(model: Scripted) -> None:
    model.plays(say("A whole answer."))
    pieces: list[str] = []
    reply = get_model().stream(REQUEST, pieces.append)
    assert reply.stop_reason == "end_turn"
    assert "".join(pieces) == reply.content[0]["text"] == "A whole answer."


def test_the_offline_model_answers_only_where_it_was_chosen(settings: Any) -> None:
    settings.DESKAGENT_MODEL = "offline"
    assert isinstance(get_model(), OfflineModel)
    settings.DESKAGENT_MODEL, settings.ANTHROPIC_API_KEY = "claude-haiku-5-5", "key"
    assert isinstance(get_model(), AnthropicModel)
