"""What the provider's prompt cache gets to see: the same bytes again, between steps, conversations and processes."""

import hashlib
import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conversations.agent import prompt
from conversations.agent.tools import list_specs
from conversations.fake_anthropic_cache import PromptCache
from conversations.models import ModelCall
from policy.queries import get_active
from tests.conftest import ROOT
from tests.conversations.helpers import CANCEL_SMALL, LOOK_UP, assert_requests_extend
from tests.factories import LARGE, SMALL, Chat, start_chat
from tests.scripted import Move, Scripted, call, say

USER = "nora_lindahl_1042"
STEPS = 15
# Dollars for a million tokens of claude-haiku-5-5, October 2026.
INPUT, OUTPUT, WRITE, READ = 0.10, 0.50, 0.125, 0.01
# A conversation of fifteen model calls: look-ups, a question, a card, and what follows it.
TURNS: list[tuple[str, list[Move]]] = [
    ("Hi, my e-mail is nora.lindahl@example.com.", [LOOK_UP, call("get_user_details", user_id=USER), say("Hello.")]),
    (
        "What did I order?",
        [
            call("get_order_details", order_id=SMALL),
            call("get_order_details", order_id=LARGE),
            say("You have two open orders."),
        ],
    ),
    ("What do you sell?", [call("list_all_product_types"), say("Many things. What are you looking for?")]),
    ("How much are both?", [call("calculate", expression="12.00 + 30.00"), say("Together 42.00.")]),
    ("Please cancel the small one, I no longer need it.", [CANCEL_SMALL]),
]
AFTERWARDS: list[tuple[str, list[Move]]] = [
    ("Is it still open?", [call("get_order_details", order_id=SMALL), say("Yes, it is pending.")]),
    ("Thank you.", [say("You are welcome.")]),
]


def converse(model: Scripted) -> Chat:
    """The whole trace; the model's moves are the same each time."""
    chat = start_chat()
    for words, moves in TURNS:
        model.plays(*moves)
        chat.say(words)
    model.plays(say("Then nothing was changed."))
    chat.press("no")
    for words, moves in AFTERWARDS:
        model.plays(*moves)
        chat.say(words)
    assert model.moves == []
    return chat


def costs(chat: Chat) -> tuple[float, float, float]:
    """The share of the input that came from the cache, and the dollars with and without it."""
    calls = list(ModelCall.objects.filter(turn__conversation=chat.id))
    assert len(calls) == STEPS
    read = sum(row.cache_read_tokens for row in calls)
    written = sum(row.cache_write_tokens for row in calls)
    plain = sum(row.input_tokens for row in calls)
    spoken = sum(row.output_tokens for row in calls) * OUTPUT
    with_cache = plain * INPUT + written * WRITE + read * READ + spoken
    return read / (read + written + plain), with_cache / 1e6, ((read + written + plain) * INPUT + spoken) / 1e6


@pytest.mark.usefixtures("desk")
def test_the_second_conversation_of_its_kind_reads_nearly_everything_from_the_cache(model: Scripted) -> None:
    converse(model)
    share, cached, uncached = costs(converse(model))
    assert share >= 0.955
    assert uncached / cached >= 4.4


@pytest.mark.usefixtures("desk")
def test_each_request_of_a_conversation_extends_the_one_before_it(model: Scripted) -> None:
    converse(model)
    requests = model.requests
    assert (len(requests), len(requests[0]["tools"])) == (STEPS, len(list_specs()))
    assert_requests_extend(requests)
    for earlier, later in itertools.pairwise(json.dumps(request["messages"])[1:-1] for request in requests):
        # All but the brackets that close the newest message.
        assert later.startswith(earlier.removesuffix("]}"))
    assert all(request["cache_control"] == {"type": "ephemeral"} for request in requests)
    assert all(request["system"][-1]["cache_control"] == {"type": "ephemeral"} for request in requests)


@pytest.mark.usefixtures("desk")
def test_conversations_of_a_kind_share_tools_and_system_prompt(model: Scripted) -> None:
    model.rule = lambda _: say("Hello.")
    for words in ("Hi, I am Nora.", "Where is my parcel?"):
        start_chat().say(words)
    first, second = (json.dumps([body["tools"], body["system"]]) for body in model.requests)
    assert first == second
    for word in ("Nora", "nora", "#W"):
        assert word not in json.dumps(model.requests[0]["system"])


PRINT_DIGEST = """
import django, hashlib, json, sys
django.setup()
from conversations.agent import prompt
from conversations.agent.tools import list_specs
from policy.limits import Limits
limits = Limits.model_validate_json(sys.stdin.read())
text = json.dumps([list_specs(), prompt.render_system(prompt.CURRENT, limits)])
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_processes_send_the_same_tools_and_system_prompt(db: None, tmp_path: Path) -> None:
    limits = get_active().limits
    here = json.dumps([list_specs(), prompt.render_system(prompt.CURRENT, limits)])
    done = subprocess.run(
        [sys.executable, "-c", PRINT_DIGEST],
        input=limits.model_dump_json(),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={
            # This process has a seed of its own.
            "PYTHONHASHSEED": "4242",
            "DJANGO_SETTINGS_MODULE": "deskagent.settings",
            "DATABASE_URL": f"sqlite:///{tmp_path / 'desk.sqlite3'}",
            "SECRET_KEY": "k" * 50,
            "DESKAGENT_AUDIT_KEY": "k" * 32,
        },
        timeout=60,
    )
    assert done.stdout.strip() == hashlib.sha256(here.encode()).hexdigest()


# --- The rule of the stand-in ----------------------------------------------------------------------------------------

LONG = "word " * 500
MARK = {"type": "ephemeral"}


def body(*blocks: str, marks: tuple[int, ...] = (), model: str = "claude-haiku-5-5", **fields: Any) -> dict[str, Any]:
    """One user message of text blocks behind a system prompt of about 625 tokens."""
    content = [
        {"type": "text", "text": text} | ({"cache_control": MARK} if place in marks else {})
        for place, text in enumerate(blocks)
    ]
    return {"model": model, "system": LONG, "messages": [{"role": "user", "content": content}], **fields}


def counts(cache: PromptCache, request: dict[str, Any]) -> tuple[bool, bool]:
    """Whether anything was read, and whether anything was written."""
    found = cache.count(request)
    return found["cache_read_input_tokens"] > 0, found["cache_creation_input_tokens"] > 0


def test_only_what_was_marked_is_written_and_the_same_bytes_are_read() -> None:
    cache = PromptCache()
    assert counts(cache, body("a")) == (False, False)
    assert counts(cache, body("a", marks=(0,))) == (False, True)
    assert counts(cache, body("a", marks=(0,))) == (True, False)
    assert counts(cache, body("a", "b", cache_control=MARK)) == (True, True)
    assert counts(cache, body("A", "b", cache_control=MARK)) == (False, True)
    assert counts(cache, body("a", marks=(0,), system=LONG + " ")) == (False, True)
    assert counts(cache, body("a", marks=(0,), tools=[{"name": "t", "input_schema": {}}])) == (False, True)


def test_the_three_counts_add_up_to_the_whole() -> None:
    cache, request = PromptCache(), body("a", LONG, "b", marks=(1,))
    for _ in range(2):
        assert sum(cache.count(request).values()) == sum(PromptCache().count(body("a", LONG, "b")).values())


@pytest.mark.parametrize(("between", "found"), [(18, True), (19, True), (20, False), (30, False)])
def test_an_earlier_row_is_found_up_to_twenty_blocks_back(between: int, found: bool) -> None:
    cache = PromptCache()
    cache.count(body("a", cache_control=MARK))
    later = body("a", *(f"block {number}" for number in range(between)), cache_control=MARK)
    assert counts(cache, later) == (found, True)


@pytest.mark.parametrize(("model", "written"), [("claude-haiku-5-5", True), ("claude-haiku-4-5", False)])
def test_a_row_under_the_least_size_is_not_written(model: str, written: bool) -> None:
    assert counts(PromptCache(), body("a", cache_control=MARK, model=model)) == (False, written)
    assert counts(PromptCache(), body("a", cache_control=MARK, model=model, system="word " * 300)) == (False, False)


def test_a_row_lives_five_minutes_after_it_was_last_read_and_longer_where_asked() -> None:
    clock = [0.0]
    cache = PromptCache(clock=lambda: clock[0])
    cache.count(body("a", cache_control=MARK))
    cache.count(body("long", cache_control={"type": "ephemeral", "ttl": "1h"}))
    for clock[0] in (299.0, 598.0):
        assert counts(cache, body("a", cache_control=MARK)) == (True, False)
    clock[0] = 899.0
    assert counts(cache, body("a", cache_control=MARK)) == (False, True)
    assert counts(cache, body("long", cache_control=MARK)) == (True, False)
