"""Reading the audit log and proving that it is whole."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from audit.chains import GENESIS, SHOP, conversation_chain
from audit.models import Entry, Head
from audit.redaction import key_id, sign

COLUMNS = (
    "chain",
    "position",
    "event",
    "at",
    "conversation",
    "actor",
    "action",
    "rule",
    "verdict",
    "policy_version",
    "key_id",
    "previous_hash",
)


@dataclass(frozen=True, kw_only=True)
class BrokenLink:
    """The first fault of a chain; `position` counts from 1."""

    chain: str
    position: int
    fault: str

    def __str__(self) -> str:
        return f"chain {self.chain} broken at entry {self.position}: {self.fault}"


@dataclass(frozen=True, kw_only=True)
class Verification:
    entries: int
    chains: int
    broken: BrokenLink | None


def list_entries(*, subject: str) -> QuerySet[Entry]:
    """Entries of one conversation, or of `SHOP`, in order."""
    chain = SHOP if subject == SHOP else conversation_chain(subject)
    return Entry.objects.filter(chain=chain).order_by("position")


def find_foreign_key() -> str:
    """The id of the key that the newest entry was written with, where it is not this process's; else nothing."""
    written_with = Entry.objects.order_by("-pk").values_list("key_id", flat=True).first()
    return written_with if written_with is not None and written_with != key_id() else ""


def find_hindrance() -> str:
    """Why no entry could be appended now, or nothing; two reads, for a readiness probe."""
    if not Head.objects.filter(chain=SHOP).exists():
        return "the shop's chain has no head"
    return f"it was written with another key, {foreign}" if (foreign := find_foreign_key()) else ""


def find_broken_link() -> BrokenLink | None:
    """The first fault over all chains, or None where every chain is whole."""
    return verify().broken


def verify() -> Verification:
    """Walk every chain once: columns, hashes, links, holes, cut tails and chains whose head or entries are gone."""
    heads = {head.chain: head for head in Head.objects.all()}
    seen: dict[str, tuple[int, str]] = {}
    entries = 0
    for entry in _entries():
        entries += 1
        count, previous = seen.get(entry.chain, (0, GENESIS))
        fault = _fault_of(entry, count + 1, previous)
        if fault:
            broken = BrokenLink(chain=entry.chain, position=count + 1, fault=fault)
            return Verification(entries=entries, chains=len(seen), broken=broken)
        seen[entry.chain] = (entry.position, entry.hash)
    return Verification(entries=entries, chains=len(seen), broken=_broken_head(heads, seen))


def _entries() -> Iterator[Entry]:
    return Entry.objects.order_by("chain", "position").iterator(chunk_size=1_000)


def _fault_of(entry: Entry, position: int, previous: str) -> str:
    if entry.position != position:
        return f"an entry is missing, the next one found is {entry.position}"
    if entry.previous_hash != previous:
        return "it does not continue the entry before it"
    if entry.key_id != key_id():
        return f"it was written with another key, {entry.key_id}"
    if sign(entry.canonical) != entry.hash:
        return "the stored bytes do not match the hash"
    fields = json.loads(entry.canonical)
    for name in COLUMNS:
        if fields.get(name) != getattr(entry, name):
            return f"column {name} is not what was hashed"
    return ""


def _broken_head(heads: dict[str, Head], seen: dict[str, tuple[int, str]]) -> BrokenLink | None:
    for chain in sorted(heads.keys() | seen.keys()):
        head, (count, last) = heads.get(chain), seen.get(chain, (0, GENESIS))
        if head is None:
            return BrokenLink(chain=chain, position=count, fault="its head is gone")
        if (head.count, head.hash) != (count, last):
            return BrokenLink(chain=chain, position=count + 1, fault=f"its head counts {head.count} entries")
    return None
