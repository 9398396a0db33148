"""A draft of the next reply, for the person who holds a chat: the same prompt and model, and tools that only read.

Nothing of it enters the history, opens a card or reaches the customer.
"""

import logging
import re
import time
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from approvals.operations import refuse_malformed
from approvals.sessions import Voice
from conversations import connections, history
from conversations.agent import budget, llm, prompt, reply_check, tools
from conversations.agent.protocol import Block, Model, ModelReply, ModelRequest, ModelUnavailable
from conversations.agent.reading_tools import (
    Calculate,
    GetOrderDetails,
    GetProductDetails,
    GetShipmentStatus,
    GetUserDetails,
    ListAllProductTypes,
    SearchHelpCenter,
)
from conversations.agent.reply_books import Books
from conversations.agent.reply_parts import list_calls, list_content, list_stored, read_text
from conversations.agent.sources import list_sources
from conversations.agent.switches import find_limits, find_what_is_off
from conversations.history import Row, fence
from conversations.models import Conversation, Message, Step, Suggestion
from conversations.operations import purse
from conversations.operations.posting import LONGEST_MESSAGE
from conversations.operations.spending import CapReached
from conversations.operations.suggesting import Drafting, NotWanted, beginning, drafting, fail, finish, give_up
from conversations.queries import find_open_ticket
from conversations.timeline import session_of
from helpcenter.citations import MARK
from policy.queries import PolicyMissing
from policy.text import is_blank

logger = logging.getLogger(__name__)
# Not the look-ups: they verify, and a draft changes nothing.
READS = {
    *(GetUserDetails.name, GetOrderDetails.name, GetShipmentStatus.name, GetProductDetails.name),
    *(ListAllProductTypes.name, Calculate.name, SearchHelpCenter.name),
}
MOST_CALLS = 10
# Of a long talk between people, its end.
MOST_SAID = 40
ASK = (
    "A colleague holds this chat and asks you for a draft of their next reply to the customer. You can look things up "
    "but change nothing, and nothing you write is sent: the colleague reads and edits it first. Write the text of the "
    "reply alone, as the shop’s staff would. Say that something is done only where a result above shows it."
)
LONGEST_QUOTE = 200
STILL_OPEN = "Not decided yet: a person of the shop looks at it."
ONLY_READS = "Not available: a draft can only look things up."
SWITCHED_OFF = "The assistant is switched off."
NO_POLICY = "The shop’s policy cannot be read."
NO_MONEY = "The assistant’s spend cap is reached."
NO_MODEL = "The model’s provider does not answer."
UNUSABLE = "The model gave no usable draft."
TOO_LONG = "The assistant found no end."
FAULT = "Something went wrong in the desk; the log says what."


@dataclass(frozen=True, kw_only=True)
class Work:
    """The next call of the model, paid for, for one draft. `steps`: all that the request holds."""

    begun: Drafting
    conversation: Conversation
    request: ModelRequest
    steps: list[Row]
    held: budget.Reservation
    number: int


def run(*, suggestion_id: int, model: Model | None = None) -> None:
    """Draft what was asked for, with the model of the settings unless one is given. Safe to call twice."""
    try:
        asked = model or llm.get_model()
        work = _begin(suggestion_id, asked)
        while work is not None:
            work = _go_on(asked, work)
    except NotWanted:
        logger.info("suggestion %s is wanted no more", suggestion_id)
    except Exception:
        # The process edge of a draft: whatever went wrong, whoever asked is told.
        logger.exception("suggestion %s failed", suggestion_id)
        give_up(suggestion_id=suggestion_id, why=FAULT)


def _begin(suggestion_id: int, model: Model) -> Work | None:
    with beginning(suggestion_id=suggestion_id) as found:
        if found is None:
            return None
        conversation, suggestion, begun = found
        if find_what_is_off(conversation, find_limits()):
            fail(suggestion, SWITCHED_OFF)
            return None
        try:
            prompt.pin(conversation)
            request, steps = _ask_for_draft(conversation, time.monotonic() + begun.seconds_left)
            return _reserve(model, begun, conversation, request, steps, number=1)
        except PolicyMissing:
            fail(suggestion, NO_POLICY)
        except CapReached:
            fail(suggestion, NO_MONEY)
    return None


def _ask_for_draft(conversation: Conversation, deadline: float) -> tuple[ModelRequest, list[Row]]:
    """The segment's own request with what people said since, fewer tools, and the wish for a draft at its end."""
    request, steps = prompt.build(conversation, deadline=deadline)
    added = [*_close_calls(steps), *_list_said(conversation), fence("desk", _say_wish(conversation))]
    offered = [spec for spec in request.tools if spec["name"] in READS]
    return replace(request, tools=offered), _append(steps, *((_kind_of(body), body) for body in added))


def _append(steps: list[Row], *added: tuple[str, Any]) -> list[Row]:
    """The steps with further ones after them, which are in no table."""
    last = max((step.pk for step in steps), default=0)
    rows = (Row(last + number, kind, body, None) for number, (kind, body) in enumerate(added, start=1))
    return [*steps, *rows]


def _kind_of(body: Block) -> str:
    return Step.Kind.RESULT if body["type"] == "tool_result" else Step.Kind.INPUT


def _close_calls(steps: list[Row]) -> list[Block]:
    """A call that waits for staff stays open in the history; the provider wants an answer to it here."""
    return [_result(call_id, STILL_OPEN, is_error=False) for call_id in history.list_open_calls(steps)]


def _result(call_id: str, text: str, *, is_error: bool) -> Block:
    return {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": is_error}


def _list_said(conversation: Conversation) -> list[Block]:
    """What customer and staff said since the ticket was opened; it enters the history when the chat is handed back."""
    ticket = find_open_ticket(conversation)
    if ticket is None:
        return []
    roles = [Message.Role.CUSTOMER, Message.Role.STAFF]
    said = conversation.messages.filter(created_at__gte=ticket.opened_at, role__in=roles).order_by("-seq")[:MOST_SAID]
    return [
        fence("customer", one.text) if one.role == Message.Role.CUSTOMER else fence("person", f"Staff: {one.text}")
        for one in reversed(said)
    ]


def _say_wish(conversation: Conversation) -> str:
    return f"{ASK} {prompt.say_facts(conversation)}".rstrip()


def _reserve(
    model: Model,
    begun: Drafting,
    conversation: Conversation,
    request: ModelRequest,
    steps: list[Row],
    *,
    number: int,
    freed: budget.Freed | None = None,
) -> Work:
    request = replace(request, messages=history.to_messages(steps))
    held = budget.reserve(conversation=conversation, turn=begun.turn, model=model.name, request=request, freed=freed)
    return Work(begun=begun, conversation=conversation, request=request, steps=steps, held=held, number=number)


def _go_on(model: Model, work: Work) -> Work | None:
    """Make the call outside any transaction, and act on its reply in one; None where the draft is over."""
    reply: ModelReply | None = None
    lost = 0
    try:
        reply = _call(model, work)
        lost = reply.lost
    except ModelUnavailable as error:
        logger.warning("suggestion %s: %s", work.begun.suggestion_id, error)
        lost = error.lost
    try:
        with drafting(work.begun) as (conversation, suggestion):
            freed = budget.close(work.held, conversation=conversation, reply=reply, lost=lost)
            following = None
            if reply is None:
                fail(suggestion, NO_MODEL)
            else:
                following = _take(model, work, conversation, suggestion, reply, freed)
            if following is None:
                budget.free(freed, conversation=conversation)
            return following
    except NotWanted:
        with transaction.atomic():
            budget.settle(work.held, conversation=work.conversation, reply=reply, lost=lost)
        raise


def _call(model: Model, work: Work) -> ModelReply:
    if work.held.nano:
        purse.stock_up(work.held.nano)
    request = replace(work.request, may_retry=lambda: budget.retry(work.held, conversation=work.conversation))
    with connections.waiting():
        return model.stream(request, lambda _: None)


def _take(
    model: Model,
    work: Work,
    conversation: Conversation,
    suggestion: Suggestion,
    reply: ModelReply,
    freed: budget.Freed | None,
) -> Work | None:
    calls, text = list_calls(reply), read_text(reply).strip()
    if reply.stop_reason != ("tool_use" if calls else "end_turn") or (not calls and is_blank(text)):
        fail(suggestion, UNUSABLE)
    elif not calls:
        faults = _list_faults(text, work)
        finish(suggestion, text=_drop_marks(text, work)[:LONGEST_MESSAGE], faults=faults)
    elif work.number >= MOST_CALLS or work.begun.seconds_left <= 0:
        fail(suggestion, TOO_LONG)
    else:
        steps = _append(work.steps, (Step.Kind.REPLY, list_stored(list_content(reply))))
        for call in calls:
            steps = _append(steps, (Step.Kind.RESULT, _answer(conversation, reply.model, call, steps)))
        try:
            return _reserve(model, work.begun, conversation, work.request, steps, number=work.number + 1, freed=freed)
        except CapReached:
            fail(suggestion, NO_MONEY)
    return None


def _list_faults(text: str, work: Work) -> list[str]:
    """What the rows of the chat do not bear out, with the words it is about: staff see it beside the draft."""
    faults = reply_check.find_faults(text, Books(work.steps, work.request.system))
    return [f"“{text[fault.start : fault.end][:LONGEST_QUOTE].strip()}”: {fault.why}" for fault in faults]


def _drop_marks(text: str, work: Work) -> str:
    """Without the marks of passages, which only the agent's own messages link to their articles."""
    known = {source.n for source in list_sources(work.steps)}

    def drop(found: re.Match[str]) -> str:
        return "" if known.issuperset(map(int, found[1].split(","))) else found[0]

    return re.sub(f" ?{MARK.pattern}", drop, text)


def _answer(conversation: Conversation, model: str, call: Block, steps: list[Row]) -> Block:
    """A read's result, recorded like any other and marked as a draft's. Nothing else comes near the gate."""
    voice = Voice(prompt_version=conversation.prompt_version, model=model, draft=True)
    name, arguments = str(call["name"]), call["input"]
    if name in READS:
        session = session_of(conversation)
        # Origin 0: only proposals are keyed by the message that opened the turn.
        caller = tools.Caller(conversation=conversation.pk, origin=0, voice=voice, session=session, steps=steps)
        outcome = tools.call(caller=caller, name=name, arguments=arguments)
        return _result(call["id"], outcome.text or ONLY_READS, is_error=outcome.is_error)
    shown = tools.UNPRINTABLE.sub("?", name)[:60]
    kept = arguments if isinstance(arguments, dict) else {"value": arguments}
    refuse_malformed(conversation=conversation.pk, tool=shown, arguments=kept, reason=ONLY_READS, voice=voice)
    return _result(call["id"], ONLY_READS, is_error=True)
