"""What a piece of work costs the database: durable commits from its own log, and the queries sent to it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import psycopg
from django.db import connection

WAL_HEADER, FRAME_HEADER = 32, 24
NOT_WORK = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")


def count_commit_frames(wal: bytes) -> int:
    """Commits in a SQLite write-ahead log (https://www.sqlite.org/fileformat2.html#walformat).

    A frame that ends a transaction holds the size of the database; frames of an earlier log have another salt.
    """
    if len(wal) < WAL_HEADER:
        return 0
    page, salt = int.from_bytes(wal[8:12], "big"), wal[16:24]
    commits = 0
    for start in range(WAL_HEADER, len(wal) - FRAME_HEADER - page + 1, FRAME_HEADER + page):
        if wal[start + 8 : start + 16] != salt:
            break
        commits += wal[start + 4 : start + 8] != bytes(4)
    return commits


class CommitCounter(Protocol):
    """`mark` begins a count; `count` says how many transactions became durable since."""

    def mark(self) -> None: ...

    def count(self) -> int: ...


class SqliteCommits:
    """Needs a log that nobody checkpoints meanwhile."""

    def __init__(self) -> None:
        self._path = Path(f"{connection.settings_dict['NAME']}-wal")
        self._before = 0

    def mark(self) -> None:
        self._before = count_commit_frames(self._path.read_bytes())

    def count(self) -> int:
        return count_commit_frames(self._path.read_bytes()) - self._before


class PostgresCommits:
    """Commit records of the whole server between two places of its log: only a server of our own can be counted."""

    def __init__(self) -> None:
        own = connection.settings_dict
        self._watching = psycopg.connect(
            host=own["HOST"],
            port=own["PORT"],
            user=own["USER"],
            password=own["PASSWORD"],
            dbname=own["NAME"],
            autocommit=True,
            options="-c synchronous_commit=on",
        )
        self._watching.execute("CREATE EXTENSION IF NOT EXISTS pg_walinspect")
        self._start = ""

    def mark(self) -> None:
        self._start = self._where()

    def count(self) -> int:
        end = self._where()
        if end == self._start:
            return 0
        # Only what is flushed can be read, and a durable message flushes all before it.
        self._ask("SELECT pg_logical_emit_message(true, 'bench', '')::text")
        return int(
            self._ask(
                "SELECT count(*) FROM pg_get_wal_records_info(%s, %s)"
                " WHERE resource_manager = 'Transaction' AND record_type LIKE 'COMMIT%%'",
                self._start,
                end,
            )
        )

    def close(self) -> None:
        self._watching.close()

    def _where(self) -> str:
        return str(self._ask("SELECT pg_current_wal_insert_lsn()::text"))

    def _ask(self, sql: Any, *arguments: str) -> Any:
        row = self._watching.execute(sql, arguments).fetchone()
        return row[0] if row else None


@contextmanager
def counting_commits() -> Iterator[CommitCounter]:
    """A counter for the connection's engine."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.execute("PRAGMA wal_autocheckpoint=0")
        yield SqliteCommits()
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_autocheckpoint=1000")
        return
    counter = PostgresCommits()
    try:
        yield counter
    finally:
        counter.close()


@contextmanager
def counting_queries() -> Iterator[list[str]]:
    """The statements sent meanwhile, without those that only begin and end transactions."""
    seen: list[str] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        if not sql.startswith(NOT_WORK):
            seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield seen


def measure_bytes() -> int:
    """Live rows and indexes of the whole database, packed as after a fresh load."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("VACUUM")
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        else:
            cursor.execute("VACUUM FULL")
            cursor.execute(
                "SELECT sum(pg_relation_size(oid)) FROM pg_class"
                " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')"
            )
        return int(cursor.fetchone()[0])
