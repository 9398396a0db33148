"""Cards in the chat: shown, answered, and told of when they end."""

from uuid import UUID

from django.db import transaction

from approvals import operations as gate
from approvals.models import MOVES, ActionRequest, CustomerSession, State
from approvals.queries import get_correction, get_request, get_result
from conversations import history
from conversations.models import Conversation, Message, Turn
from conversations.operations.receipts import (
    bring_news,
    describe_for_chat,
    describe_without_data,
    is_under_way,
    needs_a_person,
    show_receipt,
)
from conversations.operations.turns import end_turn, find_waiting_turn, queue_turn
from conversations.timeline import append, lock_conversation, note_state, say, session_of, was_told

NOTICES = {
    State.GRANTED: "Our team approved your request: {title}. It is done.",
    State.DECLINED_BY_STAFF: "Our team declined your request: {title}. Nothing was changed.",
    State.EXPIRED: "Nobody decided on your request in time: {title}. Nothing was changed.",
    State.STALE: "Your order changed in the meantime, so this was not done: {title}. Nothing was changed.",
    State.REFUSED: "Your request could not be done: {title}. Nothing was changed.",
}
CORRECTED = "A member of staff changed what was asked for to less: {title}. The customer is shown a new card for it."
APPROVED = "A member of staff approved this: {title}."


def show_card(conversation: Conversation, request: ActionRequest) -> None:
    """The `request` event, told once; hold the conversation's lock."""
    if was_told(request.pk, "request"):
        return
    body = {
        "request_id": str(request.pk),
        "action": request.action,
        **request.card,
        "expires_at": request.expires_at.isoformat(),
    }
    append(conversation, "request", body, about=request.pk)


def answer_card(*, conversation_id: UUID, request_id: UUID, answer: str) -> None:
    """The button: `yes` or `no`, committed with its events. Raises `gate.NotOpen`, already recorded."""
    refusal: gate.NotOpen | None = None
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        catch_up(conversation)
        decide = gate.confirm if answer == "yes" else gate.refuse_by_customer
        try:
            session = session_of(conversation)
            request = decide(conversation=conversation.pk, request_id=request_id, by="button", session=session)
        except gate.NotOpen as error:
            refusal = error
        else:
            settle(conversation, request)
    if refusal is not None:
        raise refusal


def catch_up(conversation: Conversation, *, words_wait: bool = False) -> None:
    """Tell of a request that ended untold (a lost signal, a crash after the commit), so that no call stays open.

    `words_wait`: the customer wrote meanwhile, so a payment under way is not waited for: it is "being processed".
    """
    waiting = find_waiting_turn(conversation)
    if waiting is not None and waiting.request_id is not None:
        request = get_request(request_id=waiting.request_id)
        if request.state not in MOVES:
            settle(conversation, request, words_wait=words_wait)


def settle(
    conversation: Conversation, request: ActionRequest, *, words: Message | None = None, words_wait: bool = False
) -> None:
    """Tell of a request's move, under the conversation's lock: its end, its receipt, and the turn that goes on.

    `words`: the customer's message that closed the card by saying something else; it opens a new turn. A call whose
    payment is under way stays open until that is settled or in doubt, or, with `words_wait`, is closed now.
    """
    if request.state not in MOVES:
        first = not was_told(request.pk, "request_closed")
        if first:
            body = {"request_id": str(request.pk), "outcome": request.state}
            append(conversation, "request_closed", body, about=request.pk)
        is_news = show_receipt(conversation, request, first=first)
        waiting = find_waiting_turn(conversation)
        if request.state == State.WITHDRAWN:
            if first:
                _show_correction(conversation, request, waiting)
        elif waiting is not None and waiting.request_id == request.pk:
            if words_wait or not is_under_way(request):
                _close_call(conversation, request, waiting, words)
        elif is_news:
            bring_news(conversation, request)
    note_state(conversation)


def _show_correction(conversation: Conversation, request: ActionRequest, waiting: Turn | None) -> None:
    """The new card in place of the old request; the open call waits for that one's end."""
    corrected = get_correction(request)
    if waiting is not None and waiting.request_id == request.pk:
        waiting.request_id = corrected.pk
        waiting.save(update_fields=["request_id"])
    _pass_note_on(conversation, waiting, CORRECTED, corrected)
    if corrected.state == State.AWAITING_CUSTOMER:
        show_card(conversation, corrected)
    elif corrected.state not in MOVES:
        # It ended before anybody was told of it.
        settle(conversation, corrected)


def _pass_note_on(conversation: Conversation, waiting: Turn | None, text: str, request: ActionRequest) -> None:
    history.add_desk_note(conversation, waiting, text.format(title=request.card["title"]))
    if request.note:
        history.add_staff_note(conversation, waiting, request.note)


def _close_call(conversation: Conversation, request: ActionRequest, waiting: Turn, words: Message | None) -> None:
    end_turn(waiting, Turn.State.DONE)
    text = _for_the_model(conversation, request)
    history.add_result(conversation, waiting, waiting.call_id, text, is_error=request.result_is_error)
    if request.state == State.GRANTED and request.note and request.corrects_id is None:
        _pass_note_on(conversation, waiting, APPROVED, request)
    _go_on(conversation, request, waiting, words)


def _for_the_model(conversation: Conversation, request: ActionRequest) -> str:
    """The tool's answer; without the customer's data where the chat was closed since and nobody is verified in it."""
    session = session_of(conversation)
    if session.customer_id is None and request.customer_id is not None and request.state == State.GRANTED:
        return describe_without_data(request)
    return get_result(request)


def _go_on(conversation: Conversation, request: ActionRequest, waiting: Turn, words: Message | None) -> None:
    if session_of(conversation).holder != CustomerSession.Holder.AGENT or conversation.closed_at:
        # A person holds the chat: the agent stays silent, but the news is the customer's.
        _post_notice(conversation, request)
        return
    if needs_a_person(request):
        # The ticket follows at once, so the agent has nothing to say.
        return
    unanswered_card = request.state == State.EXPIRED and request.confirmed_at is None
    if unanswered_card and words is None:
        # No call of the model until the customer writes.
        return
    origin = words.pk if words else waiting.origin_id
    queue_turn(conversation, origin=origin, cause="words" if words else "request")


def _post_notice(conversation: Conversation, request: ActionRequest) -> None:
    if needs_a_person(request):
        # That notice comes with the ticket.
        return
    told = NOTICES.get(State(request.state), "").format(title=request.card["title"])
    text = describe_for_chat(request) or told
    if text:
        say(conversation, Message.Role.SYSTEM, text)
