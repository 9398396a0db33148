"""The only entry to the agent."""

import logging
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings

from conversations.agent import llm, loop, prompt, segments, triage, triage_model
from conversations.agent.asking import Call, prepare
from conversations.agent.protocol import Model
from conversations.agent.switches import find_limits, find_what_is_off
from conversations.agent.triage import Label
from conversations.history import count_replies
from conversations.models import Conversation, Message, Turn
from conversations.operations import (
    Claim,
    LostLease,
    Taken,
    TakenOver,
    claim,
    fail_locked,
    fail_turn,
    holding,
    kept,
    taking,
)
from conversations.operations.reasons import NOTICES, PASSED_ON
from conversations.operations.spending import CapReached
from conversations.operations.tickets import open_ticket_locked
from conversations.operations.triaging import is_scoped
from conversations.operations.turns import end_turn
from conversations.queries import count_turns_since_person
from policy.limits import Limits
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
        if isinstance(begun, Asking):
            # Its claim is committed: a fault from here on is told in the turn's own name.
            claimed = begun.claim
            begun = _begin_labelled(asked, begun)
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


@dataclass(frozen=True, kw_only=True)
class Asking:
    """A turn that is this worker's, with a small model's call that labels the chat first."""

    claim: Claim
    question: triage_model.Question


def _begin(turn_id: int, model: Model) -> Begun | Asking | None:
    """Claim the turn, triage, check the limits and prepare the first call in one commit; None where there is none.

    Where a small model labels the chat, it is asked between two commits, and this is the first.
    """
    with taking(turn_id=turn_id) as taken:
        if taken is None:
            return None
        conversation, turn = taken.claim.conversation, taken.turn
        if taken.why_not:
            fail_locked(conversation, turn, reason=taken.why_not)
            return None
        question = _find_question(taken)
        if question is None:
            return _open(model, taken.claim, conversation, turn, None)
    return Asking(claim=taken.claim, question=question)


def _find_question(taken: Taken) -> triage_model.Question | None:
    if settings.DESKAGENT_TRIAGE_MODEL == triage.RULES or taken.claim.conversation.triaged_at is not None:
        return None
    return triage_model.prepare(taken.claim.conversation, taken.turn, _read_words(taken.turn))


def _begin_labelled(model: Model, asking: Asking) -> Begun | None:
    claimed, question = asking.claim, asking.question
    heard = triage_model.ask(question, claimed)
    try:
        with holding(claimed) as (conversation, turn):
            label = triage_model.settle(question, heard, conversation)
            if (words := _read_words(turn)) != question.text:
                label = triage.hear_later(label, words)
            return _open(model, claimed, conversation, turn, label)
    except TakenOver:
        triage_model.pay_alone(question, heard, claimed.conversation)
        raise


def _open(model: Model, claimed: Claim, conversation: Conversation, turn: Turn, label: Label | None) -> Begun | None:
    """The first call, or a person, in the transaction that holds the turn. `label`: where it is known already."""
    reason = _find_reason_for_person(claimed, conversation, turn, label)
    if not reason:
        try:
            # Calls of an earlier claim count: a worker that dies gives nobody a new start.
            number = 1 + (count_replies(turn) if turn.fence > 1 else 0)
            return Begun(claim=claimed, call=prepare(model, claimed, conversation, turn, number=number))
        except CapReached as reached:
            logger.warning("conversation %s goes to a person: %s", conversation.pk, reached)
            reason = "spend_cap"
    end_turn(turn, Turn.State.WITH_PERSON)
    open_ticket_locked(conversation, reason=reason, notice=NOTICES.get(reason, PASSED_ON))
    return None


def _find_reason_for_person(claimed: Claim, conversation: Conversation, turn: Turn, label: Label | None) -> str:
    limits = find_limits()
    with claimed.stages.measuring("triage"):
        reason = _triage(conversation, turn, label, limits)
    if reason := reason or find_what_is_off(conversation, limits):
        return reason
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


def _triage(conversation: Conversation, turn: Turn, label: Label | None, limits: Limits | None) -> str:
    """Read what the customer said, where that may decide who has the chat; the reason for a person, or nothing."""
    vip = segments.is_for_people(conversation)
    first = conversation.triaged_at is None
    if first:
        label = label or triage.read(_read_words(turn))
    elif is_scoped() and turn.cause == "message":
        label = segments.find_new_subject(conversation, _read_words(turn))
    if label is None:
        return "vip" if vip else ""
    if first or limits is None:
        segments.store(conversation, label)
    else:
        segments.begin(conversation, turn, label)
    return triage.find_reason_for_person(label, limits=limits, conversation=conversation.pk, vip=vip)


def _read_words(turn: Turn) -> str:
    """What the customer said in this turn."""
    said = turn.messages.filter(role=Message.Role.CUSTOMER).order_by("seq")
    return "\n".join(said.values_list("text", flat=True))
