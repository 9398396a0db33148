"""Invariant 10: each message of a customer is somebody's to answer, each turn ended in one way, and the screen shows
what is stored."""

from base64 import b64encode
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q

from conversations.models import Conversation, Event, Message, Ticket, Turn
from eval.books.lines import Line, make_line

CHUNK = 1_000
# In which way a turn may end; one that is not over has ended in none.
ENDS = {
    Turn.State.WAITING: {"card"},
    Turn.State.DONE: {"message", "card"},
    Turn.State.FAILED: {"notice"},
    Turn.State.WITH_PERSON: {"notice", "person"},
}


def check_answers() -> Line:
    tickets: dict[UUID, list[Ticket]] = defaultdict(list)
    for ticket in Ticket.objects.order_by("opened_at"):
        tickets[ticket.conversation_id].append(ticket)
    customers = Message.objects.filter(role=Message.Role.CUSTOMER)
    faults = [*_messages(tickets), *_turns(tickets), *_screen(), *_numbers()]
    return make_line(10, "answers", customers.count() + Turn.objects.count(), faults)


def _messages(tickets: dict[UUID, list[Ticket]]) -> Iterator[str]:
    """A customer's message has a turn of its own chat, or was said while a person had it or was called for by it."""
    said: dict[UUID, list[Message]] = defaultdict(list)
    for message in Message.objects.select_related("turn").order_by("conversation_id", "seq"):
        said[message.conversation_id].append(message)
    for conversation, messages in said.items():
        for place, message in enumerate(messages):
            if message.role != Message.Role.CUSTOMER:
                continue
            name = f"message {message.seq} of {conversation}"
            following = messages[place + 1].created_at if place + 1 < len(messages) else None
            if message.turn is not None and message.turn.conversation_id != conversation:
                yield f"{name} belongs to another chat's turn"
            elif message.turn is None and not _has_a_person(message, following, tickets[conversation]):
                yield f"{name} belongs to no turn and to no person"
    causes = Turn.objects.filter(cause__in=["message", "words"]).select_related("origin").order_by("pk")
    for turn in causes:
        if turn.origin is None or turn.origin.turn_id != turn.pk:
            yield f"turn {turn.pk} was opened by a message that is not its own"


def _has_a_person(message: Message, following: datetime | None, tickets: list[Ticket]) -> bool:
    """During a ticket, or right before one: the message that asks for a person opens it, and nothing is between."""
    said_at = message.created_at
    during = any(t.opened_at <= said_at and (t.closed_at is None or t.closed_at >= said_at) for t in tickets)
    opened = min((t.opened_at for t in tickets if t.opened_at >= said_at), default=None)
    return during or (opened is not None and (following is None or following >= opened))


def _turns(tickets: dict[UUID, list[Ticket]]) -> Iterator[str]:
    words = Turn.objects.annotate(
        agent=Count("messages", filter=Q(messages__role=Message.Role.AGENT), distinct=True),
        notices=Count("messages", filter=Q(messages__role=Message.Role.SYSTEM), distinct=True),
    )
    notices = _times_of_notices()
    for turn in words.order_by("pk"):
        with_person = turn.state == Turn.State.WITH_PERSON and (
            bool(tickets[turn.conversation_id]) or _any_since(notices[turn.conversation_id], turn.created_at)
        )
        ends = {
            "message": turn.agent,
            "card": int(turn.request_id is not None and turn.state in (Turn.State.DONE, Turn.State.WAITING)),
            "notice": turn.notices,
            "person": int(with_person and not turn.notices),
        }
        allowed = ENDS.get(Turn.State(turn.state), set())
        fitting = sum(count for what, count in ends.items() if what in allowed)
        if sum(ends.values()) != fitting or fitting != bool(allowed):
            told = ", ".join(f"{count} {what}" for what, count in ends.items() if count) or "nothing"
            yield f"turn {turn.pk} is {turn.state} and ended in {told}"
    yield from _cards()


def _times_of_notices() -> dict[UUID, list[datetime]]:
    found: dict[UUID, list[datetime]] = defaultdict(list)
    rows = Message.objects.filter(role=Message.Role.SYSTEM).order_by("created_at")
    for conversation, at in rows.values_list("conversation_id", "created_at"):
        found[conversation].append(at)
    return found


def _any_since(times: list[datetime], at: datetime) -> bool:
    return bisect_right(times, at) < len(times)


def _cards() -> Iterator[str]:
    """A card was shown once and at most once closed, in the chat whose turn asked."""
    shown: Counter[tuple[Any, Any]] = Counter()
    for kind, about in Event.objects.filter(kind__in=["request", "request_closed"]).values_list("kind", "about"):
        shown[kind, about] += 1
    for (kind, about), count in shown.items():
        if count > 1:
            yield f"{kind} {about} was told {count} times"
    asked: Counter[Any] = Counter(
        Turn.objects.exclude(request_id=None).exclude(state=Turn.State.RUNNING).values_list("request_id", flat=True)
    )
    for about, count in asked.items():
        if count > 1:
            yield f"request {about} ended {count} turns"


def _screen() -> Iterator[str]:
    """Messages and their events, walked side by side in the same order."""
    rows = {
        (conversation, seq): (role, text)
        for conversation, seq, role, text in Message.objects.values_list("conversation_id", "seq", "role", "text")
    }
    events = Event.objects.filter(kind="message").order_by("conversation_id", "seq")
    for event in events.iterator(chunk_size=CHUNK):
        name = f"event {event.seq} of {event.conversation_id}"
        row = rows.pop((event.conversation_id, event.seq), None)
        if row is None:
            yield f"{name} shows a message that is not stored"
        elif not _shows(event.body, *row):
            yield f"{name} shows other words than are stored"
    for conversation, seq in rows:
        yield f"message {seq} of {conversation} was never shown"


def _shows(body: dict[str, Any], role: str, text: str) -> bool:
    """An event is shown with the words of its message's row, whose sum it holds; one of older code has its own."""
    if (body.get("role", role), body.get("text", text)) != (role, text):
        return False
    whole = sha256(f"{role}\n{text}".encode("utf-8", "surrogatepass")).digest()
    return "text" in body or body.get("sum") == b64encode(whole[:12]).decode()


def _numbers() -> Iterator[str]:
    """Numbered 1, 2, 3 without a hole, up to what the conversation counts."""
    counted = Conversation.objects.annotate(count=Count("events"), last=Max("events__seq"))
    for conversation in counted.order_by("created_at"):
        if not conversation.count == (conversation.last or 0) == conversation.last_seq:
            yield f"{conversation.pk} counts {conversation.last_seq} events and has {conversation.count}"
