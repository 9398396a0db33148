"""How words without a wish of their own change the task at hand."""

import re
from dataclasses import replace

from conversations.agent.offline_address import read_address
from conversations.agent.offline_history import IDENTITY_SLOTS, KEEPS_TASK, History, Task
from conversations.agent.offline_kinds import CHANGES, MAKE_REFUNDS, Kind
from conversations.agent.offline_outcomes import Outcome
from conversations.agent.offline_payment import DENIED
from conversations.agent.offline_reading import Said
from conversations.agent.offline_referring import current, note, refer
from conversations.agent.offline_wishes import ACCOUNT, ASKS, ONE_ORDER
from conversations.agent.offline_words import ADDRESS_SLOTS, ORDER_SLOTS, Slot

SUBJECTS = (
    (Kind.ADDRESS, re.compile(r"\baddress|\bship|\bdeliver|\bwhere it goes\b", re.IGNORECASE)),
    (Kind.PAYMENT, re.compile(r"\bpa(?:y|id)|\bcard\b", re.IGNORECASE)),
    (Kind.SWAP, re.compile(r"\bitems?\b|\bsize|\bcolou?r|\boption|\bproduct|\bone\b", re.IGNORECASE)),
)
MISTYPED = re.compile(r"\bi mean(?:t)?\b|\btypo\b|\bwrong (?:order )?number\b|\bsorry\b|\bshould be\b", re.IGNORECASE)
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


def answers(history: History, task: Task, said: Said) -> bool:
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
        return said.wish is not Kind.OTHER or said.topic == MAKE_REFUNDS
    about_money = said.wish is Kind.PAYMENT and not said.orders and "order" not in said.text.lower()
    return about_money and task.paused and task.kind in {Kind.RETURN, Kind.SWAP}


def add(history: History, task: Task, said: Said, at: int) -> Task:
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
        return replace(task, paused=False, heard=(*task.heard, note(history, said)))
    if history.slot in {Slot.WHAT, Slot.BACK, Slot.SCOPE}:
        return _specify(history, task, said)
    heard = (*task.heard, note(history, said))
    named = said.orders or (refer(history, said) if history.slot in ORDER_SLOTS else ())
    if named:
        return replace(task, orders=named[-1:], heard=heard)
    another = said.other and task.kind is Kind.ADDRESS and not read_address(said.text, history.slot)
    if another and (task.orders or last is not None):
        left = task.orders or ((last.order_id,) if last is not None else ())
        return replace(task, orders=(), rejected=(*task.rejected, *left), hint="", heard=heard)
    for place, one in enumerate(history.waiting):
        if {one.kind, task.kind} == {Kind.ADDRESS, Kind.HOME}:
            history.waiting[place] = replace(one, heard=(*one.heard, heard[-1]))
    return replace(task, heard=heard)


def _specify(history: History, task: Task, said: Said) -> Task:
    """The answer to what should change, or to whose address."""
    heard = (*task.heard, note(history, said))
    task = replace(task, heard=heard, orders=said.orders[-1:] or task.orders)
    if history.slot is Slot.BACK:
        return replace(task, kind=Kind.SWAP, topic="exchange items")
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


def amend(history: History, task: Task, said: Said, at: int, orders: tuple[str, ...]) -> Task:
    """Words without a wish of their own, while a cancellation is open or its card was closed."""
    if orders and said.question:
        return Task(kind=Kind.STATUS, since=at, orders=orders)
    if orders:
        merged = tuple(dict.fromkeys(task.orders + orders)) if said.also else orders
        return replace(task, orders=merged, reason=said.reason or task.reason, paused=False, since=at)
    if said.other or (said.rejected and not said.no):
        left = (*task.rejected, *said.rejected, *current(history, task))
        return replace(task, orders=(), rejected=left, paused=False, since=at, words=said.text)
    if (said.no or said.refusal) and not said.reason:
        return _refuse(history, task, at)
    if task.paused:
        return _resume(history, task, said, at)
    words = said.text if history.slot is Slot.WHICH else task.words
    return replace(task, reason=said.reason or task.reason, words=words)


def _refuse(history: History, task: Task, at: int) -> Task:
    if history.slot in IDENTITY_SLOTS:
        history.lacking.add(history.slot)
        return task
    return Task(kind=Kind.STOPPED, since=at, orders=current(history, task))


def _resume(history: History, task: Task, said: Said, at: int) -> Task:
    # A yes to a card that had expired is a wish for a new card, never consent.
    expired = bool(history.untold) and history.untold[-1].outcome is Outcome.EXPIRED
    if task.orders and (said.reason or (said.yes and (expired or history.slot is Slot.AGAIN))):
        return replace(task, reason=said.reason or task.reason, paused=False, since=at)
    if history.untold or history.slot is Slot.AGAIN:
        return task
    return Task(kind=said.manner, since=at, words=said.text)


def follow(history: History, said: Said, at: int, orders: tuple[str, ...]) -> Task:
    """Words without a wish of their own, outside a change of anything."""
    if history.slot is Slot.PERSON and said.yes:
        return Task(kind=Kind.PERSON, since=at)
    task = history.task
    if task is not None and task.kind in {Kind.STATUS, Kind.VERIFY}:
        if said.no and history.slot in IDENTITY_SLOTS:
            history.lacking.add(history.slot)
        return replace(task, orders=orders or task.orders)
    if task is not None and task.kind is Kind.PRODUCTS and not said.refusal:
        return replace(task, heard=(*task.heard, note(history, said)))
    dropped = history.dropped
    if orders and dropped is not None and (history.corrects or said.other or MISTYPED.search(said.text)):
        heard = (*dropped.heard, note(history, said)) if dropped.kind in CHANGES else dropped.heard
        return replace(dropped, orders=orders, reason=said.reason or dropped.reason, heard=heard, since=at)
    if orders:
        return Task(kind=Kind.STATUS, since=at, orders=orders)
    if said.email or said.first_name or said.zip:
        return Task(kind=Kind.VERIFY, since=at)
    return Task(kind=said.manner, since=at, words=said.text)
