"""Chats that fell silent: told that they close soon, then closed. A message opens them again for seven days."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from approvals.models import MOVES, ActionRequest, CustomerSession
from approvals.sessions import set_holder
from conversations.models import Conversation, Event, Message, Ticket, Turn
from conversations.operations.rating import ask_for_rating
from conversations.timeline import lock_conversation, note_state, say, session_of
from orders.models import Effect

NOTICE = "Are you still there? If nobody writes here, this chat closes in {time}. You can open it again for 7 days."
CLOSED = "This chat is closed because nobody wrote for a while. Write here within 7 days and it goes on."
# Of one pass, so that a desk which was away for long does not close everything in one breath.
MOST = 200


def close_idle(*, now: datetime) -> int:
    """Tell of the end, or end, each chat whose time is up; how many were closed. Two passes at once do no harm."""
    closed = 0
    for conversation_id in list(_list_due(now).order_by("created_at").values_list("pk", flat=True)[:MOST]):
        with transaction.atomic():
            conversation = lock_conversation(conversation_id)
            # Somebody may have written, or another sweep been here, since the look without a lock.
            if _list_due(now).filter(pk=conversation_id).exists():
                closed += _take_next_step(conversation, now)
    return closed


def _take_next_step(conversation: Conversation, now: datetime) -> bool:
    """Close it, or tell that it will be; whether it was closed."""
    is_told = conversation.idle_seq == conversation.last_seq
    if conversation.last_seq and not is_told:
        notice = say(conversation, Message.Role.SYSTEM, NOTICE.format(time=_in_words()))
        conversation.idle_seq = notice.seq
        conversation.save(update_fields=["idle_seq"])
        return False
    conversation.closed_at = now
    conversation.save(update_fields=["closed_at"])
    set_holder(session=session_of(conversation), holder=CustomerSession.Holder.NOBODY)
    if is_told:
        say(conversation, Message.Role.SYSTEM, CLOSED)
        note_state(conversation)
        ask_for_rating(conversation)
    return True


def _in_words() -> str:
    minutes = round(settings.DESKAGENT_IDLE_CLOSE_SECONDS / 60)
    return "a minute" if minutes <= 1 else f"{minutes} minutes"


def _list_due(now: datetime) -> QuerySet[Conversation]:
    """Open chats with nothing under way in which nothing happened for too long, counted from the newest event.

    One that waits for staff, for a payment or for a worker, or that a person has, is nobody's to close. A mail is
    answered in days: no silence ends it.
    """
    if not settings.DESKAGENT_IDLE_NOTICE_SECONDS:
        return Conversation.objects.none()
    until_notice = now - timedelta(seconds=settings.DESKAGENT_IDLE_NOTICE_SECONDS)
    until_end = now - timedelta(seconds=settings.DESKAGENT_IDLE_CLOSE_SECONDS)
    newest = Event.objects.filter(conversation=OuterRef("pk"), seq=OuterRef("last_seq"))
    told = Q(idle_seq=F("last_seq"))
    silent = told & Q(newest_at__lte=until_end) | ~told & Q(newest_at__lte=until_notice)
    never_used = Q(last_seq=0, created_at__lte=until_notice)
    chats = Conversation.objects.filter(closed_at=None, channel=Conversation.Channel.CHAT)
    quiet = chats.filter(~Exists(_person()), ~Exists(_request()), ~Exists(_turn()), created_at__lte=until_end)
    return quiet.annotate(newest_at=Subquery(newest.values("at")[:1])).filter(silent | never_used)


def _person() -> QuerySet[CustomerSession]:
    tickets = Ticket.objects.filter(conversation=OuterRef("conversation"), closed_at=None)
    held = ~Q(holder=CustomerSession.Holder.AGENT) | Exists(tickets)
    return CustomerSession.objects.filter(held, conversation=OuterRef("pk"))


def _request() -> QuerySet[ActionRequest]:
    unsettled = Q(effect__state__in=[Effect.State.CLAIMED, Effect.State.UNKNOWN])
    waits = Q(state__in=list(MOVES)) | unsettled
    return ActionRequest.objects.filter(waits, session__conversation=OuterRef("pk"))


def _turn() -> QuerySet[Turn]:
    due = [Turn.State.QUEUED, Turn.State.RUNNING, Turn.State.WAITING]
    return Turn.objects.filter(conversation=OuterRef("pk"), state__in=due)
