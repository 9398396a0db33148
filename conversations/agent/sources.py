"""What a conversation's searches found, read from its stored steps, so that any process can go on from them.

Passages are numbered through all that the model still sees: an old number never means a new passage.
"""

from collections.abc import Iterable, Sequence

from conversations.agent.reading_tools import SEARCH
from conversations.history import Row
from conversations.models import Step
from helpcenter.citations import Source, read_sources


def list_sources(steps: Iterable[Row]) -> list[Source]:
    """The passages of the searches among these steps."""
    return [source for row in list_search_results(steps) for source in read_sources(str(row.body.get("content", "")))]


def since_last_answer(steps: Sequence[Row]) -> Sequence[Row]:
    """What was done for the customer's newest words: all since the agent last answered, or a person did."""
    for place in range(len(steps) - 1, -1, -1):
        row = steps[place]
        answers = row.kind == Step.Kind.REPLY and not any(block.get("type") == "tool_use" for block in row.body)
        if answers or (row.kind == Step.Kind.INPUT and str(row.body.get("text", "")).startswith("<person>")):
            return steps[place + 1 :]
    return steps


def find_next_number(steps: Iterable[Row]) -> int:
    return 1 + max((source.n for source in list_sources(steps)), default=0)


def list_search_results(steps: Iterable[Row]) -> list[Row]:
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
