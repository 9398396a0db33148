"""What the customer's words mean for who answers, and the one `triaged` entry of a segment."""

from django.conf import settings
from django.utils import timezone

from approvals.sessions import actor_of, set_intent
from audit.operations import Details, record
from audit.statements import save
from conversations import readings
from conversations.models import Conversation
from conversations.timeline import session_of

LONG_BYTES = 200


def is_scoped() -> bool:
    """Whether the intent of a chat decides its tools, and a person has the angry ones."""
    scoped: bool = settings.DESKAGENT_PROFILE == "scoped"
    return scoped


def is_long_to_read(text: str) -> bool:
    """Whether reading it for danger takes more than some 20 ms; a picture is read by its name."""
    return len(text.encode()) > LONG_BYTES


def find_wish_for_person(text: str, *, triaged: bool) -> str:
    """Why these words bring a person at once, in any state, or nothing.

    A first message is triage's, in its turn; later ones are read here, before any call of the agent.
    """
    if readings.asks_for_a_person(text):
        return "customer"
    if not triaged:
        return ""
    if risk := readings.find_risk(text):
        return risk
    return "anger" if is_scoped() and readings.is_angry(text) else ""


def record_triage(
    conversation: Conversation,
    *,
    intent: str,
    reason: str,
    model: str,
    confidence: float = 1.0,
    sentiment: str = readings.NEUTRAL,
    risk: str = "",
    also: str = "",
) -> None:
    """Store and audit what the conversation is about; hold its lock."""
    read = {"confidence": confidence, "sentiment": sentiment, "risk": risk, "reason": reason, "also": also}
    conversation.triaged_at = timezone.now()
    conversation.label = {"intent": intent, **read, "by": model}
    save(conversation, "triaged_at", "label")
    session = session_of(conversation)
    set_intent(session=session, intent=intent)
    # An amount of certainty as text: the log holds no floats.
    facts = {name: str(value) for name, value in read.items() if value}
    details = Details(verdict=intent, model=model, facts=facts)
    record(event="triaged", subject=str(conversation.pk), actor=actor_of(session), details=details)


def record_person_triage(conversation: Conversation, text: str) -> None:
    sentiment = readings.find_sentiment(text)
    record_triage(conversation, intent="person", reason="asks for a person", model="rules", sentiment=sentiment)
