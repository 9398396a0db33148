"""What customers said of their chats, counted; each share stands beside what it is a share of."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from conversations.models import Conversation, Event, Rating, Ticket

SATISFIED = 4


@dataclass(frozen=True, kw_only=True)
class Satisfaction:
    """Ratings of one kind of chat. `counts`: how often each score from 1 to 5 was given."""

    name: str
    counts: list[int]

    @property
    def rated(self) -> int:
        return sum(self.counts)

    @property
    def satisfied(self) -> int:
        """Those with a score of 4 or 5."""
        return sum(self.counts[SATISFIED - 1 :])

    @property
    def share(self) -> str:
        return f"{self.satisfied / self.rated:.0%}" if self.rated else ""

    @property
    def mean(self) -> str:
        total = sum(score * count for score, count in enumerate(self.counts, start=1))
        return f"{total / self.rated:.2f}" if self.rated else ""


@dataclass(frozen=True, kw_only=True)
class Endings:
    """`asked`: chats that were asked for a rating, `answered` those of them that gave one.

    `ended`: chats of the time in which something was said and that were ever closed, `reopened` those of them that
    were opened again within seven days.
    """

    asked: int
    answered: int
    ended: int
    reopened: int
    by: list[Satisfaction]


def count_endings(*, since: datetime) -> Endings:
    """Since then: what was asked for, what was answered, and what customers thought of agent and people apart."""
    ratings = Rating.objects.filter(created_at__gte=since).annotate(by_people=Exists(_answered_by_people()))
    asked = Event.objects.filter(about__isnull=False, kind="rating_request", at__gte=since)
    used = Conversation.objects.filter(last_seq__gt=0, created_at__gte=since)
    ended = used.filter(Q(closed_at__isnull=False) | Q(reopenings__gt=0))
    kinds = {
        "All": ratings,
        "Agent alone": ratings.filter(by_people=False),
        "With people": ratings.filter(by_people=True),
    }
    return Endings(
        asked=asked.count(),
        answered=asked.filter(Exists(Rating.objects.filter(conversation=OuterRef("conversation")))).count(),
        ended=ended.count(),
        reopened=ended.filter(reopenings__gt=0).count(),
        by=[_count(name, rows) for name, rows in kinds.items()],
    )


def _answered_by_people() -> QuerySet[Ticket]:
    return Ticket.objects.filter(conversation=OuterRef("conversation"), first_reply_at__isnull=False)


def _count(name: str, rows: QuerySet[Rating]) -> Satisfaction:
    found = Counter(rows.values_list("score", flat=True))
    return Satisfaction(name=name, counts=[found[score] for score in range(1, 6)])
