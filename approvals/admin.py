"""Requests in the console: what waits for a person first, and one page a request to decide on."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, TypeVar, cast
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Case, F, Model, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.timesince import timeuntil
from django.views.decorators.http import require_POST

from approvals import (
    authority_admin,  # noqa: F401 - registers its own page
    operations,
    staff_admin,  # noqa: F401 - registers its own pages
)
from approvals.authority import PERMISSION, find_limit
from approvals.comparing import compare_facts
from approvals.models import FOUND_BY_STAFF, ActionRequest, FirstApproval, State
from approvals.queries import get_result
from approvals.watching import list_named, note_attempt, watch
from approvals.would_be import list_would_be_refusals
from orders.admin import ReadOnly
from orders.models import Order
from policy.money import spoken, to_minor

REFUSALS = (
    operations.AlreadyDecided,
    operations.NotCorrectable,
    operations.OverAuthority,
    operations.Stale,
)
Row = TypeVar("Row", bound=Model)
LONGEST_NOTE = 2_000
TONES = {
    State.AWAITING_CUSTOMER: "accent",
    State.AWAITING_STAFF: "warn",
    State.GRANTED: "ok",
    State.DECLINED_BY_CUSTOMER: "danger",
    State.DECLINED_BY_STAFF: "danger",
    State.REFUSED: "danger",
    State.STALE: "doubt",
    State.WITHDRAWN: "doubt",
}


def clock(moment: datetime | None) -> str:
    """Day and time in UTC, short enough for a column."""
    return f"{moment:%d %b %H:%M}" if moment else ""


def list_items(request: ActionRequest) -> list[dict[str, str]]:
    """The items of a request beside their lines on the card, where staff may leave some of them out."""
    item_ids = request.arguments.get("item_ids", [])
    lines = show_lines(request.card["lines"], request.currency)
    # Plans write one line an item, in the order of the items, before whatever else the card says.
    if len(item_ids) < 2 or len(item_ids) > len(lines):
        return []
    return [{"item_id": item_id, **line} for item_id, line in zip(item_ids, lines, strict=False)]


def show_lines(lines: list[dict[str, Any]], currency: str) -> list[dict[str, str]]:
    """A card's lines with their amounts as people read them; an address has none."""
    return [line | {"money": spoken(to_minor(line["amount"]), currency) if "amount" in line else ""} for line in lines]


class PageAdmin(ReadOnly, admin.ModelAdmin[Row]):
    """Rows to pick from, and one page a row with its own template. Whatever writes is a button with its own address."""

    page_template = ""

    def describe(self, request: HttpRequest, row: Row) -> dict[str, Any]:
        """What the page's template needs beside the row."""
        raise NotImplementedError

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        title = str(self.opts.verbose_name_plural).capitalize()
        return super().changelist_view(request, {"title": title} | (extra_context or {}))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        row = self.get_object(request, unquote(object_id))
        return self.answer_missing(request) if row is None else self.show(request, row)

    def show(self, request: HttpRequest, row: Row, *, status: int = 200, **typed: str) -> HttpResponse:
        """The page; `typed` is what somebody wrote that was not taken, so that they need not write it again."""
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        page = self.admin_site.each_context(request) | {"opts": self.opts, "row": row, "page_url": self.find_page(row)}
        return TemplateResponse(request, self.page_template, page | self.describe(request, row) | typed, status=status)

    def find_page(self, row: Row) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])

    def answer_missing(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        messages.error(request, f"There is no such {self.opts.verbose_name}.")
        return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")

    def button(self, route: str, view: Callable[..., HttpResponse], name: str) -> URLPattern:
        """A button's address: only by POST, only for staff; the view's operation decides what they may."""
        return path(route, self.admin_site.admin_view(require_POST(view)), name=name)


class Words(forms.CharField):
    """Text from a text area, whose line ends count once as they do on the screen."""

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class DecisionForm(forms.Form):
    decision = forms.ChoiceField(choices=[("approve", "Approve"), ("decline", "Decline")])
    note = Words(required=False, max_length=LONGEST_NOTE)


class CorrectionForm(forms.Form):
    note = Words(required=False, max_length=LONGEST_NOTE)


@admin.register(ActionRequest)
class ActionRequestAdmin(PageAdmin[ActionRequest]):
    page_template = "admin/approvals/actionrequest/change_form.html"
    list_display = ["created", "title", "order_number", "money", "customer", "standing", "reason", "expires"]
    list_display_links = ["title"]
    list_filter = ["state", "action"]
    search_fields = ["order_number", "session__customer__email", "session__customer__last_name"]
    list_select_related = ["session__customer"]
    # What waits for staff on top, the longest waiting first; below it the newest first.
    ordering = [
        Case(When(state=State.AWAITING_STAFF, then=Value(0)), default=Value(1)).asc(),
        Case(When(state=State.AWAITING_STAFF, then=F("created_at"))).asc(),
        F("created_at").desc(),
    ]

    @admin.display(description="created (UTC)", ordering="created_at")
    def created(self, row: ActionRequest) -> str:
        return clock(row.created_at)

    @admin.display(description="action")
    def title(self, row: ActionRequest) -> str:
        return str(row.card["title"])

    @admin.display(description="amount", ordering="amount")
    def money(self, row: ActionRequest) -> str:
        return spoken(row.amount, row.currency)

    @admin.display(ordering="session__customer__last_name")
    def customer(self, row: ActionRequest) -> str:
        return str(row.session.customer or "not verified")

    @admin.display(description="state", ordering="state")
    def standing(self, row: ActionRequest) -> str:
        tone = TONES.get(State(row.state), "")
        words = row.get_state_display().lower()
        if row.state == State.AWAITING_STAFF and row.reminded_at is not None and row.expires_at > timezone.now():
            tone, words = "danger", f"{words}, {timeuntil(row.expires_at)} left"
        return format_html('<span class="chip" data-tone="{}">{}</span>', tone, words)

    @admin.display(description="expires (UTC)", ordering="expires_at")
    def expires(self, row: ActionRequest) -> str:
        return clock(row.expires_at)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ActionRequest]:
        return (
            super()
            .get_queryset(request)
            .select_related("session__customer", "effect", "decided_by", "corrected_by", "correction")
        )

    def get_urls(self) -> list[Any]:
        return [
            watch(self.button("<uuid:request_id>/decide/", self.decide, "approvals_decide")),
            watch(self.button("<uuid:request_id>/correct/", self.correct, "approvals_correct")),
            path("would-be/", self.admin_site.admin_view(self.show_would_be), name="approvals_would_be"),
            *super().get_urls(),
        ]

    def show_would_be(self, request: HttpRequest) -> HttpResponse:
        """The report of the measuring mode, for whoever may read the audit log."""
        if not request.user.has_perm("audit.view_entry"):
            raise PermissionDenied
        page = self.admin_site.each_context(request) | {"opts": self.opts, "title": "Would-be refusals"}
        template = "admin/approvals/actionrequest/would_be.html"
        return TemplateResponse(request, template, page | {"rows": list_would_be_refusals()})

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Nothing is decided in the list: a form sent to it is somebody's own."""
        if request.method == "POST":
            note_attempt(request, list_named(request), way="list")
            raise PermissionDenied
        return super().changelist_view(request, extra_context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, unquote(object_id)) if request.method == "POST" else None
        if row is not None:
            note_attempt(request, [row.pk], way="change form")
        return super().change_view(request, object_id, form_url, extra_context)

    def describe(self, request: HttpRequest, row: ActionRequest) -> dict[str, Any]:
        order = Order.objects.filter(number=row.order_number).first()
        waits = row.state == State.AWAITING_STAFF
        return {
            "title": row.card["title"],
            "money": spoken(row.amount, row.currency),
            "lines": show_lines(row.card["lines"], row.currency),
            "facts": compare_facts(row),
            "tone": TONES.get(State(row.state), ""),
            "waits": waits,
            "told": get_result(row),
            "overdue": waits and row.expires_at <= timezone.now(),
            "may_decide": request.user.has_perm(PERMISSION),
            "limit": _read_limit(request, row),
            "first": FirstApproval.objects.select_related("staff").filter(request=row).first(),
            "items": list_items(row) if waits else [],
            "longest_note": LONGEST_NOTE,
            "harm_kinds": [(kind.value, kind.label) for kind in FOUND_BY_STAFF],
            "order": order,
            # An address only: the chat's page belongs to a folder above this one.
            "conversation_url": reverse("admin:conversations_conversation_change", args=[row.session.conversation]),
        }

    def decide(self, request: HttpRequest, request_id: UUID) -> HttpResponse:
        """One press of Approve or Decline. The operation records a refused one before it raises."""
        form = DecisionForm(request.POST)
        if not form.is_valid():
            return self._show_again(request, request_id, form)
        call, note = form.cleaned_data["decision"], form.cleaned_data["note"]
        decide = operations.approve if call == "approve" else operations.decline
        # `admin_view` let only signed-in staff through.
        staff = cast(User, request.user)
        return self._press(request, request_id, lambda: decide(request_id=request_id, staff=staff, note=note))

    def correct(self, request: HttpRequest, request_id: UUID) -> HttpResponse:
        """One press of "Ask for these alone": the boxes that are ticked are the lines that stay."""
        form = CorrectionForm(request.POST)
        if not form.is_valid():
            return self._show_again(request, request_id, form)
        kept, note, staff = request.POST.getlist("item"), form.cleaned_data["note"], cast(User, request.user)
        work = partial(operations.correct, request_id=request_id, staff=staff, item_ids=kept, note=note)
        return self._press(request, request_id, work)

    def _press(self, request: HttpRequest, request_id: UUID, work: Callable[[], ActionRequest]) -> HttpResponse:
        try:
            decided = work()
        except operations.RequestNotFound:
            return self.answer_missing(request)
        except operations.NotPermitted as error:
            raise PermissionDenied(str(error)) from error
        except REFUSALS as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _say(decided))
        return redirect("admin:approvals_actionrequest_change", request_id)

    def _show_again(self, request: HttpRequest, request_id: UUID, form: forms.Form) -> HttpResponse:
        row = self.get_object(request, str(request_id))
        if row is None:
            return self.answer_missing(request)
        for name, faults in form.errors.items():
            messages.error(request, f"{name}: {' '.join(map(str, faults))} Nothing was decided.")
        return self.show(request, row, status=400, note=request.POST.get("note", ""))


def _read_limit(request: HttpRequest, row: ActionRequest) -> str:
    """What the reader may approve, where that is less than this."""
    limit = find_limit(cast(User, request.user), row.currency)
    return "" if limit is None or abs(row.amount) <= limit else spoken(limit, row.currency)


def _say(decided: ActionRequest) -> str:
    title = decided.card["title"]
    if decided.state == State.DECLINED_BY_STAFF:
        return f"Declined: {title}. Nothing was changed."
    if decided.state == State.AWAITING_STAFF:
        return f"Approved by you: {title}. It runs once a second person has approved it too."
    if decided.state == State.AWAITING_CUSTOMER:
        return f"The customer is asked anew: {title}. It runs when they say yes."
    return f"Approved: {title}, {spoken(decided.amount, decided.currency)} to {decided.destination}."
