"""One pass over what a lost nudge left behind: the rows are the to-do."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from approvals import demotion
from approvals import operations as gate
from approvals.identity import forget_codes
from approvals.sessions import forget_failed_lookups
from audit.anchoring import anchor_if_due, write_anchors
from conversations import nudge
from conversations.models import Turn
from conversations.operations.idling import close_idle
from conversations.operations.suggesting import sweep_suggestions
from conversations.operations.telling import list_untold, tell_request

# A fresh turn's nudge is on its way; only older ones are nudged again, and not at every pass: a worker with a long
# queue would find the same turn in it many times.
NUDGE_TIME, NUDGE_AGAIN = timedelta(seconds=5), timedelta(seconds=20)


@dataclass(frozen=True, kw_only=True)
class Swept:
    expired: int
    told: int
    nudged: int
    anchors: int
    closed: int

    def __str__(self) -> str:
        done = f"{self.expired} expired, {self.told} told, {self.nudged} turns nudged, {self.closed} idle chats closed"
        return f"{done}, {self.anchors} anchors written"


def sweep(*, now: datetime, grace: timedelta = NUDGE_TIME, anchor_now: bool = False) -> Swept:
    """Expire what is overdue, tell the chat of requests that moved, nudge turns nobody works on, close idle chats.

    Last, and once a minute unless `anchor_now`, the audit log is anchored.
    """
    forget_failed_lookups(now=now)
    forget_codes(now=now)
    expired = gate.expire_overdue(now=now)
    gate.remind_waiting(now=now)
    demotion.sweep(now=now)
    told = list_untold(now=now)
    for request_id in told:
        tell_request(request_id=request_id)
    nudged = _nudge_due_turns(now, grace)
    sweep_suggestions(now=now)
    closed = close_idle(now=now)
    anchors = write_anchors(now=now) if anchor_now else anchor_if_due(now=now)
    return Swept(expired=expired, told=len(told), nudged=nudged, anchors=anchors, closed=closed)


def _nudge_due_turns(now: datetime, grace: timedelta) -> int:
    """Send turns that nobody works on to a worker; each is claimed by one of the sweeps that see it."""
    due = Q(state=Turn.State.QUEUED, created_at__lte=now - grace) | Q(state=Turn.State.RUNNING, lease_until__lte=now)
    unsent = Q(nudged_at=None) | Q(nudged_at__lte=now - NUDGE_AGAIN)
    nudged = 0
    for turn_id in Turn.objects.filter(due, unsent).order_by("pk").values_list("pk", flat=True):
        if Turn.objects.filter(due, unsent, pk=turn_id).update(nudged_at=now):
            nudge.run_turn(turn_id)
            nudged += 1
    return nudged
