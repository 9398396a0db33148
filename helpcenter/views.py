"""The public help center: index, search, category and article pages, and the readers' word."""

import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from helpcenter.models import Article, Category, Question
from helpcenter.operations import note_question, vote
from helpcenter.queries import (
    ArticleNotFound,
    Page,
    count_votes,
    find_vote,
    get_article,
    list_categories,
    list_nearest,
    list_related,
    search,
)
from helpcenter.rendering import as_data_block

HITS = 8
NEAREST = 5
FEW_VOTES = 5
LONGEST_QUERY = 200
OFTEN = 3
# A word of the reader's own, so that a second vote replaces the first: no row, and no name.
READER_COOKIE, READER_DAYS = "help_reader", 365
HasRoom = Callable[[HttpRequest], bool]


class ArticleSitemap(Sitemap[Article]):
    """Published articles, for search engines."""

    changefreq = "weekly"

    def items(self) -> Any:
        return Article.objects.filter(published__isnull=False)

    def location(self, item: Article) -> str:
        return reverse("helpcenter:article", args=[item.slug])

    def lastmod(self, item: Article) -> Any:
        return item.published_at


@require_GET
def show_index(request: HttpRequest) -> HttpResponse:
    categories = list_categories()
    often = [articles[0] for _, articles in categories][:OFTEN]
    return render(request, "helpcenter/index.html", _frame(categories=categories, often=often))


@require_GET
def show_category(request: HttpRequest, slug: str) -> HttpResponse:
    category = get_object_or_404(Category, slug=slug)
    found = next((pair for pair in list_categories() if pair[0].pk == category.pk), None)
    if found is None:
        raise Http404
    return render(request, "helpcenter/category.html", _frame(category=category, articles=found[1]))


@require_GET
def show_search(request: HttpRequest, *, has_room: HasRoom) -> HttpResponse:
    """What the help center answers to these words; it is counted for the authors while there is room for it."""
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY].replace("\0", "")
    hits = search(query, limit=HITS) if query else []
    if query and has_room(request):
        best = (hits[0].passage.article, hits[0].passage.version) if hits else None
        note_question(text=query, asker=Question.Asker.READER, best=best)
    nearest = list_nearest(query, limit=NEAREST) if query and not hits else []
    return render(request, "helpcenter/search.html", _frame(query=query, hits=hits, nearest=nearest))


@require_GET
def show_article(request: HttpRequest, slug: str) -> HttpResponse:
    page = _get(slug)
    yes, whole = count_votes(page.version)
    context = _frame(
        page=page,
        related=list_related(page, limit=5),
        share=round(100 * yes / whole) if whole >= FEW_VOTES else None,
        voted=find_vote(page.version, reader=_read_reader(request)),
        structured=_as_structured(page),
    )
    return render(request, "helpcenter/article.html", context)


@require_POST
def take_vote(request: HttpRequest, slug: str, *, has_room: HasRoom) -> HttpResponse:
    """One word a reader and version; over the limit the page is shown again as if nothing was said."""
    page = _get(slug)
    answer = HttpResponseRedirect(reverse("helpcenter:article", args=[slug]) + "#useful")
    if not has_room(request):
        return answer
    reader = _read_reader(request) or uuid.uuid4().hex
    vote(version=page.version, reader=reader, helpful=request.POST.get("helpful") == "yes")
    answer.set_signed_cookie(
        READER_COOKIE,
        reader,
        max_age=READER_DAYS * 24 * 60 * 60,
        secure=settings.SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer


def _read_reader(request: HttpRequest) -> str:
    return str(request.get_signed_cookie(READER_COOKIE, default=""))[:40]


def _get(slug: str) -> Page:
    try:
        return get_article(slug=slug)
    except ArticleNotFound as error:
        raise Http404 from error


def _frame(**context: Any) -> dict[str, Any]:
    return {"shop": settings.DESKAGENT_SHOP_NAME, "offline_model": settings.DESKAGENT_MODEL == "offline", **context}


def _as_structured(page: Page) -> str:
    """The page in the words of schema.org; the JSON cannot leave its element."""
    base = settings.DESKAGENT_PUBLIC_URL.rstrip("/")
    address = base + reverse("helpcenter:article", args=[page.slug])
    told = {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": page.title,
        "url": address,
        "dateModified": page.published_at.isoformat() if page.published_at else None,
        "publisher": {"@type": "Organization", "name": settings.DESKAGENT_SHOP_NAME},
        "breadcrumb": {
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": 1, "name": "Help center", "item": base + reverse("helpcenter:index")},
                {"@type": "ListItem", "position": 2, "name": page.category.name},
                {"@type": "ListItem", "position": 3, "name": page.title, "item": address},
            ],
        },
    }
    return as_data_block(told)
