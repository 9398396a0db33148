"""Drafts of a reply, for the person who holds a chat: asked for, begun, finished, and what became of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from approvals.models import CustomerSession
from audit.statements import insert
from conversations import nudge
from conversations.models import Conversation, Message, Suggestion, Turn
from conversations.operations.spending import close_unseen
from conversations.operations.tickets import require_holder
from conversations.timeline import lock_conversation, session_of

# A little past its deadline nobody works on it any more.
SLACK = timedelta(seconds=10)
# A fresh one's nudge is on its way; one that no worker took for so long is told to have failed.
NUDGE_TIME, NUDGE_AGAIN, GIVE_UP = timedelta(seconds=5), timedelta(seconds=20), timedelta(minutes=5)
LOST = "The assistant did not finish in time."
NOT_HELD = "Nobody of the staff holds this chat any more."
State = Suggestion.State


class NoSuggestion(Exception):
    """None may be drafted, for the reason that the text gives; nothing was asked."""


class NotWanted(Exception):
    """Somebody ended the suggestion, or the chat is nobody's to answer: drop it. It is marked so already."""


@dataclass(frozen=True, kw_only=True)
class Drafting:
    """The right to draft one suggestion until `deadline`; its calls of the model hang on a turn of its own."""

    suggestion_id: int
    turn: Turn
    deadline: datetime

    @property
    def seconds_left(self) -> float:
        return (self.deadline - timezone.now()).total_seconds()


def ask_for_suggestion(*, conversation_id: UUID, staff: User) -> Suggestion:
    """The draft that is being written for this chat, or a new one. Raises `NotHeld` and `NoSuggestion`."""
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        ticket = require_holder(conversation, staff)
        running = conversation.suggestions.filter(state__in=[State.QUEUED, State.RUNNING]).first()
        if running is not None and running.created_at >= ticket.opened_at:
            return running
        if running is not None:
            # Of an earlier stretch: no page shows it any more, and it knows nothing of what was said since.
            _give_up(running, NOT_HELD)
        if conversation.turns.count() >= settings.DESKAGENT_TURNS_CONVERSATION:
            raise NoSuggestion("This chat has used up the assistant’s answers.")
        suggestion = Suggestion.objects.create(conversation=conversation, asked_by=staff)
        nudge.suggest(suggestion.pk)
    return suggestion


@contextmanager
def beginning(*, suggestion_id: int) -> Iterator[tuple[Conversation, Suggestion, Drafting] | None]:
    """Claim a queued suggestion in one transaction with its first reservation; None where there is nothing to do."""
    with transaction.atomic():
        conversation = _lock(suggestion_id)
        suggestion = Suggestion.objects.get(pk=suggestion_id)
        if suggestion.state != State.QUEUED:
            yield None
        elif not _is_held(conversation):
            fail(suggestion, NOT_HELD)
            yield None
        else:
            yield conversation, suggestion, _begin(conversation, suggestion)


def _begin(conversation: Conversation, suggestion: Suggestion) -> Drafting:
    now = timezone.now()
    last = conversation.messages.filter(role=Message.Role.CUSTOMER).last()
    # A person's turn from its first moment: no worker takes it, no customer waits for it, and it counts like others.
    turn = Turn(
        conversation=conversation,
        origin=last,
        cause=Suggestion.CAUSE,
        state=Turn.State.WITH_PERSON,
        started_at=now,
        ended_at=now,
    )
    insert(turn)
    deadline = now + timedelta(seconds=settings.DESKAGENT_TURN_DEADLINE_SECONDS)
    suggestion.state, suggestion.turn, suggestion.seq = State.RUNNING, turn, conversation.last_seq
    suggestion.lease_until = deadline + SLACK
    suggestion.save(update_fields=["state", "turn", "seq", "lease_until"])
    return Drafting(suggestion_id=suggestion.pk, turn=turn, deadline=deadline)


@contextmanager
def drafting(begun: Drafting) -> Iterator[tuple[Conversation, Suggestion]]:
    """One transaction of a running draft. Raises `NotWanted` where it was ended, or nobody holds the chat now."""
    with transaction.atomic():
        conversation = _lock(begun.suggestion_id)
        suggestion = Suggestion.objects.get(pk=begun.suggestion_id)
        wanted = suggestion.state == State.RUNNING and _is_held(conversation)
        if wanted:
            begun.turn.conversation = conversation
            yield conversation, suggestion
        elif suggestion.state == State.RUNNING:
            fail(suggestion, NOT_HELD)
    if not wanted:
        raise NotWanted


def finish(suggestion: Suggestion, *, text: str, faults: list[str]) -> None:
    """Ready for whoever holds the chat; in the caller's transaction."""
    suggestion.state, suggestion.text, suggestion.faults = State.READY, text, faults
    suggestion.ended_at = timezone.now()
    suggestion.save(update_fields=["state", "text", "faults", "ended_at"])


def fail(suggestion: Suggestion, why: str) -> None:
    """Over without a draft, for a reason that staff read; in the caller's transaction."""
    suggestion.state, suggestion.why, suggestion.ended_at = State.FAILED, why, timezone.now()
    suggestion.save(update_fields=["state", "why", "ended_at"])


def give_up(*, suggestion_id: int, why: str) -> None:
    """End a suggestion that is queued or running."""
    with transaction.atomic():
        _lock(suggestion_id)
        _give_up(Suggestion.objects.get(pk=suggestion_id), why)


def _give_up(suggestion: Suggestion, why: str) -> None:
    if suggestion.state not in (State.QUEUED, State.RUNNING):
        return
    if suggestion.turn is not None:
        close_unseen(suggestion.turn)
    fail(suggestion, why)


def mark_sent(conversation: Conversation, message: Message, staff: User, suggestion_id: int | None) -> None:
    """Remember that this reply began as that draft, in the reply's transaction. Another chat's number means nothing."""
    if suggestion_id is None:
        return
    ready = conversation.suggestions.filter(pk=suggestion_id, state=State.READY, message=None).first()
    if ready is None:
        return
    ready.message, ready.used_by, ready.edited = message, staff, message.text != ready.text
    ready.save(update_fields=["message", "used_by", "edited"])


def sweep_suggestions(*, now: datetime) -> int:
    """Send those that no worker took to one again, and end those that one died over; how many were sent."""
    late = Q(state=State.RUNNING, lease_until__lte=now) | Q(state=State.QUEUED, created_at__lte=now - GIVE_UP)
    for suggestion_id in list(Suggestion.objects.filter(late).values_list("pk", flat=True)):
        give_up(suggestion_id=suggestion_id, why=LOST)
    due = Q(state=State.QUEUED, created_at__lte=now - NUDGE_TIME)
    unsent = Q(nudged_at=None) | Q(nudged_at__lte=now - NUDGE_AGAIN)
    sent = 0
    for suggestion_id in list(Suggestion.objects.filter(due, unsent).values_list("pk", flat=True)):
        if Suggestion.objects.filter(due, unsent, pk=suggestion_id).update(nudged_at=now):
            nudge.suggest(suggestion_id)
            sent += 1
    return sent


def _lock(suggestion_id: int) -> Conversation:
    """The conversation comes first among the locks."""
    found = Suggestion.objects.values_list("conversation", flat=True).get(pk=suggestion_id)
    return lock_conversation(found)


def _is_held(conversation: Conversation) -> bool:
    return session_of(conversation).holder == CustomerSession.Holder.PERSON and conversation.closed_at is None
