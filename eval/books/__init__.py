"""The ten invariants, read from rows, the audit log and the gateway's ledger.

What is judged here is never asked: nothing of policy, gate or agent is imported, and an import contract keeps it so.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from eval.books.answers import check_answers
from eval.books.effects import check_gate, check_honesty, check_write_ahead
from eval.books.evidence import gather
from eval.books.gateway_ledger import LedgerUnreadable
from eval.books.history import check_history
from eval.books.limbo import check_limbo
from eval.books.lines import Line
from eval.books.money import check_keys, check_money
from eval.books.snapshot import Snapshot, SnapshotUnreadable, check_isolation, read_snapshot, take_snapshot
from eval.books.statuses import check_statuses

__all__ = [
    "LedgerUnreadable",
    "Line",
    "Snapshot",
    "SnapshotUnreadable",
    "check",
    "read_snapshot",
    "take_snapshot",
]


def check(*, now: datetime, snapshot: Snapshot | None = None, gateway_ledger: Path | None = None) -> list[Line]:
    """One line an invariant, in their order. A desk may be at work: all rows are read as of one moment."""
    history = check_history()
    ledger_read_at = timezone.now() if gateway_ledger else None
    with _one_moment():
        evidence = gather(now=now, ledger_file=gateway_ledger, ledger_read_at=ledger_read_at)
        return [
            check_money(evidence, unchecked=_unread_ledger(gateway_ledger)),
            check_keys(evidence),
            check_write_ahead(evidence),
            check_gate(evidence),
            check_isolation(snapshot),
            history,
            check_limbo(now=now),
            check_honesty(evidence),
            check_statuses(evidence),
            check_answers(),
        ]


def _unread_ledger(file: Path | None) -> str:
    """Money that only a gateway's own ledger can confirm; the local one is our rows."""
    remote = getattr(settings, "DESKAGENT_GATEWAY", "ledger") != "ledger"
    return "the gateway's sums, no ledger of it was given" if remote and file is None else ""


@contextmanager
def _one_moment() -> Iterator[None]:
    """A reading transaction: nobody waits for it, and it sees no change that is made meanwhile."""
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    # Of SQLite's connection alone: Django begins every transaction there as a writer's.
    sqlite: Any = connection if connection.vendor == "sqlite" else SimpleNamespace(transaction_mode=None)
    mode, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        sqlite.transaction_mode = mode
