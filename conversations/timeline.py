"""The numbered events of a conversation: appended under its lock, committed with the change they tell of."""

from typing import Any
from uuid import UUID

from django.utils import timezone

from approvals.models import CustomerSession
from approvals.sessions import lock_session
from audit.statements import Rows, Slot, Tuples, insert, save
from conversations.broadcast import push_event
from conversations.models import Conversation, Event, Message, Turn
from conversations.queries import event_as_json, read_state

_ABOUT = Slot("about", Event._meta.get_field("about"))
_LOCKED = Rows(lambda: Conversation.objects.select_for_update().filter(pk=Slot("pk", Conversation._meta.pk)))
_WITH_TURN = Rows(
    lambda: (
        Turn.objects.select_for_update(of=("self", "conversation"))
        .select_related("conversation")
        .filter(pk=Slot("turn", Turn._meta.pk))
    )
)
_TOLD = Tuples(
    lambda: Event.objects.filter(about=_ABOUT, kind=Slot("kind", Event._meta.get_field("kind"))).values_list("pk")
)
_TOLD_KINDS = Tuples(lambda: Event.objects.filter(about=_ABOUT).values_list("kind"))


def lock_conversation(conversation_id: UUID) -> Conversation:
    """The conversation's row until commit: the first lock of every change in the chat, before the gate's session."""
    return _LOCKED.get(pk=conversation_id)


def lock_turn(turn_id: int) -> tuple[Conversation, Turn, CustomerSession]:
    """A turn and its conversation, and then the gate's session, each locked until commit."""
    turn = _WITH_TURN.get(turn=turn_id)
    return turn.conversation, turn, session_of(turn.conversation)


def session_of(conversation: Conversation) -> CustomerSession:
    """The gate's session, locked with the conversation; asked for once a transaction."""
    if conversation.session is None:
        conversation.session = lock_session(conversation.pk)
    return conversation.session


def append(conversation: Conversation, kind: str, body: dict[str, Any], *, about: UUID | None = None) -> Event:
    """The next event; hold the conversation's lock."""
    conversation.last_seq += 1
    save(conversation, "last_seq")
    event = Event(
        conversation=conversation, seq=conversation.last_seq, kind=kind, about=about, body=body, at=timezone.now()
    )
    insert(event)
    push_event(conversation.pk, event_as_json(event))
    return event


def was_told(about: UUID, kind: str) -> bool:
    return _TOLD.first(about=about, kind=kind) is not None


def list_told(about: UUID) -> set[str]:
    """The kinds of events that told of it."""
    return {kind for (kind,) in _TOLD_KINDS.list(about=about)}


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
    event = append(conversation, "message", body | own, about=about)
    message = Message(
        conversation=conversation,
        role=role,
        text=text,
        seq=event.seq,
        turn=turn,
        author=author,
        client_id=client_id,
        imitation=imitation,
    )
    insert(message)
    return message


def note_state(conversation: Conversation) -> str:
    """The state of now, told by an event where it differs from the one told last."""
    state, told = read_state(conversation, session_of(conversation))
    if state != told:
        append(conversation, "state", {"state": state})
    return state
