"""Chats in the console: who needs a person first, and one page a chat to read and to answer on."""

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
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Concat
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.html import format_html
from django.views.decorators.http import require_GET

from approvals.admin import PageAdmin, clock, show_lines
from approvals.models import CustomerSession
from approvals.queries import get_session
from audit.queries import list_entries
from conversations import (
    operations,
    rating_admin,  # noqa: F401 - registers its own page
)
from conversations.models import Conversation, Event, Message, Ticket
from conversations.operations.judging import LONGEST_WHY, NO_VERDICT, Verdict
from conversations.operations.tickets import PERMISSION
from conversations.queries import find_open_ticket, find_rating, get_standing, read_bodies
from conversations.suggestion_page import ask_suggestion, describe_suggestion, read_suggestion
from conversations.ticket_admin import StandingFilter, list_summary
from policy.money import spoken, to_minor

SPEAKERS = {Message.Role.AGENT: "Agent", Message.Role.SYSTEM: "Desk", Message.Role.STAFF: "Staff"}


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
            "longest_why": LONGEST_WHY,
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
        try:
            done = CALLS[call](_read_press(request, conversation_id, call, typed))
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


@dataclass(frozen=True, kw_only=True)
class Press:
    """One press of a button: by whom, what was typed, what the reply began as, and the verdict on the ticket."""

    conversation_id: UUID
    staff: User
    text: str
    suggestion: int | None
    verdict: Verdict


def _read_press(request: HttpRequest, conversation_id: UUID, call: str, typed: str) -> Press:
    form = request.POST
    closes = call in ("hand-back", "close")
    return Press(
        conversation_id=conversation_id,
        # `admin_view` let only signed-in staff through.
        staff=cast(User, request.user),
        text=typed,
        suggestion=read_suggestion(form.get("suggestion", "")) if call == "reply" else None,
        verdict=operations.read_verdict(form.get("needed_person", ""), form.get("why", "")) if closes else NO_VERDICT,
    )


def _take_over(press: Press) -> str:
    operations.take_over(conversation_id=press.conversation_id, staff=press.staff)
    return "You hold this chat now. The assistant is silent."


def _suggest(press: Press) -> str:
    operations.ask_for_suggestion(conversation_id=press.conversation_id, staff=press.staff)
    return "The assistant drafts a reply."


def _reply(press: Press) -> str:
    operations.post_staff_message(
        conversation_id=press.conversation_id, staff=press.staff, text=press.text, suggestion=press.suggestion
    )
    return "Sent."


def _hand_back(press: Press) -> str:
    operations.hand_back(conversation_id=press.conversation_id, staff=press.staff, verdict=press.verdict)
    return "Handed back. The assistant answers again."


def _close(press: Press) -> str:
    operations.close(conversation_id=press.conversation_id, staff=press.staff, verdict=press.verdict)
    return "Closed. A message within seven days opens it again."


CALLS: dict[str, Callable[[Press], str]] = {
    "take-over": _take_over,
    "suggest": _suggest,
    "reply": _reply,
    "hand-back": _hand_back,
    "close": _close,
}
