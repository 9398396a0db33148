"""What a conversation is about, and whether the agent may have it at all: decided before the agent runs.

Two classifiers say what the words are about: rules, and a small model where the settings name one. What is dangerous
is read by the readings in both cases, and code alone decides who takes the chat.
"""

from dataclasses import dataclass, replace
from hashlib import sha256
from uuid import UUID

from conversations import readings
from conversations.agent import toolsets
from conversations.agent.triage_rules import Guess, classify
from conversations.operations.triaging import is_scoped
from policy.limits import Limits

RULES = "rules"
# Nothing that the desk's tools can do.
UNSUPPORTED = frozenset({"complaint", "delete_account"})


@dataclass(frozen=True, kw_only=True)
class Label:
    """What triage stores of a segment; `by` names the classifier: the rules, or a model."""

    intent: str
    confidence: float
    sentiment: str
    risk: str
    reason: str
    by: str
    # A second subject that the words speak for nearly as much: its tools are there as well.
    also: str = ""


def read(text: str) -> Label:
    """The rules' label of a customer's words."""
    return complete(text, classify(text))


def complete(text: str, guess: Guess, *, by: str = RULES, reason: str = "") -> Label:
    """A classifier's guess with what is read in every message: risk and sentiment."""
    risk = readings.find_risk(text)
    intent, confidence = guess.intent, guess.confidence
    if risk and intent != "person":
        intent, confidence = "complaint", 1.0
    return Label(
        intent=intent,
        confidence=confidence,
        sentiment=readings.find_sentiment(text),
        risk=risk,
        reason=risk or reason or describe(guess),
        by=by,
        also="" if risk else find_second(guess),
    )


def hear_later(label: Label, text: str) -> Label:
    """The label of the first words with what is read in all of them: some came while a model was asked."""
    found = read(text)
    if found.risk or found.intent == "person":
        return found
    return replace(label, sentiment=found.sentiment) if found.sentiment == readings.ANGRY else label


def find_second(guess: Guess) -> str:
    """The runner-up, where it has half of the best one's evidence and brings other changes."""
    others = {
        intent: score
        for intent, score in guess.scores.items()
        if toolsets.toolset_of(intent) not in (toolsets.READING, toolsets.toolset_of(guess.intent))
    }
    second = max(others, key=lambda intent: (others[intent], intent), default="")
    return second if second and others[second] >= guess.scores.get(guess.intent, 0.0) / 2 else ""


def describe(guess: Guess) -> str:
    """The evidence in one line, the strongest first."""
    if guess.intent == "person":
        return "asks for a person"
    ranked = sorted(guess.scores.items(), key=lambda one: -one[1])[:3]
    return ", ".join(f"{intent} {score:g}" for intent, score in ranked) or "no rule speaks"


def find_reason_for_person(label: Label, *, limits: Limits | None, conversation: UUID, vip: bool) -> str:
    """Why a person has to take the chat before the agent says a word, or nothing."""
    if label.intent == "person":
        return "asks for a person"
    if label.risk:
        return label.risk
    if is_scoped():
        if label.sentiment == readings.ANGRY:
            return "anger"
        if vip:
            return "vip"
        if label.intent in UNSUPPORTED:
            return "unsupported"
        if limits is not None and label.confidence < float(limits.triage.least_confidence):
            return "low_confidence"
    if limits is not None and place_of(conversation) >= limits.triage.share_of(label.intent):
        return "rollout"
    return ""


def place_of(conversation: UUID) -> int:
    """0 to 99, always the same for one conversation: a larger share only adds chats to those it had."""
    return int.from_bytes(sha256(conversation.bytes).digest()[:4]) % 100
