"""What a conversation's searches found, read from its stored steps, so that any process can go on from them.

Passages are numbered through all that the model still sees: an old number never means a new passage.
"""

from collections.abc import Container, Iterable

from conversations.agent.reading_tools import SEARCH
from conversations.history import Row
from conversations.models import Step, Turn
from helpcenter.citations import Source, read_sources


def list_sources(steps: Iterable[Row], *, within: Container[int] | None = None) -> list[Source]:
    """The passages of the searches among these steps; `within`: only of results with these keys."""
    found: list[Source] = []
    for row in _list_results(steps):
        if within is None or row.pk in within:
            found += read_sources(str(row.body.get("content", "")))
    return found


def list_turn_results(turn: Turn, steps: Iterable[Row]) -> set[int]:
    """The results of searches made for the message that this turn answers, before and after a card."""
    results = [row.pk for row in _list_results(steps)]
    if not results:
        return set()
    own = Step.objects.filter(pk__in=results, turn__origin_id=turn.origin_id)
    return set(own.values_list("pk", flat=True))


def find_next_number(steps: Iterable[Row]) -> int:
    return 1 + max((source.n for source in list_sources(steps)), default=0)


def _list_results(steps: Iterable[Row]) -> list[Row]:
    """Results of searches alone: text of any other tool that looks like a passage is none."""
    rows = list(steps)
    searches = {
        block["id"]
        for row in rows
        if row.kind == Step.Kind.REPLY
        for block in row.body
        if block.get("type") == "tool_use" and block.get("name") == SEARCH
    }
    if not searches:
        return []
    return [row for row in rows if row.kind == Step.Kind.RESULT and row.body.get("tool_use_id") in searches]
