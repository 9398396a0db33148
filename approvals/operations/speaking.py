"""Spoken consent: the customer's yes to the agent's own question, for benchmarks whose customers see no cards."""

from uuid import UUID

from django.conf import settings

from approvals.models import State
from approvals.operations.answering import confirm
from approvals.operations.proposing import Proposal, Standing, propose
from approvals.queries import get_result
from approvals.sessions import Voice
from policy.actions import Action
from policy.spoken import Exchange


def propose_spoken(*, conversation: UUID, action: Action, key: str, voice: Voice, exchange: Exchange) -> Proposal:
    """`propose`, and where the exchange holds an unused yes to exactly this, what `confirm` does with a card's yes.

    Inside the caller's transaction. Without such a yes the model is told what to ask first, and nothing is stored.
    """
    if settings.DESKAGENT_CONSENT != "spoken":
        raise RuntimeError("words count as consent only where the operator said so")
    proposal = propose(conversation=conversation, action=action, key=key, voice=voice, exchange=exchange)
    card = proposal.request
    # A card of a time when cards were shown keeps waiting for its own answer.
    if proposal.standing is not Standing.CARD or card is None or card.spoken_to != exchange.number:
        return proposal
    request = confirm(conversation=conversation, request_id=card.pk, by="spoken")
    if request.state == State.AWAITING_STAFF:
        return Proposal(standing=Standing.REVIEW, request=request)
    text = get_result(request)
    return Proposal(standing=Standing.ENDED, text=text, is_error=request.result_is_error, request=request)
