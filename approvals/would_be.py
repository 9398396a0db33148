"""What the measuring mode let pass that the enforcing one would have refused, by rule."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from audit.queries import list_events


@dataclass(frozen=True, kw_only=True)
class WouldBe:
    """Refusals of one rule on one action or read. `last`: the newest one, as the log writes the time."""

    rule: str
    action: str
    count: int
    conversations: int
    last: str


def list_would_be_refusals(*, since: datetime | None = None) -> list[WouldBe]:
    """The most frequent first. Writes are events of their own; a read is a `read_ok` with that verdict."""
    entries = list_events("write_would_refuse", "read_ok")
    counts: Counter[tuple[str, str]] = Counter()
    chats: dict[tuple[str, str], set[str]] = {}
    last: dict[tuple[str, str], str] = {}
    for entry in entries.iterator():
        if entry.verdict != "would_refuse":
            continue
        if since is not None and datetime.fromisoformat(entry.at) < since:
            continue
        key = (entry.rule, entry.action)
        counts[key] += 1
        chats.setdefault(key, set()).add(entry.chain)
        last[key] = entry.at
    found = [
        WouldBe(rule=rule, action=action, count=count, conversations=len(chats[rule, action]), last=last[rule, action])
        for (rule, action), count in counts.items()
    ]
    return sorted(found, key=lambda row: (-row.count, row.rule, row.action))
