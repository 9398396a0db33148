"""Ranking: BM25 over stemmed passages, titles weighted, and a floor below which nothing answers the question."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi

from helpcenter.passages import Passage
from helpcenter.spelling import Speller
from helpcenter.words import GENERAL, list_words, split

TITLE_WEIGHT, HEADING_WEIGHT, KEYWORDS_WEIGHT = 3, 2, 2
# The share of the question's weight that an article must cover to count as an answer to it.
# Less where the question says a key word of the article, or a phrase of several: long ones tell much beside the point.
FLOORS = (0.6, 0.4, 0.25)
# What a phrase adds to the score, for each unit of its words' weight.
PHRASE_WEIGHT = 3.0
# One word that no article has counts as the rarest one does, eight of them as four: people tell more than they ask.
UNKNOWN_POWER = 0.7
LONGEST_TEXT, MOST_WORDS = 2_000, 40
CANDIDATES = 40


class _Ranking(BM25Okapi):  # type: ignore[misc]
    """Weights that never fall below zero: in a shop with seven articles a word of five of them still counts."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        for word, count in nd.items():
            self.idf[word] = weigh(count, self.corpus_size)

    def prepare(self) -> None:
        """What each word adds to each passage that has it, so that a search visits no other passage."""
        rows: dict[str, list[tuple[int, float]]] = {}
        for at, counts in enumerate(self.doc_freqs):
            length = self.k1 * (1 - self.b + self.b * self.doc_len[at] / self.avgdl)
            for word, count in counts.items():
                added = self.idf[word] * count * (self.k1 + 1) / (count + length)
                rows.setdefault(word, []).append((at, added))
        self.rows = {
            word: (np.array([at for at, _ in row]), np.array([added for _, added in row])) for word, row in rows.items()
        }

    def get_scores(self, query: Iterable[str]) -> Any:
        scores = np.zeros(self.corpus_size)
        for word in query:
            if word in self.rows:
                places, added = self.rows[word]
                scores[places] += added
        return scores


def weigh(count: int, whole: int) -> float:
    return math.log(1 + (whole - count + 0.5) / (count + 0.5))


def name_title(text: str) -> str:
    """A title as it is compared: however it was typed, or copied from what was escaped."""
    return " ".join(unescape(text[:LONGEST_TEXT]).casefold().split()).strip(" .?!\"'")


@dataclass(frozen=True, kw_only=True)
class Hit:
    """`covers`: the share of the question's weight that the passage's article speaks of, 0 to 1."""

    passage: Passage
    score: float
    covers: float


class Index:
    """One edition's passages, ranked in memory. Immutable: a new edition is a new index."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = list(passages)
        words = [_list_weighted(passage) for passage in self.passages]
        self._ranking = _Ranking(words) if any(words) else None
        if self._ranking is not None:
            self._ranking.prepare()
        articles: dict[str, set[str]] = {}
        self._phrases: dict[str, list[tuple[frozenset[str], int]]] = {}
        seen: set[str] = set(GENERAL)
        for passage, of_passage in zip(self.passages, words, strict=True):
            articles.setdefault(passage.article, set()).update(of_passage)
            for text in (passage.title, passage.heading, passage.keywords, passage.text):
                seen.update(split(text))
        self._articles = articles
        counts = Counter(word for of_article in articles.values() for word in of_article)
        self._weights = {word: weigh(count, len(articles)) for word, count in counts.items()}
        self._rarest = weigh(0, len(articles))
        for at, passage in enumerate(self.passages):
            for phrase in _list_phrases(passage):
                rarest = max(phrase, key=lambda word: (self._weights[word], word))
                self._phrases.setdefault(rarest, []).append((phrase, at))
        self._speller = Speller(seen)
        titles = {name_title(passage.title): passage.article for passage in reversed(self.passages)}
        self._titles = {title: article for title, article in titles.items() if title}
        self._beginnings: list[int] = []
        numbers: dict[str, int] = {}
        for at, passage in enumerate(self.passages):
            if numbers.setdefault(passage.article, len(numbers)) == len(self._beginnings):
                self._beginnings.append(at)
        self._article_of = np.array([numbers[passage.article] for passage in self.passages], dtype=np.intp)

    def search(self, text: str, *, limit: int) -> list[Hit]:
        """The best passages above the floor, best first; none where the help center does not answer this."""
        asked = self._list_asked(text)
        named = self._titles.get(name_title(text))
        if named is not None:
            return self._list_named(named, asked)[:limit]
        if self._ranking is None or not asked:
            return []
        said = self._find_phrases(asked)
        scores = self._ranking.get_scores(asked)
        for at, words in said.items():
            scores[at] += PHRASE_WEIGHT * sum(self._weights[word] for word in words)
        most = max(limit * 4, CANDIDATES)
        best = np.argpartition(-scores, most)[:most] if len(scores) > most else np.arange(len(scores))
        hits = []
        for at in sorted(best.tolist(), key=lambda at: (-scores[at], at)):
            passage = self.passages[at]
            covers = self._cover(asked, passage.article, said.get(at, frozenset()))
            floor = FLOORS[min(len(said.get(at, ())), 2)]
            if scores[at] > 0 and covers >= floor:
                hits.append(Hit(passage=passage, score=float(scores[at]), covers=covers))
        return hits[:limit]

    def _list_named(self, article: str, asked: list[str]) -> list[Hit]:
        """The article's passages; its title may be nothing but words that say nothing: "What we keep about you"."""
        scores = np.zeros(len(self.passages)) if self._ranking is None else self._ranking.get_scores(asked)
        own = [at for at, passage in enumerate(self.passages) if passage.article == article]
        # A title counts for something by itself.
        return [
            Hit(passage=self.passages[at], score=1.0 + float(scores[at]), covers=1.0)
            for at in sorted(own, key=lambda at: (-scores[at], at))
        ]

    def list_nearest(self, text: str) -> list[tuple[Passage, float]]:
        """The beginning of each article with what it shares with the text, the nearest first, answer or not."""
        best = np.zeros(len(self._beginnings))
        if self._ranking is not None:
            np.maximum.at(best, self._article_of, self._ranking.get_scores(self._list_asked(text)))
        order = np.argsort(-best, kind="stable")
        return [(self.passages[self._beginnings[at]], float(best[at])) for at in order.tolist()]

    def has_title(self, text: str) -> bool:
        """Whether the text is the title of an article."""
        return name_title(text) in self._titles

    def _list_asked(self, text: str) -> list[str]:
        return list(dict.fromkeys(list_words(text[:LONGEST_TEXT], self._speller.mend)))[:MOST_WORDS]

    def _cover(self, asked: list[str], article: str, said: Set[str]) -> float:
        """The share of the question that the article speaks of; strange words weigh less the more they are."""
        has = self._articles[article]
        known = {word: self._rarest if word in said else self._weights[word] for word in asked if word in self._weights}
        strange = sum(word not in self._weights and not word[0].isdigit() for word in asked)
        whole = sum(known.values()) + self._rarest * strange**UNKNOWN_POWER
        return sum(weight for word, weight in known.items() if word in has) / whole if whole else 0.0

    def _find_phrases(self, asked: list[str]) -> dict[int, set[str]]:
        """For each passage the words of those of its phrases that the question says whole."""
        words = set(asked)
        said: dict[int, set[str]] = {}
        for word in asked:
            for phrase, at in self._phrases.get(word, ()):
                if phrase <= words:
                    said.setdefault(at, set()).update(phrase)
        return said


def _list_phrases(passage: Passage) -> set[frozenset[str]]:
    """What alone says the topic; a heading of one word does not: "What it costs" is no article about costs."""
    heading = frozenset(_read(passage.heading))
    found = {frozenset(_read(text)) for text in (passage.title, *passage.keywords.split(","))}
    return {phrase for phrase in found if phrase} | ({heading} if len(heading) > 1 else set())


def _list_weighted(passage: Passage) -> list[str]:
    return [
        *_read(passage.title) * TITLE_WEIGHT,
        *_read(passage.heading) * HEADING_WEIGHT,
        *_read(passage.keywords) * KEYWORDS_WEIGHT,
        *list_words(passage.text),
    ]


@lru_cache(maxsize=4_096)
def _read(text: str) -> tuple[str, ...]:
    """Kept, because every passage of an article has the same title and keywords."""
    return tuple(list_words(text))
