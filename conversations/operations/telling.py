"""Telling the chat of what the gate and the payment gateway did, and fetching a person for money that did not move."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from approvals.answers import FINAL
from approvals.models import MOVES, ActionRequest, State
from approvals.queries import get_request
from audit.statements import Slot, Tuples
from conversations.models import Conversation, Event, Message, Turn
from conversations.operations.cards import settle
from conversations.operations.reasons import say_refused_at_last
from conversations.operations.receipts import find_reason, is_refused_for_good, needs_a_person, stage
from conversations.operations.reopening import reopen
from conversations.operations.tickets import open_ticket_locked
from conversations.timeline import lock_conversation, say, was_told
from orders.models import Effect, Refund
from orders.queries import describe_refunds

REFUSED = (
    "{title}: your order is changed, but the payment service refused to give back {what}. A person takes care of it."
)
IN_DOUBT = (
    "{title}: your order is changed, but we still can’t tell whether {what} went through. A person looks into it."
)
SHADOWED = "{title}: thank you. A person does exactly this and writes to you here. Nothing has been changed yet."
# How long after the end a chat is still told of it by the sweep.
TELL_FOR = timedelta(days=30)
# How long after a final refusal a person is still fetched by it: what is older was told by an earlier release.
FETCH_FOR = timedelta(days=2)


def tell_request(*, request_id: UUID) -> None:
    """Tell the chat where a request stands. Safe to call again: each end is told once."""
    conversation_id, is_all_told = _ask_what_was_told(request_id)
    if is_all_told:
        # Whoever closed it in the chat told of it in the same commit; another one would cost a disk's time.
        return
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        request = get_request(request_id=request_id)
        settle(conversation, request)
        if needs_a_person(request) and not was_told(_about(request), "message"):
            _fetch_person(conversation, request)


def tell_effect(*, effect_id: int) -> None:
    """Tell the chat whose request had this effect; one that was asked for outside a chat has none."""
    for request_id in _from_a_chat().filter(effect=effect_id).values_list("pk", flat=True):
        tell_request(request_id=request_id)


def list_untold(*, now: datetime) -> list[UUID]:
    """Requests that ended, and payments that were settled or given to a person, whose chat does not know it yet."""
    waiting = Turn.objects.filter(state=Turn.State.WAITING).values_list("request_id", flat=True)
    under_way = Q(effect__state=Effect.State.CLAIMED) & _told("request_closed")
    ended = ActionRequest.objects.filter(pk__in=waiting).exclude(state__in=list(MOVES)).exclude(under_way)
    remote = _from_a_chat().filter(Exists(Refund.objects.filter(effect=OuterRef("effect"))))
    lately = remote.filter(effect__created_at__gt=now - TELL_FOR)
    done = lately.filter(~_told("receipt"), effect__state__in=[Effect.State.DONE, Effect.State.FAILED])
    refused = lately.filter(~_told("message"), effect__state=Effect.State.FAILED)
    doubted = lately.filter(effect__state=Effect.State.UNKNOWN, effect__with_person_at__isnull=False)
    refused_lately = Q(state=State.REFUSED, rule__in=FINAL, created_at__gt=now - FETCH_FOR)
    by_hand = Q(state=State.SHADOWED) | refused_lately
    untold = _from_a_chat().filter(by_hand, ~_told("message"), created_at__gt=now - TELL_FOR)
    found = [*ended.values_list("pk", flat=True), *(done | refused).values_list("pk", flat=True)]
    found += untold.values_list("pk", flat=True)
    found += [row.pk for row in doubted.select_related("effect") if not was_told(_about(row), "message")]
    return list(dict.fromkeys(found))


def _ask_what_was_told(request_id: UUID) -> tuple[UUID, bool]:
    """The request's conversation, and whether that knows its end and, where there is one, its receipt."""
    conversation, state, rule, effect, closed, receipt, message = _STANDING.first(pk=request_id)
    if state in MOVES or not closed:
        return conversation, False
    if state == State.SHADOWED or (state == State.REFUSED and rule in FINAL):
        return conversation, bool(message)
    return conversation, bool(effect is None or (effect == Effect.State.DONE and receipt))


def _told(kind: str) -> Exists:
    return Exists(Event.objects.filter(about=OuterRef("pk"), kind=kind))


_STANDING = Tuples(
    lambda: ActionRequest.objects.filter(pk=Slot("pk", ActionRequest._meta.pk)).values_list(
        "session__conversation",
        "state",
        "rule",
        "effect__state",
        _told("request_closed"),
        _told("receipt"),
        _told("message"),
    )
)


def _from_a_chat() -> QuerySet[ActionRequest]:
    return ActionRequest.objects.filter(session__conversation__in=Conversation.objects.values("pk"))


def _about(request: ActionRequest) -> UUID:
    """What the notice for a person is about: the end, or the doubt before it."""
    doubted = request.effect is not None and request.effect.state != Effect.State.FAILED
    return request.pk if not doubted else stage(request.pk, "in_doubt")


def _fetch_person(conversation: Conversation, request: ActionRequest) -> None:
    effect = request.effect
    if effect is None:
        reopen(conversation)
        for_good, title = is_refused_for_good(request), request.card["title"]
        text = say_refused_at_last(title, find_reason(request)) if for_good else SHADOWED.format(title=title)
        say(conversation, Message.Role.SYSTEM, text, about=request.pk)
        open_ticket_locked(conversation, reason="final_refusal" if for_good else "shadow")
        return
    failed = effect.state == Effect.State.FAILED
    text, state = (REFUSED, Refund.State.FAILED) if failed else (IN_DOUBT, Refund.State.UNKNOWN)
    # Nobody can answer in a closed chat.
    reopen(conversation)
    notice = text.format(title=request.card["title"], what=describe_refunds(effect, state))
    say(conversation, Message.Role.SYSTEM, notice, about=_about(request))
    open_ticket_locked(conversation, reason="refund_refused" if failed else "gateway_in_doubt")
