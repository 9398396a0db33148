"""Invariant 6: every chain of the audit log is whole, none is missing, and all are as the anchors say."""

from collections.abc import Iterator

from audit.chains import SHOP, conversation_chain
from audit.queries import list_events, verify
from conversations.models import Conversation
from eval.books.lines import Line, make_line


def check_history() -> Line:
    # What was begun before the log is read must be in it.
    chats = {str(one) for one in Conversation.objects.values_list("pk", flat=True)}
    found = verify()
    faults = [str(found.broken)] if found.broken else []
    faults += _missing(chats)
    unchecked = "" if found.anchor else "the anchors: none was written yet"
    return make_line(6, "history", found.entries, faults, unchecked=unchecked)


def _missing(chats: set[str]) -> Iterator[str]:
    begun = list_events("conversation_started").filter(position=1).values_list("chain", flat=True)
    chains = {conversation_chain(chat): chat for chat in chats}
    for chain in sorted(chains.keys() - set(begun)):
        chat = chains[chain]
        yield f"conversation {chat} has no chain that begins with it"
    if not list_events("policy_changed").filter(chain=SHOP, position=1).exists():
        yield "the shop's chain does not begin with its first policy"
