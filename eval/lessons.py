"""What each reading is taught: its kinds, its sentences, and how large it is. `eval.training` teaches it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from conversations.readings import claims, encoder
from eval import claiming, learning
from eval.learning import Row


@dataclass(frozen=True)
class Lesson:
    """`half_way`: after how many layers it may be sure that a text is of no kind; 0 where all are always asked.

    `words`: weights whose table of pieces it is taught on top of, and shares; of its own, where there are none.
    `examples`: texts of which the file keeps what was said of them here.
    """

    kinds: tuple[str, ...]
    layers: int
    half_way: int
    weights: Path
    words: Path | None
    examples: tuple[str, ...]
    rows: Callable[[], list[Row]]
    fingerprints: Callable[[], Mapping[str, str]]


LESSONS: Mapping[str, Lesson] = {
    "danger": Lesson(
        kinds=learning.KINDS,
        layers=6,
        # Most of what customers write is no danger, which is seen soon.
        half_way=3,
        weights=encoder.WEIGHTS,
        words=None,
        examples=(
            "where is my order? thank you",
            "the charger melted and burned my hand",
            "you will hear from my lawyer",
            "what a useless bunch of clowns",
            "is the fire pit safe for children?",
        ),
        rows=learning.all_rows,
        fingerprints=learning.fingerprints,
    ),
    "claims": Lesson(
        kinds=claims.KINDS,
        layers=3,
        half_way=0,
        weights=claims.WEIGHTS,
        words=encoder.WEIGHTS,
        examples=(
            "your order is still pending.",
            "that one is off the books, so nothing will be sent.",
            "the money is heading home to your visa.",
            "the request bounced, i'm afraid.",
            "shall i have the kettle sent back?",
        ),
        rows=claiming.load_rows,
        fingerprints=claiming.fingerprints,
    ),
}
