"""People in the chat: asked for, taking over, and handing back."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from approvals import answers
from approvals import operations as gate
from approvals.models import ActionRequest, CustomerSession, State
from approvals.queries import find_open_request
from approvals.sessions import AGENT, actor_of, set_holder
from audit.operations import Details, record
from conversations import history
from conversations.attempts import CAME_BACK, HANDED_BACK
from conversations.models import Conversation, Message, Ticket
from conversations.operations.briefing import summarise
from conversations.operations.cards import catch_up, settle
from conversations.operations.errors import ConversationClosed, NotHeld
from conversations.operations.judging import NO_VERDICT, Verdict, store_verdict
from conversations.operations.rating import ask_for_rating
from conversations.operations.reasons import NOTICES, PASSED_ON
from conversations.operations.reopening import reopen
from conversations.operations.turns import find_waiting_turn, queue_turn, stop_queued_turns
from conversations.queries import find_open_ticket
from conversations.timeline import lock_conversation, note_state, say, session_of

PERMISSION = "conversations.answer_conversation"


def ask_for_person(*, conversation_id: UUID) -> Ticket:
    """The customer's way to a person, in every state. The ticket that is open already, or a new one."""
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        reopen(conversation)
        return ask_for_person_locked(conversation, by="customer")


def ask_for_person_locked(conversation: Conversation, *, by: str) -> Ticket:
    open_one = find_open_ticket(conversation)
    return open_one or open_ticket_locked(conversation, reason=by, notice=NOTICES.get(by, PASSED_ON))


def open_ticket(*, conversation_id: UUID, reason: str, summary: str = "") -> Ticket:
    """A person has to reply; the agent is silent from here."""
    with transaction.atomic():
        return open_ticket_locked(lock_conversation(conversation_id), reason=reason, summary=summary)


def open_ticket_locked(conversation: Conversation, *, reason: str, summary: str = "", notice: str = "") -> Ticket:
    """Under the conversation's lock: hold the chat for a person, close an open card, and tell everybody."""
    existing = find_open_ticket(conversation)
    if existing is not None:
        return existing
    closed_card = _silence_agent(conversation, CustomerSession.Holder.NOBODY)
    facts = summarise(conversation, reason=reason, words=summary, closed_card=closed_card)
    ticket = Ticket.objects.create(conversation=conversation, reason=reason, summary=facts)
    session = session_of(conversation)
    details = Details(
        verdict=reason,
        policy_version=conversation.policy_version,
        prompt_version=conversation.prompt_version,
        facts={"ticket": ticket.pk},
    )
    actor = actor_of(session) if reason == "customer" else AGENT
    record(event="handoff", subject=str(conversation.pk), actor=actor, details=details)
    if notice:
        say(conversation, Message.Role.SYSTEM, notice)
    note_state(conversation)
    return ticket


def take_over(*, conversation_id: UUID, staff: User) -> Ticket:
    """This member of staff holds the chat from now on, also where nobody had asked. Raises `ConversationClosed`."""
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        if conversation.closed_at is not None:
            raise ConversationClosed("This chat is closed; the customer can open it again.")
        ticket = find_open_ticket(conversation) or open_ticket_locked(conversation, reason="staff")
        _silence_agent(conversation, CustomerSession.Holder.PERSON)
        ticket.taken_by, ticket.taken_at = staff, timezone.now()
        ticket.save(update_fields=["taken_by", "taken_at"])
        _record_staff("taken_over", conversation, staff, ticket)
        say(conversation, Message.Role.SYSTEM, f"{_name(staff)} has joined. The assistant is silent now.")
        note_state(conversation)
    return ticket


def hand_back(*, conversation_id: UUID, staff: User, verdict: Verdict = NO_VERDICT) -> None:
    """The agent answers again; the human stretch enters its history as one labelled block."""
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        ticket = require_holder(conversation, staff)
        catch_up(conversation)
        _close_ticket(ticket, staff, verdict)
        set_holder(session=session_of(conversation), holder=CustomerSession.Holder.AGENT)
        _record_staff("handed_back", conversation, staff, ticket)
        text = f"{_name(staff)} has left. The AI assistant answers again."
        notice = say(conversation, Message.Role.SYSTEM, text)
        _enter_stretch(conversation, ticket, HANDED_BACK)
        note_state(conversation)
        # While a request waits, its decision opens the next turn.
        if find_waiting_turn(conversation) is None:
            queue_turn(conversation, origin=notice.pk, cause="hand_back")


def close(*, conversation_id: UUID, staff: User, verdict: Verdict = NO_VERDICT) -> None:
    """End the chat, whoever holds it but another member of staff (`NotHeld`). Seven days long a message reopens it."""
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        if conversation.closed_at is not None:
            return
        ticket = find_open_ticket(conversation)
        if ticket is not None and ticket.taken_by_id not in (None, staff.pk):
            raise NotHeld(_who_holds(ticket))
        _silence_agent(conversation, CustomerSession.Holder.NOBODY)
        if ticket is not None:
            _close_ticket(ticket, staff, verdict)
            _enter_stretch(conversation, ticket, CAME_BACK)
        conversation.closed_at = timezone.now()
        conversation.save(update_fields=["closed_at"])
        say(conversation, Message.Role.SYSTEM, f"{_name(staff)} closed this chat. You can reopen it for 7 days.")
        note_state(conversation)
        ask_for_rating(conversation)


def require_holder(conversation: Conversation, staff: User) -> Ticket:
    """The open ticket that this member of staff has taken; `NotHeld` otherwise."""
    ticket = find_open_ticket(conversation)
    if ticket is None or ticket.taken_by_id is None:
        raise NotHeld("Take the chat over first.")
    if ticket.taken_by_id != staff.pk:
        raise NotHeld(_who_holds(ticket))
    return ticket


def _who_holds(ticket: Ticket) -> str:
    holder = _name(ticket.taken_by) if ticket.taken_by else "Somebody else"
    return f"{holder} holds this chat since {ticket.taken_at:%H:%M} UTC."


def _enter_stretch(conversation: Conversation, ticket: Ticket, note: str) -> None:
    """What was said while people talked enters the model's history as one labelled block."""
    said = conversation.messages.filter(
        created_at__gte=ticket.opened_at, role__in=[Message.Role.CUSTOMER, Message.Role.STAFF]
    )
    history.add_human_stretch(conversation, said.order_by("seq"))
    history.add_desk_note(conversation, None, note)


def _silence_agent(conversation: Conversation, holder: CustomerSession.Holder) -> ActionRequest | None:
    """The card that this closes, if one was open; a waiting request stays decidable by staff.

    The holder is set first, so that the closed card opens no turn.
    """
    closed = None
    card = find_open_request(conversation=conversation.pk)
    if card is not None and card.state == State.AWAITING_CUSTOMER:
        closed = gate.replace(
            conversation=conversation.pk, request_id=card.pk, text=answers.PERSON_TOOK_OVER, why="person_took_over"
        )
        set_holder(session=session_of(conversation), holder=holder)
        settle(conversation, closed)
    set_holder(session=session_of(conversation), holder=holder)
    stop_queued_turns(conversation)
    return closed


def _close_ticket(ticket: Ticket, staff: User, verdict: Verdict) -> None:
    ticket.closed_at = timezone.now()
    ticket.save(update_fields=["closed_at"])
    if verdict.needed is not None:
        store_verdict(ticket, staff, verdict)


def _record_staff(event: str, conversation: Conversation, staff: User, ticket: Ticket) -> None:
    details = Details(facts={"ticket": ticket.pk})
    record(event=event, subject=str(conversation.pk), actor=f"staff:{staff.get_username()}", details=details)


def _name(staff: User) -> str:
    return staff.get_short_name() or staff.get_username()
