"""Sentences that the reading of danger is learned from, each with its label, and others made out of them.

Everything stands in `scenarios/`, none of it from a shared data set; `eval.training` learns from it.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

from conversations.readings.learned import ANGRY, HARMLESS, LEGAL, SAFETY

SCENARIOS = Path(__file__).resolve().parent / "scenarios"
# Lists of texts by kind. The authors of the last ones saw neither rules nor each other's sentences.
SOURCES = (
    "dangers.json",
    "dangers_unseen.json",
    "dangers_widened.json",
    "dangers_developed.json",
    "dangers_validated.json",
    "sentences_learned.json",
    *(f"authors/{number:02}.json" for number in range(1, 14)),
)
# Openers, requests and tails of ordinary messages, put together at random but always alike.
ORDINARY = "sentences_ordinary.json"
# What customers say to the agent in the middle of a chat.
DIALOGUES = "dialogues.json"
ORDINARY_ROWS = 800
MIXED_ROWS = 2500
SEED = 20261130
# One row in this many is learned a second time with a slip of the keyboard, whatever its label.
SLIP_EVERY = 4
KINDS = (HARMLESS, LEGAL, SAFETY, ANGRY)
NAMES = {"look_alike": HARMLESS, "ordinary": HARMLESS, "anger": ANGRY}
_MOST_AROUND = 3
_SHORTEST = 6


@dataclass(frozen=True)
class Row:
    text: str
    label: str


def load_rows(sources: tuple[str, ...] = SOURCES) -> list[Row]:
    """Every sentence of the training sets with its label, each once."""
    labels: dict[str, str] = {}
    for source in sources:
        held: dict[str, list[str]] = json.loads((SCENARIOS / source).read_text(encoding="utf-8"))
        for name, texts in held.items():
            labels.update(dict.fromkeys(texts, NAMES.get(name, name)))
    return [Row(text, label) for text, label in labels.items()]


def make_ordinary() -> list[Row]:
    """What customers ask every day, in sentences put together from parts, and what they say in our dialogues."""
    held: dict[str, list[str]] = json.loads((SCENARIOS / ORDINARY).read_text(encoding="utf-8"))
    chance = Random(SEED)
    texts = (
        f"{chance.choice(held['openers'])} {chance.choice(held['requests'])}{chance.choice(held['tails'])}".strip()
        for _ in range(ORDINARY_ROWS)
    )
    said = [text for one in json.loads((SCENARIOS / DIALOGUES).read_text(encoding="utf-8")) for text in one["says"]]
    return [Row(text, HARMLESS) for text in (*texts, *said)]


def make_slips(rows: list[Row]) -> list[Row]:
    """Some of the rows with two letters swapped, and in capitals or without marks."""
    chance = Random(SEED)
    changes = (_slip, _slip, str.upper, str.lower, _without_marks)
    return [
        Row(chance.choice(changes)(row.text) if at % 2 else _slip(row.text), row.label)
        for at, row in enumerate(rows[::SLIP_EVERY])
        if len(row.text) > _SHORTEST
    ]


def make_mixed(rows: list[Row]) -> list[Row]:
    """Harmless rows one after the other, and every other time a dangerous one among them, which decides the label."""
    chance = Random(SEED)
    harmless = [row for row in rows if row.label == HARMLESS]
    dangerous = [row for row in rows if row.label != HARMLESS]
    mixed = []
    for at in range(MIXED_ROWS):
        around = [chance.choice(harmless).text for _ in range(chance.randint(1 + at % 2, _MOST_AROUND))]
        told = chance.choice(dangerous) if at % 2 == 0 else Row("", HARMLESS)
        if told.text:
            around.insert(chance.randint(0, len(around)), told.text)
        mixed.append(Row(" ".join(text if text[-1:] in ".!?" else f"{text}." for text in around), told.label))
    return mixed


def all_rows() -> list[Row]:
    """What the weights are learned from."""
    rows = load_rows()
    return [*rows, *make_ordinary(), *make_slips(rows), *make_mixed(rows)]


def fingerprints() -> dict[str, str]:
    """What the weights were learned from."""
    names = (*SOURCES, ORDINARY, DIALOGUES)
    return {name: hashlib.sha256((SCENARIOS / name).read_bytes()).hexdigest() for name in names}


def _slip(text: str) -> str:
    """Two neighbours swapped, at a place that the text itself decides."""
    at = 1 + int(hashlib.sha256(text.encode()).hexdigest(), 16) % max(1, len(text) - 3)
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


def _without_marks(text: str) -> str:
    return "".join(char for char in text.lower() if char not in ".,!?'’;:-")
