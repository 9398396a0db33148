"""Which dangers a message speaks of, by weights learned from our own sentences (docs/decisions/0033)."""

import re
from functools import lru_cache

from conversations.readings.encoder import SENTENCE_END, Encoder, load
from conversations.readings.imitation import imitates_the_desk
from conversations.readings.matching import fold

LEGAL, SAFETY, ANGRY = "legal", "safety", "angry"
HARMLESS = "harmless"
# Above this chance of any danger a person has the message; chosen on authors whose sentences were left out.
SPEAKS = 0.25
# A letter is read in parts, and each of them could be taken for danger by itself: one of them has to be surer, but
# where somebody may be hurt.
SPEAKS_IN_A_LETTER, HURT_IN_A_LETTER = 0.9, 0.5
# Somebody who rages and threatens speaks of both: a kind with this share of the danger counts beside the likeliest.
SHARE = 0.05
# "I will kill you. Also, do you have it in blue?" sounds like a joke as a whole: a sentence as sure of harm as this by
# itself counts whatever stands around it.
SURE_ALONE = 0.9
FEWEST_WORDS, MOST_SENTENCES = 3, 12
# The weights hear the tone of these; alone they are what the agent is there for.
EVERYDAY = frozenset({"i want my money back", "give me my money back", "im disappointed", "i am disappointed", "stop"})
# Said in the middle of a long line these sound like figures of speech to the weights; nobody has to be sure of that.
_PLAINLY = re.compile(
    r"\b(?:i|we)(?:'?ll| will|'?m going to| am going to|'?m gonna| gonna| want to| wanna) (?:\w+ )?"
    r"(?:kill|shoot|stab|murder) (?:you|u|him|her|them|everyone|everybody|someone|somebody|myself)\b|"
    r"\bkill(?:ing)? myself\b|\bend my (?:own )?life\b|\bsuicidal\b"
)
# The weights know this word of another matter.
_ABORT = re.compile(
    r"\babort(?=(?:ing)? (?:the|this|that|my) (?:order|purchase|shipment|return|payment|chat)\b)", re.IGNORECASE
)
_SAYS_SOMETHING = re.compile(r"[^\W\d_]|[\u2600-\u27bf\U0001f300-\U0001faff]")
_WORDS = re.compile(r"\w+")


@lru_cache(maxsize=64)
def dangers_in(text: str) -> frozenset[str]:
    """What the message speaks of among law, safety and anger.

    About 6 ms where a message of twenty words was not read before, up to three times that where it is dangerous, 75 ms
    for a letter of a hundred words, some 700 ms where 4,000 letters make the most of it. A text
    without letters or pictures speaks of nothing.
    """
    text = _ABORT.sub("cancel", _own_words(text))
    if not _SAYS_SOMETHING.search(text):
        return frozenset()
    encoder = load()
    found: set[str] = set()
    parts = encoder.chances(text)
    for chances in parts:
        chance = dict(zip(encoder.kinds, chances.tolist(), strict=True))
        risk = 1 - chance.pop(HARMLESS)
        in_a_letter = risk > SPEAKS_IN_A_LETTER or chance[SAFETY] > HURT_IN_A_LETTER
        if in_a_letter if len(parts) > 1 else risk > SPEAKS:
            found.update(kind for kind in chance if chance[kind] > SHARE * risk)
    if SAFETY not in found and (_PLAINLY.search(fold(text)) or _harms_in_a_sentence(encoder, text)):
        found.add(SAFETY)
    return frozenset(found - ({ANGRY} if _is_everyday(text) else set()))


def _own_words(text: str) -> str:
    """Without sentences that play the desk: they are flagged, and are no danger whatever they sound like."""
    if not imitates_the_desk(text):
        return text
    return " ".join(part for part in SENTENCE_END.split(text) if not imitates_the_desk(part))


def _is_everyday(text: str) -> bool:
    return " ".join(_WORDS.findall(fold(text).replace("'", ""))) in EVERYDAY


def _harms_in_a_sentence(encoder: Encoder, text: str) -> bool:
    sentences = [part for part in SENTENCE_END.split(text) if len(part.split()) >= FEWEST_WORDS]
    if len(sentences) > MOST_SENTENCES:
        half = MOST_SENTENCES // 2
        sentences = [*sentences[:half], *sentences[-half:]]
    safety = encoder.kinds.index(SAFETY)
    return len(sentences) > 1 and any(encoder.chances_alone(part)[safety] > SURE_ALONE for part in sentences)
