"""What the customer's words refer to: orders named before, and places in the list that was shown."""

import re

from conversations.agent.offline_history import KEEPS_TASK, Heard, History, Task
from conversations.agent.offline_items import read_places
from conversations.agent.offline_kinds import Kind
from conversations.agent.offline_reading import Said
from conversations.agent.offline_words import LIST_SLOTS, Slot

OTHER_ONE = re.compile(r"\bother (?:one|item|thing)\b|\bnot (?:that|this) one\b|\bthe other\b\W*$", re.IGNORECASE)


def refer(history: History, said: Said) -> tuple[str, ...]:
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


def note(history: History, said: Said) -> Heard:
    """The words as the task keeps them: places in the list that was shown become the lines themselves."""
    text, slot = said.text, history.slot if history.slot in KEEPS_TASK else None
    if slot in LIST_SLOTS and history.choices:
        places = [place for place in read_places(text) if place <= len(history.choices)]
        # A number may also be an option's value, as in "4 pieces"; alone it is a place.
        lines = [history.choices[-1 if place < 0 else place - 1] for place in places]
        agreed = history.choices if said.yes and len(history.choices) == 1 else []
        text = "; ".join(lines or agreed) or text
    return Heard(text=text, slot=slot, also=said.also, other=bool(OTHER_ONE.search(said.text)))


def current(history: History, task: Task) -> tuple[str, ...]:
    cancels = history.list_cancels(task.since)
    return (cancels[-1].order_id,) if cancels else task.orders or ((history.named,) if history.named else ())
