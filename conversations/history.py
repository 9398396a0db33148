"""What the model has seen and said, as stored steps; a prompt is their concatenation in the provider's form.

Text from outside is data: it stands in one element with its markup escaped, so no customer can open or close one.
"""

from collections.abc import Iterable
from html import escape
from typing import Any

from conversations.models import Conversation, Message, Step, Turn

Block = dict[str, Any]


def fence(element: str, text: str) -> Block:
    """A text block `<element>…</element>`; the text cannot leave it."""
    return {"type": "text", "text": f"<{element}>{escape(text, quote=False)}</{element}>"}


def add_customer_words(conversation: Conversation, turn: Turn | None, text: str) -> Step:
    return _add(conversation, turn, Step.Kind.INPUT, fence("customer", text))


def add_desk_note(conversation: Conversation, turn: Turn | None, text: str) -> Step:
    """A notice written by code, which the system prompt tells the model to trust."""
    return _add(conversation, turn, Step.Kind.INPUT, fence("desk", text))


def add_human_stretch(conversation: Conversation, messages: Iterable[Message]) -> Step:
    """What customer and staff said while a person held the chat, as one labelled block."""
    lines = [f"{'Customer' if said.role == Message.Role.CUSTOMER else 'Staff'}: {said.text}" for said in messages]
    return _add(conversation, None, Step.Kind.INPUT, fence("person", "\n".join(lines) or "Nothing was said."))


def add_result(conversation: Conversation, turn: Turn | None, call_id: str, text: str, *, is_error: bool) -> Step:
    """The result of one tool call; a call has exactly one."""
    body = {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": is_error}
    return _add(conversation, turn, Step.Kind.RESULT, body, call_id=call_id)


def add_reply(conversation: Conversation, turn: Turn, content: list[Block], *, after: int, discarded: bool) -> Step:
    kind = Step.Kind.DISCARDED if discarded else Step.Kind.REPLY
    return _add(conversation, turn, kind, content, after=after)


def list_steps(conversation: Conversation) -> list[Step]:
    """The steps of the history in the order of the prompt."""
    steps = list(conversation.steps.exclude(kind=Step.Kind.DISCARDED).order_by("id"))
    return sorted(
        steps, key=lambda step: (step.after or 0, 1, step.pk) if step.kind == Step.Kind.REPLY else (step.pk, 0, 0)
    )


def to_messages(steps: Iterable[Step]) -> list[Block]:
    """Messages that alternate user and assistant; in each user message the tool results stand first."""
    messages: list[Block] = []
    for step in steps:
        if step.kind == Step.Kind.REPLY:
            messages.append({"role": "assistant", "content": step.body})
            continue
        if not messages or messages[-1]["role"] == "assistant":
            messages.append({"role": "user", "content": []})
        messages[-1]["content"].append(step.body)
    for message in messages:
        if message["role"] == "user":
            message["content"].sort(key=lambda block: block["type"] != "tool_result")
    return messages


def has_newer_input(conversation: Conversation, after: int) -> bool:
    """Whether somebody spoke after the step that a request ended with."""
    return conversation.steps.filter(kind=Step.Kind.INPUT, pk__gt=after).exists()


def _add(
    conversation: Conversation,
    turn: Turn | None,
    kind: Step.Kind,
    body: Any,
    *,
    call_id: str = "",
    after: int | None = None,
) -> Step:
    return Step.objects.create(conversation=conversation, turn=turn, kind=kind, body=body, call_id=call_id, after=after)
