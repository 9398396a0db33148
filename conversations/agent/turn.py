"""The only entry to the agent."""

import logging
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings

from conversations.agent import llm, loop, prompt
from conversations.agent.asking import Call, prepare
from conversations.agent.protocol import Model
from conversations.agent.switches import find_what_is_off
from conversations.agent.triage import RULES, triage
from conversations.history import count_replies
from conversations.models import Message, Turn
from conversations.operations import (
    Claim,
    LostLease,
    Taken,
    TakenOver,
    claim,
    fail_locked,
    fail_turn,
    kept,
    taking,
)
from conversations.operations.reasons import NOTICES, PASSED_ON
from conversations.operations.spending import CapReached
from conversations.operations.tickets import open_ticket_locked
from conversations.operations.triaging import record_triage
from conversations.operations.turns import end_turn
from conversations.queries import count_turns_since_person
from policy.queries import PolicyMissing

logger = logging.getLogger(__name__)


def run(*, turn_id: int, model: Model | None = None) -> None:
    """Answer what a turn was made for, with the model of the settings unless one is given.

    Safe to call twice: only one claim works on a turn at a time.
    """
    claimed: Claim | None = None
    try:
        asked = model or llm.get_model()
        begun = _begin(turn_id, asked)
        if begun is not None:
            claimed = begun.claim
            with kept(claimed):
                loop.run(model=asked, claimed=claimed, call=begun.call)
    except (LostLease, TakenOver) as stopped:
        logger.info("turn %s stopped: %s", turn_id, type(stopped).__name__)
    except Exception:
        # The process edge of a turn: whatever went wrong, the customer gets a person.
        logger.exception("turn %s failed", turn_id)
        with suppress(LostLease, TakenOver):
            # A fault in the first look took the claim back with it.
            failing = claimed or claim(turn_id=turn_id)
            if failing is not None:
                fail_turn(claimed=failing, reason="fault")


@dataclass(frozen=True, kw_only=True)
class Begun:
    """A turn that is this worker's, with its first call of the model."""

    claim: Claim
    call: Call


def _begin(turn_id: int, model: Model) -> Begun | None:
    """Claim the turn, triage, check the limits and prepare the first call in one commit; None where there is none."""
    with taking(turn_id=turn_id) as taken:
        if taken is None:
            return None
        conversation, turn = taken.claim.conversation, taken.turn
        if taken.why_not:
            fail_locked(conversation, turn, reason=taken.why_not)
            return None
        reason = _find_reason_for_person(taken)
        if not reason:
            try:
                # Calls of an earlier claim count: a worker that dies gives nobody a new start.
                number = 1 + (count_replies(turn) if turn.fence > 1 else 0)
                call = prepare(model, taken.claim, conversation, turn, number=number)
                return Begun(claim=taken.claim, call=call)
            except CapReached as reached:
                logger.warning("conversation %s goes to a person: %s", conversation.pk, reached)
                reason = "spend_cap"
        end_turn(turn, Turn.State.WITH_PERSON)
        open_ticket_locked(conversation, reason=reason, notice=NOTICES.get(reason, PASSED_ON))
    return None


def _find_reason_for_person(taken: Taken) -> str:
    conversation = taken.claim.conversation
    if conversation.triaged_at is None:
        with taken.claim.stages.measuring("triage"):
            reason = _triage(taken.turn)
        if reason:
            return reason
    if off := find_what_is_off(conversation):
        return off
    most: int = settings.DESKAGENT_TURNS_CONVERSATION
    # Each turn has an event at least, so a short chat need not be counted.
    if conversation.last_seq > most and count_turns_since_person(conversation) > most:
        return "limit"
    try:
        prompt.pin(conversation)
    except PolicyMissing:
        logger.error("no readable policy: conversation %s goes to a person", conversation.pk)
        return "policy_missing"
    return ""


def _triage(turn: Turn) -> str:
    """Reads what the customer said to the agent; the reason for a person, or nothing."""
    said = turn.messages.filter(role=Message.Role.CUSTOMER).order_by("seq")
    label = triage("\n".join(said.values_list("text", flat=True)))
    record_triage(turn.conversation, intent=label.intent, reason=label.reason, model=RULES)
    return label.reason if label.needs_person else ""
