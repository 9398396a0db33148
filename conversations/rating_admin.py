"""Ratings in the console: what was said, newest first, and the counts above it."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from approvals.admin import clock
from conversations.models import Rating
from conversations.reports import count_endings
from orders.admin import ReadOnly

DAYS = 30


@admin.register(Rating)
class RatingAdmin(ReadOnly, admin.ModelAdmin[Rating]):
    change_list_template = "admin/conversations/rating/change_list.html"
    list_display = ["given", "said", "comment", "chat"]
    list_display_links = None
    list_filter = ["score"]
    search_fields = ["comment"]
    ordering = ["-created_at"]

    @admin.display(description="given (UTC)", ordering="created_at")
    def given(self, row: Rating) -> str:
        return clock(row.changed_at or row.created_at)

    @admin.display(description="rating", ordering="score")
    def said(self, row: Rating) -> str:
        return str(row)

    @admin.display
    def chat(self, row: Rating) -> str:
        page = reverse("admin:conversations_conversation_change", args=[row.conversation_id])
        return format_html('<a href="{}">open</a>', page)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        report = {
            "title": "Ratings",
            "days": DAYS,
            "endings": count_endings(since=timezone.now() - timedelta(days=DAYS)),
            "words": Rating.WORDS,
        }
        return super().changelist_view(request, report | (extra_context or {}))
