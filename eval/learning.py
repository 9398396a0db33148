"""Sentences that the reading of danger is learned from, each with its label, and others made out of them.

Everything stands in `scenarios/`, none of it from a shared data set; `eval.training` learns from it.
"""

import hashlib
import json
import re
from collections.abc import Iterator
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
    *(f"authors/{number:02}.json" for number in range(1, 27)),
)
# Openers, requests and tails of ordinary messages, put together at random but always alike.
ORDINARY = "sentences_ordinary.json"
# What customers say to the agent in the middle of a chat.
DIALOGUES = "dialogues.json"
ORDINARY_ROWS = 800
MIXED_ROWS = 3000
# Of a letter so many words or fewer are read together; a longer row is learned in parts, as it is read.
MOST_TOGETHER, FEWEST_TOGETHER = 40, 10
SEED = 20261130
# One row in this many is learned a second time with a slip of the keyboard, whatever its label.
SLIP_EVERY = 4
KINDS = (HARMLESS, LEGAL, SAFETY, ANGRY)
NAMES = {"look_alike": HARMLESS, "ordinary": HARMLESS, "anger": ANGRY}
_MOST_AROUND = 3
# Between what is said one after the other without a full stop.
_JOINTS = (" ", " ", " and ", " but ", " also ", " so ", " anyway ", ", ", " btw ")
_SENTENCE_END = re.compile(r"(?<=[.!?;\n])\s+")
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
    short = [row for row in rows if len(row.text.split()) <= MOST_TOGETHER // 2]
    harmless = [row for row in short if row.label == HARMLESS]
    dangerous = [row for row in short if row.label != HARMLESS]
    mixed = []
    for at in range(MIXED_ROWS):
        around = [chance.choice(harmless).text for _ in range(chance.randint(1 + at % 2, _MOST_AROUND))]
        told = chance.choice(dangerous) if at % 2 == 0 else Row("", HARMLESS)
        if told.text:
            around.insert(chance.randint(0, len(around)), told.text)
        mixed.append(Row(_join(around, chance) if at % 3 == 0 else _join_sentences(around), told.label))
    return [row for row in mixed if len(row.text.split()) <= MOST_TOGETHER]


def cut_letters(rows: list[Row]) -> list[Row]:
    """Rows as they are read: of a long harmless one its sentences, a few at a time.

    Which part of a long dangerous row is dangerous nobody has said, so there must be none that long.
    """
    chance = Random(SEED)
    return [Row(part, row.label) for row in rows for part in _cut_letter(row, chance)]


def _cut_letter(row: Row, chance: Random) -> Iterator[str]:
    if row.label != HARMLESS or len(row.text.split()) <= MOST_TOGETHER:
        yield row.text
        return
    part: list[str] = []
    most = chance.randint(FEWEST_TOGETHER, MOST_TOGETHER)
    for sentence in _SENTENCE_END.split(row.text):
        words = sentence.split()
        if part and len(part) + len(words) > most:
            yield " ".join(part)
            part, most = [], chance.randint(FEWEST_TOGETHER, MOST_TOGETHER)
        part += words
        while len(part) > MOST_TOGETHER:
            yield " ".join(part[:most])
            part = part[most:]
    if part:
        yield " ".join(part)


def all_rows() -> list[Row]:
    """What the weights are learned from."""
    rows = cut_letters(load_rows())
    return [*rows, *make_ordinary(), *make_slips(rows), *make_mixed(rows)]


def fingerprints() -> dict[str, str]:
    """What the weights were learned from."""
    names = (*SOURCES, ORDINARY, DIALOGUES)
    return {name: hashlib.sha256((SCENARIOS / name).read_bytes()).hexdigest() for name in names}


def _join_sentences(texts: list[str]) -> str:
    return " ".join(text if text[-1:] in ".!?" else f"{text}." for text in texts)


def _join(texts: list[str], chance: Random) -> str:
    """As it is typed in haste: in small letters, without marks."""
    return "".join(chance.choice(_JOINTS) * (at > 0) + _without_marks(text) for at, text in enumerate(texts))


def _slip(text: str) -> str:
    """Two neighbours swapped, at a place that the text itself decides."""
    at = 1 + int(hashlib.sha256(text.encode()).hexdigest(), 16) % max(1, len(text) - 3)
    return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]


def _without_marks(text: str) -> str:
    return "".join(char for char in text.lower() if char not in ".,!?'’;:-")
