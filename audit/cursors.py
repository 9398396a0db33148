"""The drivers' own ways for statements that were written once: Django's cursor costs as much as the database's answer.

They do what `audit.statements` asks of a cursor, with Django's errors and its refusal inside a broken transaction.
"""

import re
from functools import cache
from itertools import count
from typing import Any, Protocol

from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX
from psycopg import Connection, OperationalError, pq
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import FeatureNotSupported, InvalidSqlStatementName, error_from_result

# Where a connection of the driver keeps what sends its statements.
KEPT = "_deskagent_statements"
# A column has another type since, or somebody dropped what the connection kept: only a new plan helps.
OUTDATED = (FeatureNotSupported, InvalidSqlStatementName)
ENDED_WELL = (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK)
PLACE = re.compile("%([s%])")


class Cursor(Protocol):
    """What there is of one for `audit.statements`, Django's own included."""

    def execute(self, sql: str, params: Any) -> Any: ...

    def fetchall(self) -> Any: ...

    @property
    def rowcount(self) -> int: ...


class OnSqlite:
    def __init__(self, database: Any) -> None:
        self._database = database
        self.connection = database.connection
        self._cursor = self.connection.cursor()

    def execute(self, sql: str, params: Any) -> None:
        self._database.validate_no_broken_transaction()
        with self._database.wrap_database_errors:
            self._cursor.execute(as_qmarks(sql), params)

    def fetchall(self) -> Any:
        with self._database.wrap_database_errors:
            return self._cursor.fetchall()

    @property
    def rowcount(self) -> int:
        found: int = self._cursor.rowcount
        return found


class OnPostgres:
    """Statements that the server reads and plans once a connection, sent by the driver's layer below its cursors.

    Values go as text without a type, so that the server takes them for what the statement says, and one plan serves
    all of them. The driver must prepare nothing of its own on the connection: it would drop these with its own.
    """

    def __init__(self, connection: "Connection[Any]") -> None:
        self.connection = connection
        self.database: Any = None
        self._server = connection.pgconn
        self._values = Transformer(connection)
        self._prepared: dict[str, bytes] = {}
        self._numbers = count()
        self._result: Any = None

    def execute(self, sql: str, params: Any) -> None:
        self.database.validate_no_broken_transaction()
        with self.database.wrap_database_errors:
            if not self.connection.autocommit and self._server.transaction_status == pq.TransactionStatus.IDLE:
                self._check(self._server.exec_(b"BEGIN"))
            name = self._prepared.get(sql) or self._prepare(sql)
            values: Any = self._values.dump_sequence(params, [PyFormat.TEXT] * len(params))
            try:
                self._result = self._check(self._server.exec_prepared(name, values))
            except OUTDATED:
                # This transaction is lost; whoever tries again has plans of the tables as they are now.
                self._prepared.clear()
                raise

    def fetchall(self) -> Any:
        with self.database.wrap_database_errors:
            self._values.set_pgresult(self._result)
            return self._values.load_rows(0, self._result.ntuples, tuple)

    @property
    def rowcount(self) -> int:
        return self._result.command_tuples or 0

    def _prepare(self, sql: str) -> bytes:
        # Never one that was used before: an outdated plan keeps its name.
        name = f"desk_{next(self._numbers)}".encode()
        self._check(self._server.prepare(name, as_numbers(sql).encode()))
        self._prepared[sql] = name
        return name

    def _check(self, result: Any) -> Any:
        if result.status in ENDED_WELL:
            return result
        if self._server.status == pq.ConnStatus.BAD:
            raise OperationalError("the connection to the database is lost")
        raise error_from_result(result)


@cache
def as_qmarks(sql: str) -> str:
    """The statement as SQLite's driver reads it. Kept: the statements are few, and never made of values."""
    return FORMAT_QMARK_REGEX.sub("?", sql).replace("%%", "%")


def as_numbers(sql: str) -> str:
    """The statement as PostgreSQL reads it."""
    number = count(1)
    return PLACE.sub(lambda found: f"${next(number)}" if found[1] == "s" else "%", sql)


def open_cursor(database: Any) -> Cursor:
    """For this thread's connection. Where Django logs queries or somebody watches them, its own, which shows values."""
    if database.queries_logged or database.execute_wrappers:
        watched: Cursor = database.cursor()
        return watched
    database.ensure_connection()
    # Every answer is read to its end at once, so one serves a connection as long as that lives.
    if database.vendor == "postgresql":
        raw = database.connection
        kept = getattr(raw, KEPT, None)
        if kept is None:
            kept = OnPostgres(raw)
            setattr(raw, KEPT, kept)
        # A connection of the pool is another thread's each time.
        kept.database = database
        return kept
    found: OnSqlite | None = getattr(database, KEPT, None)
    if found is None or found.connection is not database.connection:
        found = OnSqlite(database)
        setattr(database, KEPT, found)
    return found
