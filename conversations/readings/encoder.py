"""What a small transformer makes of a text: the chance of each kind that it was taught. Plain numpy, no network.

The shape is BERT's (Devlin et al. 2018) with the mean over the pieces at its end; weights and pieces come from
`manage.py learn_readings`, which begins with MiniLM (Apache 2.0) and learns from our own sentences.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from conversations.readings.pieces import Pieces

Floats = npt.NDArray[np.float32]
Stored = dict[str, npt.NDArray[Any]]

WEIGHTS = Path(__file__).with_name("learned.npz")
HEADS = 12
# Pieces that are read at once, with start and end. What is longer is read a few sentences at a time, as many as most
# of what was learned from; a run without full stops in windows that overlap. Of thousands of pieces only so many at
# either end are read, since somebody waits for it.
WINDOW = 64
PIECES_TOGETHER = 44
RUN, OVERLAP = WINDOW - 2, 12
PIECES_AT_AN_END = 300
# Half of the layers are enough where they are as sure as this that it is of no kind at all.
SURE = 0.85
_TINY = np.float32(1e-12)
SENTENCE_END = re.compile(r"(?<=[.!?;\n])\s+")
# x / (1 + exp(-2 z)) is x (1 + tanh z) / 2; with z = sqrt(2 / pi) (x + 0.044715 x^3).
_SLOPE = np.float32(-2 * math.sqrt(2 / math.pi))
# e to this is a number still.
_MOST = np.float32(80)
_BEND = np.float32(0.044715) * _SLOPE


@dataclass(frozen=True)
class Norm:
    weight: Floats
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        away = rows - rows.mean(-1, keepdims=True)
        spread = np.sqrt((away * away).mean(-1, keepdims=True) + _TINY)
        result: Floats = away / spread * self.weight + self.bias
        return result


@dataclass(frozen=True)
class Linear:
    """`weight` is kept with a row for each input."""

    weight: Floats
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        return rows @ self.weight + self.bias


@dataclass(frozen=True)
class Layer:
    """Attention over one window, then two steps for each piece by itself."""

    attend: Linear
    gather: Linear
    after_attention: Norm
    widen: Linear
    narrow: Linear
    after_all: Norm

    def __call__(self, rows: Floats) -> Floats:
        rows = self.after_attention(rows + self.gather(self._attend(rows)))
        return self.after_all(rows + self.narrow(_gelu(self.widen(rows))))

    def _attend(self, rows: Floats) -> Floats:
        size = rows.shape[1] // HEADS
        asked, held, said = self.attend(rows).reshape(len(rows), 3, HEADS, size).transpose(1, 2, 0, 3)
        nearness = asked @ held.transpose(0, 2, 1) / np.float32(np.sqrt(size))
        return (_softmax(nearness) @ said).transpose(1, 0, 2).reshape(rows.shape)


class Encoder:
    """The learned weights, unpacked; `chances` may be called from any thread.

    `words`: whose table of pieces this one reads with, where it was taught on top of that and has none of its own.
    """

    def __init__(self, path: Path = WEIGHTS, *, words: "Encoder | None" = None) -> None:
        with np.load(path, allow_pickle=False) as held:
            self.told = json.loads(str(held["told"]))
            stored = {name: held[name] for name in held.files if name != "told"}
        self.kinds: tuple[str, ...] = tuple(self.told["kinds"])
        self.pieces: Pieces = words.pieces if words else Pieces(self.told["pieces"])
        # Rows of a large table are unpacked when they are looked up; a fifth of the memory.
        self._table: Floats = words._table if words else stored["pieces.packed"]
        self._scales: Floats = words._scales if words else stored["pieces.scale"]
        self._places = _unpack(stored, "places")
        self._first = _unpack_norm(stored, "first")
        self._layers = [_unpack_layer(stored, f"layer{at}") for at in range(self.told["layers"])]
        # Where there are few layers, all of them are always asked.
        self._half_way = self.told["half_way"]
        self._half_way_head = _unpack_linear(stored, "half_way_head") if self._half_way else None
        self._head = _unpack_linear(stored, "head")

    def chances(self, text: str) -> Floats:
        """A row for each part of the text: the chances of no kind at all and of each kind, which add up to 1."""
        whole = self.pieces.cut(text)
        parts = [whole] if len(whole) <= WINDOW - 2 else _shorten(list(self._parts_of(text)))
        return np.array([self._read(part) for part in parts], np.float32)

    def chances_alone(self, sentence: str) -> Floats:
        """The chances of one sentence by itself, by its first window."""
        return self._read(self.pieces.cut(sentence)[: WINDOW - 2])

    def _parts_of(self, text: str) -> Iterator[list[int]]:
        """Sentences together as long as they are short, and runs of one that is longer."""
        part: list[int] = []
        for sentence in SENTENCE_END.split(text):
            numbers = self.pieces.cut(sentence)
            if part and len(part) + len(numbers) > PIECES_TOGETHER:
                yield from _in_windows(part)
                part = []
            part += numbers
        yield from _in_windows(part)

    def _read(self, window: list[int]) -> Floats:
        numbers = [self.pieces.start, *window, self.pieces.end]
        rows = self._table[numbers].astype(np.float32) * self._scales[numbers] + self._places[: len(numbers)]
        rows = self._first(rows)
        for layer in self._layers[: self._half_way]:
            rows = layer(rows)
        if self._half_way_head is not None:
            early = _softmax(self._half_way_head(rows.mean(0)))
            if early[0] > SURE:
                return early
        for layer in self._layers[self._half_way :]:
            rows = layer(rows)
        return _softmax(self._head(rows.mean(0)))


@cache
def load() -> Encoder:
    """The encoder of this process."""
    return Encoder()


def _in_windows(numbers: list[int]) -> Iterator[list[int]]:
    for at in range(0, max(1, len(numbers) - OVERLAP), RUN - OVERLAP):
        yield numbers[at : at + RUN]


def _shorten(parts: list[list[int]]) -> list[list[int]]:
    """All of a message of some 2,500 letters; of a longer one the beginning and the end."""
    ends = list(accumulate(map(len, parts)))
    return [
        part
        for part, end in zip(parts, ends, strict=True)
        if end <= PIECES_AT_AN_END or end - len(part) >= ends[-1] - PIECES_AT_AN_END
    ]


def _unpack(stored: Stored, name: str) -> Floats:
    """Whole numbers of 8 bits with a scale a row, as numbers again."""
    unpacked: Floats = stored[f"{name}.packed"].astype(np.float32) * stored[f"{name}.scale"]
    return unpacked


def _unpack_linear(stored: Stored, name: str) -> Linear:
    return Linear(np.ascontiguousarray(_unpack(stored, name).T), stored[f"{name}.bias"].astype(np.float32))


def _unpack_norm(stored: Stored, name: str) -> Norm:
    return Norm(*(stored[f"{name}.{part}"].astype(np.float32) for part in ("weight", "bias")))


def _unpack_layer(stored: Stored, name: str) -> Layer:
    return Layer(
        attend=_unpack_linear(stored, f"{name}.attend"),
        gather=_unpack_linear(stored, f"{name}.gather"),
        after_attention=_unpack_norm(stored, f"{name}.after_attention"),
        widen=_unpack_linear(stored, f"{name}.widen"),
        narrow=_unpack_linear(stored, f"{name}.narrow"),
        after_all=_unpack_norm(stored, f"{name}.after_all"),
    )


def _softmax(rows: Floats) -> Floats:
    grown = np.exp(rows - rows.max(-1, keepdims=True))
    shares: Floats = grown / grown.sum(-1, keepdims=True)
    return shares


def _gelu(rows: Floats) -> Floats:
    """Gaussian error linear unit by its tanh (Hendrycks, Gimpel 2016), written with exp, which numpy does fast."""
    bent = rows * rows
    bent *= _BEND
    bent += _SLOPE
    bent *= rows
    np.minimum(bent, _MOST, out=bent)
    np.exp(bent, out=bent)
    bent += np.float32(1)
    result: Floats = np.divide(rows, bent, out=bent)
    return result
