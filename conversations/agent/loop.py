"""One turn's conversation with the model: ask, store the reply, act on it, and ask again until somebody is answered.

A reply and everything it causes are committed together before the next request, so a turn that dies goes on from
what is stored and never asks again for a step it has.
"""

import time
from dataclasses import dataclass
from enum import Enum, auto

from django.conf import settings

from approvals.answers import ONE_AT_A_TIME, PERSON_TOOK_OVER
from approvals.models import ActionRequest, State
from approvals.sessions import AGENT, TooManyLookups, Voice
from audit.operations import Details, record
from conversations import connections, history
from conversations.agent import prompt, tools
from conversations.agent.preview import Preview
from conversations.agent.protocol import Block, Model, ModelReply, ModelUnavailable
from conversations.models import Conversation, Message, ModelCall, Turn
from conversations.operations import Claim, fail_turn, holding
from conversations.operations.cards import show_card
from conversations.operations.tickets import PASSED_ON, open_ticket_locked
from conversations.operations.turns import end_turn, suspend_turn
from conversations.readable import make_all_readable, make_readable
from conversations.timeline import note_state, say
from policy.actions import ACTIONS
from policy.text import is_blank

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
    after: int

    @property
    def voice(self) -> Voice:
        return Voice(prompt_version=self.conversation.prompt_version, model=self.reply.model)


def run(*, model: Model, claimed: Claim) -> None:
    """Work on a claimed turn until it is answered, waits for a card, or a person has it."""
    deadline = time.monotonic() + settings.DESKAGENT_TURN_DEADLINE_SECONDS
    Preview(claimed).announce(settings.DESKAGENT_TURN_DEADLINE_SECONDS)
    for _ in range(settings.DESKAGENT_STEPS_TURN):
        if time.monotonic() > deadline:
            break
        request, after = prompt.build(claimed.conversation)
        try:
            # No transaction is open while the network is.
            connections.give_back()
            preview = Preview(claimed)
            reply = model.stream(request, preview.add)
            preview.flush()
        except ModelUnavailable:
            fail_turn(claimed=claimed, reason="model_unavailable")
            return
        with holding(claimed) as (conversation, turn):
            follows = _take(Round(conversation=conversation, turn=turn, reply=reply, after=after))
        if follows is Next.ENDED:
            return
        if follows is Next.UNUSABLE:
            fail_turn(claimed=claimed, reason="model_unusable")
            return
    fail_turn(claimed=claimed, reason="limit")


def _take(taken: Round) -> Next:
    """Store the reply and act on it, in the transaction that holds the turn."""
    _record_call(taken)
    content = [block for block in taken.reply.content if block.get("type") != "text" or block["text"].strip()]
    calls = [block for block in content if block.get("type") == "tool_use"]
    text = make_readable("\n\n".join(block["text"] for block in content if block.get("type") == "text"))
    finished = taken.reply.stop_reason == ("tool_use" if calls else "end_turn")
    usable = finished and (_are_callable(taken, calls) if calls else not is_blank(text))
    # Words that came while the model spoke are read before anything is shown or proposed.
    overtaken = history.has_newer_input(taken.conversation, taken.after) and _has_consequence(calls)
    discarded = not usable or overtaken
    # What goes back to the provider must be text it can take; thinking goes back as it came, it is signed.
    stored = [block if block.get("type") == "thinking" else make_all_readable(block) for block in content]
    history.add_reply(taken.conversation, taken.turn, stored, after=taken.after, discarded=discarded)
    if not usable:
        return Next.UNUSABLE
    if overtaken:
        return Next.ASK_AGAIN
    if calls:
        return _run_calls(taken, calls)
    say(taken.conversation, Message.Role.AGENT, text, turn=taken.turn)
    end_turn(taken.turn, Turn.State.DONE)
    return Next.ENDED


def _are_callable(taken: Round, calls: list[Block]) -> bool:
    """Ids that are new and can be answered; a reply that breaks the protocol is no reply."""
    ids = [call["id"] for call in calls]
    if len(set(ids)) != len(ids) or not all(0 < len(one) <= LONGEST_CALL_ID for one in ids):
        return False
    return not taken.conversation.steps.filter(call_id__in=ids).exists()


def _has_consequence(calls: list[Block]) -> bool:
    return not calls or any(call["name"] in ACTIONS for call in calls)


def _run_calls(taken: Round, calls: list[Block]) -> Next:
    """Calls in order: reads answer, the first write opens the card, what follows it is not run."""
    origin = taken.turn.origin_id
    if origin is None:
        raise RuntimeError(f"turn {taken.turn.pk} has no message that opened it")
    caller = tools.Caller(conversation=taken.conversation.pk, origin=origin, voice=taken.voice)
    follows = Next.ASK_AGAIN
    stopped_by = ""
    for call in calls:
        if stopped_by:
            _answer(taken, call, stopped_by, is_error=False)
            continue
        try:
            outcome = tools.call(caller=caller, name=call["name"], arguments=call["input"])
        except TooManyLookups:
            outcome = tools.Outcome(text=PERSON_TOOK_OVER, transfer="")
        if outcome.text is not None:
            _answer(taken, call, outcome.text, is_error=outcome.is_error)
        if outcome.transfer is not None:
            _hand_off(taken, outcome.transfer, reason="agent" if outcome.transfer else "failed_lookups")
            follows, stopped_by = Next.ENDED, PERSON_TOOK_OVER
        elif outcome.text is None and outcome.request is not None:
            _suspend(taken, call, outcome.request)
            follows, stopped_by = Next.ENDED, ONE_AT_A_TIME
    note_state(taken.conversation)
    return follows


def _answer(taken: Round, call: Block, text: str, *, is_error: bool) -> None:
    history.add_result(taken.conversation, taken.turn, call["id"], text, is_error=is_error)


def _suspend(taken: Round, call: Block, request: ActionRequest) -> None:
    suspend_turn(taken.turn, call_id=call["id"], request_id=request.pk)
    if request.state == State.AWAITING_CUSTOMER:
        show_card(taken.conversation, request)


def _hand_off(taken: Round, summary: str, *, reason: str) -> None:
    end_turn(taken.turn, Turn.State.WITH_PERSON)
    open_ticket_locked(taken.conversation, reason=reason, summary=summary, notice=PASSED_ON)


def _record_call(taken: Round) -> None:
    reply, usage = taken.reply, taken.reply.usage
    ModelCall.objects.create(
        turn=taken.turn,
        model=reply.model[:80],
        prompt_version=taken.conversation.prompt_version,
        stop_reason=(reply.stop_reason or "")[:40],
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
        first_token_ms=reply.first_token_ms,
        latency_ms=reply.latency_ms,
    )
    details = Details(
        model=reply.model,
        prompt_version=taken.conversation.prompt_version,
        policy_version=taken.conversation.policy_version,
        verdict=reply.stop_reason or "none",
        facts={
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cache_read_tokens": usage.cache_read_tokens,
            "cache_write_tokens": usage.cache_write_tokens,
            "latency_ms": reply.latency_ms,
        },
    )
    record(event="model_call", subject=str(taken.conversation.pk), actor=AGENT, details=details)
