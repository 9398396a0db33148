"""A socket's limits: one count for frames and calls, and an end for garbage, floods and too many sockets."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from pytest_django.fixtures import Settings

from conversations.consumers import OPEN
from tests.conversations.helpers import PERSON
from tests.conversations.test_socket import Socket
from tests.factories import Chat

pytestmark = pytest.mark.usefixtures("desk")


async def new_chat(address: str) -> Chat:
    return await sync_to_async(Chat(client=Client(REMOTE_ADDR=address)).start)()


@pytest.fixture
def address() -> str:
    return f"2001:db8:{uuid.uuid4().hex[:4]}:{uuid.uuid4().hex[:4]}::1"


@contextlib.asynccontextmanager
async def connected(chat: Chat, address: str) -> AsyncIterator[Socket]:
    socket = Socket(chat)
    socket.wire.scope["client"] = [address, 4711]
    accepted, _ = await socket.wire.connect()
    assert accepted
    try:
        yield socket
    finally:
        await socket.wire.disconnect()


async def assert_ends(socket: Socket, code: str, status: int) -> None:
    """The last frame says why; then the socket is closed."""
    frame = await socket.get()
    while frame["type"] != "error" or frame["code"] != code:
        frame = await socket.get()
    assert frame["detail"]
    assert await socket.wire.receive_output(5) == {"type": "websocket.close", "code": status}


async def test_frames_and_calls_share_one_count(settings: Settings, address: str) -> None:
    settings.DESKAGENT_MESSAGES_CONVERSATION_MINUTE = 3
    chat = await new_chat(address)
    assert (await sync_to_async(chat.send)("by HTTP")).status_code == 202
    async with connected(chat, address) as socket:
        await socket.hello(after=1)
        for number in range(4):
            await socket.send(type="message", client_id=f"s{number}", text="by socket")
        refused = (await socket.until("error"))[-1]
        assert (refused["code"], refused["client_id"]) == ("slow_down", "s2")
        assert 1 <= refused["retry_after"] <= 60
        assert (await socket.until("error"))[-1]["client_id"] == "s3"
        assert (await sync_to_async(chat.send)("by HTTP again")).status_code == 429
        await socket.send(type="message", client_id="s4", text=PERSON)
        await socket.until("state", state="with_person")
    assert len(await sync_to_async(chat.texts)("customer")) == 4


async def test_sockets_share_an_addresss_count(settings: Settings, address: str) -> None:
    settings.DESKAGENT_MESSAGES_ADDRESS_MINUTE = 2
    first, second = await new_chat(address), await new_chat(address)
    async with connected(first, address) as one, connected(second, address) as two:
        await one.hello()
        await two.hello()
        await one.send(type="message", client_id="1", text="Hello")
        await one.until("message", client_id="1")
        await two.send(type="message", client_id="2", text="Hello")
        await two.until("message", client_id="2")
        for socket in (one, two):
            await socket.send(type="handoff")
            assert (await socket.until("error"))[-1]["code"] == "slow_down"


async def test_garbage_ends_a_socket(settings: Settings, address: str) -> None:
    settings.DESKAGENT_BAD_FRAMES_SOCKET = 3
    async with connected(await new_chat(address), address) as socket:
        for _ in range(5):
            await socket.wire.send_to(text_data="garbage")
        for _ in range(3):
            assert (await socket.get())["code"] == "invalid"
        await assert_ends(socket, "invalid", 4400)
        # What followed the end is not read.
        assert await socket.wire.receive_nothing()


async def test_a_second_hello_sends_nothing_again(address: str) -> None:
    """A chat's whole history, asked for with twenty bytes as often as frames are allowed, is a flood."""
    chat = await new_chat(address)
    await sync_to_async(chat.send)("one")
    async with connected(chat, address) as socket:
        await socket.hello()
        assert [frame["type"] for frame in await socket.until("message")] == ["event"]
        assert (await socket.hello())["type"] == "ready"
        await socket.send(type="ping")
        assert (await socket.get())["type"] == "pong"


async def test_a_flood_of_frames_ends_a_socket(settings: Settings, address: str) -> None:
    settings.DESKAGENT_FRAMES_SOCKET_MINUTE = 4
    async with connected(await new_chat(address), address) as socket:
        await socket.hello()
        for _ in range(4):
            await socket.send(type="ping")
        await assert_ends(socket, "slow_down", 4429)


async def test_a_chat_is_open_in_so_many_sockets_and_a_closed_one_makes_room(settings: Settings, address: str) -> None:
    settings.DESKAGENT_SOCKETS_CONVERSATION = 2
    chat, other = await new_chat(address), await new_chat(address)
    async with connected(chat, address) as first:
        await first.hello()
        # A hello again is the same socket.
        await first.hello()
        async with connected(chat, address) as second, connected(chat, address) as third:
            await second.hello()
            await third.send(type="hello", token=chat.token, after=0)
            await assert_ends(third, "slow_down", 4429)
            async with connected(other, address) as elsewhere:
                assert (await elsewhere.hello())["type"] == "ready"
        async with connected(chat, address) as again:
            assert (await again.hello())["type"] == "ready"


async def test_a_stranger_uses_up_nobodys_sockets(settings: Settings, address: str) -> None:
    settings.DESKAGENT_SOCKETS_CONVERSATION = 1
    chat = await new_chat(address)
    async with connected(chat, address) as stranger:
        async with connected(chat, address) as socket:
            assert (await socket.hello())["type"] == "ready"
        await stranger.send(type="hello", token="wrong", after=0)
        await assert_ends(stranger, "not_found", 4404)


async def test_an_address_opens_so_many_sockets_and_leaves_no_trace(settings: Settings, address: str) -> None:
    settings.DESKAGENT_SOCKETS_ADDRESS = 2
    chat = await new_chat(address)
    before = dict(OPEN._counts)
    async with connected(chat, address) as first, connected(chat, address), connected(chat, address) as third:
        assert (await first.hello())["type"] == "ready"
        await assert_ends(third, "slow_down", 4429)
        async with connected(chat, "192.0.2.7") as elsewhere:
            assert (await elsewhere.hello())["type"] == "ready"
    async with connected(chat, address) as again:
        assert (await again.hello())["type"] == "ready"
    assert dict(OPEN._counts) == before


async def test_a_socket_that_breaks_off_makes_room_too(address: str) -> None:
    chat = await new_chat(address)
    before = dict(OPEN._counts)
    socket = Socket(chat)
    socket.wire.scope["client"] = [address, 4711]
    assert (await socket.wire.connect())[0]
    await socket.hello()
    assert dict(OPEN._counts) != before
    socket.wire.future.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await socket.wire.future
    assert dict(OPEN._counts) == before
