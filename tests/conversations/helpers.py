"""What several tests of the chat need: calls at the same time, chats in a known state, and what the model was sent."""

import itertools
import threading
from collections.abc import Callable
from typing import Any

from django.db import connections
from django.test import Client

from tests.factories import LARGE, NORA_EMAIL, SMALL, Chat, start_chat
from tests.scripted import Move, Scripted, call, say

CANCEL_SMALL = call("cancel_pending_order", order_id=SMALL, reason="no longer needed")
CANCEL_LARGE = call("cancel_pending_order", order_id=LARGE, reason="no longer needed")
LOOK_UP = call("find_user_id_by_email", email=NORA_EMAIL)
PERSON = "I want to talk to a human"


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls in threads that start together; their results, or what they raised, in the order of the calls."""
    results: list[Any] = [None] * len(calls)
    barrier = threading.Barrier(len(calls))

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = calls[number]()
        except Exception as error:  # noqa: BLE001 - the test looks at it
            results[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def twin(chat: Chat) -> Chat:
    """The same customer in another tab, for another thread."""
    return Chat(id=chat.id, token=chat.token)


def while_speaking(model: Scripted, happens: Callable[[], Any], *moves: Move, before_move: int = 0) -> None:
    """Let `happens` run between the model's request number `before_move` and its answer."""
    left = list(moves)

    def rule(_: dict[str, Any]) -> Move:
        if len(moves) - len(left) == before_move:
            happens()
            connections.close_all()
        return left.pop(0)

    model.rule = rule


def open_card(model: Scripted, cancel: Move = CANCEL_SMALL) -> Chat:
    """A verified customer in front of a card."""
    model.plays(LOOK_UP, cancel)
    chat = start_chat()
    chat.say("Please cancel my order.")
    assert chat.state() == "awaiting_customer"
    return chat


def wait_for_staff(model: Scripted) -> Chat:
    """A customer who said yes to an amount that a person has to approve."""
    chat = open_card(model, CANCEL_LARGE)
    chat.press("yes")
    assert chat.state() == "under_review"
    return chat


def answered_chat(model: Scripted) -> Chat:
    model.plays(say("How can I help?"))
    chat = start_chat()
    chat.say("Hello.")
    assert chat.texts() == ["How can I help?"]
    return chat


def staff_call(client: Client, chat: Chat, name: str, body: dict[str, Any] | None = None, **headers: str) -> Any:
    path = f"/api/v1/staff/conversations/{chat.id}/{name}/"
    return client.post(path, body or {}, content_type="application/json", headers=headers)


def assert_requests_extend(requests: list[dict[str, Any]]) -> None:
    """Each request of a conversation holds the one before it unchanged; only its last user message may have grown."""
    for earlier, later in itertools.pairwise(requests):
        assert (later["system"], later["tools"], later["model"]) == (
            earlier["system"],
            earlier["tools"],
            earlier["model"],
        )
        *settled, last = earlier["messages"]
        assert later["messages"][: len(settled)] == settled
        grown = later["messages"][len(settled)]
        assert grown["role"] == last["role"] == "user"
        assert grown["content"][: len(last["content"])] == last["content"]


def everything_sent(model: Scripted) -> str:
    return "\n".join(str(request["messages"]) for request in model.requests)
