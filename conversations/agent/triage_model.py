"""The small model that may label a chat instead of the rules: one short call with a structured answer.

It has `DESKAGENT_TRIAGE_MS` and a thousandth of a dollar a conversation; without a usable answer the rules decide.
"""

import logging
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from django.conf import settings
from django.db import transaction
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from conversations import connections
from conversations.agent import budget, llm, prices
from conversations.agent.protocol import Block, ModelReply, ModelRequest, ModelUnavailable
from conversations.agent.triage import Label, complete, read
from conversations.agent.triage_rules import Guess
from conversations.history import fence
from conversations.models import Conversation, Turn
from conversations.operations import Claim, purse
from conversations.operations.spending import CapReached
from conversations.readable import make_readable
from policy.intents import INTENTS

logger = logging.getLogger(__name__)

PROMPT = "triage-1"
MOST_NANO = 1_000_000
MAX_TOKENS = 150
LONGEST_TEXT = 1_200
TOOL = "label"
RISKS = {"legal": "legal threat", "safety": "safety"}


class Answer(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    intent: str
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    sentiment: Literal["angry", "negative", "neutral", "positive"]
    risk: Literal["none", "legal", "safety"]
    reason: Annotated[str, Field(max_length=300)]


SPEC: Block = {
    "name": TOOL,
    "description": "Say what the customer's message is about.",
    "input_schema": {
        "type": "object",
        "properties": {
            "intent": {"type": "string", "enum": list(INTENTS)},
            "confidence": {"type": "number", "description": "How sure you are of the intent, 0 to 1."},
            "sentiment": {"type": "string", "enum": ["angry", "negative", "neutral", "positive"]},
            "risk": {"type": "string", "enum": ["none", *RISKS]},
            "reason": {"type": "string", "description": "Why, in at most ten words."},
        },
        "required": ["intent", "confidence", "sentiment", "risk", "reason"],
        "additionalProperties": False,
    },
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """A call that is paid for and not made yet."""

    text: str
    request: ModelRequest
    held: budget.Reservation


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What came of it. `lost`: tries that may have been billed all the same."""

    reply: ModelReply | None
    lost: int = 0


def prepare(conversation: Conversation, turn: Turn, text: str) -> Question | None:
    """Book the call in the transaction that claims the turn; None where the rules are to decide."""
    model = settings.DESKAGENT_TRIAGE_MODEL
    # A turn that was claimed before may have asked already: never twice for one chat.
    if turn.fence > 1:
        return None
    words = fence("customer", make_readable(text[:LONGEST_TEXT]))
    request = ModelRequest(
        system=_read_prompt(),
        tools=[SPEC],
        messages=[{"role": "user", "content": [words]}],
        max_tokens=MAX_TOKENS,
        tool_choice={"type": "tool", "name": TOOL},
    )
    if prices.most(model, request) > MOST_NANO:
        logger.warning("%s may cost more than a thousandth of a dollar a chat: the rules decide", model)
        return None
    try:
        held = budget.reserve(conversation=conversation, turn=turn, model=model, request=request, prompt=PROMPT)
    except CapReached:
        return None
    return Question(text=text, request=request, held=held)


def ask(question: Question, claimed: Claim) -> Heard:
    """Make the call; no transaction may be open. Never raises for what the model or the wire does."""
    if question.held.nano:
        purse.stock_up(question.held.nano)
    model = llm.get_triage_model()
    request = replace(
        question.request, deadline=time.monotonic() + settings.DESKAGENT_TRIAGE_MS / 1000, may_retry=lambda: False
    )
    try:
        with connections.waiting(), claimed.stages.measuring("triage"):
            return Heard(reply=model.stream(request, lambda text: None))
    except ModelUnavailable as error:
        logger.info("triage by rules: %s", error)
        return Heard(reply=None, lost=error.lost)


def settle(question: Question, heard: Heard, conversation: Conversation) -> Label:
    """Pay for the call, in a transaction, and say what it found; the rules' label where it found nothing."""
    lost = heard.reply.lost if heard.reply else heard.lost
    budget.settle(question.held, conversation=conversation, reply=heard.reply, lost=lost)
    return read_answer(heard.reply, question.text) or read(question.text)


def pay_alone(question: Question, heard: Heard, conversation: Conversation) -> None:
    """Pay for a call whose turn a person took meanwhile."""
    with transaction.atomic():
        settle(question, heard, conversation)


def read_answer(reply: ModelReply | None, text: str) -> Label | None:
    """The label of a reply that keeps the form; None for any other. Dangers that the rules read stay what they are."""
    if reply is None or reply.stop_reason != "tool_use":
        return None
    calls = [block for block in reply.content if block.get("type") == "tool_use"]
    if len(calls) != 1 or calls[0]["name"] != TOOL:
        return None
    try:
        answer = Answer.model_validate(calls[0]["input"])
    except ValidationError:
        return None
    if answer.intent not in INTENTS:
        return None
    reason = " ".join(make_readable(answer.reason).split())[:200]
    guess = Guess(intent=answer.intent, confidence=answer.confidence, scores={})
    label = complete(text, guess, by=reply.model[:80], reason=reason or "no reason given")
    angry = "angry" if "angry" in (answer.sentiment, label.sentiment) else answer.sentiment
    label = replace(label, sentiment=angry)
    return label if label.risk or answer.risk == "none" else replace(label, risk=RISKS[answer.risk])


def _read_prompt() -> str:
    return (Path(__file__).resolve().parent / "prompts" / f"{PROMPT}.md").read_text(encoding="utf-8").strip()
