"""Who waits holds no connection: a turn while its model speaks, a customer whose long-poll finds nothing."""

from collections.abc import Callable

from asgiref.sync import async_to_sync
from django.db import connection

from conversations.agent import turn
from conversations.agent.protocol import ModelReply, ModelRequest, Usage
from conversations.api import in_thread
from conversations.connections import give_back
from conversations.models import Conversation, Turn
from conversations.queries import list_events
from tests.factories import start_chat


class Watching:
    """Answers in two calls and notes whether the turn held a connection meanwhile."""

    name = "watching"

    def __init__(self) -> None:
        self.held: list[bool] = []

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply:
        self.held.append(connection.connection is not None)
        content = [{"type": "text", "text": "Hello."}]
        stop = "end_turn"
        if len(self.held) == 1:
            content = [{"type": "tool_use", "id": "call-1", "name": "list_all_product_types", "input": {}}]  # type: ignore[dict-item]
            stop = "tool_use"
        return ModelReply(
            content=content, stop_reason=stop, usage=Usage(), model=self.name, first_token_ms=1, latency_ms=1
        )


def test_a_turn_holds_no_connection_while_its_model_speaks(desk: None) -> None:
    chat = start_chat()
    chat.send("What do you sell?")
    model = Watching()
    turn.run(turn_id=Turn.objects.get().pk, model=model)
    assert chat.texts() == ["Hello."]
    assert model.held == [False, False]


def test_a_long_poll_gives_its_connection_back_between_looks(desk: None) -> None:
    conversation = Conversation.objects.get(pk=start_chat().id)
    assert connection.connection is not None
    assert async_to_sync(in_thread)(list_events, conversation_id=conversation.pk, after=9) == []
    assert connection.connection is None


def test_inside_a_transaction_nothing_is_given_back(db: None) -> None:
    Conversation.objects.count()
    give_back()
    assert connection.connection is not None
    assert Conversation.objects.count() == 0


def test_connections_of_one_process_are_bounded_and_checked() -> None:
    assert connection.settings_dict["OPTIONS"]["pool"]["max_size"] == 20
    assert connection.settings_dict["CONN_HEALTH_CHECKS"]
