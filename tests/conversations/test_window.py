"""A long chat is sent as a window that moves in blocks: it stays valid, knows who is verified, and costs the same."""

import itertools
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from approvals.models import CustomerSession
from conversations import history
from conversations.agent import prompt
from conversations.agent.protocol import ModelRequest
from conversations.fake_anthropic_history import check_request
from conversations.models import Conversation, Step
from orders.models import Customer
from tests.conversations.helpers import LOOK_UP, assert_requests_extend
from tests.factories import NORA_EMAIL, start_chat
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk")

USER = "nora_lindahl_1042"


def begin() -> Conversation:
    conversation = Conversation.objects.get(pk=start_chat().id)
    nora = Customer.objects.get(user_id=USER)
    CustomerSession.objects.filter(conversation=conversation.pk).update(customer=nora, strength="lookup")
    return conversation


def ask(conversation: Conversation, number: int) -> ModelRequest:
    """A turn as it begins: the customer's words, the pinned prompt, the request."""
    history.add_customer_words(conversation, None, f"question {number}")
    with transaction.atomic():
        prompt.pin(conversation)
        return prompt.build(conversation, begins_turn=True)[0]


def look_up(conversation: Conversation, number: int) -> ModelRequest:
    """The model calls a tool and is asked again."""
    block = {"type": "tool_use", "id": f"toolu_{number}", "name": "calculate", "input": {}}
    add(conversation, Step.Kind.REPLY, [block], after=newest(conversation))
    history.add_result(conversation, None, f"toolu_{number}", f"result {number}", is_error=False)
    return prompt.build(conversation)[0]


def answer(conversation: Conversation, number: int) -> None:
    add(conversation, Step.Kind.REPLY, [{"type": "text", "text": f"answer {number}"}], after=newest(conversation))


def add(conversation: Conversation, kind: str, body: Any, *, after: int) -> Step:
    return Step.objects.create(conversation=conversation, kind=kind, body=body, after=after)


def newest(conversation: Conversation) -> int:
    return conversation.steps.latest("pk").pk


def as_body(request: ModelRequest) -> dict[str, Any]:
    body = {"model": "m", "max_tokens": 9, "system": request.system, "tools": request.tools}
    return body | {"messages": request.messages}


def talk(conversation: Conversation, turns: range) -> list[dict[str, Any]]:
    sent = []
    for number in turns:
        sent.append(as_body(ask(conversation, number)))
        sent.append(as_body(look_up(conversation, number)))
        answer(conversation, number)
    return sent


def first_words(body: dict[str, Any]) -> str:
    return str(body["messages"][0]["content"][0]["text"])


def test_every_request_of_a_long_chat_is_valid_and_bounded() -> None:
    sent = talk(begin(), range(60))
    for body in sent:
        check_request(body)
    assert max(len(body["messages"]) for body in sent) <= 2 * history.BLOCK + 3
    windows = [list(group) for _, group in itertools.groupby(sent, key=lambda body: body["messages"][0])]
    # Four messages a turn: it moves after the first 20 turns, then every 10.
    assert [len(window) // 2 for window in windows] == [20, *[10] * 4]
    for window in windows:
        assert_requests_extend(window)
        assert "<customer>" not in first_words(window[0]) or window is windows[0]


def test_the_new_window_keeps_the_newer_block_and_says_who_is_verified() -> None:
    conversation = begin()
    talk(conversation, range(20))
    request = ask(conversation, 20)
    note, words = request.messages[0]["content"]
    assert note["text"].startswith("<desk>")
    assert f"The customer is signed in as {USER}." in note["text"]
    # Forty messages are gone, which are ten turns of four.
    assert words["text"] == "<customer>question 10</customer>"
    assert len(request.messages) == 41
    assert conversation.steps.count() == 20 * 4 + 2


def test_a_window_never_begins_at_the_result_of_a_call() -> None:
    conversation = begin()
    ask(conversation, 99)
    for number in range(45):
        look_up(conversation, number)
    answer(conversation, 0)
    for number in range(100, 103):
        request = ask(conversation, number)
        check_request(as_body(request))
        answer(conversation, number)
    assert request.messages[0]["content"][1]["text"] == "<customer>question 100</customer>"


def test_what_was_said_while_the_model_spoke_is_kept_with_its_window() -> None:
    conversation = begin()
    for number in range(45):
        ask(conversation, number)
        before = newest(conversation)
        # Comes while the model speaks: it is stored before the reply and belongs after it.
        history.add_customer_words(conversation, None, f"and {number}")
        add(conversation, Step.Kind.REPLY, [{"type": "text", "text": f"answer {number}"}], after=before)
        body = as_body(prompt.build(conversation)[0])
        check_request(body)
    assert first_words(body).startswith("<desk>")


def test_a_discarded_draft_is_in_no_window() -> None:
    conversation = begin()
    talk(conversation, range(25))
    add(conversation, Step.Kind.DISCARDED, [{"type": "text", "text": "draft"}], after=newest(conversation))
    assert "draft" not in str(ask(conversation, 25).messages)


@pytest.mark.parametrize("turns", [1, 50, 200])
def test_a_late_turn_needs_the_queries_and_rows_of_an_early_one(turns: int) -> None:
    conversation = begin()
    for number in range(turns - 1):
        history.add_customer_words(conversation, None, f"question {number}")
        answer(conversation, number)
        if number % 20 == 0:
            with transaction.atomic():
                prompt.pin(conversation)
                prompt.build(conversation, begins_turn=True)
    prompt.pin(conversation)
    with transaction.atomic(), CaptureQueriesContext(connection) as seen:
        prompt.build(conversation, begins_turn=True)
    assert len(seen) <= 10
    prompt.read_system.cache_clear()
    with CaptureQueriesContext(connection) as seen:
        request, _ = prompt.build(conversation)
    # The steps, the policy that this process has not read yet, and the note where the window moved.
    assert len(seen) == 2 + (conversation.window_note is not None)
    assert len(request.messages) <= 2 * history.BLOCK + 1


def test_the_model_meets_the_window_in_a_real_chat(model: Scripted) -> None:
    model.rule = lambda body: LOOK_UP if len(body["messages"]) == 1 else say("Go on.")
    chat = start_chat()
    chat.say(f"Hello, I am {NORA_EMAIL}")
    conversation = Conversation.objects.get(pk=chat.id)
    talk(conversation, range(20))
    model.rule = lambda body: say("Still here.")
    chat.say("And now?")
    assert chat.texts()[-1] == "Still here."
    assert f"The customer is signed in as {USER}." in first_words(model.requests[-1])
    model.plays(call("get_user_details", user_id=USER), say("You are Nora."))
    model.rule = None
    chat.say("Who am I?")
    assert "Lindahl" in model.last_results()[0]
    assert_requests_extend(model.requests[-3:])
