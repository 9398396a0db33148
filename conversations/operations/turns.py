"""Turns: the row is made by whatever needs an answer, claimed by one worker, and written to under a fence."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from approvals.models import CustomerSession
from audit.crash_points import reach
from audit.statements import Rows, Slot, insert, save
from conversations import nudge
from conversations.channels import deadline_of
from conversations.models import Conversation, Turn
from conversations.operations.errors import TakenOver
from conversations.operations.spending import close_unseen
from conversations.stages import Stages
from conversations.timeline import lock_turn

# A turn that ended its worker this often gets a person, not another worker.
MOST_CLAIMS = 5


_CONVERSATION = Slot("conversation", Conversation._meta.pk)
_DUE = Rows(
    lambda: Turn.objects.filter(conversation_id=_CONVERSATION, state__in=[Turn.State.QUEUED, Turn.State.RUNNING])
)
_WAITING = Rows(lambda: Turn.objects.filter(conversation_id=_CONVERSATION, state=Turn.State.WAITING))


class LostLease(Exception):
    """Another worker holds this turn now: stop, and write nothing."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Claim:
    """The right to work on one turn until `deadline`, or until somebody claims it with a higher fence."""

    turn_id: int
    conversation: Conversation
    fence: int
    deadline: datetime
    stages: Stages = field(default_factory=Stages)

    @property
    def seconds_left(self) -> float:
        return (self.deadline - timezone.now()).total_seconds()


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A turn just claimed, inside the transaction that claims it. `why_not`: it may only be failed, for this reason."""

    claim: Claim
    turn: Turn
    why_not: str


def queue_turn(conversation: Conversation, *, origin: int | None, cause: str) -> Turn:
    """The turn that will answer, under the conversation's lock: the one that is due already, or a new one.

    `origin`: the message that it answers.
    """
    return find_due_turn(conversation) or open_turn(conversation, origin=origin, cause=cause)


def open_turn(conversation: Conversation, *, origin: int | None, cause: str) -> Turn:
    """A new turn where none is due."""
    turn = Turn(conversation=conversation, origin_id=origin, cause=cause)
    insert(turn)
    nudge.run_turn(turn.pk)
    return turn


def find_waiting_turn(conversation: Conversation) -> Turn | None:
    """The turn whose card or request is open."""
    return _WAITING.first(conversation=conversation.pk)


def find_due_turn(conversation: Conversation) -> Turn | None:
    """The turn that will answer or is answering."""
    return _DUE.first(conversation=conversation.pk)


@contextmanager
def taking(*, turn_id: int) -> Iterator[Taken | None]:
    """Claim a due turn in one transaction with what its first look at the conversation writes.

    None where somebody else has it, it is over, or a person holds the chat.
    """
    with transaction.atomic():
        conversation, turn, session = lock_turn(turn_id)
        now = timezone.now()
        if not _is_due(turn, now):
            yield None
        elif session.holder != CustomerSession.Holder.AGENT:
            close_unseen(turn)
            end_turn(turn, Turn.State.WITH_PERSON)
            yield None
        else:
            yield _claim(conversation, turn, now)
            # Not for a turn that was failed in the same breath.
            if turn.state == Turn.State.RUNNING:
                transaction.on_commit(lambda: reach("lease taken"))


def claim(*, turn_id: int) -> Claim | None:
    """Take a due turn with nothing else written, or None as `taking` does."""
    with taking(turn_id=turn_id) as taken:
        return taken.claim if taken is not None else None


def _is_due(turn: Turn, now: datetime) -> bool:
    abandoned = turn.state == Turn.State.RUNNING and turn.lease_until is not None and turn.lease_until <= now
    return turn.state == Turn.State.QUEUED or abandoned


def _claim(conversation: Conversation, turn: Turn, now: datetime) -> Taken:
    if turn.fence:
        # Its last worker died over a call whose end nobody saw.
        close_unseen(turn)
    turn.state, turn.fence = Turn.State.RUNNING, turn.fence + 1
    turn.started_at = turn.started_at or now
    turn.lease_until = now + timedelta(seconds=settings.DESKAGENT_LEASE_SECONDS)
    save(turn, "state", "fence", "started_at", "lease_until")
    deadline = turn.started_at + timedelta(seconds=deadline_of(conversation.channel))
    claim = Claim(turn_id=turn.pk, conversation=conversation, fence=turn.fence, deadline=deadline)
    claim.stages.add("queue", (now - turn.created_at).total_seconds())
    why_not = "limit" if now >= deadline else "fault" if turn.fence > MOST_CLAIMS else ""
    return Taken(claim=claim, turn=turn, why_not=why_not)


@contextmanager
def holding(claimed: Claim) -> Iterator[tuple[Conversation, Turn]]:
    """One transaction of a running turn. Raises `LostLease`, or `TakenOver` after ending the turn for a person."""
    with transaction.atomic():
        conversation, turn, session = lock_turn(claimed.turn_id)
        if turn.state != Turn.State.RUNNING or turn.fence != claimed.fence:
            raise LostLease(f"turn {turn.pk} is {turn.state} at fence {turn.fence}, not {claimed.fence}")
        turn.stages = claimed.stages
        taken_over = session.holder != CustomerSession.Holder.AGENT
        if taken_over:
            end_turn(turn, Turn.State.WITH_PERSON)
        else:
            yield conversation, turn
    if taken_over:
        raise TakenOver


def end_turn(turn: Turn, state: Turn.State) -> None:
    turn.state, turn.ended_at = state, timezone.now()
    save(turn, "state", "ended_at", *_store_stages(turn))


def suspend_turn(turn: Turn, *, call_id: str, request_id: object) -> None:
    """Its card is shown: the model's call stays open until a person's word closes it."""
    turn.state, turn.call_id, turn.request_id = Turn.State.WAITING, call_id, request_id  # type: ignore[assignment]
    save(turn, "state", "call_id", "request_id", *_store_stages(turn))


def stop_queued_turns(conversation: Conversation) -> None:
    """A person takes the chat: what no worker has begun is theirs now; a running turn finds out at its next write."""
    conversation.turns.filter(state=Turn.State.QUEUED).update(state=Turn.State.WITH_PERSON, ended_at=timezone.now())


def _store_stages(turn: Turn) -> list[str]:
    if turn.stages is None:
        return []
    turn.stage_ms = turn.stages.in_ms()
    return ["stage_ms"]
