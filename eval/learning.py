"""Weights of the learned reading, made from our own sentences: multinomial logistic regression in numpy.

The sentences stand beside it (`scenarios/`), none of them from a shared data set.
"""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from conversations.readings.features import STEM, features_of
from conversations.readings.learned import KINDS

SCENARIOS = Path(__file__).resolve().parent / "scenarios"
SOURCES = (
    "dangers.json",
    "dangers_unseen.json",
    "dangers_widened.json",
    "dangers_developed.json",
    "dangers_validated.json",
    "sentences_learned.json",
)
# Openers, requests and tails of ordinary messages, put together at random but always alike.
ORDINARY = "sentences_ordinary.json"
# What customers say to the agent in the middle of a chat.
DIALOGUES = "dialogues.json"
ORDINARY_ROWS = 2000
SEED = 20261130
# One row in this many is learned a second time with a slip of the keyboard, whatever its label.
SLIP_EVERY = 3
CLASSES = ("harmless", *KINDS)
_NAMES = {"look_alike": "harmless", "anger": "angry"}
LEAST_SEEN = 3
STEPS = 250
RIDGE = 0.05
RATE = 8.0
# A weight smaller than this moves no reading.
LEAST_WEIGHT = 0.02

Floats = npt.NDArray[np.float32]


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
            labels.update(dict.fromkeys(texts, _NAMES.get(name, name)))
    return [Row(text, label) for text, label in labels.items()]


def make_ordinary() -> list[Row]:
    """What customers ask every day, in sentences put together from parts."""
    held: dict[str, list[str]] = json.loads((SCENARIOS / ORDINARY).read_text(encoding="utf-8"))
    chance = Random(SEED)
    texts = (
        f"{chance.choice(held['openers'])} {chance.choice(held['requests'])}{chance.choice(held['tails'])}".strip()
        for _ in range(ORDINARY_ROWS)
    )
    said = [text for one in json.loads((SCENARIOS / DIALOGUES).read_text(encoding="utf-8")) for text in one["says"]]
    return [Row(text, "harmless") for text in (*texts, *said)]


def add_slips(rows: list[Row]) -> list[Row]:
    """The rows, and every third once more with two letters of it swapped."""
    chance = Random(SEED)
    return [*rows, *(Row(_slip(row.text, chance), row.label) for row in rows[::SLIP_EVERY] if len(row.text) > STEM)]


def _slip(text: str, chance: Random) -> str:
    at = chance.randrange(1, len(text) - 2)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def fingerprints() -> dict[str, str]:
    """What the weights were learned from."""
    names = (*SOURCES, ORDINARY, DIALOGUES)
    return {name: hashlib.sha256((SCENARIOS / name).read_bytes()).hexdigest() for name in names}


def learn(rows: list[Row]) -> dict[str, Any]:
    """Bias and weights of each kind of danger, as distances from the weight of no danger."""
    found = [features_of(row.text) for row in rows]
    seen = Counter(name for names in found for name in names)
    names = sorted(name for name, count in seen.items() if count >= LEAST_SEEN)
    labels = np.array([CLASSES.index(row.label) for row in rows])
    bias, weights = _descend(_fill(found, {name: at for at, name in enumerate(names)}), labels)
    kept = {
        name: [round(float(value), 3) for value in row]
        for name, row in zip(names, weights[:, 1:] - weights[:, :1], strict=True)
        if max(abs(row)) >= LEAST_WEIGHT
    }
    return {"bias": [round(float(value), 3) for value in bias[1:] - bias[0]], "weights": kept}


def _fill(found: list[set[str]], places: dict[str, int]) -> Floats:
    filled = np.zeros((len(found), len(places)), np.float32)
    for row, names in enumerate(found):
        filled[row, [places[name] for name in names if name in places]] = 1 / float(np.sqrt(max(1, len(names))))
    return filled


def _descend(rows: Floats, labels: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Accelerated gradient descent from zero: the same rows give the same weights."""
    wanted = np.eye(len(CLASSES), dtype=np.float32)[labels]
    weights = np.zeros((rows.shape[1], len(CLASSES)), np.float32)
    before, bias = weights, np.zeros(len(CLASSES), np.float32)
    for step in range(STEPS):
        ahead = weights + step / (step + 3) * (weights - before)
        scores = rows @ ahead + bias
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        missed = shares / shares.sum(axis=1, keepdims=True) - wanted
        before, weights = weights, ahead - RATE * (rows.T @ missed / len(rows) + RIDGE / len(rows) * ahead)
        bias = bias - missed.mean(axis=0)
    return bias, weights


def write(path: Path, learned: dict[str, Any]) -> None:
    """One feature a line, so that a change of the weights can be read."""
    weights = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in learned["weights"].items())
    head = json.dumps({"sources": fingerprints(), "bias": learned["bias"]})[:-1]
    path.write_text(f'{head}, "weights": {{\n{weights}\n}}}}\n', encoding="utf-8")
