"""What the shop has switched off: such a chat goes to a person, with no call of the model."""

from approvals.queries import get_session
from conversations.models import Conversation
from policy.queries import PolicyMissing, get_active


def find_what_is_off(conversation: Conversation) -> str:
    """Why a person has this chat, or nothing. Asked anew at each turn, so that a switch holds from the next one on.

    A policy that cannot be read switches nothing off here: it refuses every write, and a new chat goes to a person.
    """
    try:
        switches = get_active().limits.switches
    except PolicyMissing:
        return ""
    if not switches.agent:
        return "agent_off"
    if switches.intents_off and get_session(conversation=conversation.pk).intent in switches.intents_off:
        return "intent_off"
    return ""
