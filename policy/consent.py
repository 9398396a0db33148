"""Reads a typed reply to a confirmation card: YES only when nothing but an unconditional yes was said.

A YES moves money, so the reader is an allow-list: the whole reply must be a run of sentences from a closed grammar, at
least one of them an agreement. Whatever the grammar does not know (a question, a condition, another detail, doubt,
another language, odd characters) is NEITHER, which costs one more card and never a wrong payment.

Thanks, praise and "ok" alone are NEITHER: people type them about the line before, and they can cross the card.
"""

import enum
from itertools import pairwise

from policy.consent_details import find_details
from policy.consent_grammar import Text, Words
from policy.consent_phrases import GRAMMAR
from policy.consent_spelling import MAX_LENGTH, split_reply

__all__ = ["MAX_LENGTH", "Reading", "read"]

_IRONY = {("yeah", "right"), ("yea", "right"), ("ya", "right"), ("yeh", "right"), ("sure", "right"), ("yeah", "yeah")}
_PRAISED = frozenset(
    {"great", "perfect", "wonderful", "lovely", "brilliant", "fantastic", "terrific", "awesome", "amazing", "nice"}
)
_RIGHT = {("right",), ("correct",)}
# "Correct" is also what one asks for.
_ASKING = frozenset({("please", "correct"), ("pls", "correct"), ("plz", "correct"), ("kindly", "correct")})
_REVERSALS = frozenset({"not", "never", "nevermind", "stop", "forget", "cancel"})


class Reading(enum.StrEnum):
    YES = "yes"
    NO = "no"
    NEITHER = "neither"


def read(*, asked: str, reply: str) -> Reading:
    """What `reply` says to the card text `asked`; every doubt is NEITHER."""
    words = split_reply(reply, known=GRAMMAR.words)
    if not words or words[-1] == "and" or _is_spoken_otherwise(words):
        return Reading.NEITHER
    details = find_details(asked)
    # Without a yes before it, a repeated passage may be a choice.
    agrees_first = words[0] in GRAMMAR.sets["YES"] or (words[:2] == ("that", "is") and words[2:3] in _RIGHT)
    passage = details.passage if agrees_first else {}
    text = Text(words=words, grammar=GRAMMAR, details=details.sets, passage=passage)
    if text.is_made_of(needed="AGREE", allowed=("ASSENT", "COURTESY")):
        return Reading.YES
    # "Confirm" gives a confirmation, but "please confirm" may ask for one; nothing is said beside these.
    if text.is_made_of(needed="ALONE", allowed=("POLITE",)):
        return Reading.YES
    # Two reversals may undo each other ("don't stop"); the action itself is none ("don't cancel the order").
    reversals = sum(word in _REVERSALS and word not in details.sets["ACT"] for word in words)
    if reversals <= 1 and text.is_made_of(needed="REFUSE", allowed=("COURTESY",)):
        return Reading.NO
    return Reading.NEITHER


def _is_spoken_otherwise(words: Words) -> bool:
    """Words of agreement that are said with a sigh ("that's just great") or ask for something ("please correct")."""
    pairs = set(pairwise(words))
    return (
        words[:2] in _IRONY
        or words == ("correct", "please")
        or not pairs.isdisjoint(_ASKING)
        or (words[0] not in GRAMMAR.sets["YES"] and any(one == "just" and two in _PRAISED for one, two in pairs))
    )
