"""People in the chat: asked for, taking over, and handing back."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from approvals import answers
from approvals import operations as gate
from approvals.models import ActionRequest, CustomerSession, State
from approvals.queries import find_open_request, is_left_to_do
from approvals.sessions import AGENT, actor_of, set_holder
from audit.operations import Details, record
from conversations import history
from conversations.models import Conversation, Message, Ticket
from conversations.operations.cards import catch_up, settle
from conversations.operations.errors import ConversationClosed, NotHeld
from conversations.operations.rating import ask_for_rating
from conversations.operations.reopening import reopen
from conversations.operations.turns import find_waiting_turn, queue_turn, stop_queued_turns
from conversations.queries import find_open_ticket
from conversations.timeline import lock_conversation, note_state, say, session_of
from policy.money import spoken

PERMISSION = "conversations.answer_conversation"
ASKED = "You asked for a person. The assistant has stopped. A colleague will read this conversation before writing."
PASSED_ON = "This needs a person from here. I’ve passed on everything so far."
SWITCHED_OFF = "The assistant is not answering this at the moment. A person has your message and will reply here."
NOTICES = {"customer": ASKED, "agent_off": SWITCHED_OFF, "intent_off": SWITCHED_OFF}
LAST_WORDS = 6


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
    _silence_agent(conversation, CustomerSession.Holder.NOBODY)
    facts = summarise(conversation, reason=reason, words=summary)
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


def hand_back(*, conversation_id: UUID, staff: User) -> None:
    """The agent answers again; the human stretch enters its history as one labelled block."""
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        ticket = require_holder(conversation, staff)
        catch_up(conversation)
        _close_ticket(ticket)
        set_holder(session=session_of(conversation), holder=CustomerSession.Holder.AGENT)
        _record_staff("handed_back", conversation, staff, ticket)
        text = f"{_name(staff)} has left. The AI assistant answers again."
        notice = say(conversation, Message.Role.SYSTEM, text)
        _enter_stretch(conversation, ticket, "The person handed the chat back to you. Carry on from here.")
        note_state(conversation)
        # While a request waits, its decision opens the next turn.
        if find_waiting_turn(conversation) is None:
            queue_turn(conversation, origin=notice.pk, cause="hand_back")


def close(*, conversation_id: UUID, staff: User) -> None:
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
            _close_ticket(ticket)
            _enter_stretch(conversation, ticket, "A person talked to the customer and closed the chat; they came back.")
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


def summarise(conversation: Conversation, *, reason: str, words: str) -> dict[str, Any]:
    """What a person needs to start: facts collected by code first, the model's own summary last and labelled so."""
    session = session_of(conversation)
    customer = session.customer
    attempts = ActionRequest.objects.filter(session=session).order_by("created_at")
    spoken_last = conversation.messages.filter(role=Message.Role.CUSTOMER).order_by("-seq")[:LAST_WORDS]
    return {
        "reason": reason,
        "intent": session.intent or "not known yet",
        "customer": f"{customer} ({customer.user_id})" if customer else "not verified",
        "attempts": [
            f"{row.card['title']}, {spoken(row.amount, row.currency)}: {row.get_state_display()}"
            + (f" ({row.rule})" if row.rule else "")
            for row in attempts
        ],
        "to_do": [describe_exactly(row) for row in attempts if is_left_to_do(row)],
        "last_words": [message.text for message in reversed(spoken_last)],
        "model_summary": words,
    }


def describe_exactly(request: ActionRequest) -> str:
    """What a person has to do, as the customer agreed to it."""
    lines = "; ".join(
        ": ".join(filter(None, [line["label"], line.get("detail", "")])) for line in request.card["lines"]
    )
    money = f", {spoken(request.amount, request.currency)} to {request.destination}" if request.amount else ""
    return f"{request.card['title']} ({lines}){money}. Request {request.pk}"


def _enter_stretch(conversation: Conversation, ticket: Ticket, note: str) -> None:
    """What was said while people talked enters the model's history as one labelled block."""
    said = conversation.messages.filter(
        created_at__gte=ticket.opened_at, role__in=[Message.Role.CUSTOMER, Message.Role.STAFF]
    )
    history.add_human_stretch(conversation, said.order_by("seq"))
    history.add_desk_note(conversation, None, note)


def _silence_agent(conversation: Conversation, holder: CustomerSession.Holder) -> None:
    """Set the holder first, so that the closed card opens no turn; a waiting request stays decidable by staff."""
    card = find_open_request(conversation=conversation.pk)
    if card is not None and card.state == State.AWAITING_CUSTOMER:
        request = gate.replace(
            conversation=conversation.pk, request_id=card.pk, text=answers.PERSON_TOOK_OVER, why="person_took_over"
        )
        set_holder(session=session_of(conversation), holder=holder)
        settle(conversation, request)
    set_holder(session=session_of(conversation), holder=holder)
    stop_queued_turns(conversation)


def _close_ticket(ticket: Ticket) -> None:
    ticket.closed_at = timezone.now()
    ticket.save(update_fields=["closed_at"])


def _record_staff(event: str, conversation: Conversation, staff: User, ticket: Ticket) -> None:
    details = Details(facts={"ticket": ticket.pk})
    record(event=event, subject=str(conversation.pk), actor=f"staff:{staff.get_username()}", details=details)


def _name(staff: User) -> str:
    return staff.get_short_name() or staff.get_username()
