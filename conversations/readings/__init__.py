"""What one English message says before any model sees it: wants a person, threatens, is in danger, is angry, plays the
desk; and what a sentence of the agent's claims.

A wish for a person and playing the desk are read by rules, danger and anger by weights learned from our own
sentences; no network. Reading too much costs a ticket, reading too little leaves someone with a bot, so doubt about a
person, the law or safety counts as yes; asking how or when the support can be reached is a help question.
"""

from conversations.readings.anger import ANGRY, NEUTRAL, find_sentiment, is_angry
from conversations.readings.claims import load as prepare_claims
from conversations.readings.danger import find_risk, legal_threat, safety_concern
from conversations.readings.encoder import load as prepare
from conversations.readings.imitation import imitates_the_desk
from conversations.readings.person import asks_for_a_person

__all__ = [
    "ANGRY",
    "NEUTRAL",
    "asks_for_a_person",
    "find_risk",
    "find_sentiment",
    "imitates_the_desk",
    "is_angry",
    "legal_threat",
    "prepare",
    "prepare_claims",
    "safety_concern",
]
