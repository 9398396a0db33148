"""Where a conversation stands; derived from who holds it and what is open, never stored twice."""

import base64
import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Min, Sum

from approvals.models import ActionRequest, CustomerSession, State
from approvals.queries import find_open_request, get_session
from conversations.models import Conversation, Event, Message, ModelCall, Ticket, Turn
from policy.spoken import Exchange

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
    found = Conversation.objects.filter(pk=conversation_id).first()
    if found is None or not hmac.compare_digest(found.token_hash, hash_token(token)):
        raise ConversationNotFound
    return found


def get_standing(conversation: Conversation) -> Standing:
    """The order of the checks is the contract's: closed, with a person, under review, awaiting the customer, open."""
    session = get_session(conversation=conversation.pk)
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
    if open_request is None:
        return "open"
    return "under_review" if open_request.state == State.AWAITING_STAFF else "awaiting_customer"


def find_open_ticket(conversation: Conversation) -> Ticket | None:
    return Ticket.objects.filter(conversation=conversation, closed_at__isnull=True).first()


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
    found = Message.objects.filter(conversation_id=conversation_id, client_id=client_id)
    return found.values_list("seq", flat=True).first()


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
