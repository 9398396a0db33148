"""How the customer's words change what the conversation is about."""

import html
import re
from dataclasses import replace

from conversations.agent.offline_correcting import split_corrections
from conversations.agent.offline_following import add, amend, answers, follow
from conversations.agent.offline_history import HANDED_BACK, REDUCED, History, list_blocks
from conversations.agent.offline_kinds import CHANGES, Kind
from conversations.agent.offline_opening import open_all
from conversations.agent.offline_reading import Said, read_words
from conversations.agent.offline_referring import refer
from conversations.agent.offline_spelling import mend
from conversations.agent.offline_words import ADDRESS_SLOTS, Slot
from conversations.agent.protocol import Block

FENCE = re.compile(r"\s*<(customer|desk|person)>([^<]*)</\1>\s*")


def read_history(messages: list[Block]) -> History:
    """Only a block that is one whole `<desk>` element is a notice: what a customer types arrives escaped."""
    history, last = History(), ""
    for at, message in enumerate(messages):
        blocks = list(list_blocks(message.get("content")))
        if message.get("role") == "assistant":
            history.add_reply(blocks, at)
            continue
        heard: list[str] = []
        reduced = any(REDUCED in text for author, text in map(_open_block, blocks) if author == "desk")
        for block in blocks:
            if block.get("type") == "tool_result":
                history.add_result(block, reduced=reduced)
            elif block.get("type") == "text":
                author, text = _open_block(block)
                if author == "desk":
                    history.add_notice(text)
                    heard = [] if HANDED_BACK in text else heard
                    if last and not heard and history.forget_unproved(text):
                        # What had to wait for the proof is wanted still.
                        heard = [last]
                elif author == "customer":
                    heard.append(text)
        if heard:
            last = "\n".join(heard)
            hear(history, last, at)
    return history


def _open_block(block: Block) -> tuple[str, str]:
    return _open_fence(str(block.get("text", "")))


def _open_fence(text: str) -> tuple[str, str]:
    found = FENCE.fullmatch(text)
    return (found.group(1), html.unescape(found.group(2))) if found else ("customer", text)


def hear(history: History, text: str, at: int) -> None:
    """Takes the customer's words of one message in; what corrects the rest of it counts as said after it."""
    for number, piece in enumerate(split_corrections(mend(text))):
        history.corrects = number > 0
        _hear_piece(history, piece, at)


def _hear_piece(history: History, text: str, at: int) -> None:
    whole = read_words(text, history.slot)
    _learn_identity(history, whole)
    several = len(whole.wishes) > 1
    said = read_words(whole.wishes[0].text, history.slot) if several else whole
    said = replace(said, wishes=whole.wishes[:1])
    orders = refer(history, said)
    task = history.task
    if task is not None and task.kind in CHANGES and answers(history, task, whole):
        history.task = add(history, task, whole, at)
    elif said.wish is not None and not (said.wish is not Kind.CANCEL and said.reason and history.slot is Slot.REASON):
        open_all(history, said, whole, at, orders)
    elif task is not None and task.kind is Kind.CANCEL:
        history.task = amend(history, task, said, at, orders)
    else:
        history.task = follow(history, said, at, orders)
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
