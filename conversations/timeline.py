"""The numbered events of a conversation: appended under its lock, committed with the change they tell of."""

from typing import Any
from uuid import UUID

from django.utils import timezone

from conversations.broadcast import push_event
from conversations.models import Conversation, Event, Message, Turn
from conversations.queries import SAID, SUM, event_as_json, get_standing, sum_words


def lock_conversation(conversation_id: UUID) -> Conversation:
    """The conversation's row until commit: the first lock of every change in the chat, before the gate's session."""
    return Conversation.objects.select_for_update().get(pk=conversation_id)


def lock_conversation_of(turn_id: int) -> Conversation:
    """The row of a turn's conversation, locked alone."""
    return Conversation.objects.select_for_update(of=("self",)).get(turns=turn_id)


def append(
    conversation: Conversation,
    kind: str,
    body: dict[str, Any],
    *,
    about: UUID | None = None,
    stored: dict[str, Any] | None = None,
) -> Event:
    """The next event; hold the conversation's lock. `stored`: the part of the body that no other row says."""
    conversation.last_seq += 1
    conversation.save(update_fields=["last_seq"])
    own = body if stored is None else stored
    event = Event.objects.create(
        conversation=conversation, seq=conversation.last_seq, kind=kind, about=about, body=own, at=timezone.now()
    )
    push_event(conversation.pk, event_as_json(event, body))
    return event


def was_told(about: UUID, kind: str) -> bool:
    return Event.objects.filter(about=about, kind=kind).exists()


def say(
    conversation: Conversation,
    role: Message.Role,
    text: str,
    *,
    turn: Turn | None = None,
    author: str = "",
    client_id: str | None = None,
    imitation: bool = False,
    about: UUID | None = None,
) -> Message:
    """A message and its event; the text on the screen is the text in the row. `about`: told once, as an event's."""
    body: dict[str, Any] = {"role": role, "text": text, "turn": turn.pk if turn else None, "citations": []}
    own = {name: value for name, value in (("author", author), ("client_id", client_id)) if value}
    rest = {name: value for name, value in body.items() if value and name not in SAID} | {SUM: sum_words(role, text)}
    event = append(conversation, "message", body | own, about=about, stored=rest)
    return Message.objects.create(
        conversation=conversation,
        role=role,
        text=text,
        seq=event.seq,
        turn=turn,
        author=author,
        client_id=client_id,
        imitation=imitation,
    )


def note_state(conversation: Conversation) -> str:
    """The state of now, told by an event where it differs from the one told last."""
    state = get_standing(conversation).state
    last = Event.objects.filter(conversation=conversation, kind="state").order_by("-seq").first()
    if state != (last.body["state"] if last else "open"):
        append(conversation, "state", {"state": state})
    return state
