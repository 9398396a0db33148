"""The only entry to the agent."""

import logging
from contextlib import suppress

from django.conf import settings

from conversations.agent import llm, loop, prompt
from conversations.agent.protocol import Model
from conversations.agent.triage import RULES, triage
from conversations.models import Message, Turn
from conversations.operations import Claim, LostLease, TakenOver, claim, fail_turn, holding
from conversations.operations.tickets import PASSED_ON, open_ticket_locked
from conversations.operations.triaging import record_triage
from conversations.operations.turns import end_turn
from policy.queries import PolicyMissing

logger = logging.getLogger(__name__)


def run(*, turn_id: int, model: Model | None = None) -> None:
    """Answer what a turn was made for, with the model of the settings unless one is given.

    Safe to call twice: only one claim works on a turn at a time.
    """
    claimed = claim(turn_id=turn_id)
    if claimed is None:
        return
    try:
        _run(claimed, model)
    except (LostLease, TakenOver) as stopped:
        logger.info("turn %s stopped: %s", turn_id, type(stopped).__name__)
    except Exception:
        # The process edge of a turn: whatever went wrong, the customer gets a person.
        logger.exception("turn %s failed", turn_id)
        with suppress(LostLease, TakenOver):
            fail_turn(claimed=claimed, reason="fault")


def _run(claimed: Claim, model: Model | None) -> None:
    if not _prepare(claimed):
        return
    claimed.conversation.refresh_from_db()
    loop.run(model=model or llm.get_model(), claimed=claimed)


def _prepare(claimed: Claim) -> bool:
    """Triage, limits and the pinned prompt; False where a person has the chat now."""
    with holding(claimed) as (conversation, turn):
        reason = ""
        if conversation.triaged_at is None:
            reason = _triage(turn)
        if not reason and conversation.turns.count() > settings.DESKAGENT_TURNS_CONVERSATION:
            reason = "limit"
        if not reason:
            try:
                prompt.pin(conversation)
            except PolicyMissing:
                logger.error("no readable policy: conversation %s goes to a person", conversation.pk)
                reason = "policy_missing"
        if reason:
            end_turn(turn, Turn.State.WITH_PERSON)
            open_ticket_locked(conversation, reason=reason, notice=PASSED_ON)
    return not reason


def _triage(turn: Turn) -> str:
    """Reads what the customer said to the agent; the reason for a person, or nothing."""
    said = turn.messages.filter(role=Message.Role.CUSTOMER).order_by("seq")
    label = triage("\n".join(said.values_list("text", flat=True)))
    record_triage(turn.conversation, intent=label.intent, reason=label.reason, model=RULES)
    return label.reason if label.needs_person else ""
