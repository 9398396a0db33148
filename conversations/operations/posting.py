"""Messages come in: stored once, read together with the open card, and handed to whoever answers."""

import re
import secrets
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from approvals import answers
from approvals import operations as gate
from approvals.models import ActionRequest
from approvals.queries import get_request, list_open_requests
from approvals.sessions import actor_of, open_session
from audit.crash_points import reach
from audit.operations import Details, record
from audit.statements import insert, save
from conversations import history, readings
from conversations.broadcast import push_session_end
from conversations.models import Conversation, Message, Turn
from conversations.operations import identifying
from conversations.operations.cards import catch_up, settle
from conversations.operations.errors import Blank, MessageTooLong, UnderReview
from conversations.operations.reopening import REOPEN_WITHIN, reopen
from conversations.operations.suggesting import mark_sent
from conversations.operations.tickets import ask_for_person_locked, require_holder
from conversations.operations.triaging import find_wish_for_person, is_long_to_read, record_person_triage
from conversations.operations.turns import find_due_turn, find_waiting_turn, open_turn, queue_turn
from conversations.queries import Glance, Standing, get_quiet_standing, get_standing, glance, hash_token
from conversations.readable import make_readable
from conversations.timeline import lock_conversation, say, session_of
from policy.consent import Reading, read
from policy.money import spoken
from policy.text import is_blank

LONGEST_MESSAGE = 4_000
CLIENT_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


@dataclass(frozen=True, kw_only=True)
class Posted:
    seq: int
    created: bool


def start_conversation(
    *,
    locale: str = "",
    address: str = "",
    identity: str | None = None,
    channel: Conversation.Channel = Conversation.Channel.CHAT,
) -> tuple[Conversation, str]:
    """A new conversation and its token, which is stored only as a hash. `address`: the visitor's, as a pseudonym.

    `channel`: how the answers reach the customer, and so how long one may take. `identity`: what the storefront signed;
    with a bad one nothing is stored (`BadIdentity`).
    """
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        conversation = Conversation(token_hash=hash_token(token), locale=locale, channel=channel)
        insert(conversation)
        session = open_session(conversation=conversation.pk, address=address)
        record(event="conversation_started", subject=str(conversation.pk), actor="visitor", details=Details())
        if identity is not None:
            identifying.enter_signed(conversation, session, identity)
    return conversation, token


def post_customer_message(*, conversation_id: UUID, client_id: str, text: str) -> Posted:
    """Store a customer's message once, and set going what it asks for, in one transaction.

    The same `client_id` again is the same message. Raises `Blank`, `MessageTooLong`, `UnderReview` and
    `ConversationClosed`, with nothing stored.
    """
    readable = clean_text(text)
    if is_long_to_read(readable):
        # What takes long is read before others wait for the lock; it is remembered for the next few messages.
        readings.find_risk(readable)
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        seen = glance(conversation, session_of(conversation), client_id=client_id)
        if seen.before is not None:
            return Posted(seq=seen.before, created=False)
        _make_ready(conversation, seen)
        spoken = identifying.find_spoken(conversation, readable)
        if spoken is not None:
            return _store_code(conversation, client_id, spoken)
        standing = _find_standing(conversation, seen)
        wants_person = _find_wish_for_person(conversation, readable)
        waited_for = standing.open_request if standing.state == "under_review" and not wants_person else None
        if waited_for is None:
            transaction.on_commit(lambda: reach("message saved"))
            message = _store(conversation, client_id, readable)
            _set_going(conversation, message, standing, wants_person=wants_person, is_due=seen.due or not seen.quiet)
    # Refused after the commit: a closed chat is open again, although these words were not stored.
    if waited_for is not None:
        raise UnderReview(_what_is_waited_for(waited_for))
    return Posted(seq=message.seq, created=True)


def end_session(*, conversation_id: UUID) -> None:
    """The storefront signed the customer out: the token opens nothing from here on, and open sockets are closed."""
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        conversation.token_hash = hash_token(secrets.token_urlsafe(32))
        conversation.save(update_fields=["token_hash"])
        push_session_end(conversation.pk)


def post_staff_message(*, conversation_id: UUID, staff: User, text: str, suggestion: int | None = None) -> Message:
    """A person's reply; raises `NotHeld` unless this member of staff holds the chat.

    `suggestion`: the draft that it began as.
    """
    readable = clean_text(text)
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        ticket = require_holder(conversation, staff)
        message = say(conversation, Message.Role.STAFF, readable, author=staff.get_short_name() or staff.username)
        if ticket.first_reply_at is None:
            ticket.first_reply_at = timezone.now()
            ticket.save(update_fields=["first_reply_at"])
        mark_sent(conversation, message, staff, suggestion)
    return message


def post_notice(*, conversation_id: UUID, text: str) -> Message:
    """A sentence of the desk itself."""
    with transaction.atomic():
        return say(lock_conversation(conversation_id), Message.Role.SYSTEM, text)


def clean_text(text: str) -> str:
    """The message as it is stored and shown: characters that no database or screen can hold become U+FFFD.

    Raises `Blank` or `MessageTooLong`.
    """
    if len(text) > LONGEST_MESSAGE:
        raise MessageTooLong(f"{len(text):,} of {LONGEST_MESSAGE:,} characters")
    readable = make_readable(text)
    if is_blank(readable):
        raise Blank("The message is empty.")
    return readable


def _make_ready(conversation: Conversation, seen: Glance) -> None:
    """Open it again, and tell of what ended unnoticed."""
    if not seen.quiet:
        _close_overdue(conversation.pk)
    reopen(conversation, within=REOPEN_WITHIN)
    if not seen.quiet:
        catch_up(conversation, words_wait=True)


def _find_standing(conversation: Conversation, seen: Glance) -> Standing:
    return get_quiet_standing(session_of(conversation), seen) if seen.quiet else get_standing(conversation)


def _close_overdue(conversation_id: UUID) -> None:
    """What expired is closed before the next words are read: a yes to it is ordinary text."""
    now = timezone.now()
    for request in list_open_requests(conversation=conversation_id):
        if request.expires_at <= now:
            gate.expire(conversation=conversation_id, request_id=request.pk, now=now)


def _store_code(conversation: Conversation, client_id: str, spoken: identifying.Spoken) -> Posted:
    """A one-time code typed into the chat: used, and kept nowhere. It answers no card, and no review holds it up."""
    message = _store(conversation, client_id, spoken.words)
    wants_person = _find_wish_for_person(conversation, spoken.words)
    if wants_person:
        # First: whatever is said next is said to somebody who waits for a person.
        _set_going(conversation, message, get_standing(conversation), wants_person=wants_person, is_due=True)
    identifying.hear_code(conversation, spoken)
    standing = get_standing(conversation)
    if standing.open_request is not None and standing.state != "with_person":
        waiting = find_waiting_turn(conversation)
        history.add_customer_words(conversation, waiting, message.text)
        _own(message, waiting)
    elif not wants_person:
        _set_going(conversation, message, standing, wants_person="", is_due=True)
    return Posted(seq=message.seq, created=True)


def _find_wish_for_person(conversation: Conversation, text: str) -> str:
    return find_wish_for_person(text, triaged=conversation.triaged_at is not None)


def _store(conversation: Conversation, client_id: str, text: str) -> Message:
    imitation = readings.imitates_the_desk(text)
    message = say(conversation, Message.Role.CUSTOMER, text, client_id=client_id, imitation=imitation)
    if imitation:
        actor = actor_of(session_of(conversation))
        details = Details(verdict="flagged", facts={"seq": message.seq})
        record(event="injection_suspected", subject=str(conversation.pk), actor=actor, details=details)
    return message


def _set_going(
    conversation: Conversation, message: Message, standing: Standing, *, wants_person: str, is_due: bool = True
) -> None:
    """`is_due`: a turn may be queued or running already."""
    if standing.state == "with_person":
        return
    if wants_person:
        # Kept in the history, so that the agent knows it once the chat is handed back.
        history.add_customer_words(conversation, None, message.text)
        if conversation.triaged_at is None:
            record_person_triage(conversation, message.text)
        ask_for_person_locked(conversation, by=wants_person)
        return
    card = standing.open_request
    if standing.state == "awaiting_customer" and card is not None:
        _read_answer(conversation, card, message)
        return
    history.add_customer_words(conversation, None, message.text)
    queue = queue_turn if is_due else open_turn
    turn = queue(conversation, origin=message.pk, cause="message")
    if turn.cause in ("request", "effect", "verified"):
        # New words after an answered card, a settled effect or a proof: what is asked from here on is asked by them.
        turn.cause, turn.origin = "message", message
        save(turn, "cause", "origin")
    _own(message, turn)


def _read_answer(conversation: Conversation, card: ActionRequest, message: Message) -> None:
    """A typed reply to a card: an unconditional yes, a plain no, or something else, which closes the card."""
    waiting = find_waiting_turn(conversation)
    history.add_customer_words(conversation, waiting, message.text)
    reading = read(asked=_in_words(card), reply=message.text)
    try:
        request = _apply_reading(conversation, card, reading)
    except gate.NotOpen:
        # It expired between two looks at the clock: these words are ordinary text.
        gate.expire(conversation=conversation.pk, request_id=card.pk, now=timezone.now())
        request, reading = get_request(request_id=card.pk), Reading.NEITHER
    settle(conversation, request, words=message if reading is Reading.NEITHER else None)
    _own(message, find_due_turn(conversation) or waiting)


def _apply_reading(conversation: Conversation, card: ActionRequest, reading: Reading) -> ActionRequest:
    chat, session = conversation.pk, session_of(conversation)
    if reading is Reading.YES:
        return gate.confirm(conversation=chat, request_id=card.pk, by="typed", session=session)
    if reading is Reading.NO:
        return gate.refuse_by_customer(conversation=chat, request_id=card.pk, by="typed", session=session)
    text = answers.CUSTOMER_SAID_ELSE
    return gate.replace(conversation=chat, request_id=card.pk, text=text, why="something_else", session=session)


def _own(message: Message, turn: Turn | None) -> None:
    """Each message belongs to exactly one turn: the one that answers it."""
    message.turn = turn
    save(message, "turn")


def _in_words(card: ActionRequest) -> str:
    lines = "; ".join(
        f"{line['label']} {line.get('detail', '')} {line.get('amount', '')}" for line in card.card["lines"]
    )
    money = spoken(card.amount, card.currency)
    return f"{card.card['title']}? {lines}. You get back {money} to {card.destination}."


def _what_is_waited_for(request: ActionRequest) -> str:
    money = spoken(request.amount, request.currency)
    return f"A person has to approve this first: {request.card['title']}, {money}. You can still ask for a person."
