"""Tickets and chats in the console: who needs a person first, and one page a chat to read and to answer on."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, cast
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Concat
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.timesince import timesince
from django.views.decorators.http import require_GET

from approvals.admin import PageAdmin, clock, show_lines
from approvals.models import CustomerSession
from approvals.queries import get_session, list_left_to_do
from audit.queries import list_entries
from conversations import (
    operations,
    rating_admin,  # noqa: F401 - registers its own page
)
from conversations.models import Conversation, Event, Message, Ticket
from conversations.operations.tickets import PERMISSION
from conversations.queries import find_open_ticket, find_rating, get_standing, read_bodies
from conversations.suggestion_page import ask_suggestion, describe_suggestion, read_suggestion
from policy.money import spoken, to_minor

SPEAKERS = {Message.Role.AGENT: "Agent", Message.Role.SYSTEM: "Desk", Message.Role.STAFF: "Staff"}
SUMMARY = {
    "reason": "Why",
    "intent": "Wants",
    "customer": "Customer",
    "to_do": "To do exactly",
    "attempts": "Tried",
    "last_words": "Last words",
    "model_summary": "In the agent’s words",
}
SHORT = 90


@dataclass(frozen=True, kw_only=True)
class Moment:
    """One event as the page shows it. `body` is the event's own, `word` the outcome, state or action it tells of."""

    kind: str
    at: datetime
    who: str
    body: dict[str, Any]
    word: str
    money: str
    lines: list[dict[str, str]]
    imitation: bool


def list_moments(conversation: Conversation, customer: str) -> list[Moment]:
    """The chat from its first event to its last."""
    imitations = set(conversation.messages.filter(imitation=True).values_list("seq", flat=True))
    events = read_bodies(conversation.pk, conversation.events.order_by("seq"))
    return [_moment(event, body, customer, imitation=event.seq in imitations) for event, body in events]


def _moment(event: Event, body: dict[str, Any], customer: str, *, imitation: bool) -> Moment:
    currency = body.get("currency", "")
    role = body.get("role", "")
    return Moment(
        kind=event.kind,
        at=event.at,
        who=customer if role == Message.Role.CUSTOMER else body.get("author") or SPEAKERS.get(role, role),
        body=body,
        word=(body.get("outcome") or body.get("state") or body.get("action", "")).replace("_", " "),
        money=spoken(to_minor(body["amount"]), currency) if "amount" in body else "",
        lines=show_lines(body.get("lines", []), currency),
        imitation=imitation,
    )


def list_summary(summary: Any) -> list[tuple[str, list[str]]]:
    """A ticket's summary as labels with their lines; what is empty is left out."""
    if not isinstance(summary, dict):
        return [("Summary", [str(summary)])]
    names = dict.fromkeys([*SUMMARY, *summary])
    listed = [(SUMMARY.get(name, name), _as_lines(summary.get(name))) for name in names]
    return [(label, lines) for label, lines in listed if lines]


def _as_lines(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [f"{name}: {item}" for name, item in value.items()]
    return [str(item) for item in (value if isinstance(value, list) else [value]) if item not in (None, "")]


class StandingFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "standing"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("open", "open"), ("closed", "closed")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        wanted = {"open": True, "closed": False}.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(closed_at__isnull=wanted)


@admin.register(Ticket)
class TicketAdmin(PageAdmin[Ticket]):
    page_template = "admin/conversations/ticket/change_form.html"
    list_display = ["opened", "waiting", "reason", "customer", "taken", "last_words"]
    list_display_links = ["opened", "reason"]
    list_filter = [StandingFilter, "reason"]
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

    @admin.display
    def customer(self, row: Ticket) -> str:
        return dict(list_summary(row.summary)).get(SUMMARY["customer"], [""])[0]

    @admin.display(description="taken by", ordering="taken_by__username", empty_value="nobody")
    def taken(self, row: Ticket) -> str | None:
        return row.taken_by.get_username() if row.taken_by else None

    @admin.display
    def last_words(self, row: Ticket) -> str:
        words = dict(list_summary(row.summary)).get(SUMMARY["last_words"], [""])
        return Truncator(words[-1]).chars(SHORT)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Ticket]:
        return super().get_queryset(request).select_related("conversation", "taken_by")

    def describe(self, request: HttpRequest, row: Ticket) -> dict[str, Any]:
        return {
            "title": f"Ticket {row.pk}",
            "summary": list_summary(row.summary),
            "waiting": self.waiting(row),
            "to_do": list_left_to_do(conversation=row.conversation_id),
        }


@admin.register(Conversation)
class ConversationAdmin(PageAdmin[Conversation]):
    page_template = "admin/conversations/conversation/change_form.html"
    list_display = ["created", "customer", "last_event", "holder", "needs_person", "closed"]
    list_display_links = ["created", "customer"]
    list_filter = [StandingFilter]
    search_fields = ["id"]
    search_help_text = "Conversation id, customer’s e-mail address, or order number of a request."

    @admin.display(description="created (UTC)", ordering="created_at")
    def created(self, row: Conversation) -> str:
        return clock(row.created_at)

    # `Any`: the rows carry the columns that `get_queryset` adds.
    @admin.display
    def customer(self, row: Any) -> str:
        return row.customer_name or "not verified"

    @admin.display(description="last event (UTC)", ordering="last_event_at")
    def last_event(self, row: Any) -> str:
        return clock(row.last_event_at)

    @admin.display(description="held by", ordering="held_by")
    def holder(self, row: Any) -> str:
        return row.held_by or ""

    @admin.display(description="ticket", ordering="has_ticket", empty_value="")
    def needs_person(self, row: Any) -> str | None:
        if not row.has_ticket:
            return None
        waits = row.held_by == CustomerSession.Holder.NOBODY
        return format_html('<span class="chip" data-tone="person">{}</span>', "needs a person" if waits else "taken")

    @admin.display(description="closed (UTC)", ordering="closed_at")
    def closed(self, row: Conversation) -> str:
        return clock(row.closed_at)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        """Each column in the one query of the list; whoever waits for a person on top, then the newest."""
        session = CustomerSession.objects.filter(conversation=OuterRef("pk"))
        name = Concat("customer__first_name", Value(" "), "customer__last_name")
        events = Event.objects.filter(conversation=OuterRef("pk")).order_by("-seq")
        rows = super().get_queryset(request)
        rows = rows.annotate(
            held_by=Subquery(session.values("holder")[:1]),
            customer_name=Subquery(session.filter(customer__isnull=False).annotate(name=name).values("name")[:1]),
            last_event_at=Subquery(events.values("at")[:1]),
            has_ticket=Exists(Ticket.objects.filter(conversation=OuterRef("pk"), closed_at__isnull=True)),
        )
        waits = Q(has_ticket=True, held_by=CustomerSession.Holder.NOBODY)
        urgency = Case(When(waits, then=Value(0)), When(has_ticket=True, then=Value(1)), default=Value(2))
        return rows.alias(urgency=urgency).order_by("urgency", "-created_at")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Conversation], search_term: str
    ) -> tuple[QuerySet[Conversation], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        by_email = Q(customer__email_key__contains=term.lower())
        by_order = Q(requests__order_number__in=[term, f"#{term}"])
        found = Q(pk__in=CustomerSession.objects.filter(by_email | by_order).values("conversation"))
        with suppress(ValueError):
            found |= Q(pk=UUID(term))
        return queryset.filter(found), False

    def get_urls(self) -> list[Any]:
        buttons = [
            self.button(f"<uuid:conversation_id>/{call}/", partial(self.press, call=call), f"conversations_{call}")
            for call in CALLS
        ]
        look = self.admin_site.admin_view(require_GET(ask_suggestion))
        drafted = path("<uuid:conversation_id>/suggestion/", look, name="conversations_suggestion")
        return [*buttons, drafted, *super().get_urls()]

    def describe(self, request: HttpRequest, row: Conversation) -> dict[str, Any]:
        session = get_session(conversation=row.pk)
        ticket = find_open_ticket(row)
        standing = get_standing(row)
        open_request = standing.open_request
        customer = str(session.customer or "Visitor")
        return {
            "title": customer,
            "standing": standing.state.replace("_", " "),
            "session": session,
            "moments": list_moments(row, customer),
            "ticket": ticket,
            "summary": list_summary(ticket.summary) if ticket else [],
            "open_request": open_request,
            "money": spoken(open_request.amount, open_request.currency) if open_request else "",
            "activity": [(datetime.fromisoformat(entry.at), entry) for entry in list_entries(subject=str(row.pk))],
            "holds": ticket is not None and ticket.taken_by_id is not None and ticket.taken_by_id == request.user.pk,
            "may_answer": request.user.has_perm(PERMISSION),
            "rating": find_rating(row),
        } | describe_suggestion(row, holds=ticket is not None and ticket.taken_by_id == request.user.pk)

    def press(self, request: HttpRequest, conversation_id: UUID, *, call: str) -> HttpResponse:
        """One press of a button, one operation; what was typed comes back where it was not sent."""
        if not request.user.has_perm(PERMISSION):
            raise PermissionDenied
        row = self.get_object(request, str(conversation_id))
        if row is None:
            return self.answer_missing(request)
        typed = request.POST.get("text", "").replace("\r\n", "\n")
        began_as = {"suggestion": read_suggestion(request.POST.get("suggestion", ""))} if call == "reply" else {}
        try:
            # `admin_view` let only signed-in staff through.
            done = CALLS[call](conversation_id, cast(User, request.user), typed, **began_as)
        except (
            operations.NotHeld,
            operations.NoSuggestion,
            operations.Blank,
            operations.MessageTooLong,
            operations.ConversationClosed,
        ) as error:
            nothing = "Nothing was sent." if call == "reply" else "Nothing was changed."
            messages.error(request, f"{str(error).rstrip('.')}. {nothing}")
            return self.show(request, row, status=409, draft=typed)
        messages.success(request, done)
        if call in ("take-over", "suggest") and typed:
            return self.show(request, row, draft=typed)
        return redirect("admin:conversations_conversation_change", conversation_id)


def _take_over(conversation_id: UUID, staff: User, typed: str) -> str:
    operations.take_over(conversation_id=conversation_id, staff=staff)
    return "You hold this chat now. The assistant is silent."


def _suggest(conversation_id: UUID, staff: User, typed: str) -> str:
    operations.ask_for_suggestion(conversation_id=conversation_id, staff=staff)
    return "The assistant drafts a reply."


def _reply(conversation_id: UUID, staff: User, typed: str, suggestion: int | None) -> str:
    operations.post_staff_message(conversation_id=conversation_id, staff=staff, text=typed, suggestion=suggestion)
    return "Sent."


def _hand_back(conversation_id: UUID, staff: User, typed: str) -> str:
    operations.hand_back(conversation_id=conversation_id, staff=staff)
    return "Handed back. The assistant answers again."


def _close(conversation_id: UUID, staff: User, typed: str) -> str:
    operations.close(conversation_id=conversation_id, staff=staff)
    return "Closed. A message within seven days opens it again."


CALLS: dict[str, Callable[..., str]] = {
    "take-over": _take_over,
    "suggest": _suggest,
    "reply": _reply,
    "hand-back": _hand_back,
    "close": _close,
}
