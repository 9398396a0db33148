"""Tickets in the console: who waits for a person, what was tried, and how well the desk calls for one."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.timesince import timesince
from django.views.decorators.http import require_GET

from approvals.admin import PageAdmin, clock
from approvals.queries import list_left_to_do
from conversations import operations
from conversations.escalation import Handoffs, measure_handoffs
from conversations.models import Ticket
from conversations.operations.judging import LONGEST_WHY
from conversations.operations.reasons import name_reason
from conversations.operations.tickets import PERMISSION

SUMMARY = {
    "why": "Why",
    "intent": "Wants",
    "triage": "Triage",
    "customer": "Customer",
    "draft": "Draft resolution",
    "to_do": "To do exactly",
    "open": "Open",
    "attempts": "Tried",
    "orders": "Orders",
    "refunds": "Refunds so far",
    "last_words": "Last words",
    "agent_words": "The agent’s last words",
    "model_summary": "In the agent’s words",
}
# The code of it stands in the ticket's own column.
UNSHOWN = {"reason"}
SHORT = 90
PERIODS = (7, 30, 90)


def list_summary(summary: Any) -> list[tuple[str, list[str]]]:
    """A ticket's summary as labels with their lines; what is empty is left out."""
    if not isinstance(summary, dict):
        return [("Summary", [str(summary)])]
    names = dict.fromkeys([*SUMMARY, *summary])
    if "why" in summary:
        names = {name: None for name in names if name not in UNSHOWN}
    listed = [(SUMMARY.get(name, name), _as_lines(summary.get(name))) for name in names]
    return [(label, lines) for label, lines in listed if lines]


def _as_lines(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{name}: {item}" for name, item in value.items()]
    return [str(item) for item in (value if isinstance(value, list) else [value]) if item not in (None, "")]


def say_time(wait: timedelta | None) -> str:
    """A wait as people read it: two units at most."""
    if wait is None:
        return ""
    seconds = round(wait.total_seconds())
    days, hours, minutes = seconds // 86_400, seconds // 3_600 % 24, seconds // 60 % 60
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"


def describe_handoffs(row: Handoffs) -> dict[str, Any]:
    """One row of the report in words; an empty text where nothing was measured."""
    return {
        "it": row,
        "name": name_reason(row.reason),
        "precision": "" if row.precision is None else f"{row.precision:.0%}",
        "reply": (say_time(row.reply.median), say_time(row.reply.p95)),
        "resolution": (say_time(row.resolution.median), say_time(row.resolution.p95)),
    }


class StandingFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("open", "open"), ("closed", "closed")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        wanted = {"open": True, "closed": False}.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(closed_at__isnull=wanted)


class ReasonFilter(admin.SimpleListFilter):
    title = "why"
    parameter_name = "reason"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        codes = Ticket.objects.order_by("reason").values_list("reason", flat=True).distinct()
        return [(code, name_reason(code)) for code in codes]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(reason=self.value()) if self.value() else queryset


@admin.register(Ticket)
class TicketAdmin(PageAdmin[Ticket]):
    page_template = "admin/conversations/ticket/change_form.html"
    list_display = ["opened", "waiting", "why", "customer", "taken", "needed", "last_words"]
    list_display_links = ["opened", "why"]
    list_filter = [StandingFilter, ReasonFilter, "needed_person"]
    list_select_related = ["taken_by"]
    # Open ones on top, the longest waiting first; below them the last closed first.
    ordering = [F("closed_at").desc(nulls_first=True), F("opened_at").asc()]

    @admin.display(description="opened (UTC)", ordering="opened_at")
    def opened(self, row: Ticket) -> str:
        return clock(row.opened_at)

    @admin.display(description="waiting")
    def waiting(self, row: Ticket) -> str:
        answered = row.first_reply_at or row.closed_at
        waited = timesince(row.opened_at, answered or timezone.now())
        if row.closed_at:
            return "closed"
        return f"answered after {waited}" if answered else waited

    @admin.display(description="why", ordering="reason")
    def why(self, row: Ticket) -> str:
        return name_reason(row.reason)

    @admin.display
    def customer(self, row: Ticket) -> str:
        return dict(list_summary(row.summary)).get(SUMMARY["customer"], [""])[0]

    @admin.display(description="taken by", ordering="taken_by__username", empty_value="nobody")
    def taken(self, row: Ticket) -> str | None:
        return row.taken_by.get_username() if row.taken_by else None

    @admin.display(description="needed a person", ordering="needed_person", empty_value="")
    def needed(self, row: Ticket) -> str | None:
        return {True: "yes", False: "no", None: None}[row.needed_person]

    @admin.display
    def last_words(self, row: Ticket) -> str:
        words = dict(list_summary(row.summary)).get(SUMMARY["last_words"], [""])
        return Truncator(words[-1]).chars(SHORT)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ticket]:
        return super().get_queryset(request).select_related("conversation", "taken_by", "judged_by")

    def get_urls(self) -> list[Any]:
        return [
            self.button("<int:ticket_id>/judge/", self.judge, "conversations_judge"),
            path("report/", self.admin_site.admin_view(require_GET(self.show_report)), name="conversations_handoffs"),
            *super().get_urls(),
        ]

    def describe(self, request: HttpRequest, row: Ticket) -> dict[str, Any]:
        return {
            "title": f"Ticket {row.pk}",
            "why": name_reason(row.reason),
            "summary": list_summary(row.summary),
            "waiting": self.waiting(row),
            "to_do": list_left_to_do(conversation=row.conversation_id),
            "needed": self.needed(row),
            "may_answer": request.user.has_perm(PERMISSION),
            "longest_why": LONGEST_WHY,
        }

    def judge(self, request: HttpRequest, ticket_id: int) -> HttpResponse:
        """The question of closing, answered later or anew."""
        if not request.user.has_perm(PERMISSION):
            raise PermissionDenied
        row = self.get_object(request, str(ticket_id))
        if row is None:
            return self.answer_missing(request)
        needed, why = request.POST.get("needed_person", ""), request.POST.get("why", "")
        try:
            verdict = operations.read_verdict(needed, why)
            # `admin_view` let only signed-in staff through.
            operations.judge_ticket(ticket_id=ticket_id, staff=cast(User, request.user), verdict=verdict)
        except (operations.MessageTooLong, operations.NotClosed) as error:
            messages.error(request, f"{str(error).rstrip('.')}. Nothing was changed.")
            return self.show(request, row, status=409, draft=why)
        messages.success(request, "Saved.")
        return redirect("admin:conversations_ticket_change", ticket_id)

    def show_report(self, request: HttpRequest) -> HttpResponse:
        """Escalation precision, first human reply and resolution over the last days."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        asked = request.GET.get("days", "")
        days = int(asked) if asked in map(str, PERIODS) else PERIODS[1]
        whole, rows = measure_handoffs(since=timezone.now() - timedelta(days=days))
        page = self.admin_site.each_context(request) | {
            "opts": self.opts,
            "title": "Handing over to people",
            "days": days,
            "periods": PERIODS,
            "whole": describe_handoffs(whole),
            "rows": [describe_handoffs(row) for row in rows],
        }
        return TemplateResponse(request, "admin/conversations/ticket/report.html", page)
