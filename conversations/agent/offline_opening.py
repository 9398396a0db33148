"""How the customer's words open new tasks."""

from dataclasses import replace

from conversations.agent.offline_history import Heard, History, Task
from conversations.agent.offline_kinds import ACTIONS, CHANGES, HANDED_OVER, SCOPE_OPEN, Kind
from conversations.agent.offline_reading import Said, read_words
from conversations.agent.offline_referring import current, note, refer

OF_AN_ORDER = ACTIONS - {Kind.HOME}
ASIDES = frozenset({Kind.STATUS, Kind.PRODUCTS, Kind.HELP, Kind.OTHER, Kind.MACHINE})
# Tasks whose words can be read again for one another: "return it instead of exchanging it".
SHARED = ({Kind.RETURN, Kind.SWAP, Kind.CHANGE}, {Kind.ADDRESS, Kind.HOME})


def open_all(history: History, said: Said, whole: Said, at: int, orders: tuple[str, ...]) -> None:
    """The first wish becomes the task and the others wait. A question beside an open change does not end that."""
    old = history.task
    first, *more = _open(history, said, at, orders)
    for wish in whole.wishes[1:]:
        part = replace(read_words(wish.text, None), wishes=(wish,))
        # What stands before in the same message says which order is meant.
        history.named = (said.orders or (history.named,))[-1]
        more += _open(replace(history, task=None, slot=None), part, at, refer(history, part))
    if first.kind in ASIDES and not more and old is not None and old.kind in CHANGES:
        more = [old, *history.waiting]
    first, *more = sorted([first, *more], key=lambda task: task.topic in HANDED_OVER)
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
    heard: tuple[Heard, ...] = (note(history, said),)
    orders: tuple[str, ...] = task.orders if task.kind in OF_AN_ORDER else ()
    if task.topic == SCOPE_OPEN and said.refers_back and history.named:
        task, orders = replace(task, topic=""), (history.named,)
    if old is not None and old.kind in CHANGES | {Kind.CANCEL}:
        if any({old.kind, task.kind} <= kinds for kinds in SHARED):
            # Where the money of a return goes was not said by how a difference is paid.
            kept = (replace(one, money=one.money and old.kind is task.kind) for one in old.heard)
            heard = (*kept, *heard)
        if not orders and not said.other and task.kind in OF_AN_ORDER:
            orders = old.orders
    task = replace(task, hint="" if said.other else history.named, heard=heard)
    return [replace(task, orders=(one,)) for one in orders] or [replace(task, orders=())]


def _open_cancel(history: History, task: Task, said: Said) -> Task:
    orders = task.orders
    old = history.task if history.task is not None and history.task.kind is Kind.CANCEL else None
    if said.other and not orders:
        left = current(history, old) if old else ((history.named,) if history.named else ())
        task = replace(task, rejected=task.rejected + left)
    if old is None:
        return task
    if said.also and old.orders and orders:
        task = replace(task, orders=tuple(dict.fromkeys(old.orders + orders)))
    elif not orders and not said.other and not said.every:
        task = replace(task, orders=old.orders, rejected=old.rejected + task.rejected)
    same_wish = not said.orders or said.other or said.also or "instead" in said.text.lower()
    return replace(task, reason=task.reason or (old.reason if same_wish else ""))
