"""Where a conversation stands; derived from who holds it and what is open, never stored twice."""

import base64
import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, Min, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from approvals.models import MOVES, ActionRequest, CustomerSession, State
from approvals.queries import find_open_request, get_session
from audit.statements import Rows, Slot, Tuples
from conversations.models import Conversation, Event, Message, ModelCall, Rating, Suggestion, Ticket, Turn
from policy.spoken import Exchange

_PK = Slot("conversation", Conversation._meta.pk)
_CLIENT_ID = Slot("client_id", Message._meta.get_field("client_id"))
_MESSAGE_SEQ = Tuples(lambda: Message.objects.filter(conversation_id=_PK, client_id=_CLIENT_ID).values_list("seq"))
_CONVERSATION = Rows(lambda: Conversation.objects.filter(pk=_PK))
_TICKET = Rows(lambda: Ticket.objects.filter(conversation_id=_PK, closed_at__isnull=True))
# Of a message's event, what its row says; and the sum of those words, which shows if the row is changed afterwards.
SAID = {"role", "text"}
SUM = "sum"


class ConversationNotFound(Exception):
    """Unknown, another visitor's, or a wrong token: all the same 404."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A conversation's state as events and the API name it."""

    state: str
    owner: str
    verified: str | None
    open_request: ActionRequest | None


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def get_conversation_for_token(*, conversation_id: UUID, token: str) -> Conversation:
    """The one door for customers: id and token must belong together."""
    found = _CONVERSATION.first(conversation=conversation_id)
    if found is None or not hmac.compare_digest(found.token_hash, hash_token(token)):
        raise ConversationNotFound
    return found


def get_standing(conversation: Conversation) -> Standing:
    """The order of the checks is the contract's: closed, with a person, under review, awaiting the customer, open."""
    session = conversation.session or get_session(conversation=conversation.pk)
    open_request = find_open_request(conversation=conversation.pk)
    return Standing(
        state=_derive_state(conversation, session, open_request),
        owner=session.holder,
        verified=session.strength or None,
        open_request=open_request,
    )


def _derive_state(conversation: Conversation, session: CustomerSession, open_request: ActionRequest | None) -> str:
    if conversation.closed_at is not None:
        return "closed"
    if session.holder != CustomerSession.Holder.AGENT or find_open_ticket(conversation) is not None:
        return "with_person"
    return _name_request(open_request.state if open_request else "")


def _name_request(state: str) -> str:
    if not state:
        return "open"
    return "under_review" if state == State.AWAITING_STAFF else "awaiting_customer"


def read_state(conversation: Conversation, session: CustomerSession) -> tuple[str, str]:
    """The state of now, as `get_standing` names it, and the one that was told last; in one query."""
    ticket, under_review, card, told = _STATE.first(conversation=conversation.pk, session=session.pk)
    last = told["state"] if told else "open"
    if conversation.closed_at is not None:
        return "closed", last
    if session.holder != CustomerSession.Holder.AGENT or ticket:
        return "with_person", last
    return _name_request(State.AWAITING_STAFF if under_review else State.AWAITING_CUSTOMER if card else ""), last


def _select_state() -> "QuerySet[Conversation, Any]":
    asked = ActionRequest.objects.filter(session_id=Slot("session", CustomerSession._meta.pk))
    states = Event.objects.filter(conversation=OuterRef("pk"), kind="state").order_by("-seq")
    return Conversation.objects.filter(pk=_PK).values_list(
        Exists(Ticket.objects.filter(conversation=OuterRef("pk"), closed_at__isnull=True)),
        Exists(asked.filter(state=State.AWAITING_STAFF)),
        Exists(asked.filter(state=State.AWAITING_CUSTOMER)),
        Subquery(states.values("body")[:1]),
    )


_STATE = Tuples(_select_state)


@dataclass(frozen=True, kw_only=True)
class Glance:
    """What stands in a new message's way, found in one query. `before`: its number, where it was stored already."""

    before: int | None
    waits: bool
    asked: bool
    ticket: bool
    due: bool

    @property
    def quiet(self) -> bool:
        """No call and no request is open."""
        return not self.waits and not self.asked


def glance(conversation: Conversation, session: CustomerSession, *, client_id: str) -> Glance:
    before, waits, asked, ticket, due = _GLANCE.first(
        conversation=conversation.pk, session=session.pk, client_id=client_id
    )
    return Glance(before=before, waits=bool(waits), asked=bool(asked), ticket=bool(ticket), due=bool(due))


def _select_glance() -> "QuerySet[Conversation, Any]":
    messages = Message.objects.filter(conversation=OuterRef("pk"), client_id=_CLIENT_ID).order_by()
    turns = Turn.objects.filter(conversation=OuterRef("pk"))
    session = Slot("session", CustomerSession._meta.pk)
    return Conversation.objects.filter(pk=_PK).values_list(
        Subquery(messages.values("seq")[:1]),
        Exists(turns.filter(state=Turn.State.WAITING)),
        Exists(ActionRequest.objects.filter(session_id=session, state__in=list(MOVES))),
        Exists(Ticket.objects.filter(conversation=OuterRef("pk"), closed_at__isnull=True)),
        Exists(turns.filter(state__in=[Turn.State.QUEUED, Turn.State.RUNNING])),
    )


_GLANCE = Tuples(_select_glance)


def get_quiet_standing(session: CustomerSession, seen: Glance) -> Standing:
    """The standing of an open conversation in which a glance found nothing open."""
    with_person = session.holder != CustomerSession.Holder.AGENT or seen.ticket
    return Standing(
        state="with_person" if with_person else "open",
        owner=session.holder,
        verified=session.strength or None,
        open_request=None,
    )


def find_open_ticket(conversation: Conversation) -> Ticket | None:
    return _TICKET.first(conversation=conversation.pk)


def count_turns_since_person(conversation: Conversation) -> int:
    """The agent's turns since a person last gave the chat back; all of them, where nobody did."""
    ended = conversation.tickets.filter(closed_at__isnull=False).order_by("-closed_at").values("closed_at")[:1]
    return conversation.turns.filter(created_at__gte=Coalesce(Subquery(ended), conversation.created_at)).count()


def find_rating(conversation: Conversation) -> Rating | None:
    """The customer's newest one; None before the first."""
    return Rating.objects.filter(conversation=conversation).first()


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A suggestion for the reply that comes next. `stale`: the customer wrote after it was begun."""

    suggestion: Suggestion
    stale: bool


def find_suggestion(conversation: Conversation, ticket: Ticket) -> Draft | None:
    """The newest one since the ticket was opened; None once staff have replied after it was asked for."""
    newest = conversation.suggestions.filter(created_at__gte=ticket.opened_at, message=None).order_by("-pk").first()
    if newest is None:
        return None
    since = conversation.messages.filter(created_at__gt=newest.created_at)
    if since.filter(role=Message.Role.STAFF).exists():
        return None
    stale = conversation.messages.filter(role=Message.Role.CUSTOMER, seq__gt=newest.seq)
    return Draft(suggestion=newest, stale=newest.state == Suggestion.State.READY and stale.exists())


@dataclass(frozen=True, kw_only=True)
class Work:
    """What waits and what was done, for the metrics. `tokens` by kind, as the provider bills them."""

    turns: dict[str, int]
    oldest_queued_at: datetime | None
    open_tickets: int
    model_calls: int
    tokens: dict[str, int]


def count_work() -> Work:
    kinds = ("input", "output", "cache_read", "cache_write")
    sums = {kind: Sum(f"{kind}_tokens", default=0) for kind in kinds}
    calls = ModelCall.objects.aggregate(calls=Count("pk"), **sums)
    return Work(
        turns=dict(Turn.objects.values_list("state").annotate(count=Count("pk")).order_by()),
        oldest_queued_at=Turn.objects.filter(state=Turn.State.QUEUED).aggregate(oldest=Min("created_at"))["oldest"],
        open_tickets=Ticket.objects.filter(closed_at__isnull=True).count(),
        model_calls=calls["calls"],
        tokens={kind: calls[kind] for kind in kinds},
    )


def get_last_seq(conversation_id: UUID) -> int:
    return Conversation.objects.values_list("last_seq", flat=True).get(pk=conversation_id)


def find_message_seq(*, conversation_id: UUID, client_id: str) -> int | None:
    """The number of the customer's message with this id; None where it was never stored."""
    found = _MESSAGE_SEQ.first(conversation=conversation_id, client_id=client_id)
    return found[0] if found else None


def get_exchange(*, conversation_id: UUID) -> Exchange:
    """The message that the customer's last words answer, and these words; no words where another's message is the last.

    All of them together, since "wait" and then "yes" is no yes.
    """
    messages = Message.objects.filter(conversation_id=conversation_id)
    before = messages.exclude(role=Message.Role.CUSTOMER).order_by("-seq").first()
    if before is None or before.role != Message.Role.AGENT:
        return Exchange(asked="", reply="", number=before.pk if before else 0)
    said = messages.filter(role=Message.Role.CUSTOMER, seq__gt=before.seq).order_by("seq")
    return Exchange(asked=before.text, reply="\n".join(said.values_list("text", flat=True)), number=before.pk)


def list_events(*, conversation_id: UUID, after: int) -> list[dict[str, Any]]:
    """Events with a number above `after`, in order, as the API sends them."""
    rows = Event.objects.filter(conversation_id=conversation_id, seq__gt=after).order_by("seq")[:500]
    return [event_as_json(row, body) for row, body in read_bodies(conversation_id, rows)]


def read_bodies(conversation_id: UUID, events: Iterable[Event]) -> list[tuple[Event, dict[str, Any]]]:
    """Events of one conversation, each with its whole body: what a message's row says is not stored with its event."""
    rows = list(events)
    seqs = [row.seq for row in rows if row.kind == "message" and not row.body.keys() >= SAID]
    said = Message.objects.filter(conversation_id=conversation_id, seq__range=(min(seqs), max(seqs))) if seqs else ()
    told = {message.seq: _tell(message) for message in said}
    return [(row, _join(told.get(row.seq, {}), row.body) if row.kind == "message" else row.body) for row in rows]


def sum_words(role: str, text: str) -> str:
    whole = hashlib.sha256(f"{role}\n{text}".encode("utf-8", "surrogatepass")).digest()
    return base64.b64encode(whole[:12]).decode()


def _join(told: dict[str, Any], stored: dict[str, Any]) -> dict[str, Any]:
    return told | {name: value for name, value in stored.items() if name != SUM}


def _tell(message: Message) -> dict[str, Any]:
    body: dict[str, Any] = {"role": message.role, "text": message.text, "turn": None, "citations": []}
    own = {"author": message.author, "client_id": message.client_id}
    return body | {name: value for name, value in own.items() if value}


def event_as_json(event: Event, body: dict[str, Any]) -> dict[str, Any]:
    return {"seq": event.seq, "at": event.at.isoformat(), "kind": event.kind, **body}
