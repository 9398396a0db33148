"""Writing anchors: first as a row, then as the same line in the file outside the database."""

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import F

from audit.anchors import (
    SHOP_MARK,
    AnchorLine,
    anchor_path,
    append_lines,
    find_last_number,
    make_line,
    open_for_append,
    parse_line,
)
from audit.models import Anchor, Entry, Head, Shop
from audit.redaction import sign

PERIOD = timedelta(minutes=1)
# Of one anchor: so many heads are locked for the time of one small commit.
MOST_HEADS = 500


class CannotAnchor(Exception):
    """The log's identity or its newest anchor is gone from the database: `verify_audit` says more."""


def found_shop(**_: Any) -> None:
    """After `migrate`: give a new log its identity. One with entries has an identity, or somebody took it away.

    Django says "after migrate" for every app whichever was migrated, so the table need not be there.
    """
    if Shop._meta.db_table not in connection.introspection.table_names():
        return
    if not Shop.objects.exists() and not Entry.objects.exists():
        identity = uuid.uuid4().hex
        Shop.objects.create(pk=1, identity=identity, mark=sign(SHOP_MARK + identity))


def anchor_if_due(*, now: datetime) -> int:
    """As `write_anchors`, at most once a `PERIOD`."""
    newest = Anchor.objects.order_by("-number").values_list("at", flat=True).first()
    if newest is not None and newest > now - PERIOD:
        return 0
    return write_anchors(now=now)


def write_anchors(*, now: datetime) -> int:
    """Record every head that changed since it was recorded last; how many anchors that took. Raises `CannotAnchor`.

    Entries are not read. A chain that is being appended to right now is left for the next anchor.
    """
    shop = Shop.objects.first()
    if shop is None:
        raise CannotAnchor("the log's identity is missing")
    written = 0
    while _write_row(shop, now):
        written += 1
    _copy_to_file(shop)
    return written


def _write_row(shop: Shop, now: datetime) -> bool:
    """One anchor on the newest one; False where nothing changed, or where another process wrote this number."""
    try:
        with transaction.atomic(durable=True):
            # Skipping what is locked, no appender waits for this and no two locks can wait for each other.
            changed = Head.objects.select_for_update(skip_locked=True).filter(count__gt=F("anchored"))
            heads = list(changed.order_by("chain")[:MOST_HEADS])
            if not heads:
                return False
            line = make_line(
                shop=shop.identity,
                at=now.isoformat(timespec="seconds"),
                heads=[(head.chain, head.count, head.hash) for head in heads],
                last=_read_newest(),
            )
            Anchor.objects.create(number=line.number, at=now, line=line.write())
            Head.objects.filter(pk__in=[head.pk for head in heads]).update(anchored=F("count"))
    except IntegrityError:
        return False
    return True


def _read_newest() -> AnchorLine | None:
    newest = Anchor.objects.order_by("-number").first()
    if newest is None:
        return None
    line = parse_line(newest.line)
    if line is None:
        raise CannotAnchor(f"anchor {newest.number} cannot be read")
    return line


def _copy_to_file(shop: Shop) -> None:
    """Bring the file up to the rows: a writer that died between the two, or a new file, is made good here."""
    with open_for_append(anchor_path()) as file:
        after = find_last_number(file, shop.identity)
        rows = Anchor.objects.filter(number__gt=after).order_by("number")
        append_lines(file, list(rows.values_list("line", flat=True)))
