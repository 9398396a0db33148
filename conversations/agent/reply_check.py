"""The agent's words against the books: what no row of the conversation shows never reaches the customer.

A faulty reply is held back and the model is told once; if it says such a thing again, code writes that sentence.
"""

import re
from collections.abc import Sequence

from conversations.agent import reply_deeds, reply_figures, reply_promises, reply_sources, reply_verdicts
from conversations.agent.reply_books import TOLD, Books, Outcome
from conversations.agent.reply_fault import Fault
from conversations.agent.reply_text import Plain
from conversations.history import Row
from conversations.models import Step

ASKED = " Write the reply anew, with nothing in it that the tool results of this chat do not show."
UNSURE = "I can’t confirm more than that. A person can check it."
TOLD_BY_CODE = {
    Outcome.DONE: "The records of this chat show: {}.",
    Outcome.PROCESSING: "Being processed, with the money not confirmed yet: {}.",
    Outcome.IN_PART: "Changed, while the money could not be given back: {}.",
}
NAMES = {
    "cancel_pending_order": "the cancellation",
    "return_delivered_order_items": "the return request",
    "exchange_delivered_order_items": "the exchange request",
    "modify_pending_order_address": "the change of the address",
    "modify_pending_order_items": "the change of items",
    "modify_pending_order_payment": "the change of the payment",
    "modify_user_address": "the change of your default address",
    "issue_refund": "the refund for items",
    "resend_receipt": "sending the receipt",
    "update_preference": "the change of a message preference",
}
SENTENCE = re.compile(r"[.!?\u2026]['\u2019\u201d\")\]]*\s+|\n+")


def find_faults(text: str, books: Books) -> list[Fault]:
    """What is wrong with a reply, in the order of the text; the beginning of one may be checked while it comes.

    The last text that was checked against these books is not checked again: a preview ends where the reply does.
    """
    if books.checked is None or books.checked[0] != text:
        books.checked = (text, _list_faults(text, books))
    return [*books.checked[1]]


def _list_faults(text: str, books: Books) -> list[Fault]:
    plain = Plain(text)
    faults = [
        *reply_verdicts.find_faults(plain, books),
        *reply_deeds.find_faults(plain),
        *reply_figures.find_faults(plain, books),
        *reply_promises.find_faults(plain, books),
        *reply_sources.find_faults(text, books),
    ]
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
    if any(fault.kind == reply_sources.KIND for fault in faults):
        # What is left of an answer without its ground would still read as one.
        return f"{tell(books)} {reply_sources.NOT_FOUND}" if books.attempts else reply_sources.NOT_FOUND
    spans = sorted(dict.fromkeys(_sentence_of(text, fault) for fault in faults))
    told = tell(books) if any(fault.kind in ("done", "failed") for fault in faults) else UNSURE
    kept, at = "", 0
    for place, (start, end) in enumerate(spans):
        kept += text[at:start] + (told + text[end - 1 : end].replace(".", " ") if place == 0 else "")
        at = max(at, end)
    written = (kept + text[at:]).strip()
    # A sentence may have been true only beside one that is gone.
    return tell(books) if find_faults(written, books) else written


def tell(books: Books) -> str:
    """What the rows of this conversation say was done, as code writes it."""
    last = {(one.action, one.order): one.outcome for one in books.attempts}
    parts = []
    for outcome, sentence in TOLD_BY_CODE.items():
        titles = [_name(*key) for key, found in last.items() if found is outcome]
        if titles:
            parts.append(sentence.format("; ".join(titles)))
    return " ".join(parts) or "Nothing was changed in this chat."


def _name(action: str, order: str) -> str:
    what = NAMES.get(action, "a change")
    return f"{what} of order #{order}" if order else what


def _sentence_of(text: str, fault: Fault) -> tuple[int, int]:
    start = max(
        (found.end() for found in SENTENCE.finditer(text, 0, fault.end) if found.end() <= fault.start), default=0
    )
    after = SENTENCE.search(text, max(fault.end - 1, start))
    return start, after.end() if after else len(text)
