"""Turns: the row is made by whatever needs an answer, claimed by one worker, and written to under a fence."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from approvals.models import CustomerSession
from approvals.sessions import lock_session
from conversations import nudge
from conversations.models import Conversation, Message, Turn
from conversations.operations.errors import TakenOver
from conversations.operations.spending import close_unseen
from conversations.timeline import lock_conversation

# A worker that died holds its turn this much longer than a turn may last.
LEASE_SLACK = timedelta(seconds=10)


class LostLease(Exception):
    """Another worker holds this turn now: stop, and write nothing."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """The right to work on one turn, until somebody claims it with a higher fence."""

    turn_id: int
    conversation: Conversation
    fence: int


def queue_turn(conversation: Conversation, *, origin: Message | None, cause: str) -> Turn:
    """The turn that will answer, under the conversation's lock: the one that is due already, or a new one."""
    due = conversation.turns.filter(state__in=[Turn.State.QUEUED, Turn.State.RUNNING]).first()
    if due is not None:
        return due
    turn = Turn.objects.create(conversation=conversation, origin=origin, cause=cause)
    nudge.run_turn(turn.pk)
    return turn


def find_waiting_turn(conversation: Conversation) -> Turn | None:
    """The turn whose card or request is open."""
    return conversation.turns.filter(state=Turn.State.WAITING).first()


def claim(*, turn_id: int) -> Claim | None:
    """Take a due turn, or None where somebody else has it, it is over, or a person holds the chat."""
    conversation_id = Turn.objects.values_list("conversation_id", flat=True).get(pk=turn_id)
    now = timezone.now()
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        session = lock_session(conversation.pk)
        turn = Turn.objects.select_for_update().get(pk=turn_id)
        abandoned = turn.state == Turn.State.RUNNING and turn.lease_until is not None and turn.lease_until <= now
        if turn.state != Turn.State.QUEUED and not abandoned:
            return None
        if abandoned:
            close_unseen(turn)
        if session.holder != CustomerSession.Holder.AGENT:
            end_turn(turn, Turn.State.WITH_PERSON)
            return None
        turn.state, turn.fence = Turn.State.RUNNING, turn.fence + 1
        turn.started_at = turn.started_at or now
        turn.lease_until = now + timedelta(seconds=settings.DESKAGENT_TURN_DEADLINE_SECONDS) + LEASE_SLACK
        turn.save(update_fields=["state", "fence", "started_at", "lease_until"])
    return Claim(turn_id=turn_id, conversation=conversation, fence=turn.fence)


@contextmanager
def holding(claimed: Claim) -> Iterator[tuple[Conversation, Turn]]:
    """One transaction of a running turn. Raises `LostLease`, or `TakenOver` after ending the turn for a person."""
    with transaction.atomic():
        conversation = lock_conversation(claimed.conversation.pk)
        session = lock_session(conversation.pk)
        turn = Turn.objects.select_for_update().get(pk=claimed.turn_id)
        if turn.state != Turn.State.RUNNING or turn.fence != claimed.fence:
            raise LostLease(f"turn {turn.pk} is {turn.state} at fence {turn.fence}, not {claimed.fence}")
        taken_over = session.holder != CustomerSession.Holder.AGENT
        if taken_over:
            end_turn(turn, Turn.State.WITH_PERSON)
        else:
            yield conversation, turn
    if taken_over:
        raise TakenOver


def end_turn(turn: Turn, state: Turn.State) -> None:
    turn.state, turn.ended_at = state, timezone.now()
    turn.save(update_fields=["state", "ended_at"])


def suspend_turn(turn: Turn, *, call_id: str, request_id: object) -> None:
    """Its card is shown: the model's call stays open until a person's word closes it."""
    turn.state, turn.call_id, turn.request_id = Turn.State.WAITING, call_id, request_id  # type: ignore[assignment]
    turn.save(update_fields=["state", "call_id", "request_id"])


def stop_queued_turns(conversation: Conversation) -> None:
    """A person takes the chat: what no worker has begun is theirs now; a running turn finds out at its next write."""
    conversation.turns.filter(state=Turn.State.QUEUED).update(state=Turn.State.WITH_PERSON, ended_at=timezone.now())
