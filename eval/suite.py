"""What a suite of `manage.py evaluate` is given, and what it hands back to be printed, written and judged."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Progress = Callable[[int, int], None]


class DataMissing(Exception):
    """The suite's data is not where `--data` says; the message names what was looked for."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """`given` holds the suite's own options by their Python names; `step(done, whole)` reports progress."""

    data: Path | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    step: Progress = lambda done, whole: None


@dataclass(frozen=True, kw_only=True)
class Gate:
    """A bound that the run must keep: in words, what it must be, and what it was."""

    what: str
    goal: str
    reached: str
    kept: bool


@dataclass(frozen=True, kw_only=True)
class Table:
    """A part of the report page."""

    title: str
    columns: list[str]
    rows: list[list[str]]


@dataclass(frozen=True, kw_only=True)
class Bars:
    """A part of the report page: shares between 0 and 1, each with the words that stand beside its bar."""

    title: str
    bars: list[tuple[str, float, str]]


@dataclass(frozen=True, kw_only=True)
class Result:
    """`summary` is what `--json` prints. `answers`: row by row in the data's order, where answers are graded."""

    summary: dict[str, Any]
    gates: list[Gate] = field(default_factory=list)
    parts: list[Table | Bars] = field(default_factory=list)
    answers: list[Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Suite:
    """One entry of the table in `eval.suites`. `options`: keyword arguments of argparse for each of its own flags."""

    title: str
    data: str
    run: Callable[[Options], Result]
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
