"""Ranking: BM25 over stemmed passages, titles weighted, and a floor below which nothing answers the question."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rank_bm25 import BM25Okapi

from helpcenter.passages import Passage
from helpcenter.words import list_words

TITLE_WEIGHT, HEADING_WEIGHT, KEYWORDS_WEIGHT = 3, 2, 2
# The share of the question's weight that a passage must cover to count as an answer to it.
FLOOR = 0.5
MOST_WORDS = 40


class _Ranking(BM25Okapi):  # type: ignore[misc]
    """Weights that never fall below zero: in a shop with seven articles a word of five of them still counts."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        for word, count in nd.items():
            self.idf[word] = math.log(1 + (self.corpus_size - count + 0.5) / (count + 0.5))


@dataclass(frozen=True, kw_only=True)
class Hit:
    """`covers`: the share of the question's weight that the passage speaks of, 0 to 1."""

    passage: Passage
    score: float
    covers: float


class Index:
    """One edition's passages, ranked in memory. Immutable: a new edition is a new index."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = list(passages)
        self._words = [_weigh(passage) for passage in self.passages]
        self._sets = [frozenset(words) for words in self._words]
        self._ranking = _Ranking(self._words) if any(self._words) else None
        self._weights: dict[str, float] = self._ranking.idf if self._ranking else {}
        self._known: dict[int, list[str]] = {}
        for word in self._weights:
            self._known.setdefault(len(word), []).append(word)

    def search(self, text: str, *, limit: int) -> list[Hit]:
        """The best passages above the floor, best first; none where the help center does not answer this."""
        if self._ranking is None:
            return []
        asked = [self._mend(word) for word in list_words(text)[:MOST_WORDS]]
        if not asked:
            return []
        weights = self._weigh_question(asked)
        whole = sum(weights.values())
        scores: Any = self._ranking.get_scores([word for word in asked if word in self._weights])
        order = sorted(range(len(scores)), key=lambda at: -scores[at])[: max(limit * 4, 20)]
        hits = []
        for at in order:
            covers = sum(weight for word, weight in weights.items() if word in self._sets[at]) / whole
            if scores[at] > 0 and covers >= FLOOR:
                hits.append(Hit(passage=self.passages[at], score=float(scores[at]), covers=covers))
        return hits[:limit]

    def _weigh_question(self, asked: list[str]) -> Counter[str]:
        """What each word of the question is worth; one that no passage has is worth what the rarest one is."""
        rarest = math.log(1 + (len(self.passages) - 0.5) / 1.5)
        return Counter({word: self._weights.get(word, rarest) for word in asked})

    def _mend(self, word: str) -> str:
        """A misspelt word as the passages spell it, where exactly one slip parts them; short words are left alone."""
        if word in self._weights or len(word) < 5 or not word.isalpha():
            return word
        near = [
            known for size in (len(word) - 1, len(word), len(word) + 1) for known in self._known.get(size, ())
            if known[0] == word[0] and _slipped(word, known)
        ]  # fmt: skip
        return near[0] if len(near) == 1 else word


def _weigh(passage: Passage) -> list[str]:
    return (
        list_words(passage.title) * TITLE_WEIGHT
        + list_words(passage.heading) * HEADING_WEIGHT
        + list_words(passage.keywords) * KEYWORDS_WEIGHT
        + list_words(passage.text)
    )


def _slipped(word: str, known: str) -> bool:
    """One letter lost, added, changed, or two swapped."""
    if len(word) == len(known):
        differ = [at for at in range(len(word)) if word[at] != known[at]]
        if len(differ) == 1:
            return True
        return len(differ) == 2 and word[differ[0]] == known[differ[1]] and word[differ[1]] == known[differ[0]]
    long, short = (word, known) if len(word) > len(known) else (known, word)
    return len(long) - len(short) == 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
