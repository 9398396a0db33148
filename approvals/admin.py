"""Requests in the console: what waits for a person first, and one page a request to decide on."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
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
from django.views.decorators.http import require_POST

from approvals import operations
from approvals.models import ActionRequest, State
from approvals.operations.deciding import PERMISSION
from approvals.queries import get_result
from orders.admin import ReadOnly
from orders.models import Order
from orders.queries import OrderNotFound, get_granted_alone, get_order, get_refundable
from policy.money import major, spoken, to_minor

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
}
FACTS = {
    "order_status": "Order status",
    "money_back": "Money back",
    "refundable": "Paid, not yet given back",
    "granted_alone": "Granted without a person",
    "holder": "Who holds the chat",
}
AMOUNTS = {"money_back", "refundable", "granted_alone"}
# What only the dry run under lock can say; the decision makes it anew.
READ_WHEN_DECIDED = "read again when you decide"


def clock(moment: datetime | None) -> str:
    """Day and time in UTC, short enough for a column."""
    return f"{moment:%d %b %H:%M}" if moment else ""


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


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One fact as the rules saw it and as it is now."""

    label: str
    then: str
    now: str
    changed: bool


def compare_facts(request: ActionRequest) -> list[Fact]:
    """Facts then, and beside them facts now where the request still waits for staff."""
    now = _read_facts(request) if request.state == State.AWAITING_STAFF else {}
    names = dict.fromkeys([*FACTS, *request.facts])
    return [_compare(request, name, now) for name in names if name in request.facts]


def _read_facts(request: ActionRequest) -> dict[str, Any]:
    conversation, holder = request.session.conversation, request.session.holder
    if not request.order_number or request.customer is None:
        return {"holder": holder}
    try:
        order = get_order(number=request.order_number)
    except OrderNotFound:
        return {"order_status": "no longer there", "holder": holder}
    granted_alone = get_granted_alone(
        customer=request.customer, order=order, conversation=conversation, now=timezone.now()
    )
    return {
        "order_status": order.status,
        "refundable": major(get_refundable(order)),
        "granted_alone": major(granted_alone),
        "holder": holder,
    }


def _compare(request: ActionRequest, name: str, now: dict[str, Any]) -> Fact:
    def word(value: Any) -> str:
        return spoken(to_minor(value), request.currency) if name in AMOUNTS else str(value)

    then = request.facts[name]
    changed = name in now and now[name] != then
    return Fact(
        label=FACTS.get(name, name.replace("_", " ")),
        then=word(then),
        now=word(now[name]) if name in now else READ_WHEN_DECIDED,
        changed=changed,
    )


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
        return format_html('<span class="chip" data-tone="{}">{}</span>', tone, row.get_state_display().lower())

    @admin.display(description="expires (UTC)", ordering="expires_at")
    def expires(self, row: ActionRequest) -> str:
        return clock(row.expires_at)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ActionRequest]:
        return super().get_queryset(request).select_related("session__customer", "effect", "decided_by")

    def get_urls(self) -> list[Any]:
        return [self.button("<uuid:request_id>/decide/", self.decide, "approvals_decide"), *super().get_urls()]

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
            "longest_note": LONGEST_NOTE,
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
        try:
            # `admin_view` let only signed-in staff through.
            decided = decide(request_id=request_id, staff=cast(User, request.user), note=note)
        except operations.RequestNotFound:
            return self.answer_missing(request)
        except operations.NotPermitted as error:
            raise PermissionDenied(str(error)) from error
        except (operations.AlreadyDecided, operations.Stale) as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _say(decided))
        return redirect("admin:approvals_actionrequest_change", request_id)

    def _show_again(self, request: HttpRequest, request_id: UUID, form: DecisionForm) -> HttpResponse:
        row = self.get_object(request, str(request_id))
        if row is None:
            return self.answer_missing(request)
        for name, faults in form.errors.items():
            messages.error(request, f"{name}: {' '.join(map(str, faults))} Nothing was decided.")
        return self.show(request, row, status=400, note=request.POST.get("note", ""))


def _say(decided: ActionRequest) -> str:
    if decided.state == State.DECLINED_BY_STAFF:
        return f"Declined: {decided.card['title']}. Nothing was changed."
    return f"Approved: {decided.card['title']}, {spoken(decided.amount, decided.currency)} to {decided.destination}."
