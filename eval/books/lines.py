"""What one invariant's check found, as one line and as JSON."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

# Enough to begin with; all of them are in the JSON.
SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class Line:
    """One invariant: broken where it has faults, else checked on `n` rows unless `unchecked` says why not."""

    number: int
    name: str
    n: int
    faults: tuple[str, ...] = ()
    # Why it, or a part of it, could not be looked at.
    unchecked: str = ""

    @property
    def state(self) -> str:
        if self.faults:
            return "BROKEN"
        return "not checked" if self.unchecked and not self.n else "ok"

    def __str__(self) -> str:
        head = f"{self.number} {self.name} {self.state}"
        if self.faults:
            more = len(self.faults) - SHOWN
            return f"{head}: {'; '.join(self.faults[:SHOWN])}{f'; and {more} more' if more > 0 else ''}"
        if self.state == "not checked":
            return f"{head}: {self.unchecked}"
        return f"{head} n={self.n}{f', not checked: {self.unchecked}' if self.unchecked else ''}"

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "name": self.name,
            "state": self.state,
            "n": self.n,
            "faults": list(self.faults),
            "not_checked": self.unchecked,
        }


def make_line(number: int, name: str, n: int, faults: Iterable[str], *, unchecked: str = "") -> Line:
    return Line(number=number, name=name, n=n, faults=tuple(faults), unchecked=unchecked)


def amount(minor: int) -> str:
    return f"{'-' if minor < 0 else ''}{abs(minor) // 100}.{abs(minor) % 100:02}"
