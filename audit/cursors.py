"""The driver's own cursor for statements that were written once: Django's costs as much as the database."""

from functools import cache
from typing import Any

from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX

# Where a connection keeps the cursor of its statements.
KEPT = "_deskagent_statements"


class Direct:
    """What `audit.statements` asks of a cursor, with Django's errors and its refusal inside a broken transaction."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self._cursor: Any = self._open(database.connection)

    def execute(self, sql: str, params: Any) -> None:
        self._database.validate_no_broken_transaction()
        with self._database.wrap_database_errors:
            self._send(sql, params)

    def fetchall(self) -> Any:
        with self._database.wrap_database_errors:
            return self._cursor.fetchall()

    @property
    def rowcount(self) -> int:
        found: int = self._cursor.rowcount
        return found

    def _open(self, connection: Any) -> Any:
        raise NotImplementedError

    def _send(self, sql: str, params: Any) -> None:
        self._cursor.execute(sql, params)


class OnSqlite(Direct):
    def _open(self, connection: Any) -> Any:
        return connection.cursor()

    def _send(self, sql: str, params: Any) -> None:
        self._cursor.execute(as_qmarks(sql), params)


class OnPostgres(Direct):
    """The server reads and plans a statement once a connection: see `prepare_threshold` in the settings."""

    def _open(self, connection: Any) -> Any:
        return ServerBindingCursor(connection)  # type: ignore[call-arg]


@cache
def as_qmarks(sql: str) -> str:
    """The statement as SQLite's driver reads it. Kept: the statements are few, and never made of values."""
    return FORMAT_QMARK_REGEX.sub("?", sql).replace("%%", "%")


def open_cursor(database: Any) -> Any:
    """A cursor of this connection. Where Django logs queries or somebody watches them it is Django's own, which shows
    the values."""
    if database.queries_logged or database.execute_wrappers:
        return database.cursor()
    # Every answer is read to its end at once, so one cursor serves a connection as long as that lives.
    kept: Any = getattr(database, KEPT, None)
    if kept is not None and database.connection is not None and kept[0] is database.connection:
        return kept[1]
    database.ensure_connection()
    cursor = (OnPostgres if database.vendor == "postgresql" else OnSqlite)(database)
    setattr(database, KEPT, (database.connection, cursor))
    return cursor
