"""What the model has seen and said, as stored steps; a prompt is their concatenation in the provider's form.

A long chat is sent as a window that moves in blocks, so that it costs what a short one costs and most requests still
begin with the same bytes as the one before.

Text from outside is data: it stands in one element with its markup escaped, so no customer can open or close one.
"""

from collections.abc import Callable, Iterable
from html import escape
from typing import Any, NamedTuple

from django.db.models import QuerySet

from audit.statements import Slot, Tuples, insert
from conversations.models import Conversation, Message, Step, Turn

Block = dict[str, Any]

# In messages: a window of two blocks drops the first.
BLOCK = 40
# Stands in `call_id`, which only results need, of the note that begins a window.
WINDOW = "window"


class Row(NamedTuple):
    """A step as a prompt needs it."""

    pk: int
    kind: str
    body: Any
    after: int | None


FIELDS = ("pk", "kind", "body", "after")
_OF_CONVERSATION = Slot("conversation", Conversation._meta.pk)


def _select_newer() -> "QuerySet[Step, Any]":
    steps = Step.objects.filter(conversation_id=_OF_CONVERSATION, pk__gt=Slot("after", Step._meta.pk))
    seen = steps.exclude(kind=Step.Kind.DISCARDED).exclude(kind=Step.Kind.INPUT, call_id=WINDOW)
    return seen.order_by("pk").values_list(*FIELDS)


_NEWER = Tuples(_select_newer)
_NOTE = Tuples(lambda: Step.objects.filter(pk=Slot("pk", Step._meta.pk)).values_list(*FIELDS))
_CALL = Tuples(
    lambda: Step.objects.filter(
        conversation_id=_OF_CONVERSATION, call_id=Slot("call_id", Step._meta.get_field("call_id"))
    ).values_list("pk")[:1]
)


def fence(element: str, text: str) -> Block:
    """A text block `<element>…</element>`; the text cannot leave it."""
    return {"type": "text", "text": f"<{element}>{escape(text, quote=False)}</{element}>"}


def add_customer_words(conversation: Conversation, turn: Turn | None, text: str) -> Step:
    return _add(conversation, turn, Step.Kind.INPUT, fence("customer", text))


def add_desk_note(conversation: Conversation, turn: Turn | None, text: str) -> Step:
    """A notice written by code, which the system prompt tells the model to trust."""
    return _add(conversation, turn, Step.Kind.INPUT, fence("desk", text))


def list_open_calls(rows: list[Row]) -> list[str]:
    """The ids of calls without a result, in the order in which the model made them."""
    uses = [block["id"] for row in rows if row.kind == Step.Kind.REPLY for block in row.body if _is_call(block)]
    answered = {row.body["tool_use_id"] for row in rows if row.kind == Step.Kind.RESULT}
    return [one for one in uses if one not in answered]


def _is_call(block: Block) -> bool:
    return bool(block.get("type") == "tool_use")


def add_human_stretch(conversation: Conversation, messages: Iterable[Message]) -> Step:
    """What customer and staff said while a person held the chat, as one labelled block."""
    lines = [f"{'Customer' if said.role == Message.Role.CUSTOMER else 'Staff'}: {said.text}" for said in messages]
    return _add(conversation, None, Step.Kind.INPUT, fence("person", "\n".join(lines) or "Nothing was said."))


def add_staff_note(conversation: Conversation, turn: Turn | None, text: str) -> Step:
    """What a member of staff wrote for the agent: a person's words, which the desk does not vouch for."""
    return _add(conversation, turn, Step.Kind.INPUT, fence("person", f"Staff: {text}"))


def add_result(conversation: Conversation, turn: Turn | None, call_id: str, text: str, *, is_error: bool) -> Step:
    """The result of one tool call; a call has exactly one."""
    body = {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": is_error}
    return _add(conversation, turn, Step.Kind.RESULT, body, call_id=call_id)


def add_reply(conversation: Conversation, turn: Turn, content: list[Block], *, after: int, discarded: bool) -> Step:
    kind = Step.Kind.DISCARDED if discarded else Step.Kind.REPLY
    return _add(conversation, turn, kind, content, after=after)


def list_steps(conversation: Conversation) -> list[Row]:
    """The steps of the window in the order of the prompt."""
    note = _get_note(conversation)
    first = note.after or 0 if note else 0
    rows = list_newer(conversation, first - 1)
    kept = [row for row in rows if _place(row) >= (first, 0, 0)]
    return in_order([note, *kept] if note else kept)


def list_newer(conversation: Conversation, after: int) -> list[Row]:
    """What the history got since this step, in the order in which it came."""
    return [Row(*found) for found in _NEWER.list(conversation=conversation.pk, after=after)]


def in_order(rows: Iterable[Row]) -> list[Row]:
    """In the order of the prompt, the note of a window first."""
    return sorted(rows, key=_place)


def move_window(conversation: Conversation, rows: list[Row], *, facts: Callable[[], str]) -> bool:
    """Between two turns: drop the oldest block of a window that is full, and begin the new one with a desk note.

    `rows` are the window's. It begins at words that answer no call, so that no call is parted from its result. Needs
    the caller's transaction.
    """
    if sum(row.kind == Step.Kind.REPLY for row in rows) < BLOCK:
        return False
    first = next((row for number, row in _list_starts(rows) if number >= BLOCK), None)
    if first is None:
        return False
    note = _add(conversation, None, Step.Kind.INPUT, fence("desk", facts()), call_id=WINDOW, after=first.pk)
    conversation.window_note = note.pk
    conversation.save(update_fields=["window_note"])
    return True


def _get_note(conversation: Conversation) -> Row | None:
    if conversation.window_note is None:
        return None
    return Row(*_NOTE.first(pk=conversation.window_note))


def _place(row: Row) -> tuple[int, int, int]:
    if row.kind == Step.Kind.REPLY:
        return row.after or 0, 1, row.pk
    # Of the rest only the note of a window has an `after`: the step that it stands before.
    return (row.pk, 0, 0) if row.after is None else (row.after, -1, row.pk)


def _list_starts(rows: list[Row]) -> list[tuple[int, Row]]:
    """The user messages that hold no tool result: each one's number in the window and its first row."""
    starts: list[tuple[int, Row]] = []
    number, before = -1, ""
    for row in rows:
        side = "assistant" if row.kind == Step.Kind.REPLY else "user"
        if side != before:
            number, before = number + 1, side
            if row.kind == Step.Kind.INPUT:
                starts.append((number, row))
        elif row.kind == Step.Kind.RESULT and starts and starts[-1][0] == number:
            starts.pop()
    return starts


def to_messages(steps: Iterable[Row]) -> list[Block]:
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


def count_replies(turn: Turn) -> int:
    """How often the model answered for this turn, drafts that were thrown away included."""
    return turn.steps.filter(kind__in=[Step.Kind.REPLY, Step.Kind.DISCARDED]).count()


def knows_call(conversation: Conversation, call_id: str) -> bool:
    """Whether a call of this id has a result, or a place that only results have, anywhere in the conversation."""
    return _CALL.first(conversation=conversation.pk, call_id=call_id) is not None


def _add(
    conversation: Conversation,
    turn: Turn | None,
    kind: Step.Kind,
    body: Any,
    *,
    call_id: str = "",
    after: int | None = None,
) -> Step:
    step = Step(conversation=conversation, turn=turn, kind=kind, body=body, call_id=call_id, after=after)
    insert(step)
    return step
