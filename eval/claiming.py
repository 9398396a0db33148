"""Sentences of agents that the reading of claims is learned from, each with what it claims.

Each file of `scenarios/claims/` is of an author who saw neither the rules of the reply check nor anybody's examples.
"""

import hashlib
import json

from conversations.agent.reply_text import Plain
from conversations.readings import encoder
from eval.learning import SCENARIOS, Row

SOURCES = tuple(f"claims/{number:02}.json" for number in range(1, 19))


def load_rows(sources: tuple[str, ...] = SOURCES) -> list[Row]:
    """Every sentence as the reply check sees it, each once."""
    labels: dict[str, str] = {}
    for source in sources:
        held: dict[str, list[str]] = json.loads((SCENARIOS / source).read_text(encoding="utf-8"))
        for kind, texts in held.items():
            labels.update((Plain(text).text.strip(), kind) for text in texts)
    return [Row(text, label) for text, label in labels.items()]


def fingerprints() -> dict[str, str]:
    """What the weights were learned from, and the table of pieces that they were learned on."""
    paths = {**{name: SCENARIOS / name for name in SOURCES}, encoder.WEIGHTS.name: encoder.WEIGHTS}
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in paths.items()}
