"""What a reply says of the shop's rules, against the help center's passages and the rules in the system prompt."""

import re
from collections.abc import Iterator
from functools import lru_cache

from conversations.agent.reading_tools import SEARCH
from conversations.agent.reply_books import Books
from conversations.agent.reply_fault import Fault
from conversations.agent.shop_questions import asks_about_shop
from conversations.agent.sources import list_search_results, list_sources, since_last_answer
from conversations.models import Step
from helpcenter.grounds import find_citation_faults

KIND = "source"
RULES = "# The shop's rules"
NOT_FOUND = "I could not find that in our help center, so I would rather not guess. I can fetch a person for you."


def find_faults(text: str, books: Books) -> Iterator[Fault]:
    """Nothing for the first prompts, which know no help center."""
    if SEARCH not in books.system:
        return
    lately = since_last_answer(books.steps)
    results = {row.pk for row in list_search_results(books.steps)}
    shown = "\n".join(
        str(row.body["content"]) for row in books.steps if row.kind == Step.Kind.RESULT and row.pk not in results
    )
    said = [str(row.body["text"]) for row in lately if row.kind == Step.Kind.INPUT]
    words = "\n".join(text for text in said if text.startswith("<customer>"))
    asked = asks_about_shop(words) or not results.isdisjoint(row.pk for row in lately)
    found = list_sources(lately)
    for start, end, why in find_citation_faults(text, found, list_rules(books.system), asked=asked, shown=shown):
        yield Fault(KIND, start, end, why)


@lru_cache(maxsize=64)
def list_rules(system: str) -> tuple[str, ...]:
    """The lines of head policy that a system prompt holds."""
    _, _, after = system.partition(RULES)
    return tuple(re.findall(r"^- (.+)$", after.partition("\n# ")[0], re.MULTILINE))
