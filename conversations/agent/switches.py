"""What the shop has switched off: such a chat goes to a person, with no call of the model."""

from conversations.models import Conversation
from conversations.timeline import session_of
from policy.limits import Limits
from policy.queries import PolicyMissing, get_active


def find_limits() -> Limits | None:
    """The policy of now; None where it cannot be read, which is told of where the prompt is pinned."""
    try:
        return get_active().limits
    except PolicyMissing:
        return None


def find_what_is_off(conversation: Conversation, limits: Limits | None) -> str:
    """Why a person has this chat, or nothing. Asked anew at each turn, so that a switch holds from the next one on.

    A policy that cannot be read switches nothing off here: it refuses every write, and a new chat goes to a person.
    """
    if limits is None:
        return ""
    if not limits.switches.agent:
        return "agent_off"
    return "intent_off" if session_of(conversation).intent in limits.switches.intents_off else ""
