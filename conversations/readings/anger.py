"""How a customer feels: angry enough for a person, displeased, pleased, or neither."""

import re

from conversations.readings import learned
from conversations.readings.matching import fold

ANGRY, NEGATIVE, NEUTRAL, POSITIVE = "angry", "negative", "neutral", "positive"


def is_angry(text: str) -> bool:
    """Whether the customer is past being displeased."""
    return learned.ANGRY in learned.dangers_in(text)


def find_sentiment(text: str) -> str:
    if is_angry(text):
        return ANGRY
    line = fold(text)
    if _DISPLEASED.search(line):
        return NEGATIVE
    return POSITIVE if _PLEASED.search(line) else NEUTRAL


_NOT = r"(?<!not )(?<!n't )(?<!never )(?<!no )(?<!not the )(?<!not that )(?<!not so )(?<!n't be )(?<!not at all )"
_DISPLEASED = re.compile(
    rf"{_NOT}\b(?:frustrat\w+|annoy\w+|upset|disappoint\w+|unhappy|dissatisfied|terrible|horrible|awful|useless|"
    r"rubbish|bloody|damn|complain\w*|angry|ridiculous|bad)\b|\bnot (?:\w+ )?(?:happy|satisfied|good enough|"
    r"impressed|pleased|okay)"
)
_PLEASED = re.compile(
    r"\b(?:thank you|thanks|thx|great|perfect|wonderful|awesome|amazing|love|lovely|excellent|happy with|brilliant|"
    r"appreciate|fantastic|kind of you)\b(?! for nothing)"
)
