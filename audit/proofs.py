"""Whether anchors are whole, and what they prove of the chains: pure functions over lines read elsewhere."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from audit.anchors import AnchorLine, Mark, canonical
from audit.chains import GENESIS
from audit.redaction import key_id, sign

ANCHORS = "anchors"


@dataclass(frozen=True, kw_only=True)
class BrokenLink:
    """The first fault of a chain; `position` counts from 1."""

    chain: str
    position: int
    fault: str

    def __str__(self) -> str:
        return f"chain {self.chain} broken at entry {self.position}: {self.fault}"


@dataclass(kw_only=True)
class Anchored:
    """What all anchors say together: for each chain its marks by count."""

    marks: dict[str, dict[int, Mark]] = field(default_factory=lambda: defaultdict(dict))
    broken: BrokenLink | None = None
    # The newest one of the file.
    newest: AnchorLine | None = None

    def last(self, chain: str) -> Mark | None:
        marks = self.marks.get(chain)
        return marks[max(marks)] if marks else None

    def fault_of(self, chain: str, position: int, entry_hash: str) -> BrokenLink | None:
        """The entry against the mark that was set on it, if one was."""
        mark = self.marks[chain].get(position) if chain in self.marks else None
        if mark is None or mark.hash == entry_hash:
            return None
        first = 1 + max((count for count in self.marks[chain] if count < position), default=0)
        fault = f"entries {first} to {position} are not those that anchor {mark.anchor} recorded"
        return BrokenLink(chain=chain, position=first, fault=fault)

    def find_loss(self, ends: dict[str, int]) -> BrokenLink | None:
        """A chain that is shorter than it was; `ends` holds the count of each chain that is there."""
        for chain in sorted(self.marks):
            mark, count = self.last(chain), ends.get(chain, 0)
            if mark is not None and mark.count > count:
                what = f"entries {count + 1} to {mark.count} are" if count else f"the whole chain of {mark.count} is"
                return BrokenLink(
                    chain=chain, position=count + 1, fault=f"{what} gone, which anchor {mark.anchor} recorded"
                )
        return None


def join_anchors(*, rows: Iterable[tuple[int, AnchorLine | None]], lines: Iterable[AnchorLine]) -> Anchored:
    """Rows and file each as a chain of their own, and equal where both have a number.

    A row is given with its number, and with None where it holds no anchor of this log any more.
    """
    found = Anchored()
    in_rows = {line.number: line.hash for line in _follow(found, _read_rows(found, rows), whole=True)}
    for line in _follow(found, lines):
        if in_rows.get(line.number, line.hash) != line.hash and found.broken is None:
            found.broken = _broken(line.number, "the file holds another anchor than the database")
        found.newest = line
    return found


def _read_rows(found: Anchored, rows: Iterable[tuple[int, AnchorLine | None]]) -> Iterator[AnchorLine]:
    for number, line in rows:
        if line is not None and line.number == number:
            yield line
        elif found.broken is None:
            found.broken = _broken(number, "its row holds something else")


def _follow(found: Anchored, lines: Iterable[AnchorLine], *, whole: bool = False) -> Iterator[AnchorLine]:
    """Each anchor against the one before it. A file may begin late, and repeat a line; rows may do neither."""
    last: AnchorLine | None = None
    for line in lines:
        if line == last:
            continue
        fault = _fault_of(line, last, whole=whole)
        if fault and found.broken is None:
            found.broken = _broken(line.number, fault)
        if line.is_signed():
            for mark in line.marks():
                found.marks[mark.chain].setdefault(mark.count, mark)
        last = line
        yield line


def _fault_of(line: AnchorLine, last: AnchorLine | None, *, whole: bool) -> str:
    if line.key_id != key_id():
        return f"it was written with another key, {line.key_id}"
    if not line.is_signed():
        return "it is not what was signed"
    if last is None and (whole or line.number == 1):
        if (line.number, line.previous) != (1, GENESIS):
            return "anchors before it are missing"
    elif last is not None and line.number != last.number + 1:
        return f"it follows anchor {last.number}, so one is missing or out of order"
    elif last is not None and line.previous != last.hash:
        return "it does not continue the anchor before it"
    if last is not None and line.digest != sign(last.digest + "\n" + canonical(line.heads)):
        return "its running digest does not continue the one before it"
    return ""


def _broken(number: int, fault: str) -> BrokenLink:
    return BrokenLink(chain=ANCHORS, position=number, fault=fault)
