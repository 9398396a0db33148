"""Segments: stretches of a chat that are about one thing, with one prompt and one set of tools.

In the profile `scoped` a new one begins where the customer turns to another subject, or where the agent asks for a tool
that belongs to another one and the customer's words bear that out. Code decides both.
"""

from dataclasses import replace

from conversations import history
from conversations.agent import prompt, tools, toolsets
from conversations.agent.switches import find_limits
from conversations.agent.triage import Label, complete, place_of
from conversations.agent.triage_rules import Guess, classify
from conversations.models import Conversation, Message, Step, Turn
from conversations.operations.triaging import is_scoped, record_triage
from conversations.timeline import session_of
from policy.actions import ACTIONS

# A new subject has to be this clear; what merely sounds like one is an answer.
CLEAR = 0.7
# What is no subject yet: any clear wish ends it.
VAGUE = frozenset({"smalltalk", "other", "contact", ""})
# Nor has a chat one that a person was asked for in at once, and that they gave to the agent.
NO_SUBJECT = VAGUE | {"person"}
CLEAR_AFTER_VAGUE = 0.4
# Often said in answer to a question of the agent's, about another subject.
DETAILS = frozenset({"address", "payment", "invoice", "account", "shopping", "delivery"})
HEARD = 3


def store(conversation: Conversation, label: Label) -> None:
    """What the chat is about from here on: kept with the segment and audited once."""
    record_triage(
        conversation,
        intent=label.intent,
        reason=label.reason,
        model=label.by,
        confidence=label.confidence,
        sentiment=label.sentiment,
        risk=label.risk,
        also=label.also,
    )


def find_new_subject(conversation: Conversation, text: str) -> Label | None:
    """The label of words that clearly turn to something else, in a chat that was triaged before."""
    if not is_scoped():
        return None
    guess, now = classify(text), session_of(conversation).intent
    if guess.intent == now or guess.intent in VAGUE or not guess.scores:
        return None
    vague = _is_vague(conversation, now)
    if guess.confidence < (CLEAR_AFTER_VAGUE if vague else CLEAR):
        return None
    if guess.intent in DETAILS and not vague and _was_asked_for(conversation, guess.intent):
        return None
    return complete(text, guess)


def begin(conversation: Conversation, turn: Turn, label: Label) -> Step:
    """Start a segment in the middle of a chat: its label, its prompt and tools, and the facts so far as a message."""
    store(conversation, label)
    prompt.pin_anew(conversation)
    subject = label.intent.replace("_", " ")
    note = f"The chat now turns to another subject: {subject}. {prompt.say_facts(conversation)}".strip()
    return history.add_desk_note(conversation, turn, note)


def is_for_people(conversation: Conversation) -> bool:
    """Whether the customer is one whom the shop serves by people, and no person gave the chat to the agent.

    That may be known only after a look-up, in the middle of a turn.
    """
    customer = session_of(conversation).customer
    if not is_scoped() or customer is None or not customer.vip:
        return False
    return not conversation.tickets.filter(closed_at__isnull=False).exists()


def is_elsewhere(conversation: Conversation, tool: str) -> bool:
    """Whether the tool exists but belongs to other subjects than this segment's."""
    return tool in ACTIONS and not toolsets.offers(conversation.prompt_version, tool)


def follow(
    conversation: Conversation, turn: Turn, steps: list[history.Row], caller: tools.Caller, tool: str
) -> tools.Caller:
    """Begin the segment of a tool that the agent asks for outside its set, where the customer's words bear that out.

    Otherwise the call stays one of an unknown tool. What is added to the history is added to `steps`.
    """
    note = _follow_tool(conversation, turn, tool) if is_elsewhere(conversation, tool) else None
    if note is None:
        return caller
    steps.append(history.Row(note.pk, note.kind, note.body, note.after))
    return replace(caller, voice=replace(caller.voice, prompt_version=conversation.prompt_version))


def _follow_tool(conversation: Conversation, turn: Turn, tool: str) -> Step | None:
    """Triage again; the note of the new segment, or None where nothing the customer said speaks for the tool."""
    said = conversation.messages.filter(role=Message.Role.CUSTOMER).order_by("-seq")[:HEARD]
    text = "\n".join(message.text for message in reversed(said))
    guess, now = classify(text), session_of(conversation).intent
    able = {intent: score for intent, score in guess.scores.items() if toolsets.has(intent, tool)}
    if able:
        intent = max(able, key=lambda one: (able[one], one))
    elif _is_vague(conversation, now):
        intent = toolsets.OWNER[tool]
    else:
        return None
    limits = find_limits()
    if limits is None or place_of(conversation.pk) >= limits.triage.share_of(intent):
        return None
    label = complete(text, Guess(intent=intent, confidence=guess.confidence, scores=guess.scores))
    return None if label.risk else begin(conversation, turn, label)


def _is_vague(conversation: Conversation, intent: str) -> bool:
    """Whether the segment is about nothing in particular, or nobody is sure of what."""
    return intent in NO_SUBJECT or conversation.label.get("confidence", 0.0) < CLEAR


def _was_asked_for(conversation: Conversation, intent: str) -> bool:
    """Whether the agent's last words were about it: then the customer only answers."""
    last = conversation.messages.filter(role=Message.Role.AGENT).order_by("-seq").first()
    return last is not None and intent in classify(last.text).scores
