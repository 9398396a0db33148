"""A turn that cannot go on."""

from conversations.models import Conversation, Message, Turn
from conversations.operations.reasons import PASSED_ON
from conversations.operations.spending import close_unseen
from conversations.operations.tickets import open_ticket_locked
from conversations.operations.turns import Claim, end_turn, holding
from conversations.timeline import say
from orders.queries import has_effect

NOTHING_DONE = "I can’t answer right now. Nothing was changed in your order."
SOMETHING_DONE = "I can’t answer right now. What the receipts above show was done, and nothing else was changed."
PERSON_HAS_IT = "A person has your message and will reply here."


def fail_turn(*, claimed: Claim, reason: str) -> None:
    """Tell the customer, truthfully about what was done, and fetch a person. Raises what `holding` raises."""
    with holding(claimed) as (conversation, turn):
        fail_locked(conversation, turn, reason=reason)


def fail_locked(conversation: Conversation, turn: Turn, *, reason: str) -> None:
    """The same inside a transaction that holds the turn."""
    close_unseen(turn)
    end_turn(turn, Turn.State.FAILED)
    done = has_effect(conversation=conversation.pk)
    text = PASSED_ON if reason == "limit" else f"{SOMETHING_DONE if done else NOTHING_DONE} {PERSON_HAS_IT}"
    say(conversation, Message.Role.SYSTEM, text, turn=turn)
    open_ticket_locked(conversation, reason=reason)
