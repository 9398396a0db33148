"""What the help center's authors should look at: what nothing answers, what answers rest on, and what grew old."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from django.db.models import Count, Max, Q, Sum

from audit.queries import list_events
from helpcenter.models import ArticleVersion, Question
from helpcenter.queries import RECENT_DAYS, list_contradictions_of, search

STALE_DAYS = 180
FEW_VOTES, POOR_SHARE = 5, 0.5
CITED = "answer_cited"
# As an entry names a passage: its number in the chat, the article and the version.
PASSAGE = re.compile(r"\[\d+\] (?P<article>[-\w]+) v\d+(?: #|$)")
MOST_ANSWERS = 5_000


@dataclass(frozen=True, kw_only=True)
class Unanswered:
    """A search that nothing answered when it was asked. `answered`: something does by now."""

    text: str
    times: int
    by_agent: int
    last_at: datetime
    answered: bool


@dataclass(frozen=True, kw_only=True)
class Used:
    """A published article with what happened to it lately. `reasons`: why somebody should look at it."""

    version: ArticleVersion
    answers: int
    searches: int
    helpful: int
    votes: int
    reasons: list[str] = field(default_factory=list)


def list_unanswered(*, now: datetime, limit: int) -> list[Unanswered]:
    """The most frequent first."""
    asked = Question.objects.filter(found=False, day__gt=_begin(now).date()).values("text")
    rows = asked.annotate(
        times=Sum("count"),
        by_agent=Sum("count", filter=Q(asker=Question.Asker.AGENT), default=0),
        last_at=Max("last_at"),
    ).order_by("-times", "text")[:limit]
    return [Unanswered(**row, answered=bool(search(row["text"], limit=1))) for row in rows]


def list_used(*, now: datetime) -> list[Used]:
    """Every published article, the one that most answers rest on first."""
    answers, searches = _count_answers(now), _count_searches(now)
    # `Any`: the rows carry the two counts beside the version's own columns.
    rows: Any = ArticleVersion.objects.filter(published_as__isnull=False).select_related("article")
    rows = rows.annotate(helpful=Count("votes", filter=Q(votes__helpful=True)), voted=Count("votes"))
    found = []
    for version in rows:
        slug = version.article.slug
        one = Used(
            version=version,
            answers=answers[slug],
            searches=searches[slug],
            helpful=version.helpful,
            votes=version.voted,
        )
        found.append(replace(one, reasons=_list_reasons(one, now)))
    return sorted(found, key=lambda one: (-one.answers, -one.searches, one.version.title))


def _list_reasons(one: Used, now: datetime) -> list[str]:
    stated = list_contradictions_of(one.version)
    reasons = [f"It says “{wrong.stated}”, the policy says “{wrong.policy}”." for _, wrong in stated]
    days, asked = (now - one.version.created_at).days, one.answers + one.searches
    if days > STALE_DAYS and asked:
        reasons.append(f"It was written {days} days ago, and asked for {_times(asked)} since {_begin(now):%-d %B}.")
    if one.votes >= FEW_VOTES and one.helpful < POOR_SHARE * one.votes:
        reasons.append(f"{one.helpful} of {one.votes} readers found it helpful.")
    return reasons


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _count_answers(now: datetime) -> Counter[str]:
    """How many answers of the agent cite each article: the log has an entry for every one that cites any."""
    begin = f"{_begin(now):%Y-%m-%dT%H:%M:%S}"
    newest = list_events(CITED).order_by("-pk")[:MOST_ANSWERS].iterator()
    counted: Counter[str] = Counter()
    for entry in takewhile(lambda one: one.at >= begin, newest):
        passages = entry.fields["facts"].get("passages", [])
        counted.update({found["article"] for one in passages if (found := PASSAGE.match(str(one)))})
    return counted


def _count_searches(now: datetime) -> Counter[str]:
    """How often each article was the best that a search found."""
    asked = Question.objects.filter(day__gt=_begin(now).date(), best__isnull=False)
    return Counter(dict(asked.values_list("best__article__slug").annotate(Sum("count"))))


def _begin(now: datetime) -> datetime:
    return now - timedelta(days=RECENT_DAYS)
