"""What the offline model can know: everything is read anew from the request's messages at each call."""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field, replace
from typing import Any

from conversations.agent.offline_kinds import ACTIONS, CHANGES, Kind
from conversations.agent.offline_outcomes import (
    ADDRESS_TOOL,
    CANCEL_TOOL,
    EXCHANGE_TOOL,
    HOME_TOOL,
    MODIFY_TOOL,
    NOT_RUN,
    PAYMENT_TOOL,
    RETURN_TOOL,
    Outcome,
    leave_out,
    read_outcome,
)
from conversations.agent.offline_words import ADDRESS_SLOTS, Slot, find_slot, parse_json
from conversations.agent.protocol import Block

HANDED_BACK = "handed the chat back"
REDUCED = "changed what was asked for to less"
NEWS = re.compile(r"News about an earlier request, (.+?)(?: It is done\.)?(?: Tell them so\.)?", re.DOTALL)
PROVED = "They proved it by"
UNPROVED = "Policy: R1"
SIGNED_IN = re.compile(r"The customer is signed in as (\S{1,100}?)\.(?:\s|$)")
ORDER_ID = re.compile(r"#W\d+")
CHOICE = re.compile(r"^(\d{1,2})\. (.+)$", re.MULTILINE)
IDENTITY_SLOTS = frozenset({Slot.EMAIL, Slot.NAME, Slot.ZIP})
# After these questions the next words belong to the same task; an offer of a person ends it.
KEEPS_TASK = frozenset(Slot) - {Slot.PERSON}
CLOSED_CARD = frozenset({Outcome.ELSE, Outcome.EXPIRED, Outcome.STALE})
GIVEN_UP = frozenset({Outcome.BUSY, Outcome.PERSON, Outcome.UNKNOWN})
TOOLS = {
    Kind.CANCEL: (CANCEL_TOOL,),
    Kind.RETURN: (RETURN_TOOL,),
    Kind.SWAP: (EXCHANGE_TOOL, MODIFY_TOOL),
    Kind.PAYMENT: (PAYMENT_TOOL,),
    Kind.ADDRESS: (ADDRESS_TOOL,),
    Kind.HOME: (HOME_TOOL,),
    Kind.CHANGE: (EXCHANGE_TOOL, MODIFY_TOOL, PAYMENT_TOOL, ADDRESS_TOOL),
}
WRITES = frozenset(tool for tools in TOOLS.values() for tool in tools)
# Whose question it is; the others are asked by any task.
OWNERS: dict[Slot, Set[Kind]] = {
    **dict.fromkeys(IDENTITY_SLOTS, ACTIONS | {Kind.STATUS, Kind.VERIFY}),
    Slot.ORDER: ACTIONS | {Kind.STATUS},
    Slot.STILL: CHANGES,
    Slot.AGAIN: {Kind.CANCEL},
    Slot.WHICH: {Kind.CANCEL},
    Slot.REASON: {Kind.CANCEL},
    Slot.RETURN_ORDER: {Kind.RETURN},
    Slot.RETURN_ITEMS: {Kind.RETURN},
    Slot.REFUND_TO: {Kind.RETURN},
    Slot.SWAP_ORDER: {Kind.SWAP},
    Slot.SWAP_ITEMS: {Kind.SWAP},
    Slot.OPTION: {Kind.SWAP},
    Slot.DIFFERENCE: {Kind.SWAP},
    Slot.PAYMENT_ORDER: {Kind.PAYMENT},
    Slot.METHOD: {Kind.PAYMENT},
    Slot.ADDRESS_ORDER: {Kind.ADDRESS},
    Slot.SCOPE: {Kind.ADDRESS},
    Slot.WHAT: {Kind.CHANGE},
    Slot.BACK: {Kind.CHANGE},
    Slot.PRODUCT: {Kind.PRODUCTS},
    **dict.fromkeys(ADDRESS_SLOTS, frozenset({Kind.ADDRESS, Kind.HOME})),
}


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
        return read_outcome(self.name, self.input, self.result, self.is_error)


@dataclass(frozen=True, kw_only=True)
class Heard:
    """Words that belong to a task, with the question they answer. A place in a list is replaced by its line.

    `money`: what they say of a way to pay holds for the task.
    """

    text: str
    slot: Slot | None
    also: bool = False
    other: bool = False
    money: bool = True


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
    # The order talked about before, to be taken where several would do.
    hint: str = ""
    heard: tuple[Heard, ...] = ()


@dataclass
class History:
    """The conversation so far, folded message by message.

    `waiting`: the tasks after the one at hand. `passed`: those of this turn that came to nothing.
    """

    user_id: str = ""
    calls: list[Call] = field(default_factory=list)
    task: Task | None = None
    waiting: list[Task] = field(default_factory=list)
    passed: list[Task] = field(default_factory=list)
    slot: Slot | None = None
    said: str = ""
    named: str = ""
    # What came to nothing in the turn before, for another order to be named. `corrects`: words after a "no, wait".
    dropped: Task | None = None
    corrects: bool = False
    listed: list[str] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    zip: str = ""
    lacking: set[Slot] = field(default_factory=set)
    untold: list[Call] = field(default_factory=list)
    # What the desk told of since the last reply.
    news: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    open_calls: dict[str, tuple[Block, int]] = field(default_factory=dict)

    def find_call(self, name: str, since: int = -1, **wanted: str) -> Call | None:
        """The newest call of this name and input made after the message at `since`."""
        for call in reversed(self.calls):
            if call.name == name and call.at > since and all(call.input.get(k) == v for k, v in wanted.items()):
                return call
        return None

    def find_write(self, kind: Kind) -> Call | None:
        """The newest call of an action of this kind."""
        return next((call for call in reversed(self.calls) if call.name in TOOLS.get(kind, ())), None)

    def list_cancels(self, since: int) -> list[Call]:
        return [call for call in self.calls if call.name == CANCEL_TOOL and call.at > since]

    def read_profile(self) -> Block:
        found = self.find_call("get_user_details", user_id=self.user_id)
        return {} if found is None or found.failed else parse_json(found.result)

    def add_reply(self, blocks: list[Block], at: int) -> None:
        uses = [block for block in blocks if block.get("type") == "tool_use"]
        self.slot, self.news = None, []
        for use in uses:
            self.open_calls[str(use.get("id"))] = (use, at)
            if use.get("name") in WRITES:
                self.named = str(use.get("input", {}).get("order_id", self.named))
        if not uses:
            self._end_turn(" ".join(str(block.get("text", "")) for block in blocks))

    def _end_turn(self, text: str) -> None:
        self.slot, self.said = find_slot(text), text
        ids = list(dict.fromkeys(ORDER_ID.findall(text)))
        if ids:
            self.named = ids[0] if len(ids) == 1 else ""
        if len(ids) > 1:
            self.listed = ids
        self.choices = [line for _, line in CHOICE.findall(text)]
        self.untold = []
        if self.slot is None or self.slot not in KEEPS_TASK:
            self.waiting = []
        else:
            self._skip_to(frozenset(OWNERS.get(self.slot, ())))
        self.passed = []
        self.dropped = None
        if self.task is not None:
            kept = self._keep(self.task)
            self.dropped = self.task if kept is None and self.task.kind in ACTIONS else None
            self.task = kept

    def _keep(self, task: Task) -> Task | None:
        """What is left of a task at the end of a turn."""
        if self.slot in KEEPS_TASK or task.paused:
            return task
        cancels = self.list_cancels(task.since) if task.kind is Kind.CANCEL else []
        if cancels and cancels[-1].outcome is Outcome.NO:
            # "The other one" may still follow; the refused order itself is not proposed again.
            left = tuple({*task.rejected, *task.orders, cancels[-1].order_id})
            return replace(task, orders=(), rejected=left, paused=True)
        return None

    def _skip_to(self, kinds: frozenset[Kind]) -> None:
        """Make the first task of these kinds the one at hand; those before it came to nothing."""
        if not kinds & {task.kind for task in (self.task, *self.waiting) if task is not None}:
            return
        while self.task is not None and self.task.kind not in kinds:
            self.passed.append(self.task)
            self._go_on()

    def _go_on(self) -> None:
        self.task = self.waiting.pop(0) if self.waiting else None

    def add_result(self, block: Block, *, reduced: bool = False) -> None:
        """`reduced`: the desk said beside it that staff changed what the call asked for to less."""
        use, at = self.open_calls.pop(str(block.get("tool_use_id")), ({}, 0))
        text, is_error = read_content(block.get("content")), bool(block.get("is_error"))
        given = leave_out(use.get("input", {}), text) if reduced else use.get("input", {})
        call = Call(str(use.get("name", "")), given, at, text, is_error)
        self.calls.append(call)
        if call.name.startswith("find_user_id") and not self.user_id and not call.failed:
            self.user_id = text.strip() if not text.startswith(NOT_RUN) else ""
        if call.name in WRITES:
            self.untold = [told for told in self.untold if told.outcome is not Outcome.ELSE]
            self.untold = [told for told in self.untold if (told.order_id, told.name) != (call.order_id, call.name)]
            self.untold.append(call)
            self._settle(call)

    def _settle(self, call: Call) -> None:
        kind = next(kind for kind, tools in TOOLS.items() if call.name in tools)
        self._skip_to(frozenset({kind}))
        if call.outcome in GIVEN_UP:
            self.task, self.waiting = None, []
        elif call.outcome in CLOSED_CARD:
            task = self.task or Task(kind=kind, since=call.at)
            orders = (call.order_id,) if call.order_id else ()
            self.task = replace(task, orders=orders, paused=True)
        elif self.task is not None and self.task.kind in CHANGES:
            if call.outcome is Outcome.NO and not self.waiting:
                # A correction may still follow a no.
                self.task = replace(self.task, paused=True)
            else:
                self._go_on()

    def forget_unproved(self, notice: str) -> bool:
        """Drop the calls that were refused for want of the proof which this notice tells of; whether there were any."""
        kept = [call for call in self.calls if not call.result.startswith(UNPROVED)]
        if PROVED not in notice or len(kept) == len(self.calls):
            return False
        self.calls, self.task, self.waiting, self.slot = kept, None, [], None
        self.untold = [call for call in self.untold if call in kept]
        return True

    def add_notice(self, text: str) -> None:
        found = SIGNED_IN.search(text)
        if found and not self.user_id:
            self.user_id = found.group(1)
        news = NEWS.fullmatch(text)
        if news:
            self.news.append(news.group(1))
        if HANDED_BACK in text:
            # What was wanted before is the person's answer now; nothing of it is taken up again unasked.
            self.task, self.waiting, self.slot, self.untold = None, [], None, []


# `Any`: content is a plain string or a list of blocks, both in the provider's form.
def list_blocks(content: Any) -> Iterator[Block]:
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))


def read_content(content: Any) -> str:
    return "\n".join(str(block.get("text", "")) for block in list_blocks(content))
