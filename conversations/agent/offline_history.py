"""What the offline model can know: everything is read anew from the request's messages at each call."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from conversations.agent.offline_reading import Kind, Said, read_words
from conversations.agent.offline_words import NOT_RUN, Outcome, Slot, find_slot, parse_json, read_outcome
from conversations.agent.protocol import Block

FENCE = re.compile(r"\s*<(customer|desk|person)>([^<]*)</\1>\s*")
HANDED_BACK = "handed the chat back"
SIGNED_IN = re.compile(r"The customer is signed in as (\S{1,100}?)\.(?:\s|$)")
ORDER_ID = re.compile(r"#W\d+")
CANCEL_TOOL = "cancel_pending_order"
IDENTITY_SLOTS = frozenset({Slot.EMAIL, Slot.NAME, Slot.ZIP})
# After these questions the next words belong to the same task; an offer of a person ends it.
KEEPS_TASK = frozenset(Slot) - {Slot.PERSON}
CLOSED_CARD = frozenset({Outcome.ELSE, Outcome.EXPIRED, Outcome.STALE})
GIVEN_UP = frozenset({Outcome.BUSY, Outcome.PERSON, Outcome.UNKNOWN})


@dataclass(frozen=True)
class Call:
    """One tool call with its result. `at` is its message's place, to tell fresh look-ups from old ones."""

    name: str
    input: Block
    at: int
    result: str
    is_error: bool

    @property
    def failed(self) -> bool:
        return self.is_error or self.result.startswith(("Error", "Policy:"))

    @property
    def order_id(self) -> str:
        return str(self.input.get("order_id", ""))

    @property
    def outcome(self) -> Outcome:
        return read_outcome(self.result, self.is_error)


@dataclass(frozen=True, kw_only=True)
class Task:
    """What the customer wants now. `paused`: its card was closed without a yes or no to the action itself."""

    kind: Kind
    since: int
    orders: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    reason: str = ""
    words: str = ""
    topic: str = ""
    every: bool = False
    paused: bool = False


@dataclass
class History:
    """The conversation so far, folded message by message."""

    user_id: str = ""
    calls: list[Call] = field(default_factory=list)
    task: Task | None = None
    slot: Slot | None = None
    named: str = ""
    listed: list[str] = field(default_factory=list)
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    zip: str = ""
    lacking: set[Slot] = field(default_factory=set)
    untold: list[Call] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    open_calls: dict[str, tuple[Block, int]] = field(default_factory=dict)

    def find_call(self, name: str, since: int = -1, **wanted: str) -> Call | None:
        """The newest call of this name and input made after the message at `since`."""
        for call in reversed(self.calls):
            if call.name == name and call.at > since and all(call.input.get(k) == v for k, v in wanted.items()):
                return call
        return None

    def list_cancels(self, since: int) -> list[Call]:
        return [call for call in self.calls if call.name == CANCEL_TOOL and call.at > since]

    def read_profile(self) -> Block:
        found = self.find_call("get_user_details", user_id=self.user_id)
        return {} if found is None or found.failed else parse_json(found.result)

    def add_reply(self, blocks: list[Block], at: int) -> None:
        uses = [block for block in blocks if block.get("type") == "tool_use"]
        self.slot = None
        for use in uses:
            self.open_calls[str(use.get("id"))] = (use, at)
            if use.get("name") == CANCEL_TOOL:
                self.named = str(use.get("input", {}).get("order_id", ""))
        if not uses:
            self._end_turn(" ".join(str(block.get("text", "")) for block in blocks))

    def _end_turn(self, text: str) -> None:
        self.slot = find_slot(text)
        ids = list(dict.fromkeys(ORDER_ID.findall(text)))
        if ids:
            self.named = ids[0] if len(ids) == 1 else ""
        if len(ids) > 1:
            self.listed = ids
        task, self.untold = self.task, []
        if task is None or self.slot in KEEPS_TASK or task.paused:
            return
        cancels = self.list_cancels(task.since) if task.kind is Kind.CANCEL else []
        if cancels and cancels[-1].outcome is Outcome.NO:
            # "The other one" may still follow; the refused order itself is not proposed again.
            left = tuple({*task.rejected, *task.orders, cancels[-1].order_id})
            self.task = replace(task, orders=(), rejected=left, paused=True)
        else:
            self.task = None

    def add_result(self, block: Block) -> None:
        use, at = self.open_calls.pop(str(block.get("tool_use_id")), ({}, 0))
        text, is_error = _read_content(block.get("content")), bool(block.get("is_error"))
        call = Call(str(use.get("name", "")), use.get("input", {}), at, text, is_error)
        self.calls.append(call)
        if call.name.startswith("find_user_id") and not self.user_id and not call.failed:
            self.user_id = text.strip() if not text.startswith(NOT_RUN) else ""
        if call.name == CANCEL_TOOL:
            self.untold = [told for told in self.untold if told.outcome is not Outcome.ELSE]
            self.untold = [told for told in self.untold if told.order_id != call.order_id] + [call]
            self._settle(call)

    def _settle(self, call: Call) -> None:
        if call.outcome in GIVEN_UP:
            self.task = None
        elif call.outcome in CLOSED_CARD:
            task = self.task or Task(kind=Kind.CANCEL, since=call.at)
            self.task = replace(task, orders=(call.order_id,), paused=True)

    def add_notice(self, text: str) -> None:
        found = SIGNED_IN.search(text)
        if found and not self.user_id:
            self.user_id = found.group(1)
        if HANDED_BACK in text:
            # What was wanted before is the person's answer now; nothing of it is taken up again unasked.
            self.task, self.slot, self.untold = None, None, []

    def hear(self, text: str, at: int) -> None:
        """Takes the customer's words of one message in."""
        said = read_words(text, self.slot)
        self.words.append(text)
        self.email = said.email or self.email
        if said.first_name:
            self.first_name, self.last_name = said.first_name, said.last_name
        self.zip = said.zip or self.zip
        given = {Slot.EMAIL: said.email, Slot.NAME: said.first_name, Slot.ZIP: said.zip}
        self.lacking -= {slot for slot, detail in given.items() if detail}
        orders = self._refer(said)
        if said.wish is not None and not (said.wish is not Kind.CANCEL and said.reason and self.slot is Slot.REASON):
            self.task = self._open(said, at, orders)
        elif self.task is not None and self.task.kind is Kind.CANCEL:
            self.task = self._amend(self.task, said, at, orders)
        else:
            self.task = self._follow(said, at, orders)
        if said.orders:
            self.named = said.orders[-1]

    def _refer(self, said: Said) -> tuple[str, ...]:
        """The orders meant: typed, by place in the last list, or the one talked about last."""
        if said.orders:
            return said.orders
        if said.pick and self.listed and said.pick <= len(self.listed):
            return (self.listed[-1 if said.pick < 0 else said.pick - 1],)
        if said.every and self.slot is Slot.WHICH:
            return tuple(self.listed)
        if said.wish in {Kind.CANCEL, Kind.STATUS} and said.refers_back and not said.other and self.named:
            return (self.named,)
        return ()

    def _current(self, task: Task) -> tuple[str, ...]:
        cancels = self.list_cancels(task.since)
        return (cancels[-1].order_id,) if cancels else task.orders or ((self.named,) if self.named else ())

    def _open(self, said: Said, at: int, orders: tuple[str, ...]) -> Task:
        kind = said.wish or Kind.UNCLEAR
        task = Task(kind=kind, since=at, orders=orders, rejected=said.rejected, reason=said.reason, words=said.text)
        task = replace(task, topic=said.topic, every=said.every)
        if kind is not Kind.CANCEL:
            return task
        old = self.task if self.task is not None and self.task.kind is Kind.CANCEL else None
        if said.other and not orders:
            left = self._current(old) if old else ((self.named,) if self.named else ())
            task = replace(task, rejected=task.rejected + left)
        if old is None:
            return task
        if said.also and old.orders and orders:
            task = replace(task, orders=tuple(dict.fromkeys(old.orders + orders)))
        elif not orders and not said.other and not said.every:
            task = replace(task, orders=old.orders, rejected=old.rejected + task.rejected)
        same_wish = not said.orders or said.other or said.also
        return replace(task, reason=task.reason or (old.reason if same_wish else ""))

    def _amend(self, task: Task, said: Said, at: int, orders: tuple[str, ...]) -> Task:
        """Words without a wish of their own, while a cancellation is open or its card was closed."""
        if orders and said.question:
            return Task(kind=Kind.STATUS, since=at, orders=orders)
        if orders:
            merged = tuple(dict.fromkeys(task.orders + orders)) if said.also else orders
            return replace(task, orders=merged, reason=said.reason or task.reason, paused=False, since=at)
        if said.other or (said.rejected and not said.no):
            left = (*task.rejected, *said.rejected, *self._current(task))
            return replace(task, orders=(), rejected=left, paused=False, since=at, words=said.text)
        if said.no and not said.reason:
            return self._refuse(task, at)
        if task.paused:
            return self._resume(task, said, at)
        words = said.text if self.slot is Slot.WHICH else task.words
        return replace(task, reason=said.reason or task.reason, words=words)

    def _refuse(self, task: Task, at: int) -> Task:
        if self.slot in IDENTITY_SLOTS:
            self.lacking.add(self.slot)
            return task
        return Task(kind=Kind.STOPPED, since=at, orders=self._current(task))

    def _resume(self, task: Task, said: Said, at: int) -> Task:
        # A yes to a card that had expired is a wish for a new card, never consent.
        expired = bool(self.untold) and self.untold[-1].outcome is Outcome.EXPIRED
        if task.orders and (said.reason or (said.yes and (expired or self.slot is Slot.AGAIN))):
            return replace(task, reason=said.reason or task.reason, paused=False, since=at)
        if self.untold or self.slot is Slot.AGAIN:
            return task
        return Task(kind=said.manner, since=at)

    def _follow(self, said: Said, at: int, orders: tuple[str, ...]) -> Task:
        """Words without a wish of their own, outside a cancellation."""
        if self.slot is Slot.PERSON and said.yes:
            return Task(kind=Kind.PERSON, since=at)
        if self.task is not None and self.task.kind in {Kind.STATUS, Kind.VERIFY}:
            if said.no and self.slot in IDENTITY_SLOTS:
                self.lacking.add(self.slot)
            return replace(self.task, orders=orders or self.task.orders)
        if orders:
            return Task(kind=Kind.STATUS, since=at, orders=orders)
        if said.email or said.first_name or said.zip:
            return Task(kind=Kind.VERIFY, since=at)
        return Task(kind=said.manner, since=at)


def read_history(messages: list[Block]) -> History:
    """Only a block that is one whole `<desk>` element is a notice: what a customer types arrives escaped."""
    history = History()
    for at, message in enumerate(messages):
        blocks = list(_list_blocks(message.get("content")))
        if message.get("role") == "assistant":
            history.add_reply(blocks, at)
            continue
        heard: list[str] = []
        for block in blocks:
            if block.get("type") == "tool_result":
                history.add_result(block)
            elif block.get("type") == "text":
                author, text = _open_fence(str(block.get("text", "")))
                if author == "desk":
                    history.add_notice(text)
                    heard = [] if HANDED_BACK in text else heard
                elif author == "customer":
                    heard.append(text)
        if heard:
            history.hear("\n".join(heard), at)
    return history


def _open_fence(text: str) -> tuple[str, str]:
    found = FENCE.fullmatch(text)
    return (found.group(1), html.unescape(found.group(2))) if found else ("customer", text)


# `Any`: content is a plain string or a list of blocks, both in the provider's form.
def _list_blocks(content: Any) -> Iterator[Block]:
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))


def _read_content(content: Any) -> str:
    return "\n".join(str(block.get("text", "")) for block in _list_blocks(content))
