"""The chat's socket: the same calls as the HTTP API, and every event pushed in order, once."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import connection

from approvals.addresses import address_of_scope
from approvals.limits import Meter, SlowDown
from approvals.operations import NotOpen
from conversations import broadcast, operations
from conversations.models import Conversation
from conversations.open_sockets import OpenSockets
from conversations.operations.posting import CLIENT_ID
from conversations.queries import ConversationNotFound, get_conversation_for_token, get_standing, list_events

HELLO_SECONDS = 5.0
# Channels runs database calls of all consumers on one thread; a pool of our own lets chats not wait for each other.
POOL = ThreadPoolExecutor(16, thread_name_prefix="socket")
OPEN = OpenSockets()
PROTOCOL_ERROR, NO_SESSION, TOO_MANY = 4400, 4404, 4429
REFUSALS: dict[type[Exception], str] = {
    operations.Blank: "invalid",
    operations.MessageTooLong: "too_long",
    operations.UnderReview: "under_review",
    operations.ConversationClosed: "closed",
    NotOpen: "not_open",
    SlowDown: "slow_down",
}
Frame = dict[str, Any]


class Malformed(Exception):
    """The frame is not one of the contract's; the socket stays open."""


class ChatConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One customer's socket. It answers nothing before a valid `hello`."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.counted: list[str] = []
        try:
            await super().__call__(scope, receive, send)
        finally:
            # However it ends: a consumer that fails or is cancelled is not told of a disconnect.
            for key in self.counted:
                OPEN.leave(key)

    async def dispatch(self, message: Frame) -> None:
        """Without the look for old connections that channels takes for every frame and push, on one thread for all
        sockets: this consumer's database calls end their own."""
        await getattr(self, message["type"].replace(".", "_"))(message)

    async def connect(self) -> None:
        broadcast.attach_loop()
        self.conversation_id: UUID = self.scope["url_route"]["kwargs"]["conversation_id"]
        self.token = ""
        self.last_seq = -1
        self.address = address_of_scope(self.scope)
        self.frames = Meter(settings.DESKAGENT_FRAMES_SOCKET_MINUTE, 60)
        self.bad_frames = Meter(settings.DESKAGENT_BAD_FRAMES_SOCKET)
        self.over = False
        await self.accept()
        self.hello_timer = asyncio.get_running_loop().call_later(HELLO_SECONDS, self._give_up)
        if not self._count(self.address, settings.DESKAGENT_SOCKETS_ADDRESS):
            await self._end(TOO_MANY, "slow_down", "There are too many open chats from your network.")

    async def disconnect(self, code: int) -> None:
        self.hello_timer.cancel()
        await self.channel_layer.group_discard(broadcast.group_of(self.conversation_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.over:
            return
        if not self.frames.take():
            await self._end(TOO_MANY, "slow_down", "Too many frames on this socket. Connect again in a minute.")
            return
        try:
            await self._answer(_parse(text_data))
        except Malformed as error:
            if self.bad_frames.take():
                await self._send_error("invalid", str(error))
            else:
                await self._end(PROTOCOL_ERROR, "invalid", str(error))
        except ConversationNotFound:
            await self._end(NO_SESSION, "not_found", "There is no such conversation.")

    async def chat_events(self, message: Frame) -> None:
        """Pushed events of one commit: each is sent if it is the next one; one before it that was missed is read."""
        for event in message["events"]:
            if event["seq"] == self.last_seq + 1:
                await self._send_event(event)
            elif event["seq"] > self.last_seq >= 0:
                await self._catch_up()

    async def chat_delta(self, message: Frame) -> None:
        await self._send({"type": "delta", **{name: message[name] for name in ("turn", "offset", "text")}})

    async def chat_typing(self, message: Frame) -> None:
        await self._send({"type": "typing", "seconds": message["seconds"]})

    async def chat_end(self, message: Frame) -> None:
        await self.close(NO_SESSION)

    async def _answer(self, frame: Frame) -> None:
        kind = frame.get("type")
        if kind == "ping":
            # A push may be lost: a client that asks whether we live gets what it missed, and the end of its token.
            if self.last_seq >= 0:
                await _in_thread(_find, self.conversation_id, self.token)
            await self._send({"type": "pong"})
            if self.last_seq >= 0:
                await self._catch_up()
        elif kind == "hello":
            await self._hello(frame)
        elif self.last_seq < 0:
            raise Malformed("say hello first")
        elif kind == "message":
            await self._act(frame, _post_message, _text(frame, "client_id"), _text(frame, "text"))
        elif kind == "answer":
            await self._act(frame, _answer_card, _uuid(frame, "request_id"), _choice(frame, "answer", ("yes", "no")))
        elif kind == "handoff":
            await self._act(frame, _ask_for_person)
        else:
            raise Malformed("type: unknown frame")

    async def _hello(self, frame: Frame) -> None:
        after = frame.get("after", 0)
        if not isinstance(after, int) or isinstance(after, bool) or not 0 <= after < 2**31:
            raise Malformed("after: a whole number from 0")
        self.token = _text(frame, "token")
        standing = await _in_thread(_stand, self.conversation_id, self.token)
        self.hello_timer.cancel()
        # Counted with a right token only: nobody else can use a chat's sockets up.
        again = self.last_seq >= 0
        if not again and not self._count(str(self.conversation_id), settings.DESKAGENT_SOCKETS_CONVERSATION):
            await self._end(TOO_MANY, "slow_down", "This chat is open too often. Close other windows of it.")
            return
        # Joined before reading, so that nothing falls between the rows read and the first push.
        await self.channel_layer.group_add(broadcast.group_of(self.conversation_id), self.channel_name)
        await self._send({"type": "ready", **standing})
        # What this socket got before it is not sent again.
        self.last_seq = min(max(after, self.last_seq), standing["last_seq"])
        await self._catch_up()

    async def _act(self, frame: Frame, call: Callable[..., None], *arguments: Any) -> None:
        """Run one call of the domain for this token; a refusal goes back with the frame's own id."""
        try:
            await _in_thread(call, self.conversation_id, self.token, self.address, *arguments)
        except tuple(REFUSALS) as error:
            own = {name: frame[name] for name in ("client_id", "request_id") if isinstance(frame.get(name), str)}
            if isinstance(error, SlowDown):
                own["retry_after"] = error.retry_after
            await self._send_error(REFUSALS[type(error)], str(error), **own)

    async def _catch_up(self) -> None:
        while events := await _in_thread(_read_events, self.conversation_id, self.last_seq):
            for event in events:
                if event["seq"] > self.last_seq:
                    await self._send_event(event)

    async def _send_event(self, event: Frame) -> None:
        self.last_seq = event["seq"]
        await self._send({"type": "event", "event": event})

    async def _send_error(self, code: str, detail: str, **own: Any) -> None:
        await self._send({"type": "error", "code": code, "detail": detail, **own})

    async def _end(self, status: int, code: str, detail: str) -> None:
        """The last frame says why; what the client sent in the meantime is not read."""
        self.over = True
        await self._send_error(code, detail)
        await self.close(status)

    def _count(self, key: str, most: int) -> bool:
        fits = OPEN.enter(key, most)
        if fits:
            self.counted.append(key)
        return fits

    async def _send(self, frame: Frame) -> None:
        await self.send(text_data=json.dumps(frame))

    def _give_up(self) -> None:
        asyncio.ensure_future(self.close(PROTOCOL_ERROR))  # noqa: RUF006 - the socket is gone with it


async def _in_thread(call: Callable[..., Any], *arguments: Any) -> Any:
    return await asyncio.get_running_loop().run_in_executor(POOL, _with_connection, call, *arguments)


def _with_connection(call: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return call(*arguments)
    finally:
        # Given back at once: a pool of threads must not hold as many connections.
        connection.close()


def _stand(conversation_id: UUID, token: str) -> Frame:
    conversation = get_conversation_for_token(conversation_id=conversation_id, token=token)
    return {"state": get_standing(conversation).state, "last_seq": conversation.last_seq}


def _read_events(conversation_id: UUID, after: int) -> list[Frame]:
    return list_events(conversation_id=conversation_id, after=after)


def _find(conversation_id: UUID, token: str) -> Conversation:
    """Asked again for each frame: a token that ended since opens nothing."""
    return get_conversation_for_token(conversation_id=conversation_id, token=token)


def _post_message(conversation_id: UUID, token: str, address: str, client_id: str, text: str) -> None:
    _find(conversation_id, token)
    operations.receive_message(conversation_id=conversation_id, client_id=client_id, text=text, address=address)


def _answer_card(conversation_id: UUID, token: str, address: str, request_id: UUID, answer: str) -> None:
    _find(conversation_id, token)
    operations.receive_answer(conversation_id=conversation_id, request_id=request_id, answer=answer, address=address)


def _ask_for_person(conversation_id: UUID, token: str, address: str) -> None:
    _find(conversation_id, token)
    operations.receive_handoff(conversation_id=conversation_id, address=address)


def _parse(text: str | None) -> Frame:
    try:
        frame = json.loads(text or "")
    except (ValueError, RecursionError) as error:
        raise Malformed("a frame is one JSON object") from error
    if not isinstance(frame, dict):
        raise Malformed("a frame is one JSON object")
    return frame


def _text(frame: Frame, name: str) -> str:
    value = frame.get(name)
    if not isinstance(value, str):
        raise Malformed(f"{name}: must be a string")
    if name == "client_id" and not CLIENT_ID.fullmatch(value):
        raise Malformed("client_id: 1 to 64 letters, digits or . _ : -")
    return value


def _choice(frame: Frame, name: str, choices: tuple[str, ...]) -> str:
    value = _text(frame, name)
    if value not in choices:
        raise Malformed(f"{name}: must be {' or '.join(choices)}")
    return value


def _uuid(frame: Frame, name: str) -> UUID:
    try:
        return UUID(_text(frame, name))
    except ValueError as error:
        raise Malformed(f"{name}: must be an id") from error
