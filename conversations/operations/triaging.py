"""The one `triaged` entry of a segment, written by whoever reads the first message."""

from django.utils import timezone

from approvals.sessions import actor_of, set_intent
from audit.operations import Details, record
from audit.statements import save
from conversations.models import Conversation
from conversations.timeline import session_of


def record_triage(conversation: Conversation, *, intent: str, reason: str, model: str) -> None:
    """Store and audit what the conversation is about; hold its lock."""
    conversation.triaged_at = timezone.now()
    save(conversation, "triaged_at")
    session = session_of(conversation)
    set_intent(session=session, intent=intent)
    actor = actor_of(session)
    details = Details(verdict=intent, model=model, facts={"reason": reason})
    record(event="triaged", subject=str(conversation.pk), actor=actor, details=details)


def record_person_triage(conversation: Conversation) -> None:
    record_triage(conversation, intent="person", reason="asks for a person", model="rules")
