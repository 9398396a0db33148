"""How long an answer may take on each channel: a chat's customer watches, a mail's does not."""

from django.conf import settings

from conversations.models import Conversation

DEADLINES = {
    Conversation.Channel.CHAT: "DESKAGENT_TURN_DEADLINE_SECONDS",
    Conversation.Channel.EMAIL: "DESKAGENT_TURN_DEADLINE_EMAIL_SECONDS",
}


def deadline_of(channel: str) -> int:
    """The seconds that a turn of this channel has, from its first claim."""
    seconds: int = getattr(settings, DEADLINES[Conversation.Channel(channel)])
    return seconds
