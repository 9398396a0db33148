"""What the customer thought of the chat: asked for once, given at any time, changed as often as they like."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conversations.models import Conversation, Message, Rating
from conversations.operations.errors import MessageTooLong
from conversations.readable import make_readable
from conversations.timeline import append, lock_conversation, was_told
from policy.text import is_blank

ASKED = "rating_request"
LONGEST_COMMENT = 2_000


def rate(*, conversation_id: UUID, score: int, comment: str = "") -> Rating:
    """Store the score, one to five, or put it in place of the one before. Opens no closed chat.

    Raises `MessageTooLong` with nothing stored. A comment without anything readable is none.
    """
    if len(comment) > LONGEST_COMMENT:
        raise MessageTooLong(f"comment: {len(comment):,} of {LONGEST_COMMENT:,} characters")
    readable = make_readable(comment)
    words = "" if is_blank(readable) else readable
    with transaction.atomic():
        conversation = lock_conversation(conversation_id)
        rating = Rating.objects.filter(conversation=conversation).first()
        if rating is None:
            return Rating.objects.create(conversation=conversation, score=score, comment=words)
        if (rating.score, rating.comment) != (score, words):
            rating.score, rating.comment, rating.changed_at = score, words, timezone.now()
            rating.save(update_fields=["score", "comment", "changed_at"])
    return rating


def ask_for_rating(conversation: Conversation) -> None:
    """The one `rating_request` of a chat that ends, under its lock: where somebody answered, and nobody rated yet."""
    if was_told(conversation.pk, ASKED) or Rating.objects.filter(conversation=conversation).exists():
        return
    if conversation.messages.filter(role__in=[Message.Role.AGENT, Message.Role.STAFF]).exists():
        append(conversation, ASKED, {}, about=conversation.pk)
