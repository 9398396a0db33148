"""What customers and the agent find: published articles only, with the numbers of the active policy."""

import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Count, Q, Sum
from django.utils import timezone
from django.utils.safestring import SafeString

from helpcenter.index import Hit, Index
from helpcenter.models import Article, ArticleVersion, Category, Edition, Question
from helpcenter.passages import Passage, cut
from helpcenter.rendering import Heading, render
from policy.limits import Limits
from policy.one_source import Contradiction, find_contradictions
from policy.placeholders import UnknownNumber, fill_in
from policy.queries import PolicyMissing, get_active

RECENT_DAYS = 30


class ArticleNotFound(Exception):
    """No article of this address is published."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """One published article as a reader sees it. `html` is safe to put in a page as it is."""

    slug: str
    title: str
    html: SafeString
    headings: list[Heading]
    version: ArticleVersion
    category: Category
    published_at: datetime | None
    minutes: int


def get_article(*, slug: str) -> Page:
    """The published article. Raises `ArticleNotFound`."""
    article = _published().filter(slug=slug).first()
    if article is None or article.published is None:
        raise ArticleNotFound(slug)
    try:
        return make_page(article.published)
    except (UnknownNumber, PolicyMissing) as error:
        # Published under a policy that still had its numbers; without them nothing here is true.
        raise ArticleNotFound(slug) from error


def make_page(version: ArticleVersion) -> Page:
    """Any version as a reader would see it; the preview of a draft. Raises `UnknownNumber`."""
    article = version.article
    body = fill_in(version.body, get_active().limits)
    html, headings = render(body)
    return Page(
        slug=article.slug,
        title=version.title,
        html=html,
        headings=headings,
        version=version,
        category=article.category,
        published_at=article.published_at,
        minutes=max(1, round(len(body.split()) / 200)),
    )


def list_categories() -> list[tuple[Category, list[ArticleVersion]]]:
    """Categories with something published, each with its articles' published versions in their order."""
    found: dict[int, tuple[Category, list[ArticleVersion]]] = {}
    for article in _published():
        category = article.category
        found.setdefault(category.pk, (category, []))[1].append(article.published)
    return sorted(found.values(), key=lambda pair: (pair[0].position, pair[0].name))


def list_related(page: Page, *, limit: int) -> list[ArticleVersion]:
    """Other published articles of the same category."""
    others = _published().filter(category=page.category).exclude(slug=page.slug)[:limit]
    return [article.published for article in others if article.published is not None]


def find_vote(version: ArticleVersion, *, reader: str) -> bool | None:
    """What this reader said of the version; None where they said nothing."""
    return version.votes.filter(reader=reader).values_list("helpful", flat=True).first() if reader else None


def count_votes(version: ArticleVersion) -> tuple[int, int]:
    """How many readers said that the version helped, and how many spoke at all."""
    votes = version.votes.aggregate(yes=Count("pk", filter=Q(helpful=True)), whole=Count("pk"))
    return votes["yes"], votes["whole"]


def search(text: str, *, limit: int) -> list[Hit]:
    """The passages that answer, best first; none below the floor, and none without a policy to take numbers from.

    Any other retriever can stand in for it here.
    """
    try:
        return _get_index().search(text, limit=limit)
    except PolicyMissing:
        return []


def list_nearest(text: str, *, limit: int) -> list[Passage]:
    """Where `search` finds nothing: the beginnings of the articles that share most with the text, if any do."""
    return [passage for passage, shared in _rank(text)[:limit] if shared > 0]


def list_titles(text: str, *, limit: int) -> list[str]:
    """Titles of articles, the nearest to the text first, for who knows from a title what an article says."""
    return [passage.title for passage, _ in _rank(text)[:limit]]


def is_title(text: str) -> bool:
    """Whether the text is the title of a published article."""
    try:
        return _get_index().has_title(text)
    except PolicyMissing:
        return False


def _rank(text: str) -> list[tuple[Passage, float]]:
    try:
        return _get_index().list_nearest(text)
    except PolicyMissing:
        return []


def preview_search(text: str, *, version: ArticleVersion, limit: int) -> list[Hit]:
    """What would be found if this version were published now; nothing without a policy."""
    try:
        others = [passage for passage in _get_index().passages if passage.article != version.article.slug]
    except PolicyMissing:
        return []
    return Index([*others, *_cut(version, get_active().limits)]).search(text, limit=limit)


def list_unanswered(*, limit: int, days: int = RECENT_DAYS) -> list[tuple[str, int]]:
    """Searches of the last days that found nothing, the most frequent first."""
    since = timezone.now().date() - timedelta(days=days)
    asked = Question.objects.filter(found=False, day__gte=since).values_list("text").annotate(times=Sum("count"))
    return [(text, times) for text, times in asked.order_by("-times", "text")[:limit]]


def list_contradictions_of(*versions: ArticleVersion) -> list[tuple[ArticleVersion, Contradiction]]:
    """Where these texts state another number than the active policy for the same rule; nothing without a policy."""
    try:
        limits = get_active().limits
    except PolicyMissing:
        return []
    return [
        (version, one)
        for version in versions
        for one in find_contradictions(f"{version.title}\n{version.body}", limits)
    ]


def list_contradictions() -> list[tuple[ArticleVersion, Contradiction]]:
    """The report over everything that is published, as the policy is now."""
    return list_contradictions_of(*(article.published for article in _published()))


def _published() -> Any:
    return Article.objects.filter(published__isnull=False).select_related("published__article__category", "category")


_lock = threading.Lock()
_indexes: dict[str, tuple[tuple[int, int], Index]] = {}


def _get_index() -> Index:
    """The index of the newest edition and policy, built once in each process and database."""
    database = str(connection.settings_dict["NAME"])
    policy = get_active()
    state = (Edition.objects.filter(pk=1).values_list("number", flat=True).first() or 0, policy.version)
    held = _indexes.get(database)
    if held is None or held[0] != state:
        with _lock:
            held = _indexes.get(database)
            if held is None or held[0] != state:
                held = (state, build_index(policy.limits))
                _indexes[database] = held
    return held[1]


def forget_indexes() -> None:
    """Search from the rows again, as a new process would."""
    _indexes.clear()


def build_index(limits: Limits) -> Index:
    passages: list[Passage] = []
    for article in _published():
        passages += _cut(article.published, limits)
    return Index(passages)


def _cut(version: ArticleVersion, limits: Limits) -> list[Passage]:
    try:
        body = fill_in(version.body, limits)
    except UnknownNumber:
        # Published under a policy that still had the number; without it nothing here is true.
        return []
    return cut(
        article=version.article.slug,
        version=version.number,
        title=version.title,
        body=body,
        keywords=version.keywords,
        language=version.article.language,
    )
