"""What an anchor says, and the file outside the database that holds them all: JSON lines, only ever appended to.

Several shops may share a file, and a writer may die in the middle of a line: each reader takes its own whole lines.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any

from django.conf import settings
from django.db import connection
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from audit.chains import GENESIS
from audit.redaction import key_id, sign

# How much of the file's end is looked at first for the newest own line.
TAIL = 64 * 1024
SHOP_MARK = "shop\0"

Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]


class AnchorLine(BaseModel):
    """One line of the file. `digest` runs over every head of this and all earlier anchors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    shop: str
    number: Annotated[int, Field(ge=1)]
    at: str
    key_id: str
    heads: list[list[str | int]]
    digest: Hash
    previous: Hash
    hash: Hash

    def marks(self) -> Iterator["Mark"]:
        for chain, count, head_hash in self.heads:
            yield Mark(chain=str(chain), count=int(count), hash=str(head_hash), anchor=self.number)

    def write(self) -> str:
        return canonical(self.model_dump())

    def is_signed(self) -> bool:
        return self.hash == sign(canonical(self.model_dump(exclude={"hash"})))


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Where a chain stood when it was anchored."""

    chain: str
    count: int
    hash: str
    anchor: int


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def make_line(*, shop: str, at: str, heads: list[tuple[str, int, str]], last: AnchorLine | None) -> AnchorLine:
    """The anchor that follows `last`, signed."""
    rows = [[chain, count, head_hash] for chain, count, head_hash in heads]
    fields = {
        "shop": shop,
        "number": last.number + 1 if last else 1,
        "at": at,
        "key_id": key_id(),
        "heads": rows,
        "digest": sign((last.digest if last else GENESIS) + "\n" + canonical(rows)),
        "previous": last.hash if last else GENESIS,
    }
    return AnchorLine.model_validate(fields | {"hash": sign(canonical(fields))})


def parse_line(text: str | bytes) -> AnchorLine | None:
    """None for whatever is no whole anchor; what is missing shows in the numbers."""
    try:
        return AnchorLine.model_validate_json(text)
    except ValidationError:
        return None


def anchor_path() -> Path:
    """The configured file, or the one beside the database that is in use."""
    if settings.DESKAGENT_ANCHOR_FILE:
        return Path(settings.DESKAGENT_ANCHOR_FILE)
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return Path(f"{name}.anchors.jsonl")
    return Path(settings.STATE_DIR) / f"{name}.anchors.jsonl"


def read_lines(path: Path, shop: str) -> Iterator[AnchorLine]:
    """This shop's anchors as they stand in the file; none where there is no file."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for text in file:
            line = parse_line(text)
            if line is not None and line.shop == shop:
                yield line


@contextmanager
def open_for_append(path: Path) -> Iterator[IO[bytes]]:
    """The file, locked against other writers; on disk when the block is left."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
        file.flush()
        os.fsync(file.fileno())


def find_last_number(file: IO[bytes], shop: str) -> int:
    """The newest own anchor's number, read from the end; zero where the file has none."""
    size, length = file.seek(0, os.SEEK_END), TAIL
    while True:
        start = max(0, size - length)
        file.seek(start)
        lines = file.read().split(b"\n")
        # The first piece may be the rest of a line that begins before it.
        for text in reversed(lines[1:] if start else lines):
            line = parse_line(text)
            if line is not None and line.shop == shop:
                return line.number
        if start == 0:
            return 0
        length *= 4


def append_lines(file: IO[bytes], lines: list[str]) -> None:
    """The lines, each on its own even where the last writer died in the middle of one."""
    size = file.seek(0, os.SEEK_END)
    if size:
        file.seek(size - 1)
    torn = size > 0 and file.read(1) != b"\n"
    file.write(b"\n" * torn + "".join(f"{line}\n" for line in lines).encode())
