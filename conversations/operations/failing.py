"""A turn that cannot go on."""

from conversations.models import Message, Turn
from conversations.operations.tickets import open_ticket_locked
from conversations.operations.turns import Claim, end_turn, holding
from conversations.timeline import say


def fail_turn(*, claimed: Claim, reason: str, text: str) -> None:
    """Tell the customer and fetch a person; raises what `holding` raises, with nothing said."""
    with holding(claimed) as (conversation, turn):
        end_turn(turn, Turn.State.FAILED)
        say(conversation, Message.Role.SYSTEM, text, turn=turn)
        open_ticket_locked(conversation, reason=reason)
