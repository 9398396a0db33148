"""One turn's conversation with the model: ask, store the reply, act on it, and ask again until somebody is answered.

A reply and everything it causes are committed together before the next request, so a turn that dies goes on from
what is stored and never asks again for a step it has.
"""

import logging
import math
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import Enum, auto

from django.conf import settings
from django.db import transaction

from approvals.answers import ONE_AT_A_TIME, PERSON_TOOK_OVER
from approvals.models import ActionRequest, State
from approvals.sessions import TooManyLookups, Voice
from audit.crash_points import reach
from conversations import history
from conversations.agent import budget, reply_check, segments, setbacks, tools
from conversations.agent.asking import Call, ask, pay_alone, prepare
from conversations.agent.preview import Preview
from conversations.agent.protocol import Block, Model, ModelReply, ModelUnavailable
from conversations.agent.reply_fault import Fault
from conversations.agent.reply_parts import list_calls, list_content, list_stored, read_text
from conversations.agent.sources import list_sources, since_last_answer
from conversations.attempts import JUST_HANDED_BACK
from conversations.history import Row
from conversations.models import Conversation, Step, Turn
from conversations.operations import Claim, TakenOver, fail_locked, holding
from conversations.operations.answering import say_answer
from conversations.operations.cards import show_card
from conversations.operations.identifying import offer_proof
from conversations.operations.reasons import NOTICES, PASSED_ON
from conversations.operations.spending import CapReached
from conversations.operations.tickets import open_ticket_locked
from conversations.operations.turns import end_turn, suspend_turn
from conversations.readable import make_readable
from conversations.stages import Stage
from conversations.timeline import note_state, session_of
from policy.actions import ACTIONS
from policy.text import is_blank

logger = logging.getLogger(__name__)
LONGEST_CALL_ID = 80


class Next(Enum):
    """What follows a stored reply."""

    ASK_AGAIN = auto()
    ENDED = auto()
    UNUSABLE = auto()


@dataclass(frozen=True, kw_only=True)
class Round:
    """One reply under the turn's fence, with everything it needs to be acted on."""

    conversation: Conversation
    turn: Turn
    reply: ModelReply
    # What was asked, and all steps that it held; what is added to the history is added to them.
    call: Call
    steps: list[Row]
    # What is wrong with its words.
    faults: list[Fault]

    @property
    def voice(self) -> Voice:
        return Voice(prompt_version=self.conversation.prompt_version, model=self.reply.model)

    def measuring(self, stage: Stage) -> AbstractContextManager[None]:
        return nullcontext() if self.turn.stages is None else self.turn.stages.measuring(stage)


def run(*, model: Model, claimed: Claim, call: Call) -> None:
    """Work on a claimed turn until it is answered, waits for a card, or a person has it."""
    Preview(claimed).announce(math.ceil(claimed.seconds_left))
    pending: Call | None = call
    while pending is not None:
        try:
            # No transaction is open while the network is.
            reply = ask(model, claimed, pending)
        except ModelUnavailable as error:
            _give_up(claimed, pending, error)
            return
        pending = _store(model, claimed, pending, reply)


def _give_up(claimed: Claim, call: Call, error: ModelUnavailable) -> None:
    try:
        with holding(claimed) as (conversation, turn):
            budget.settle(call.held, conversation=conversation, reply=None, lost=error.lost)
            fail_locked(conversation, turn, reason="model_unavailable")
    except TakenOver:
        pay_alone(claimed, call, None, lost=error.lost)
        raise


def _store(model: Model, claimed: Claim, call: Call, reply: ModelReply) -> Call | None:
    """Pay for the reply, act on it and prepare the next call, in one commit; None where none is to be made."""
    # Before the rows are locked: what comes meanwhile makes another draft.
    faults = [] if list_calls(reply) else reply_check.find_faults(read_text(reply), call.books)
    try:
        with holding(claimed) as (conversation, turn):
            wrong = Counter(fault.kind for fault in faults)
            freed = budget.close(call.held, conversation=conversation, reply=reply, lost=reply.lost, wrong=wrong)
            steps = [*call.steps]
            taken = Round(conversation=conversation, turn=turn, reply=reply, call=call, steps=steps, faults=faults)
            follows = _take(taken)
            following = None
            if follows is Next.UNUSABLE:
                fail_locked(conversation, turn, reason="model_unusable")
            elif follows is Next.ASK_AGAIN:
                following = _prepare_next(model, claimed, turn, steps, freed, number=call.number + 1)
            if following is None:
                budget.free(freed, conversation=conversation)
    except TakenOver:
        pay_alone(claimed, call, reply, lost=reply.lost)
        raise
    reach("reply pushed" if following is None else "model reply stored")
    return following


def _prepare_next(
    model: Model, claimed: Claim, turn: Turn, steps: list[Row], freed: budget.Freed | None, *, number: int
) -> Call | None:
    conversation = turn.conversation
    if number > settings.DESKAGENT_STEPS_TURN or claimed.seconds_left <= 0:
        fail_locked(conversation, turn, reason="limit")
        return None
    if segments.is_for_people(conversation):
        _end_with_person(conversation, turn, reason="vip")
        return None
    try:
        kept = history.in_order(steps)
        return prepare(model, claimed, conversation, turn, number=number, steps=kept, freed=freed)
    except CapReached as reached:
        logger.warning("conversation %s goes to a person: %s", conversation.pk, reached)
        _end_with_person(conversation, turn, reason="spend_cap")
        return None


def _take(taken: Round) -> Next:
    """Store the reply and act on it, in the transaction that holds the turn."""
    content, calls, text = list_content(taken.reply), list_calls(taken.reply), read_text(taken.reply)
    finished = taken.reply.stop_reason == ("tool_use" if calls else "end_turn")
    usable = finished and (_are_callable(taken, calls) if calls else not is_blank(text))
    # Words that came while the model spoke are read before anything is shown or proposed.
    newer = history.list_newer(taken.conversation, taken.call.after)
    taken.steps.extend(newer)
    overtaken = any(row.kind == Step.Kind.INPUT for row in newer) and _has_consequence(calls)
    discarded = not usable or overtaken or bool(taken.faults)
    stored = list_stored(content)
    reply = history.add_reply(taken.conversation, taken.turn, stored, after=taken.call.after, discarded=discarded)
    if not discarded:
        taken.steps.append(history.Row(reply.pk, reply.kind, reply.body, reply.after))
    if not usable:
        return Next.UNUSABLE
    if overtaken:
        return Next.ASK_AGAIN
    if calls:
        return _run_calls(taken, calls)
    if taken.faults:
        if not reply_check.was_told(taken.steps):
            return _send_back(taken)
        text = _write_anew(taken, text)
    transaction.on_commit(lambda: reach("reply stored"))
    found = list_sources(since_last_answer(taken.call.books.steps))
    say_answer(taken.conversation, taken.turn, text, found=found, voice=taken.voice)
    end_turn(taken.turn, Turn.State.DONE)
    return Next.ENDED


def _send_back(taken: Round) -> Next:
    """The model hears what was wrong with its draft, which is kept as one that was not sent."""
    note = history.add_desk_note(taken.conversation, taken.turn, reply_check.explain(taken.faults))
    taken.steps.append(history.Row(note.pk, note.kind, note.body, note.after))
    return Next.ASK_AGAIN


def _write_anew(taken: Round, text: str) -> str:
    """Told once and wrong again: what the rows show, for the customer and for the model's history alike."""
    written = make_readable(reply_check.rewrite(text, taken.faults, taken.call.books))
    content = [{"type": "text", "text": written}]
    history.add_reply(taken.conversation, taken.turn, content, after=taken.call.after, discarded=False)
    return written


def _are_callable(taken: Round, calls: list[Block]) -> bool:
    """Ids that are new and can be answered; a reply that breaks the protocol is no reply."""
    ids = [call["id"] for call in calls]
    if len(set(ids)) != len(ids) or not all(0 < len(one) <= LONGEST_CALL_ID for one in ids):
        return False
    known = {row.body["tool_use_id"] for row in taken.steps if row.kind == Step.Kind.RESULT}
    if not known.isdisjoint(ids):
        return False
    # What a window has dropped is looked for in the rows.
    dropped = taken.conversation.window_note is not None
    return not (dropped and any(history.knows_call(taken.conversation, one) for one in ids))


def _has_consequence(calls: list[Block]) -> bool:
    return not calls or any(call["name"] in ACTIONS for call in calls)


def _run_calls(taken: Round, calls: list[Block]) -> Next:
    """Calls in order: reads answer, the first write opens the card, what follows it is not run."""
    origin = taken.turn.origin_id
    if origin is None:
        raise RuntimeError(f"turn {taken.turn.pk} has no message that opened it")
    session = session_of(taken.conversation)
    own = taken.conversation.pk
    caller = tools.Caller(conversation=own, origin=origin, voice=taken.voice, session=session, steps=taken.steps)
    follows = Next.ASK_AGAIN
    stopped_by = ""
    for call in calls:
        if stopped_by:
            _answer(taken, call, stopped_by, is_error=False)
            continue
        if call["name"] in ACTIONS and segments.is_for_people(taken.conversation):
            # A look-up in this very reply may have said who the customer is.
            follows, stopped_by = _hand_over(taken, call, reason="vip")
            continue
        caller = segments.follow(taken.conversation, taken.turn, taken.steps, caller, call["name"])
        try:
            with taken.measuring("gate" if call["name"] in ACTIONS else "tools"):
                outcome = tools.call(caller=caller, name=call["name"], arguments=call["input"])
        except TooManyLookups:
            follows, stopped_by = _hand_over(taken, call, reason="failed_lookups")
            continue
        if outcome.transfer is not None and setbacks.returns_too_soon(taken.turn, taken.steps):
            outcome = tools.Outcome(text=JUST_HANDED_BACK)
        if outcome.text is not None:
            _answer(taken, call, outcome.text, is_error=outcome.is_error)
        if _needs_person(taken, outcome):
            follows, stopped_by = Next.ENDED, PERSON_TOOK_OVER
        elif outcome.text is None and outcome.request is not None:
            _suspend(taken, call, outcome.request)
            follows, stopped_by = Next.ENDED, ONE_AT_A_TIME
    if follows is Next.ENDED:
        # Reads move nothing; a card or a person does.
        note_state(taken.conversation)
    return follows


def _hand_over(taken: Round, call: Block, *, reason: str) -> tuple[Next, str]:
    """The call is not run, and a person takes the chat; what follows, and what the calls after it are told."""
    _answer(taken, call, PERSON_TOOK_OVER, is_error=False)
    _end_with_person(taken.conversation, taken.turn, reason=reason)
    return Next.ENDED, PERSON_TOOK_OVER


def _answer(taken: Round, call: Block, text: str, *, is_error: bool) -> None:
    result = history.add_result(taken.conversation, taken.turn, call["id"], text, is_error=is_error)
    taken.steps.append(history.Row(result.pk, result.kind, result.body, result.after))
    if is_error:
        offer_proof(taken.conversation, text)


def _suspend(taken: Round, call: Block, request: ActionRequest) -> None:
    suspend_turn(taken.turn, call_id=call["id"], request_id=request.pk)
    if request.state == State.AWAITING_CUSTOMER:
        show_card(taken.conversation, request)


def _needs_person(taken: Round, outcome: tools.Outcome) -> bool:
    """Hand the chat over where the model asked for that, or where its calls came to nothing too often."""
    conversation, turn = taken.conversation, taken.turn
    if outcome.transfer is not None:
        _end_with_person(conversation, turn, reason="agent", summary=outcome.transfer)
        return True
    stop = setbacks.find_stop(conversation, taken.steps) if outcome.is_error else None
    if stop is not None:
        _end_with_person(conversation, turn, reason=stop.reason, notice=stop.notice)
    return stop is not None


def _end_with_person(
    conversation: Conversation, turn: Turn, *, reason: str, summary: str = "", notice: str = ""
) -> None:
    end_turn(turn, Turn.State.WITH_PERSON)
    told = notice or NOTICES.get(reason, PASSED_ON)
    open_ticket_locked(conversation, reason=reason, summary=summary, notice=told)
