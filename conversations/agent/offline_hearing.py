"""How the customer's words change what the conversation is about."""

import html
import re
from dataclasses import replace

from conversations.agent.offline_history import (
    HANDED_BACK,
    IDENTITY_SLOTS,
    KEEPS_TASK,
    Heard,
    History,
    Task,
    list_blocks,
)
from conversations.agent.offline_items import read_places
from conversations.agent.offline_outcomes import Outcome
from conversations.agent.offline_payment import DENIED
from conversations.agent.offline_reading import Said, read_words
from conversations.agent.offline_wishes import ACCOUNT, ACTIONS, ASKS, CHANGES, ONE_ORDER, SCOPE_OPEN, Kind
from conversations.agent.offline_words import ADDRESS_SLOTS, LIST_SLOTS, ORDER_SLOTS, Slot
from conversations.agent.protocol import Block

FENCE = re.compile(r"\s*<(customer|desk|person)>([^<]*)</\1>\s*")
OTHER_ONE = re.compile(r"\bother (?:one|item|thing)\b|\bnot (?:that|this) one\b|\bthe other\b\W*$", re.IGNORECASE)
OF_AN_ORDER = ACTIONS - {Kind.HOME}
SUBJECTS = (
    (Kind.ADDRESS, re.compile(r"\baddress|\bship|\bdeliver|\bwhere it goes\b", re.IGNORECASE)),
    (Kind.PAYMENT, re.compile(r"\bpa(?:y|id)|\bcard\b", re.IGNORECASE)),
    (Kind.SWAP, re.compile(r"\bitems?\b|\bsize|\bcolou?r|\boption|\bproduct|\bone\b", re.IGNORECASE)),
)
ASIDES = frozenset({Kind.STATUS, Kind.PRODUCTS, Kind.OTHER, Kind.MACHINE})
# Tasks whose words can be read again for one another: "return it instead of exchanging it".
SHARED = ({Kind.RETURN, Kind.SWAP, Kind.CHANGE}, {Kind.ADDRESS, Kind.HOME})
# Wishes that are mere answers where this was asked.
ANSWERS: dict[Slot, frozenset[Kind]] = {
    Slot.RETURN_ITEMS: frozenset({Kind.PRODUCTS}),
    Slot.SWAP_ITEMS: frozenset({Kind.PRODUCTS}),
    Slot.OPTION: frozenset({Kind.SWAP, Kind.PRODUCTS, Kind.PAYMENT, Kind.OTHER}),
    Slot.REFUND_TO: frozenset({Kind.PAYMENT, Kind.OTHER, Kind.RETURN}),
    Slot.DIFFERENCE: frozenset({Kind.PAYMENT, Kind.OTHER}),
    Slot.METHOD: frozenset({Kind.PAYMENT, Kind.OTHER, Kind.SWAP}),
    Slot.SCOPE: frozenset({Kind.ADDRESS, Kind.HOME, Kind.OTHER, Kind.STATUS}),
    **dict.fromkeys(ADDRESS_SLOTS, CHANGES | {Kind.PRODUCTS}),
}


def read_history(messages: list[Block]) -> History:
    """Only a block that is one whole `<desk>` element is a notice: what a customer types arrives escaped."""
    history = History()
    for at, message in enumerate(messages):
        blocks = list(list_blocks(message.get("content")))
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
            hear(history, "\n".join(heard), at)
    return history


def _open_fence(text: str) -> tuple[str, str]:
    found = FENCE.fullmatch(text)
    return (found.group(1), html.unescape(found.group(2))) if found else ("customer", text)


def hear(history: History, text: str, at: int) -> None:
    """Takes the customer's words of one message in."""
    whole = read_words(text, history.slot)
    _learn_identity(history, whole)
    several = len(whole.wishes) > 1
    said = read_words(whole.wishes[0].text, history.slot) if several else whole
    said = replace(said, wishes=whole.wishes[:1])
    orders = _refer(history, said)
    task = history.task
    if task is not None and task.kind in CHANGES and _answers(history, task, whole):
        history.task = _add(history, task, whole, at)
    elif said.wish is not None and not (said.wish is not Kind.CANCEL and said.reason and history.slot is Slot.REASON):
        _open_all(history, said, whole, at, orders)
    elif task is not None and task.kind is Kind.CANCEL:
        history.task = _amend(history, task, said, at, orders)
    else:
        history.task = _follow(history, said, at, orders)
    if history.task is not None and history.task.kind is Kind.STOPPED:
        history.waiting = []
    if said.orders:
        history.named = said.orders[-1]


def _learn_identity(history: History, said: Said) -> None:
    history.words.append(said.text)
    if history.slot in ADDRESS_SLOTS:
        return
    history.email = said.email or history.email
    if said.first_name:
        history.first_name, history.last_name = said.first_name, said.last_name
    history.zip = said.zip or history.zip
    given = {Slot.EMAIL: said.email, Slot.NAME: said.first_name, Slot.ZIP: said.zip}
    history.lacking -= {slot for slot, detail in given.items() if detail}


def _refer(history: History, said: Said) -> tuple[str, ...]:
    """The orders meant: typed, by place in the last list, or the one talked about last."""
    listed = history.listed
    if said.orders:
        return said.orders
    if said.pick and listed and said.pick <= len(listed):
        return (listed[-1 if said.pick < 0 else said.pick - 1],)
    if said.every and history.slot is Slot.WHICH:
        return tuple(listed)
    if said.wish in {Kind.CANCEL, Kind.STATUS} and said.refers_back and not said.other and history.named:
        return (history.named,)
    return ()


def _answers(history: History, task: Task, said: Said) -> bool:
    """Whether the words speak about the change at hand and open nothing new."""
    if history.slot is Slot.PERSON and said.yes:
        return False
    if not said.wishes:
        return True
    if len(said.wishes) > 1 or said.wish is Kind.CHANGE:
        return False
    asked = history.slot in KEEPS_TASK
    if said.wish is task.kind and (asked or task.paused):
        return len(said.orders) < 2 or bool(task.orders)
    if history.slot in ANSWERS and said.wish in ANSWERS[history.slot]:
        if said.wish is Kind.PRODUCTS:
            return not ASKS.search(said.text)
        return said.wish is not Kind.OTHER or said.topic == "make refunds"
    about_money = said.wish is Kind.PAYMENT and not said.orders and "order" not in said.text.lower()
    return about_money and task.paused and task.kind in {Kind.RETURN, Kind.SWAP}


def _open_all(history: History, said: Said, whole: Said, at: int, orders: tuple[str, ...]) -> None:
    """The first wish becomes the task and the others wait. A question beside an open change does not end that."""
    old = history.task
    first, *more = _open(history, said, at, orders)
    for wish in whole.wishes[1:]:
        part = replace(read_words(wish.text, None), wishes=(wish,))
        # What stands before in the same message says which order is meant.
        history.named = (said.orders or (history.named,))[-1]
        more += _open(replace(history, task=None, slot=None), part, at, _refer(history, part))
    if first.kind in ASIDES and not more and old is not None and old.kind in CHANGES:
        more = [old, *history.waiting]
    history.task, history.waiting = first, more


def _open(history: History, said: Said, at: int, orders: tuple[str, ...]) -> list[Task]:
    kind = said.wish or Kind.UNCLEAR
    task = Task(kind=kind, since=at, orders=orders, rejected=said.rejected, reason=said.reason, words=said.text)
    task = replace(task, topic=said.topic, every=said.every)
    if kind in CHANGES:
        return _open_change(history, task, said)
    return [_open_cancel(history, task, said) if kind is Kind.CANCEL else task]


def _open_change(history: History, task: Task, said: Said) -> list[Task]:
    old = history.task
    heard: tuple[Heard, ...] = (_note(history, said),)
    orders: tuple[str, ...] = task.orders if task.kind in OF_AN_ORDER else ()
    if task.topic == SCOPE_OPEN and said.refers_back and history.named:
        task, orders = replace(task, topic=""), (history.named,)
    if old is not None and old.kind in CHANGES | {Kind.CANCEL}:
        if any({old.kind, task.kind} <= kinds for kinds in SHARED):
            heard = (*old.heard, *heard)
        if not orders and not said.other and task.kind in OF_AN_ORDER:
            orders = old.orders
    task = replace(task, hint="" if said.other else history.named, heard=heard)
    return [replace(task, orders=(one,)) for one in orders] or [replace(task, orders=())]


def _note(history: History, said: Said) -> Heard:
    """The words as the task keeps them: places in the list that was shown become the lines themselves."""
    text, slot = said.text, history.slot if history.slot in KEEPS_TASK else None
    if slot in LIST_SLOTS and history.choices:
        places = [place for place in read_places(text) if place <= len(history.choices)]
        # A number may also be an option's value, as in "4 pieces"; alone it is a place.
        lines = [history.choices[-1 if place < 0 else place - 1] for place in places]
        agreed = history.choices if said.yes and len(history.choices) == 1 else []
        text = "; ".join(lines or agreed) or text
    return Heard(text=text, slot=slot, also=said.also, other=bool(OTHER_ONE.search(said.text)))


def _add(history: History, task: Task, said: Said, at: int) -> Task:
    """Words that belong to the change at hand."""
    if history.slot in IDENTITY_SLOTS and said.no:
        history.lacking.add(history.slot)
        return task
    if said.refusal and not DENIED.search(said.text):
        return Task(kind=Kind.STOPPED, since=at)
    last = history.find_write(task.kind)
    expired = bool(history.untold) and history.untold[-1].outcome is Outcome.EXPIRED
    if task.paused and said.yes and (expired or history.slot is Slot.STILL):
        # A yes to a card that was closed is a wish for a new card, never consent.
        return replace(task, paused=False, heard=(*task.heard, _note(history, said)))
    if history.slot in {Slot.WHAT, Slot.SCOPE}:
        return _specify(history, task, said)
    heard = (*task.heard, _note(history, said))
    named = said.orders or (_refer(history, said) if history.slot in ORDER_SLOTS else ())
    if named:
        return replace(task, orders=named[-1:], heard=heard)
    if said.other and task.kind in {Kind.ADDRESS} and (task.orders or last is not None):
        left = task.orders or ((last.order_id,) if last is not None else ())
        return replace(task, orders=(), rejected=(*task.rejected, *left), hint="", heard=heard)
    for place, one in enumerate(history.waiting):
        if {one.kind, task.kind} == {Kind.ADDRESS, Kind.HOME}:
            history.waiting[place] = replace(one, heard=(*one.heard, heard[-1]))
    return replace(task, heard=heard)


def _specify(history: History, task: Task, said: Said) -> Task:
    """The answer to what should change, or to whose address."""
    heard = (*task.heard, _note(history, said))
    task = replace(task, heard=heard, orders=said.orders[-1:] or task.orders)
    if history.slot is Slot.WHAT:
        long = Kind.SWAP if said.text.count(" ") > 1 else Kind.CHANGE
        kind = next((kind for kind, pattern in SUBJECTS if pattern.search(said.text)), long)
        return replace(task, kind=kind)
    home = replace(task, kind=Kind.HOME, topic="", orders=())
    if said.every:
        history.waiting.insert(0, home)
    elif ACCOUNT.search(said.text):
        return home
    return replace(task, topic="") if said.every or said.orders or ONE_ORDER.search(said.text) else task


def _current(history: History, task: Task) -> tuple[str, ...]:
    cancels = history.list_cancels(task.since)
    return (cancels[-1].order_id,) if cancels else task.orders or ((history.named,) if history.named else ())


def _open_cancel(history: History, task: Task, said: Said) -> Task:
    orders = task.orders
    old = history.task if history.task is not None and history.task.kind is Kind.CANCEL else None
    if said.other and not orders:
        left = _current(history, old) if old else ((history.named,) if history.named else ())
        task = replace(task, rejected=task.rejected + left)
    if old is None:
        return task
    if said.also and old.orders and orders:
        task = replace(task, orders=tuple(dict.fromkeys(old.orders + orders)))
    elif not orders and not said.other and not said.every:
        task = replace(task, orders=old.orders, rejected=old.rejected + task.rejected)
    same_wish = not said.orders or said.other or said.also
    return replace(task, reason=task.reason or (old.reason if same_wish else ""))


def _amend(history: History, task: Task, said: Said, at: int, orders: tuple[str, ...]) -> Task:
    """Words without a wish of their own, while a cancellation is open or its card was closed."""
    if orders and said.question:
        return Task(kind=Kind.STATUS, since=at, orders=orders)
    if orders:
        merged = tuple(dict.fromkeys(task.orders + orders)) if said.also else orders
        return replace(task, orders=merged, reason=said.reason or task.reason, paused=False, since=at)
    if said.other or (said.rejected and not said.no):
        left = (*task.rejected, *said.rejected, *_current(history, task))
        return replace(task, orders=(), rejected=left, paused=False, since=at, words=said.text)
    if said.no and not said.reason:
        return _refuse(history, task, at)
    if task.paused:
        return _resume(history, task, said, at)
    words = said.text if history.slot is Slot.WHICH else task.words
    return replace(task, reason=said.reason or task.reason, words=words)


def _refuse(history: History, task: Task, at: int) -> Task:
    if history.slot in IDENTITY_SLOTS:
        history.lacking.add(history.slot)
        return task
    return Task(kind=Kind.STOPPED, since=at, orders=_current(history, task))


def _resume(history: History, task: Task, said: Said, at: int) -> Task:
    # A yes to a card that had expired is a wish for a new card, never consent.
    expired = bool(history.untold) and history.untold[-1].outcome is Outcome.EXPIRED
    if task.orders and (said.reason or (said.yes and (expired or history.slot is Slot.AGAIN))):
        return replace(task, reason=said.reason or task.reason, paused=False, since=at)
    if history.untold or history.slot is Slot.AGAIN:
        return task
    return Task(kind=said.manner, since=at)


def _follow(history: History, said: Said, at: int, orders: tuple[str, ...]) -> Task:
    """Words without a wish of their own, outside a change of anything."""
    if history.slot is Slot.PERSON and said.yes:
        return Task(kind=Kind.PERSON, since=at)
    task = history.task
    if task is not None and task.kind in {Kind.STATUS, Kind.VERIFY}:
        if said.no and history.slot in IDENTITY_SLOTS:
            history.lacking.add(history.slot)
        return replace(task, orders=orders or task.orders)
    if task is not None and task.kind is Kind.PRODUCTS and not said.refusal:
        return replace(task, heard=(*task.heard, _note(history, said)))
    if orders:
        return Task(kind=Kind.STATUS, since=at, orders=orders)
    if said.email or said.first_name or said.zip:
        return Task(kind=Kind.VERIFY, since=at)
    return Task(kind=said.manner, since=at)
