"""One call of the model: built and paid for in the commit before it, made outside any transaction, settled with its
reply."""

import time
from dataclasses import dataclass, replace
from functools import cached_property

from django.db import transaction

from conversations import connections
from conversations.agent import budget, prompt
from conversations.agent.preview import Preview
from conversations.agent.protocol import Model, ModelReply, ModelRequest
from conversations.agent.reply_books import Books
from conversations.history import Row
from conversations.models import Conversation, Turn
from conversations.operations import Claim, purse


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request about to be made, with the money for it and the steps that it holds.

    `number` counts the turn's calls from 1, over all its workers.
    """

    number: int
    request: ModelRequest
    steps: list[Row]
    held: budget.Reservation

    @property
    def after(self) -> int:
        """The newest step that the request holds."""
        return max((step.pk for step in self.steps), default=0)

    @cached_property
    def books(self) -> Books:
        """What a reply to this request may rest on."""
        return Books(self.steps, self.request.system)


def prepare(
    model: Model,
    claimed: Claim,
    conversation: Conversation,
    turn: Turn,
    *,
    number: int,
    steps: list[Row] | None = None,
    freed: budget.Freed | None = None,
) -> Call:
    """The next call, in the transaction that holds the turn. Raises `spending.CapReached`, with nothing booked.

    `steps`: the prompt's, where they are at hand. `freed`: what the call before it did not cost, returned with it.
    """
    deadline = time.monotonic() + claimed.seconds_left
    request, steps = prompt.build(conversation, deadline=deadline, begins_turn=number == 1, steps=steps)
    held = budget.reserve(conversation=conversation, turn=turn, model=model.name, request=request, freed=freed)
    return Call(number=number, request=request, steps=steps, held=held)


def ask(model: Model, claimed: Claim, call: Call) -> ModelReply:
    """Make the call, while the customer sees the words come. Raises `ModelUnavailable`; no transaction may be open."""
    # From here on the next reservation finds its money without a lock on the shop's row.
    if call.held.nano:
        purse.stock_up(call.held.nano)
    preview = Preview(claimed, call.books)
    request = replace(call.request, may_retry=lambda: budget.retry(call.held, conversation=claimed.conversation))
    # The call may take a minute: connection and place are somebody else's meanwhile.
    with connections.waiting():
        with claimed.stages.measuring("model"):
            reply = model.stream(request, preview.add)
        preview.flush()
        came = time.monotonic()
    claimed.stages.add("queue", time.monotonic() - came)
    return reply


def pay_alone(claimed: Claim, call: Call, reply: ModelReply | None, *, lost: int) -> None:
    """Settle a call whose turn a person took meanwhile."""
    with transaction.atomic():
        budget.settle(call.held, conversation=claimed.conversation, reply=reply, lost=lost)
