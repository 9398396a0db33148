"""Writing, publishing and taking down articles, and what readers say of them."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone

from audit.chains import SHOP
from audit.operations import Details, record
from audit.plain import make_text
from audit.redaction import redact
from helpcenter.models import Article, ArticleVersion, Category, Edition, Question, Vote
from policy.placeholders import fill_in
from policy.queries import get_active

LONGEST_TITLE, LONGEST_BODY, LONGEST_KEYWORDS, LONGEST_QUESTION = 120, 40_000, 400, 200
MOST_QUESTIONS_A_DAY, DAYS_KEPT = 2_000, 400


class NothingToPublish(Exception):
    """The article has no version yet."""


class NotAnArticle(ValueError):
    """The text cannot be stored as an article; the message says what to mend."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What an author writes. `body`: Markdown with policy numbers as `{{ policy.… }}`."""

    title: str
    body: str
    keywords: str = ""
    note: str = ""


def write(*, article: Article, draft: Draft, author: str) -> ArticleVersion:
    """The next version; customers see it once it is published. Raises `NotAnArticle` or `UnknownNumber`."""
    _check(draft)
    with transaction.atomic():
        locked = Article.objects.select_for_update().get(pk=article.pk)
        newest = locked.versions.aggregate(number=Max("number"))["number"] or 0
        return ArticleVersion.objects.create(
            article=locked,
            number=newest + 1,
            title=make_text(draft.title.strip()),
            body=make_text(draft.body),
            keywords=make_text(draft.keywords.strip()),
            note=make_text(draft.note)[:200],
            author=author,
        )


def publish(*, article: Article, author: str, number: int | None = None) -> ArticleVersion:
    """Show a version to customers and the agent: the newest, or the one named, which is how one is restored."""
    with transaction.atomic():
        locked = Article.objects.select_for_update().get(pk=article.pk)
        versions = locked.versions.order_by("-number")
        version = versions.first() if number is None else versions.filter(number=number).first()
        if version is None:
            raise NothingToPublish(f"{locked.slug} has no version to publish")
        fill_in(version.body, get_active().limits)
        locked.published, locked.published_at = version, timezone.now()
        locked.save(update_fields=["published", "published_at"])
        _begin_edition()
        _record(version, author, "published")
    article.refresh_from_db()
    return version


def take_down(*, article: Article, author: str) -> None:
    """Customers and the agent no longer see it; its versions stay, since answers cite them."""
    with transaction.atomic():
        locked = Article.objects.select_for_update(of=("self",)).select_related("published").get(pk=article.pk)
        if locked.published is None:
            return
        version, locked.published, locked.published_at = locked.published, None, None
        locked.save(update_fields=["published", "published_at"])
        _begin_edition()
        _record(version, author, "taken_down")
    article.refresh_from_db()


def move(*, article: Article) -> None:
    """What is published stands at another address or in another language now; every process has to see it."""
    if article.published_id is not None:
        _begin_edition()


def vote(*, version: ArticleVersion, reader: str, helpful: bool) -> None:
    """One reader's word; saying it again changes it. `reader`: an opaque id of at most 40 characters."""
    Vote.objects.update_or_create(version=version, reader=reader, defaults={"helpful": helpful})


def note_question(*, text: str, asker: Question.Asker, best: tuple[str, int] | None) -> None:
    """Count what was searched for. `best`: the article and version that answered, or nothing did.

    A day keeps so many different texts of each kind of asker and no more, and after so many days they are forgotten.
    """
    now = timezone.now()
    plain = redact(" ".join(make_text(text).split()).casefold())[:LONGEST_QUESTION]
    version = None
    if best is not None:
        version = ArticleVersion.objects.filter(article__slug=best[0], number=best[1]).first()
    ended = {"found": best is not None, "best": version, "last_at": now}
    same = Question.objects.filter(day=now.date(), asker=asker, text=plain)
    if same.update(count=F("count") + 1, **ended) or not _has_room(asker, now.date()):
        return
    try:
        with transaction.atomic():
            Question.objects.create(day=now.date(), asker=asker, text=plain, **ended)
    except IntegrityError:
        # Somebody else asked the same for the first time today.
        same.update(count=F("count") + 1, **ended)


def _has_room(asker: Question.Asker, day: date) -> bool:
    kept = Question.objects.filter(day=day, asker=asker).count()
    if kept == 0:
        Question.objects.filter(day__lt=day - timedelta(days=DAYS_KEPT)).delete()
    return kept < MOST_QUESTIONS_A_DAY


def get_or_create_article(*, slug: str, category: str, language: str = "en", position: int = 0) -> Article:
    """The article of this address, in this category; both are made where they are missing."""
    found, _ = Category.objects.get_or_create(slug=category, defaults={"name": category.replace("-", " ").capitalize()})
    values: dict[str, Any] = {"category": found, "language": language, "position": position}
    article, _ = Article.objects.update_or_create(slug=slug, defaults=values)
    return article


def _check(draft: Draft) -> None:
    if not draft.title.strip():
        raise NotAnArticle("An article needs a title.")
    if not draft.body.strip():
        raise NotAnArticle("An article needs a text.")
    for name, text, longest in (
        ("title", draft.title, LONGEST_TITLE),
        ("text", draft.body, LONGEST_BODY),
        ("other words", draft.keywords, LONGEST_KEYWORDS),
    ):
        if len(text) > longest:
            raise NotAnArticle(f"The {name} may have {longest:,} characters, not {len(text):,}.")
    fill_in(draft.body, get_active().limits)


def _begin_edition() -> None:
    """One row for the whole help center, locked until commit: every process sees by it that its index is old."""
    Edition.objects.get_or_create(pk=1)
    Edition.objects.filter(pk=1).update(number=F("number") + 1)


def _record(version: ArticleVersion, author: str, verdict: str) -> None:
    facts = {"article": version.article.slug, "version": version.number}
    record(event="article_published", subject=SHOP, actor=author, details=Details(verdict=verdict, facts=facts))
