"""The numbered events of a conversation: appended under its lock, committed with the change they tell of."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.utils import timezone

from approvals.models import CustomerSession
from approvals.sessions import lock_session
from audit.joined import Joined
from audit.statements import Slot, Tuples, insert, save
from conversations.broadcast import push_events
from conversations.models import Conversation, Event, Message, Turn
from conversations.queries import SAID, SUM, event_as_json, read_state, sum_words
from orders.models import Customer

_ABOUT = Slot("about", Event._meta.get_field("about"))
_CHAT = """{chat} JOIN {session} ON session.conversation = chat.id
    LEFT JOIN {customer} ON customer.id = session.customer_id"""
_MODELS = {"chat": Conversation, "session": CustomerSession, "customer": Customer}
_LOCKED = Joined(_MODELS, f"{_CHAT} WHERE chat.id = %s", [Slot("pk", Conversation._meta.pk)], locks=("chat", "session"))
_WITH_TURN = Joined(
    {**_MODELS, "turn": Turn},
    f"{_CHAT} JOIN {{turn}} ON turn.conversation_id = chat.id WHERE turn.id = %s",
    [Slot("turn", Turn._meta.pk)],
    locks=("chat", "session", "turn"),
)
_TOLD = Tuples(
    lambda: Event.objects.filter(about=_ABOUT, kind=Slot("kind", Event._meta.get_field("kind"))).values_list("pk")
)


def lock_conversation(conversation_id: UUID) -> Conversation:
    """The conversation's row and the gate's session until commit: the first locks of every change in the chat."""
    found = _LOCKED.first(pk=conversation_id)
    if found is None:
        raise Conversation.DoesNotExist(f"no conversation {conversation_id}")
    conversation: Conversation = found[0]
    conversation.session = _with_customer(found[1], found[2])
    return conversation


def lock_turn(turn_id: int) -> tuple[Conversation, Turn, CustomerSession]:
    """A turn, its conversation and the gate's session, each locked until commit."""
    found = _WITH_TURN.first(turn=turn_id)
    if found is None:
        raise Turn.DoesNotExist(f"no turn {turn_id}")
    conversation, session, customer, turn = found
    conversation.session = _with_customer(session, customer)
    turn.conversation = conversation
    return conversation, turn, session


def _with_customer(session: CustomerSession, customer: Customer | None) -> CustomerSession:
    # Where they were verified while this waited for the locks it is another one: asked for when needed.
    if session.customer_id == (customer.pk if customer else None):
        session.customer = customer
    return session


def session_of(conversation: Conversation) -> CustomerSession:
    """The gate's session, locked with the conversation."""
    if conversation.session is None:
        conversation.session = lock_session(conversation.pk)
    return conversation.session


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
    save(conversation, "last_seq")
    own = body if stored is None else stored
    event = Event(
        conversation=conversation, seq=conversation.last_seq, kind=kind, about=about, body=own, at=timezone.now()
    )
    insert(event)
    if conversation.unsent is None:
        conversation.unsent = []
    conversation.unsent.append(event_as_json(event, body))
    push_events(conversation.pk, conversation.unsent)
    return event


def was_told(about: UUID, kind: str) -> bool:
    return _TOLD.first(about=about, kind=kind) is not None


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
    citations: Iterable[dict[str, Any]] = (),
) -> Message:
    """A message and its event; the text on the screen is the text in the row. `about`: told once, as an event's."""
    cited = list(citations)
    body: dict[str, Any] = {"role": role, "text": text, "turn": turn.pk if turn else None, "citations": cited}
    own = {name: value for name, value in (("author", author), ("client_id", client_id)) if value}
    rest = {name: value for name, value in body.items() if value and name not in SAID} | {SUM: sum_words(role, text)}
    event = append(conversation, "message", body | own, about=about, stored=rest)
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
