"""One pass over what a lost nudge left behind: the rows are the to-do."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from approvals import operations as gate
from conversations import nudge
from conversations.models import Turn
from conversations.operations.telling import list_untold, tell_request

# A fresh turn's nudge is on its way; only older ones are nudged again.
NUDGE_TIME = timedelta(seconds=5)


@dataclass(frozen=True, kw_only=True)
class Swept:
    expired: int
    told: int
    nudged: int

    def __str__(self) -> str:
        return f"{self.expired} expired, {self.told} told, {self.nudged} turns nudged"


def sweep(*, now: datetime, grace: timedelta = NUDGE_TIME) -> Swept:
    """Expire what is overdue, tell the chat of requests that moved, and nudge turns nobody works on."""
    expired = gate.expire_overdue(now=now)
    told = list_untold(now=now)
    for request_id in told:
        tell_request(request_id=request_id)
    due = Q(state=Turn.State.QUEUED, created_at__lte=now - grace) | Q(state=Turn.State.RUNNING, lease_until__lte=now)
    turns = list(Turn.objects.filter(due).values_list("pk", flat=True))
    for turn_id in turns:
        nudge.run_turn(turn_id)
    return Swept(expired=expired, told=len(told), nudged=len(turns))
