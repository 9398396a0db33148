"""Articles in the console: write, preview, publish, compare and restore, and see what the agent would find."""

import difflib
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from helpcenter import reports
from helpcenter.models import Article, ArticleVersion, Category
from helpcenter.operations import (
    LONGEST_BODY,
    LONGEST_KEYWORDS,
    LONGEST_TITLE,
    Draft,
    NotAnArticle,
    NothingToPublish,
    move,
    publish,
    take_down,
    write,
)
from helpcenter.queries import (
    RECENT_DAYS,
    count_votes,
    list_contradictions,
    list_contradictions_of,
    list_unanswered,
    make_page,
    preview_search,
)
from policy.placeholders import UnknownNumber, fill_in
from policy.queries import PolicyMissing, get_active

MOST_FOUND, MOST_UNANSWERED = 5, 30
FLAGGED = (
    "This text says “{one.stated}”, the policy says “{one.policy}” ({one.path}): {one.sentence} "
    "Write {{{{ policy.{one.path} }}}} and it follows the policy."
)
# What is larger is no row of ours, and no database takes the question.
LARGEST_KEY = 2**31 - 1


class ArticleForm(forms.ModelForm[Article]):
    """The article's place, and the text of its next version."""

    title = forms.CharField(max_length=LONGEST_TITLE, widget=forms.TextInput(attrs={"class": "vTextField"}))
    body = forms.CharField(
        label="Text",
        max_length=LONGEST_BODY,
        widget=forms.Textarea(attrs={"class": "vLargeTextField", "rows": 24}),
        help_text="Markdown. {{ policy.person_above }} and the like stand for numbers of the active policy.",
    )
    keywords = forms.CharField(
        label="Other words",
        required=False,
        max_length=LONGEST_KEYWORDS,
        widget=forms.TextInput(attrs={"class": "vTextField"}),
        help_text="What customers call it, with commas. Search reads them; nobody sees them.",
    )
    note = forms.CharField(label="What changed", required=False, max_length=200)

    class Meta:
        model = Article
        fields = ["slug", "category", "language", "position"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        newest = self.instance.versions.first() if self.instance.pk else None
        if newest is not None:
            for name in ("title", "body", "keywords"):
                self.fields[name].initial = getattr(newest, name)

    def clean_body(self) -> str:
        body = str(self.cleaned_data["body"]).replace("\r\n", "\n")
        try:
            fill_in(body, get_active().limits)
        except (UnknownNumber, PolicyMissing) as error:
            raise forms.ValidationError(str(error)) from error
        return body

    def make_draft(self) -> Draft:
        told = self.cleaned_data
        return Draft(title=told["title"], body=told["body"], keywords=told["keywords"], note=told["note"])


@admin.register(Category)
class CategoryAdmin(admin.ModelAdmin[Category]):
    list_display = ["name", "slug", "position"]
    prepopulated_fields = {"slug": ["name"]}


@admin.register(Article)
class ArticleAdmin(admin.ModelAdmin[Article]):
    """A save is a new version; customers see it once it is published."""

    form = ArticleForm
    list_display = ["title", "category", "state", "helpful"]
    list_filter = ["category", "language"]
    search_fields = ["slug", "versions__title"]
    fields = ["title", "slug", "category", "language", "position", "body", "keywords", "note"]
    change_form_template = "admin/helpcenter/article/change_form.html"
    change_list_template = "admin/helpcenter/article/change_list.html"

    def has_delete_permission(self, request: HttpRequest, obj: Article | None = None) -> bool:
        """Answers cite versions, so an article is taken down, not deleted."""
        return False

    @admin.display(description="Title")
    def title(self, article: Article) -> str:
        newest = article.versions.first()
        return newest.title if newest else article.slug

    @admin.display(description="State")
    def state(self, article: Article) -> str:
        newest = article.versions.first()
        if newest is None:
            return format_html('<span class="chip">{}</span>', "empty")
        if article.published_id == newest.pk:
            return format_html('<span class="chip" data-tone="ok">version {} published</span>', newest.number)
        if article.published is None:
            return format_html('<span class="chip">draft, version {}</span>', newest.number)
        words = f"version {article.published.number} published, draft {newest.number}"
        return format_html('<span class="chip" data-tone="warn">{}</span>', words)

    @admin.display(description="Found helpful")
    def helpful(self, article: Article) -> str:
        yes, whole = count_votes(article.published) if article.published else (0, 0)
        return f"{yes} of {whole}" if whole else "no votes yet"

    def save_model(self, request: HttpRequest, obj: Article, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if change and {"slug", "language"} & set(form.changed_data):
            move(article=obj)
        author = request.user.get_username()
        if {"title", "body", "keywords"} & set(form.changed_data) or not obj.versions.exists():
            version = write(article=obj, draft=form.make_draft(), author=author)
            for _, one in list_contradictions_of(version):
                self.message_user(request, FLAGGED.format(one=one), messages.WARNING)
        if "_publish" in request.POST:
            self._require_publisher(request)
            publish(article=obj, author=author)

    def response_change(self, request: HttpRequest, obj: Article) -> HttpResponse:
        if "_publish" in request.POST:
            self.message_user(request, "Published. Customers and the agent read this version now.", messages.SUCCESS)
            return HttpResponseRedirect(request.path)
        return super().response_change(request, obj)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        report = {"unanswered": list_unanswered(limit=8), "contradicted": list_contradictions()}
        return super().changelist_view(request, report | (extra_context or {}))

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **options: Any) -> Any:
        article: Article | None = options.get("obj") or context.get("original")
        if article is not None:
            context |= self._describe(request, article)
        context["may_publish"] = request.user.has_perm("helpcenter.publish_article")
        return super().render_change_form(request, context, *args, **options)

    def _describe(self, request: HttpRequest, article: Article) -> dict[str, Any]:
        query = request.GET.get("find", "").strip()[:200].replace("\0", "")
        newest = article.versions.first()
        hits = preview_search(query, version=newest, limit=MOST_FOUND) if query and newest else []
        best = max((hit.score for hit in hits), default=1.0)
        found = [{"hit": hit, "share": round(100 * hit.score / best)} for hit in hits]
        return {"versions": list(article.versions.all()), "newest": newest, "find": query, "found": found}

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        return [
            path("reports/", wrap(self.show_reports), name="helpcenter_reports"),
            path("<int:pk>/versions/<int:number>/", wrap(self.show_version), name="helpcenter_version"),
            path("<int:pk>/versions/<int:number>/preview/", wrap(self.preview), name="helpcenter_preview"),
            path("<int:pk>/versions/<int:number>/restore/", wrap(self.restore), name="helpcenter_restore"),
            path("<int:pk>/take-down/", wrap(self.take_down), name="helpcenter_take_down"),
            *super().get_urls(),
        ]

    def show_reports(self, request: HttpRequest) -> HttpResponse:
        """Where an author's next hour is best spent."""
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        now = timezone.now()
        used = reports.list_used(now=now)
        most = max((one.answers for one in used), default=0)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "What to write next",
            "days": RECENT_DAYS,
            "unanswered": reports.list_unanswered(now=now, limit=MOST_UNANSWERED),
            "used": [(one, round(100 * one.answers / most) if most else 0) for one in used],
            "stale": [one for one in used if one.reasons],
            "may_write": self.has_add_permission(request),
        }
        return TemplateResponse(request, "admin/helpcenter/article/reports.html", context)

    def show_version(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """One version beside the one before it."""
        version = self._get_version(request, pk, number)
        before = version.article.versions.filter(number__lt=number).first()
        lines = difflib.unified_diff(_as_lines(before), _as_lines(version), lineterm="", n=3)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{version.title}: version {number}",
            "version": version,
            "before": before,
            "diff": [(_kind(line), line) for line in list(lines)[2:]],
            "may_publish": request.user.has_perm("helpcenter.publish_article"),
        }
        return TemplateResponse(request, "admin/helpcenter/article/version.html", context)

    def preview(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """The version as a customer would see it."""
        version = self._get_version(request, pk, number)
        try:
            page = make_page(version)
        except (UnknownNumber, PolicyMissing) as error:
            raise Http404(str(error)) from error
        context = {
            "shop": settings.DESKAGENT_SHOP_NAME,
            "page": page,
            "preview": True,
            "structured": "{}",
        }
        return render(request, "helpcenter/article.html", context)

    @method_decorator(require_POST)
    def restore(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """Publish an older version again; nothing is lost, it stays where it is in the list."""
        version = self._get_version(request, pk, number)
        self._require_publisher(request)
        try:
            publish(article=version.article, author=request.user.get_username(), number=number)
        except (NothingToPublish, UnknownNumber, NotAnArticle, PolicyMissing) as error:
            self.message_user(request, str(error), messages.ERROR)
        else:
            self.message_user(request, f"Version {number} is published.", messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:helpcenter_article_change", args=[pk]))

    @method_decorator(require_POST)
    def take_down(self, request: HttpRequest, pk: int) -> HttpResponse:
        self._require_publisher(request)
        article = self.get_object(request, str(pk))
        if article is None or not self.has_change_permission(request, article):
            raise Http404
        take_down(article=article, author=request.user.get_username())
        self.message_user(request, "Taken down. Neither customers nor the agent see it.", messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:helpcenter_article_change", args=[pk]))

    def _get_version(self, request: HttpRequest, pk: int, number: int) -> ArticleVersion:
        if not self.has_view_or_change_permission(request):
            raise PermissionDenied
        versions = ArticleVersion.objects.select_related("article")
        version = versions.filter(article=pk, number=number).first() if max(pk, number) <= LARGEST_KEY else None
        if version is None:
            raise Http404
        return version

    def _require_publisher(self, request: HttpRequest) -> None:
        if not request.user.has_perm("helpcenter.publish_article"):
            raise PermissionDenied


def _as_lines(version: ArticleVersion | None) -> list[str]:
    if version is None:
        return []
    return [f"Title: {version.title}", f"Other words: {version.keywords}", "", *version.body.splitlines()]


def _kind(line: str) -> str:
    return {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "same")
