"""What a search of the help center costs, over made-up articles with words as frequent as those of a language."""

import random
import time
from itertools import accumulate

from eval.bench.figures import in_ms
from helpcenter.index import Index
from helpcenter.passages import Passage

SMALL, LARGE = 1_000, 10_000
PASSAGES_AN_ARTICLE = 4
VOCABULARY = 8_000
# Words a question, from a keyword to a story; a typo in each.
LENGTHS = (2, 5, 8, 12, 40)
QUESTIONS_A_LENGTH = 12
HITS = 4


def measure() -> dict[int, float]:
    """Milliseconds of the processor, p95 of all questions, by the number of passages."""
    return {size: in_ms(time_searches(*make_shop(size)), 0.95) for size in (SMALL, LARGE)}


def make_shop(passages: int) -> tuple[Index, list[str]]:
    pick = random.Random(7)
    letters = "abcdefghijklmnoprstuvw"
    words = ["".join(pick.choices(letters, k=pick.randint(4, 9))) for _ in range(VOCABULARY)]
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))

    def tell(count: int) -> str:
        return " ".join(pick.choices(words, cum_weights=weights, k=count))

    found = []
    for article in range(passages // PASSAGES_AN_ARTICLE):
        title, keywords = tell(4), ", ".join(tell(3) for _ in range(10))
        for _ in range(PASSAGES_AN_ARTICLE):
            passage = Passage(
                article=str(article),
                version=1,
                title=title,
                heading=tell(3),
                anchor="",
                text=tell(40),
                keywords=keywords,
            )
            found.append(passage)
    questions = [tell(length)[:-2] + "q" for length in LENGTHS for _ in range(QUESTIONS_A_LENGTH)]
    return Index(found), questions


def time_searches(index: Index, questions: list[str]) -> list[float]:
    """The processor's seconds of each question, the best of three."""
    return [min(_time(index, question) for _ in range(3)) for question in questions]


def _time(index: Index, question: str) -> float:
    started = time.process_time()
    index.search(question, limit=HITS)
    return time.process_time() - started
