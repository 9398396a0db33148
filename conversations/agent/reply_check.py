"""The agent's words against the books: what no row of the conversation shows never reaches the customer.

A faulty reply is held back and the model is told once; if it says such a thing again, code writes that sentence.
"""

import re
from collections.abc import Sequence

from conversations.agent import reply_figures, reply_sources
from conversations.agent.reply_books import TOLD, Books
from conversations.agent.reply_fault import Fault
from conversations.history import Row
from conversations.models import Step

ASKED = " Write the reply anew, with nothing in it that the tool results of this chat do not show."
SENTENCE = re.compile(r"[.!?\u2026]['\u2019\u201d\")\]]*\s+|\n+")


def find_faults(text: str, books: Books) -> list[Fault]:
    """What is wrong with a reply, in the order of the text; the beginning of one may be checked while it comes."""
    faults = [*reply_figures.find_faults(text, books), *reply_sources.find_faults(text, books)]
    return sorted(faults, key=lambda fault: (fault.start, fault.end))


def count_clean(text: str, books: Books) -> int:
    """How much of a reply's beginning may be shown: up to the sentence with the first fault."""
    faults = find_faults(text, books)
    return _sentence_of(text, faults[0])[0] if faults else len(text)


def explain(faults: Sequence[Fault]) -> str:
    """The desk's note to the model about its draft."""
    return TOLD + "; ".join(dict.fromkeys(fault.why for fault in faults)) + "." + ASKED


def was_told(steps: Sequence[Row]) -> bool:
    """Whether such a note stands behind the newest words that somebody else than code wrote."""
    for row in reversed(steps):
        if row.kind == Step.Kind.INPUT:
            if not row.body["text"].startswith("<desk>"):
                return False
            if row.body["text"].startswith(f"<desk>{TOLD}"):
                return True
        elif row.kind == Step.Kind.REPLY and all(block.get("type") != "tool_use" for block in row.body):
            return False
    return False


def rewrite(text: str, faults: Sequence[Fault], books: Books) -> str:
    """The reply with what the rows show in place of its faulty sentences; the others stay as they are."""
    spans = dict.fromkeys(_sentence_of(text, fault) for fault in faults)
    if any(fault.kind == reply_sources.KIND for fault in faults):
        # What is left of an answer without its ground would still read as one.
        return reply_sources.NOT_FOUND
    kept, at = "", 0
    for place, (start, end) in enumerate(sorted(spans)):
        kept += text[at:start] + (_tell(books) + " " if place == 0 else "")
        at = max(at, end)
    return (kept + text[at:]).strip()


def _tell(books: Books) -> str:
    return "I have no record of that."


def _sentence_of(text: str, fault: Fault) -> tuple[int, int]:
    start = max(
        (found.end() for found in SENTENCE.finditer(text, 0, fault.end) if found.end() <= fault.start), default=0
    )
    after = SENTENCE.search(text, max(fault.end - 1, start))
    return start, after.end() if after else len(text)
