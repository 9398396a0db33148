"""What a sentence of the agent claims, by weights learned from our own sentences (docs/decisions/0035)."""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from conversations.readings import encoder
from conversations.readings.encoder import Encoder

WEIGHTS = Path(__file__).with_name("claims.npz")
NOTHING, FAILED = "none", "failed"
DEEDS = ("cancel", "refund", "return", "exchange", "change", "person", "other")
KINDS = (NOTHING, *DEEDS, FAILED)


@cache
def load() -> Encoder:
    """The encoder of this process; it reads with the pieces of the one that hears danger."""
    return Encoder(WEIGHTS, words=encoder.load())


@lru_cache(maxsize=2048)
def chances_of(sentence: str) -> Mapping[str, float]:
    """The chance that the sentence tells of each kind of deed as done or under way, of a failure, or of nothing.

    Small letters, without emphasis, as `reply_text.Plain` has them. About 5 ms for a sentence that was not read before;
    of one that is longer than some 50 words the part is taken that claims most.
    """
    reading = load()
    parts = reading.chances(sentence)
    return dict(zip(reading.kinds, parts[parts[:, 0].argmin()].tolist(), strict=True))
