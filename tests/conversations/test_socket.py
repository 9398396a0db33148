"""The socket: hello first, every event in order and once, and the same refusals as the HTTP API."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import User

from conversations import broadcast
from conversations.models import Conversation
from deskagent.asgi import application
from deskagent.origins import is_allowed
from orders.models import Order
from tests.factories import LARGE, NORA_EMAIL, SMALL, Chat, decide, run_turns, start_chat

pytestmark = pytest.mark.usefixtures("desk")
NOBODYS = "00000000-0000-4000-8000-000000000000"
ASK = f"Please cancel order {SMALL}, I don't need it. I'm {NORA_EMAIL}"


class Socket:
    """One customer's socket, spoken to in frames."""

    def __init__(self, chat: Chat, *, path_id: str = "", origin: bytes | None = None) -> None:
        headers = [(b"host", b"127.0.0.1:8000")] + ([(b"origin", origin)] if origin else [])
        path = f"/ws/v1/conversations/{path_id or chat.id}/"
        self.wire = WebsocketCommunicator(application, path, headers=headers)
        self.token = chat.token

    async def send(self, **frame: Any) -> None:
        await self.wire.send_json_to(frame)

    async def get(self, seconds: float = 5) -> dict[str, Any]:
        frame: dict[str, Any] = await self.wire.receive_json_from(timeout=seconds)
        return frame

    async def until(self, kind: str, **wanted: Any) -> list[dict[str, Any]]:
        """Every frame up to the first of this kind, or the first event of this kind."""
        got = []
        while True:
            frame = await self.get()
            got.append(frame)
            event = frame.get("event", {})
            if kind in (frame["type"], event.get("kind")) and all(event.get(k) == v for k, v in wanted.items()):
                return got

    async def hello(self, after: int = 0) -> dict[str, Any]:
        await self.send(type="hello", token=self.token, after=after)
        return await self.get()


@contextlib.asynccontextmanager
async def connected(chat: Chat, **how: Any) -> AsyncIterator[Socket]:
    socket = Socket(chat, **how)
    accepted, _ = await socket.wire.connect()
    assert accepted
    try:
        yield socket
    finally:
        await socket.wire.disconnect()


async def new_chat() -> Chat:
    return await sync_to_async(start_chat)()


async def work() -> None:
    await sync_to_async(run_turns)()


async def test_a_whole_cancellation_over_the_socket() -> None:
    chat = await new_chat()
    async with connected(chat) as socket:
        assert await socket.hello() == {"type": "ready", "state": "open", "last_seq": 0}
        await socket.send(type="message", client_id="1", text=ASK)
        [own] = await socket.until("message")
        assert (own["event"]["client_id"], own["event"]["seq"]) == ("1", 1)
        await work()
        frames = await socket.until("request")
        assert any(frame["type"] == "typing" for frame in frames)
        request_id = frames[-1]["event"]["request_id"]
        await socket.until("state", state="awaiting_customer")
        await socket.send(type="answer", request_id=request_id, answer="yes")
        await socket.until("receipt")
        await work()
        frames = await socket.until("message", role="agent")
        deltas = [frame for frame in frames if frame["type"] == "delta"]
        text = frames[-1]["event"]["text"]
        assert "".join(delta["text"] for delta in deltas) == text
        assert deltas[0]["offset"] == 0
    order = await sync_to_async(Order.objects.get)(number=SMALL)
    assert order.status == "cancelled"


async def test_a_staff_decision_reaches_the_open_socket(bob: User) -> None:
    chat = await new_chat()
    text = ASK.replace(SMALL, LARGE)
    await sync_to_async(chat.say)(text)
    await sync_to_async(chat.press)("yes")
    async with connected(chat) as socket:
        ready = await socket.hello()
        assert ready["state"] == "under_review"
        await socket.until("state", state="under_review")
        request_id = (await sync_to_async(chat.card)())["request_id"]
        await sync_to_async(decide)(bob, request_id, "approve")
        await socket.until("receipt", order_id=LARGE)


async def test_the_events_of_a_commit_are_pushed_together() -> None:
    chat = await new_chat()
    layer = get_channel_layer()
    broadcast.attach_loop()
    channel = await layer.new_channel()
    await layer.group_add(broadcast.group_of(uuid.UUID(chat.id)), channel)
    await sync_to_async(chat.say)(ASK)
    pushed = []
    while sum(map(len, pushed)) < len(await sync_to_async(chat.events)()):
        message = await asyncio.wait_for(layer.receive(channel), 10)
        pushed += [message["events"]] if message["type"] == "chat.events" else []
    assert [event for events in pushed for event in events] == await sync_to_async(chat.events)()
    assert {event["kind"] for event in pushed[-1]} == {"request", "state"}


async def test_events_come_in_order_once_and_gaps_are_read_again() -> None:
    chat = await new_chat()
    await sync_to_async(chat.say)("hello")
    await sync_to_async(chat.say)("and again")
    events = await sync_to_async(chat.events)()
    async with connected(chat) as socket:
        assert (await socket.hello(after=1))["last_seq"] == len(events)
        seen = [(await socket.get())["event"]["seq"] for _ in events[1:]]
        assert seen == list(range(2, len(events) + 1))
        # A push of an old event is dropped, one from the future makes the rows be read.
        broadcast.push(uuid.UUID(chat.id), {"type": "chat.events", "events": [events[0]]})
        broadcast.push(uuid.UUID(chat.id), {"type": "chat.events", "events": [events[-1] | {"seq": 99}]})
        await sync_to_async(chat.send)("third")
        frame = await socket.get()
        assert frame["event"]["seq"] == len(events) + 1
        assert await socket.wire.receive_nothing()


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{{{", "invalid"),
        ("[]", "invalid"),
        ('"text"', "invalid"),
        ("[" * 50_000, "invalid"),
        ('{"type": "dance"}', "invalid"),
        ('{"type": "message", "client_id": 5, "text": "x"}', "invalid"),
        ('{"type": "message", "client_id": "a b", "text": "x"}', "invalid"),
        ('{"type": "message", "client_id": "1", "text": null}', "invalid"),
        ('{"type": "message", "client_id": "1", "text": "   "}', "invalid"),
        ('{"type": "message", "client_id": "1", "text": "' + "x" * 4_001 + '"}', "too_long"),
        ('{"type": "answer", "request_id": "1", "answer": "yes"}', "invalid"),
        ('{"type": "answer", "request_id": "' + NOBODYS + '", "answer": "maybe"}', "invalid"),
        ('{"type": "answer", "request_id": "' + NOBODYS + '", "answer": "yes"}', "not_open"),
    ],
)
async def test_a_bad_frame_gets_an_error_and_the_chat_lives_on(frame: str, code: str) -> None:
    chat = await new_chat()
    async with connected(chat) as socket:
        await socket.hello()
        await socket.wire.send_to(text_data=frame)
        answer = await socket.get()
        assert (answer["type"], answer["code"]) == ("error", code)
        await socket.send(type="message", client_id="ok", text="hello")
        await socket.until("message", client_id="ok")


async def test_nothing_works_before_hello_and_binary_frames_are_refused() -> None:
    chat = await new_chat()
    async with connected(chat) as socket:
        await socket.send(type="message", client_id="1", text="hello")
        assert (await socket.get())["code"] == "invalid"
        await socket.wire.send_to(bytes_data=b"\x00\xff")
        assert (await socket.get())["code"] == "invalid"
        await socket.send(type="ping")
        assert await socket.get() == {"type": "pong"}
    assert await sync_to_async(chat.events)() == []


@pytest.mark.parametrize("wrong", ["token", "id", "unknown"])
async def test_mallory_gets_the_same_refusal_whatever_she_tries(wrong: str) -> None:
    chat, hers = await new_chat(), await new_chat()
    await sync_to_async(chat.say)("secret words")
    path_id = {"token": chat.id, "id": chat.id, "unknown": str(uuid.uuid4())}[wrong]
    async with connected(hers, path_id=path_id) as socket:
        token = "nonsense" if wrong == "token" else hers.token
        await socket.send(type="hello", token=token, after=0)
        assert await socket.get() == {
            "type": "error",
            "code": "not_found",
            "detail": "There is no such conversation.",
        }
        assert (await socket.wire.receive_output(5))["code"] == 4404


async def test_the_storefronts_sign_out_ends_token_and_socket() -> None:
    chat = await new_chat()
    async with connected(chat) as socket, connected(chat) as deaf:
        await socket.hello()
        await deaf.hello()
        url = f"/api/v1/conversations/{chat.id}/session/"
        headers = {"Authorization": f"Bearer {chat.token}"}
        answer = await sync_to_async(chat.client.delete)(url, headers=headers)
        assert answer.status_code == 204
        assert (await socket.wire.receive_output(5))["type"] == "websocket.close"
    answer = await sync_to_async(chat.get)()
    assert answer.status_code == 404


async def test_a_sign_out_whose_push_was_lost_ends_the_socket_with_its_next_ping() -> None:
    chat = await new_chat()
    async with connected(chat) as socket:
        await socket.hello()
        await Conversation.objects.filter(pk=chat.id).aupdate(token_hash="ended")
        await socket.send(type="ping")
        assert (await socket.get())["code"] == "not_found"
        assert (await socket.wire.receive_output(5))["type"] == "websocket.close"


async def test_a_frame_with_an_ended_token_opens_nothing() -> None:
    chat = await new_chat()
    async with connected(chat) as socket:
        await socket.hello()
        # As if the push that closes sockets had been lost.
        await sync_to_async(Conversation.objects.filter(pk=chat.id).update)(token_hash="ended")
        await socket.send(type="message", client_id="1", text="hello")
        assert (await socket.get())["code"] == "not_found"


async def test_a_blocked_socket_shows_exactly_what_is_stored() -> None:
    """300 deltas to a consumer that does nothing for a while: the message that follows is whole, in order, once."""
    chat = await new_chat()
    async with connected(chat) as socket:
        await socket.hello()
        for number in range(300):
            delta = {"type": "chat.delta", "turn": 1, "offset": number, "text": "x"}
            broadcast.push(uuid.UUID(chat.id), delta)
        await sync_to_async(chat.say)("hello")
        await asyncio.sleep(0.5)
        frames = await socket.until("message", role="agent")
    events = [frame["event"] for frame in frames if frame["type"] == "event"]
    assert events == await sync_to_async(chat.events)()


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        (None, "127.0.0.1:8000", True),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("http://localhost:8000", "localhost:8000", True),
        ("http://127.0.0.1:8001", "127.0.0.1:8000", False),
        ("https://127.0.0.1:8000", "127.0.0.1:8000", False),
        ("http://evil.example", "127.0.0.1:8000", False),
        ("http://evil.example", "evil.example", False),
        ("null", "127.0.0.1:8000", False),
        ("https://shop.example", "127.0.0.1:8000", True),
        ("http://shop.example", "127.0.0.1:8000", False),
        ("https://shop.example.evil.example", "127.0.0.1:8000", False),
    ],
)
def test_origins_count_with_scheme_host_and_port(settings: Any, origin: str | None, host: str, allowed: bool) -> None:
    settings.DESKAGENT_WIDGET_ORIGINS = ["https://shop.example"]
    assert is_allowed(origin, host) is allowed


async def test_a_page_of_another_origin_cannot_open_the_socket() -> None:
    chat = await new_chat()
    socket = Socket(chat, origin=b"http://evil.example")
    accepted, code = await socket.wire.connect()
    assert (accepted, code) == (False, 4403)
