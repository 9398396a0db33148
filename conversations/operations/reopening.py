"""A closed chat that somebody writes to."""

from datetime import timedelta

from django.utils import timezone

from approvals.models import CustomerSession
from approvals.sessions import forget_customer, set_holder
from conversations.models import Conversation
from conversations.operations.errors import ConversationClosed
from conversations.timeline import note_state, session_of

REOPEN_WITHIN = timedelta(days=7)


def reopen(conversation: Conversation, *, within: timedelta | None = None) -> None:
    """Open it again under its lock, with the agent and nobody verified; nothing to do where it is open.

    Raises `ConversationClosed` where it was closed longer ago than `within`.
    """
    if conversation.closed_at is None:
        return
    if within is not None and conversation.closed_at < timezone.now() - within:
        raise ConversationClosed("This chat has ended. Please start a new one.")
    # Where nothing was said before the end, the chat only begins.
    conversation.reopenings += conversation.last_seq > 0 and conversation.closed_at >= timezone.now() - REOPEN_WITHIN
    conversation.closed_at = None
    conversation.save(update_fields=["closed_at", "reopenings"])
    session = session_of(conversation)
    forget_customer(session=session)
    set_holder(session=session, holder=CustomerSession.Holder.AGENT)
    note_state(conversation)
