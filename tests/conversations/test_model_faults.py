"""A model that cannot answer, or answers with something unusable: no tool runs, and a person comes."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from approvals.models import ActionRequest
from audit.models import Entry
from audit.queries import list_entries, verify
from conversations.fake_anthropic_script import read_reply
from conversations.fake_anthropic_wire import build_message, stream_message
from conversations.models import Step, Ticket, Turn
from orders.models import Effect, Order
from tests.conversations.helpers import (
    CANCEL_SMALL,
    LOOK_UP,
    answered_chat,
    assert_requests_extend,
    everything_sent,
    staff_call,
)
from tests.factories import SMALL, Chat, run_turns, staff_client, start_chat
from tests.scripted import Move, Scripted, call, calls, say

pytestmark = pytest.mark.usefixtures("desk")

WRONG = call("find_user_id_by_email", email="nobody@example.com")


def assert_a_person_has_it(chat: Chat, reason: str) -> None:
    """One sentence of the desk, one ticket, and nothing that a tool would have left behind."""
    assert chat.state() == "with_person"
    assert chat.get().json()["verified"] is None
    assert chat.texts() == []
    assert len(chat.texts("system")) == 1
    ticket = Ticket.objects.get(conversation=chat.id)
    assert ticket.reason == reason
    assert ticket.summary["last_words"] == ["Please cancel my order."]
    assert (ActionRequest.objects.count(), Effect.objects.count()) == (0, 0)
    events = set(list_entries(subject=chat.id).values_list("event", flat=True))
    assert events <= {"conversation_started", "triaged", "model_call", "handoff"}
    assert not Turn.objects.filter(state__in=["queued", "running", "waiting"]).exists()
    assert run_turns() == 0
    assert chat.send("Hello?").status_code == 202
    assert verify().broken is None


def ask(chat: Chat | None = None) -> Chat:
    chat = chat or start_chat()
    chat.say("Please cancel my order.")
    return chat


def stream_length(move: Move) -> int:
    return len(b"".join(stream_message(build_message(read_reply(move), {"model": "claude-haiku-5-5"}))))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 429, 500, 529])
def test_an_error_of_the_provider_ends_at_a_person(model: Scripted, status: int) -> None:
    model.rule = lambda _: {"status": status}
    assert_a_person_has_it(ask(), "model_unavailable")


@pytest.mark.parametrize("error", ["overloaded_error", "api_error", "invented_error"])
@pytest.mark.parametrize("move", [LOOK_UP, say("Half an answer.")], ids=["call", "text"])
def test_an_error_inside_the_stream_ends_at_a_person(model: Scripted, move: Move, error: str) -> None:
    model.rule = lambda _: move | {"stream_error": error}
    assert_a_person_has_it(ask(), "model_unavailable")


@pytest.mark.parametrize("share", [0, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("move", [LOOK_UP, say("This is already done.")], ids=["call", "text"])
def test_a_stream_cut_anywhere_runs_nothing(model: Scripted, move: Move, share: float) -> None:
    cut = int(stream_length(move) * share)
    model.rule = lambda _: move | {"cut_after_bytes": cut}
    assert_a_person_has_it(ask(), "model_unavailable")


def test_a_stream_cut_after_the_whole_call_and_before_its_end_runs_nothing(model: Scripted) -> None:
    wire = b"".join(stream_message(build_message(read_reply(LOOK_UP), {"model": "claude-haiku-5-5"})))
    for cut in (wire.index(b"event: message_delta"), wire.index(b"event: message_stop"), len(wire) - 1):
        model.rule = lambda _, cut=cut: LOOK_UP | {"cut_after_bytes": cut}
        assert_a_person_has_it(ask(), "model_unavailable")


@contextmanager
def odd_server(body: bytes, content_type: str, status: int = 200) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.send_header("content-type", content_type)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Silence."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"<html><h1>Welcome to the hotel's wifi</h1></html>", "text/html", 200),
        (b"<html>Bad gateway</html>", "text/html", 502),
        (b"", "text/event-stream", 200),
        (b"{}", "application/json", 200),
        (b"event: message_start\ndata: {not json}\n\n", "text/event-stream", 200),
        (b'event: message_start\ndata: {"type": "message_start"}\n\n', "text/event-stream", 200),
        (b'event: message_stop\ndata: {"type": "message_stop"}\n\n', "text/event-stream", 200),
        (b"event: content_block_delta\ndata: []\n\n", "text/event-stream", 200),
        (b'event: message_start\ndata: {"type": "message_start", "message": null}\n\n', "text/event-stream", 200),
        (b"\xff\xfe\x00", "text/event-stream", 200),
    ],
)
def test_a_server_that_does_not_speak_the_protocol_ends_at_a_person(
    model: Scripted, settings, body: bytes, content_type: str, status: int
) -> None:
    with odd_server(body, content_type, status) as url:
        settings.ANTHROPIC_BASE_URL = url
        chat = ask()
    assert Ticket.objects.get().reason in ("model_unavailable", "fault")
    assert_a_person_has_it(chat, Ticket.objects.get().reason)


def test_a_server_that_is_not_there_ends_at_a_person(model: Scripted, settings) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings.ANTHROPIC_BASE_URL = f"http://127.0.0.1:{free.getsockname()[1]}"
    assert_a_person_has_it(ask(), "model_unavailable")


@pytest.mark.parametrize("stop_reason", ["max_tokens", "refusal", "pause_turn", "stop_sequence", "invented"])
@pytest.mark.parametrize("move", [LOOK_UP, say("It is done."), {}], ids=["call", "text", "empty"])
def test_every_other_stop_reason_ends_at_a_person(model: Scripted, move: Move, stop_reason: str) -> None:
    model.plays(move | {"stop_reason": stop_reason})
    assert_a_person_has_it(ask(), "model_unusable")
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    "move",
    [
        {"stop_reason": "end_turn"},
        {"stop_reason": "tool_use"},
        {"text": " \n "},
        {"thinking": "What now?", "stop_reason": "end_turn"},
        LOOK_UP | {"stop_reason": "end_turn"},
        say("It is done.") | {"stop_reason": "tool_use"},
    ],
    ids=["nothing", "no call", "blank", "only thinking", "call that ends", "text that calls"],
)
def test_a_reply_that_contradicts_its_end_is_not_used(model: Scripted, move: Move) -> None:
    model.plays(move)
    assert_a_person_has_it(ask(), "model_unusable")


def test_the_history_stays_valid_after_an_unusable_reply(bob, model: Scripted) -> None:
    model.plays(LOOK_UP | {"stop_reason": "max_tokens"}, say("I am back."))
    chat = ask()
    client = staff_client(bob)
    staff_call(client, chat, "take-over")
    staff_call(client, chat, "hand-back")
    assert run_turns() == 1
    assert chat.texts() == ["I am back."]
    assert LOOK_UP["tool_calls"][0]["name"] not in everything_sent(model)
    assert_requests_extend(model.requests)


def test_one_lost_reply_is_asked_for_again_by_the_client(model: Scripted) -> None:
    model.plays({"status": 529}, say("Here I am."))
    chat = ask()
    assert (chat.texts(), chat.state(), len(model.requests)) == (["Here I am."], "open", 2)


def test_a_model_that_fails_later_keeps_what_was_done_before(model: Scripted) -> None:
    model.plays(LOOK_UP)
    model.rule = lambda body: LOOK_UP if len(body["messages"]) == 1 else {"status": 500}
    chat = ask()
    assert (chat.state(), chat.get().json()["verified"], chat.texts()) == ("with_person", "lookup", [])
    assert Step.objects.filter(kind="result").count() == 1


def test_a_model_that_never_ends_is_stopped_by_the_step_limit(model: Scripted, settings) -> None:
    settings.DESKAGENT_STEPS_TURN = 2
    model.rule = lambda _: call("get_order_details", order_id=SMALL)
    chat = ask()
    assert (len(model.requests), chat.state(), chat.texts()) == (2, "with_person", [])
    assert Ticket.objects.get().reason == "limit"
    assert len(chat.texts("system")) == 1


def test_a_turn_over_its_deadline_ends_at_a_person(model: Scripted, settings) -> None:
    settings.DESKAGENT_TURN_DEADLINE_SECONDS = 1
    model.rule = lambda _: call("get_order_details", order_id=SMALL) | {"delay_ms": 600}
    chat = ask()
    assert (len(model.requests), chat.state()) == (2, "with_person")
    assert Ticket.objects.get().reason == "model_unavailable"


def test_a_chat_without_end_goes_to_a_person_at_the_turn_limit(model: Scripted, settings) -> None:
    settings.DESKAGENT_TURNS_CONVERSATION = 2
    model.rule = lambda _: say("And?")
    chat = start_chat()
    for number in range(3):
        chat.say(f"part {number}")
    assert (len(model.requests), chat.texts(), chat.state()) == (2, ["And?", "And?"], "with_person")
    assert Ticket.objects.get().reason == "limit"


@pytest.mark.parametrize("at_once", [True, False])
def test_five_failed_look_ups_end_at_a_person(model: Scripted, at_once: bool) -> None:
    # The sixth try has the right address: guessing must not pay.
    if at_once:
        wrong = ("find_user_id_by_email", {"email": "nobody@example.com"})
        model.plays(calls(*[wrong] * 5, ("find_user_id_by_email", LOOK_UP["tool_calls"][0]["input"])))
    else:
        model.plays(*[WRONG] * 5, LOOK_UP)
    chat = ask()
    assert (chat.state(), chat.get().json()["verified"]) == ("with_person", None)
    assert Entry.objects.filter(event="verification_failed").count() == 5
    assert not Entry.objects.filter(event="customer_verified").exists()
    assert Ticket.objects.get().reason == "failed_lookups"


def test_the_fifth_look_up_may_still_succeed(model: Scripted) -> None:
    model.plays(*[WRONG] * 4, LOOK_UP, CANCEL_SMALL)
    assert ask().state() == "awaiting_customer"


def test_a_transfer_by_the_model_ends_its_turn_and_runs_nothing_after_it(model: Scripted) -> None:
    transfer = ("transfer_to_human_agents", {"summary": "Wants to cancel."})
    cancel = ("cancel_pending_order", CANCEL_SMALL["tool_calls"][0]["input"])
    model.plays(LOOK_UP, calls(transfer, cancel))
    chat = ask()
    assert (chat.state(), chat.texts(), len(chat.texts("system"))) == ("with_person", [], 1)
    assert ActionRequest.objects.count() == 0
    assert Order.objects.get(number=SMALL).status == "pending"
    ticket = Ticket.objects.get()
    assert (ticket.reason, ticket.summary["model_summary"]) == ("agent", "Wants to cancel.")
    assert "nora_lindahl_1042" in ticket.summary["customer"]


def test_a_fault_in_one_chat_leaves_the_others_alone(model: Scripted) -> None:
    other = answered_chat(model)
    model.rule = lambda _: {"status": 400}
    ask()
    model.rule = lambda _: say("Still here.")
    other.say("Hello?")
    assert other.texts()[-1] == "Still here."
