"""How well the desk calls for a person: whether one was needed, and how long customers waited for one."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from conversations.models import Ticket

# What staff took by themselves was no decision of the agent.
BY_STAFF = "staff"


@dataclass(frozen=True, kw_only=True)
class Times:
    """Waits that came to an end, in the order of their length."""

    waits: list[timedelta]

    @property
    def count(self) -> int:
        return len(self.waits)

    def percentile(self, share: int) -> timedelta | None:
        """The wait that so many of a hundred did not exceed (nearest rank); None where there is none."""
        return self.waits[max(0, -(-share * len(self.waits) // 100) - 1)] if self.waits else None

    @property
    def median(self) -> timedelta | None:
        return self.percentile(50)

    @property
    def p95(self) -> timedelta | None:
        return self.percentile(95)


@dataclass(frozen=True, kw_only=True)
class Handoffs:
    """Tickets of one reason, or of all. `precision`: of those judged, how many needed a person."""

    reason: str
    tickets: int
    needed: int
    not_needed: int
    unanswered: int
    reply: Times
    resolution: Times
    # Closed or handed back without a word of staff; and still open without one.
    without_reply: int
    waiting: int

    @property
    def judged(self) -> int:
        return self.needed + self.not_needed

    @property
    def precision(self) -> float | None:
        return self.needed / self.judged if self.judged else None


@dataclass(kw_only=True)
class _Count:
    tickets: int = 0
    answers: dict[bool | None, int] = field(default_factory=lambda: {True: 0, False: 0, None: 0})
    replies: list[timedelta] = field(default_factory=list)
    ends: list[timedelta] = field(default_factory=list)
    without_reply: int = 0
    waiting: int = 0


def measure_handoffs(*, since: datetime) -> tuple[Handoffs, list[Handoffs]]:
    """Over all tickets opened since then that the agent or the customer opened, and by reason, the most first."""
    whole, by_reason = _Count(), dict[str, _Count]()
    for reason, opened, replied, closed, needed in _list_rows(since):
        for count in (whole, by_reason.setdefault(reason, _Count())):
            _add(count, opened, replied, closed, needed)
    rows = [_close(reason, count) for reason, count in by_reason.items()]
    return _close("", whole), sorted(rows, key=lambda row: (-row.tickets, row.reason))


def _list_rows(since: datetime) -> Iterable[tuple[str, datetime, datetime | None, datetime | None, bool | None]]:
    asked = Ticket.objects.filter(opened_at__gte=since).exclude(reason=BY_STAFF)
    columns = ("reason", "opened_at", "first_reply_at", "closed_at", "needed_person")
    return asked.order_by("pk").values_list(*columns).iterator()


def _add(
    count: _Count, opened: datetime, replied: datetime | None, closed: datetime | None, needed: bool | None
) -> None:
    count.tickets += 1
    if replied is not None:
        count.replies.append(replied - opened)
    elif closed is not None:
        count.without_reply += 1
    else:
        count.waiting += 1
    if closed is not None:
        count.ends.append(closed - opened)
        count.answers[needed] += 1


def _close(reason: str, count: _Count) -> Handoffs:
    return Handoffs(
        reason=reason,
        tickets=count.tickets,
        needed=count.answers[True],
        not_needed=count.answers[False],
        unanswered=count.answers[None],
        reply=Times(waits=sorted(count.replies)),
        resolution=Times(waits=sorted(count.ends)),
        without_reply=count.without_reply,
        waiting=count.waiting,
    )
