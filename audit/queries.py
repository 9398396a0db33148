"""Reading the audit log and proving that it is whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.db import connection
from django.db.models import QuerySet

from audit.anchors import SHOP_MARK, AnchorLine, anchor_path, parse_line, read_lines
from audit.chains import GENESIS, SHOP, conversation_chain
from audit.forms import Unreadable, find_fault, is_own_key, read_fields
from audit.models import Anchor, Entry, Head, Shop
from audit.proofs import ANCHORS, Anchored, BrokenLink, join_anchors
from audit.redaction import sign


@dataclass(frozen=True, kw_only=True)
class Verification:
    entries: int
    chains: int
    broken: BrokenLink | None
    # The newest anchor of this log that the file holds; None where it holds none.
    anchor: AnchorLine | None = None


def list_entries(*, subject: str) -> QuerySet[Entry]:
    """Entries of one conversation, or of `SHOP`, in order."""
    chain = SHOP if subject == SHOP else conversation_chain(subject)
    return Entry.objects.filter(chain=chain).order_by("position")


def list_events(*events: str) -> QuerySet[Entry]:
    """Entries of these events over all chains, oldest first."""
    return Entry.objects.filter(event__in=events).order_by("pk")


def is_migrated() -> bool:
    """Whether the table is the one that this code writes to: between two migrations nothing can be recorded."""
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        if not {model._meta.db_table for model in (Entry, Head, Shop)} <= tables:
            return False
        columns = connection.introspection.get_table_description(cursor, Entry._meta.db_table)
    return {column.name for column in columns} == {field.column for field in Entry._meta.concrete_fields}


def find_foreign_key() -> str:
    """The id of the key that the newest entry was written with, where it is not this process's; else nothing."""
    newest = Entry.objects.order_by("-pk").values_list("canonical", flat=True).first()
    if newest is None:
        return ""
    try:
        written_with = str(read_fields(newest).get("key_id", ""))
    except Unreadable:
        return "unreadable"
    return "" if is_own_key(written_with) else written_with


def find_hindrance() -> str:
    """Why no entry could be appended now, or nothing; two reads, for a readiness probe."""
    if not Head.objects.filter(chain=SHOP).exists():
        return "the shop's chain has no head"
    return f"it was written with another key, {foreign}" if (foreign := find_foreign_key()) else ""


def find_broken_link() -> BrokenLink | None:
    """The first fault over all chains, or None where every chain is whole."""
    return verify().broken


def verify(*, anchor_file: Path | None = None) -> Verification:
    """Walk every chain once: columns, hashes, links, holes, cut tails and chains whose head or entries are gone.

    Then against the anchors, of the database and of the file (the configured one, where none is named): what they
    recorded must still be there.
    """
    # In this order, so that what a running desk adds meanwhile is never missed by what was read before it.
    heads = {head.chain: head for head in Head.objects.all()}
    shop = Shop.objects.first()
    lines = read_lines(anchor_file or anchor_path(), shop.identity) if shop else iter(())
    anchored = join_anchors(rows=_anchor_rows(shop), lines=lines)
    seen: dict[str, tuple[int, str]] = {}
    entries = 0
    broken: BrokenLink | None = None
    for entry in _entries():
        entries += 1
        count, previous = seen.get(entry.chain, (0, GENESIS))
        fault = _fault_of(entry, count + 1, previous)
        if fault:
            broken = BrokenLink(chain=entry.chain, position=count + 1, fault=fault)
        broken = broken or anchored.fault_of(entry.chain, entry.position, entry.hash)
        if broken:
            break
        seen[entry.chain] = (entry.position, entry.hash)
    broken = (
        broken
        or _broken_head(heads, seen)
        or anchored.find_loss({chain: count for chain, (count, _) in seen.items()})
        or _broken_shop(shop, entries)
        or anchored.broken
        or _broken_mark(heads, anchored)
    )
    return Verification(entries=entries, chains=len(seen), broken=broken, anchor=anchored.newest)


def _anchor_rows(shop: Shop | None) -> Iterator[tuple[int, AnchorLine | None]]:
    for row in Anchor.objects.order_by("number").iterator(chunk_size=1_000):
        line = parse_line(row.line)
        own = line is not None and shop is not None and line.shop == shop.identity
        yield row.number, line if own else None


def _broken_mark(heads: dict[str, Head], anchored: Anchored) -> BrokenLink | None:
    """A head that counts as anchored what no anchor holds would never be anchored again."""
    for chain, head in sorted(heads.items()):
        mark = anchored.last(chain)
        if head.anchored > (mark.count if mark else 0):
            fault = "its head says that an anchor holds this, and none does"
            return BrokenLink(chain=chain, position=head.anchored, fault=fault)
    return None


def _broken_shop(shop: Shop | None, entries: int) -> BrokenLink | None:
    if shop is None:
        return BrokenLink(chain=ANCHORS, position=1, fault="the log's identity is gone") if entries else None
    if shop.mark != sign(SHOP_MARK + shop.identity):
        return BrokenLink(chain=ANCHORS, position=1, fault="the log's identity is not what was signed")
    return None


def _entries() -> Iterator[Entry]:
    return Entry.objects.order_by("chain", "position").iterator(chunk_size=1_000)


def _fault_of(entry: Entry, position: int, previous: str) -> str:
    if entry.position != position:
        return f"an entry is missing, the next one found is {entry.position}"
    columns = {"position": entry.position, "event": entry.event}
    return find_fault(
        chain=entry.chain, previous=previous, canonical=entry.canonical, entry_hash=entry.hash, columns=columns
    )


def _broken_head(heads: dict[str, Head], seen: dict[str, tuple[int, str]]) -> BrokenLink | None:
    for chain in sorted(heads.keys() | seen.keys()):
        head, (count, last) = heads.get(chain), seen.get(chain, (0, GENESIS))
        if _has_moved_on(chain, head, count):
            continue
        if head is None:
            return BrokenLink(chain=chain, position=count, fault="its head is gone")
        if (head.count, head.hash) != (count, last):
            return BrokenLink(chain=chain, position=count + 1, fault=f"its head counts {head.count} entries")
    return None


def _has_moved_on(chain: str, head: Head | None, count: int) -> bool:
    """Whether the chain only grew since its head was read, by a desk that is at work."""
    if count <= (head.count if head else 0) or not Head.objects.filter(chain=chain, count__gte=count).exists():
        return False
    return head is None or Entry.objects.filter(chain=chain, position=head.count, hash=head.hash).exists()
