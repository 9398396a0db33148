"""A linear reading beside the rules, learned from our own sentences: what a message weighs for law, safety and anger.

The weights come from `manage.py learn_readings`; here they are only added up. The learned reading adds what the rules
have no words for, and takes back what only sounds like danger.
"""

import json
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from conversations.readings.features import features_of

WEIGHTS = Path(__file__).with_name("learned.json")
KINDS = ("legal", "safety", "angry")
# Chosen by cross-validation (docs/decisions/0032): above the first the learned reading speaks without a rule, below
# the second a rule's word is taken back.
SPEAKS, TAKES_BACK = 0.8, 0.3
# "Go on." is an answer, whatever its words weigh.
FEWEST_WORDS = 4
_SENTENCE = re.compile(r"(?<=[.!?;\n])\s+")


@dataclass(frozen=True)
class Weighed:
    """How likely a message is dangerous or angry, and which of the kinds is likeliest.

    `may_speak`: it says enough for that to count without a rule, and something of the families at least.
    """

    risk: float
    kind: str
    may_speak: bool


def _load() -> tuple[list[float], dict[str, list[float]]]:
    held = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return held["bias"], held["weights"]


_BIAS, _OF = _load()


@lru_cache(maxsize=16)
def weigh(text: str) -> Weighed:
    """The message as the learned weights see it."""
    found = features_of(text)
    known = [name for name in sorted(found) if name in _OF]
    scale = 1 / math.sqrt(max(1, len(found)))
    scores = [_BIAS[at] + scale * sum(_OF[name][at] for name in known) for at in range(len(KINDS))]
    top = max(range(len(KINDS)), key=lambda at: scores[at])
    weight = sum(math.exp(min(score, 50.0)) for score in scores)
    words = sum(name.startswith("w ") for name in found)
    may_speak = words >= FEWEST_WORDS and any(name.startswith("f ") for name in found)
    return Weighed(weight / (1 + weight), KINDS[top], may_speak)


def settle(kind: str, text: str, by_rule: bool) -> bool:
    """Whether a message is of this kind, by what the rules say and what was learned."""
    whole = weigh(text)
    if by_rule:
        return whole.risk > TAKES_BACK or _risk_of_parts(text) > TAKES_BACK
    # Anger in the middle of a chat reads too much like haste: there it only takes back (docs/decisions/0032).
    return kind != "angry" and whole.may_speak and whole.risk > SPEAKS and whole.kind == kind


@lru_cache(maxsize=16)
def _risk_of_parts(text: str) -> float:
    """The riskiest sentence, so that harmless ones around it take nothing back."""
    parts = _SENTENCE.split(text)
    return max((weigh(part).risk for part in parts), default=0.0) if len(parts) > 1 else 0.0
