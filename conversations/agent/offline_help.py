"""Answers about the shop: the best passage's own sentences with its number, or the shop's rules, or "I don't know"."""

import re

from conversations.agent.offline_desk import Desk, Say, Use
from conversations.agent.offline_history import Task
from conversations.agent.offline_kinds import Kind
from conversations.agent.reading_tools import SEARCH
from conversations.agent.reply_sources import list_rules
from helpcenter.citations import Source, read_sources
from helpcenter.grounds import states_number
from helpcenter.words import list_words

UNKNOWN = "I could not find that in our help center, so I don’t know."
LONGEST_QUERY = 300
MOST_SENTENCES = 3
# Of the question's words, in one line of the shop's rules.
RULE_SHARE, LEAST_WORDS = 0.6, 2
HOW_MUCH = re.compile(r"\b(?:how (?:long|much|many|soon|fast|quick\w*)|when|costs?|prices?|fees?)\b", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


class Help(Desk):
    def _may_ask_help_center(self, task: Task) -> bool:
        """A question about the shop, or words that no rule understands: people ask in more ways than are foreseen."""
        if SEARCH not in self.tools:
            return False
        unclear = task.kind is Kind.UNCLEAR and len(set(list_words(task.words))) >= LEAST_WORDS
        return task.kind is Kind.HELP or unclear

    def _answer_help(self, task: Task) -> Say | Use:
        query = " ".join(task.words.split())[:LONGEST_QUERY]
        call = self.history.find_call(SEARCH, since=task.since, query=query)
        if call is None:
            return Use(SEARCH, {"query": query})
        found = [] if call.failed else read_sources(call.result)
        if found:
            return Say(_quote(_choose(found, query), query))
        rule = self._find_rule(query)
        if rule:
            return Say(rule)
        if task.kind is Kind.UNCLEAR:
            return Say(f"I did not understand that. {self._offer()}")
        return Say(f"{UNKNOWN} {self._offer()}")

    def _find_rule(self, query: str) -> str:
        """What the shop's rules in the prompt say of it, sentence by sentence; nothing where they do not."""
        asked = set(list_words(query))
        rules = [(len(asked & set(list_words(line))), line) for line in list_rules(self.system)]
        most, line = max(rules, default=(0, ""), key=lambda rule: rule[0])
        return line if most >= max(LEAST_WORDS, RULE_SHARE * len(asked)) else ""


def _choose(found: list[Source], query: str) -> Source:
    """The best passage; of its article the one with a number, where a number was asked for."""
    own = [source for source in found if source.article == found[0].article]
    counted = [source for source in own if HOW_MUCH.search(query) and states_number(source.text)]
    return (counted or found)[0]


def _quote(source: Source, query: str) -> str:
    """At most three sentences in a row, from the one that says most of what was asked."""
    sentences = [one.strip() for one in SENTENCE.split(source.text) if one.strip()]
    asked = set(list_words(query))
    if len(sentences) <= MOST_SENTENCES:
        first = 0
    else:
        shared = [len(asked & set(list_words(one))) for one in sentences]
        first = min(shared.index(max(shared)), len(sentences) - MOST_SENTENCES)
    return " ".join(_mark(one, source.n) for one in sentences[first : first + MOST_SENTENCES])


def _mark(sentence: str, n: int) -> str:
    """The number stands before the full stop; a line without one gets it."""
    return f"{sentence.rstrip('.:')} [{n}]." if sentence[-1] not in "!?" else f"{sentence[:-1]} [{n}]{sentence[-1]}"
