"""What comes from outside, within the limits: each asks for room first, outside any transaction, then acts.

`address`: the sender's pseudonym. Raises `SlowDown` with nothing stored.
"""

from uuid import UUID

from approvals.limits import (
    CONVERSATIONS_ADDRESS,
    MESSAGES_ADDRESS,
    MESSAGES_CONVERSATION,
    SlowDown,
    take,
)
from conversations import readings
from conversations.models import Conversation, Rating, Ticket
from conversations.operations.cards import answer_card
from conversations.operations.posting import LONGEST_MESSAGE, Posted, post_customer_message, start_conversation
from conversations.operations.rating import rate
from conversations.operations.tickets import ask_for_person
from conversations.operations.triaging import find_wish_for_person, is_long_to_read
from conversations.queries import find_message_seq, find_open_ticket
from conversations.readable import make_readable


def receive_conversation(*, locale: str, address: str, identity: str | None = None) -> tuple[Conversation, str]:
    take((CONVERSATIONS_ADDRESS, address))
    return start_conversation(locale=locale, address=address, identity=identity)


def receive_message(*, conversation_id: UUID, client_id: str, text: str, address: str) -> Posted:
    """A message that was accepted before is answered as such at any pace.

    Words that bring a person pass a conversation's full limit, though not an address's.
    """
    try:
        # The conversation first: one that is flooded must not use up its neighbours' address.
        take((MESSAGES_CONVERSATION, str(conversation_id)), (MESSAGES_ADDRESS, address))
    except SlowDown as full:
        seq = find_message_seq(conversation_id=conversation_id, client_id=client_id)
        if seq is not None:
            return Posted(seq=seq, created=False)
        if full.limit is not MESSAGES_CONVERSATION or not _brings_a_person(conversation_id, text):
            raise
        take((MESSAGES_ADDRESS, address))
    return post_customer_message(conversation_id=conversation_id, client_id=client_id, text=text)


def receive_answer(*, conversation_id: UUID, request_id: UUID, answer: str, address: str) -> None:
    """A button is no message: a customer who wrote much can still say no."""
    take((MESSAGES_ADDRESS, address))
    answer_card(conversation_id=conversation_id, request_id=request_id, answer=answer)


def receive_handoff(*, conversation_id: UUID, address: str) -> Ticket:
    take((MESSAGES_ADDRESS, address))
    return ask_for_person(conversation_id=conversation_id)


def receive_rating(*, conversation_id: UUID, score: int, comment: str, address: str) -> Rating:
    take((MESSAGES_ADDRESS, address))
    return rate(conversation_id=conversation_id, score=score, comment=comment)


def _brings_a_person(conversation_id: UUID, text: str) -> bool:
    """Whether posting this opens a ticket at once. Where one is open it does not, so nobody floods past the limit."""
    if len(text) > LONGEST_MESSAGE:
        return False
    conversation = Conversation.objects.get(pk=conversation_id)
    if find_open_ticket(conversation) is not None:
        return False
    words = make_readable(text)
    if is_long_to_read(words):
        # A flood must not be paid for by the letter: only a plain wish is looked for.
        return readings.asks_for_a_person(words)
    return bool(find_wish_for_person(words, triaged=conversation.triaged_at is not None))
