"""What a turn costs the database, counted where it is paid; a change that makes it dearer has to say so here."""

from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversations import tasks
from conversations.models import Turn
from helpcenter.operations import Draft, get_or_create_article, publish, write
from helpcenter.queries import search
from tests.factories import NORA_EMAIL, SMALL, Chat, start_chat
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk")


def cost_of_next_turn() -> tuple[int, int]:
    """Commits and queries of the worker, from taking the turn to its final event."""
    turn = Turn.objects.get(state=Turn.State.QUEUED)
    with CaptureQueriesContext(connection) as captured:
        tasks.run_turn(turn_id=turn.pk)
    kinds = Counter(query["sql"].split()[0] for query in captured.captured_queries)
    return kinds["COMMIT"], len(captured) - kinds["COMMIT"] - kinds["BEGIN"]


def verified_chat(model: Scripted) -> Chat:
    model.plays(call("find_user_id_by_email", email=NORA_EMAIL), say("Hello Nora."))
    chat = start_chat()
    chat.say(f"Hi, I am {NORA_EMAIL}.")
    return chat


@pytest.mark.parametrize(
    ("moves", "commits", "queries"),
    [
        pytest.param([say("Hello.")], 2, 17, id="words only"),
        pytest.param([call("get_order_details", order_id=SMALL), say("It is on its way.")], 3, 34, id="one read"),
    ],
)
def test_a_reading_turn(model: Scripted, moves: list[dict[str, object]], commits: int, queries: int) -> None:
    chat = verified_chat(model)
    model.plays(*moves)
    chat.send("Where is my order?")
    assert cost_of_next_turn() == (commits, queries)


def test_a_turn_that_searches_the_help_center(model: Scripted) -> None:
    article = get_or_create_article(slug="gift-cards", category="general")
    write(article=article, draft=Draft(title="Gift cards", body="Gift cards do not expire."), author="bob")
    publish(article=article, author="bob")
    # The first search of a process builds its index.
    assert search("gift cards", limit=1)
    chat = verified_chat(model)
    model.plays(call("search_help_center", query="gift cards"), say("Gift cards do not expire [1]."))
    chat.send("Do gift cards expire?")
    # A new subject is triaged anew.
    assert cost_of_next_turn() == (3, 39)
    assert chat.events("message")[-1]["citations"]


def test_a_writing_turn_from_the_yes_to_receipt_and_reply(model: Scripted) -> None:
    chat = verified_chat(model)
    model.plays(call("cancel_pending_order", order_id=SMALL, reason="no longer needed"), say("It is cancelled."))
    chat.send(f"Cancel {SMALL}.")
    assert cost_of_next_turn() == (2, 32)
    with CaptureQueriesContext(connection) as yes:
        chat.answer("yes")
    assert [query["sql"].split()[0] for query in yes.captured_queries].count("COMMIT") == 1
    assert cost_of_next_turn() == (2, 17)
    assert chat.events("receipt")


def test_a_first_turn_also_triages(model: Scripted) -> None:
    model.plays(say("Hello."))
    start_chat().send("Hello")
    assert cost_of_next_turn() == (2, 31)


def test_a_late_turn_costs_what_the_second_did(model: Scripted) -> None:
    chat = verified_chat(model)
    costs = []
    for _ in range(25):
        model.plays(say("Still here."))
        chat.send("And now?")
        costs.append(cost_of_next_turn())
    assert len(set(costs)) == 1
