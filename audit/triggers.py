"""Database triggers that keep a table append-only, in both engines' words; used by migrations of several apps.

SQLite's INSERT OR REPLACE fires no delete trigger, so an insert that would hit an existing key is refused before
it can replace. PostgreSQL's TRUNCATE fires no row trigger, so it gets one of its own.
"""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

MESSAGE = "this table is append-only"
FUNCTION = "deskagent_append_only"
Step = Callable[[Any, BaseDatabaseSchemaEditor], None]


def sqlite_statements(table: str, keys: Sequence[Sequence[str]]) -> list[str]:
    """`keys`: the table's unique column sets, primary key included."""
    taken = " OR ".join("(" + " AND ".join(f'"{name}" = NEW."{name}"' for name in key) + ")" for key in keys)
    return [
        f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"
        for verb in ("update", "delete")
    ] + [
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
        f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {taken}) BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"
    ]


def postgresql_statements(table: str) -> list[str]:
    return [
        f"CREATE OR REPLACE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{MESSAGE}'; END $$",
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {FUNCTION}()",
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {FUNCTION}()",
    ]


def drop_statements(vendor: str, table: str) -> list[str]:
    if vendor == "sqlite":
        return [f"DROP TRIGGER IF EXISTS {table}_no_{verb}" for verb in ("update", "delete", "replace")]
    return [f"DROP TRIGGER IF EXISTS {table}_no_{verb} ON {table}" for verb in ("update", "truncate")]


def create_statements(vendor: str, table: str, keys: Sequence[Sequence[str]]) -> list[str]:
    return sqlite_statements(table, keys) if vendor == "sqlite" else postgresql_statements(table)


def append_only(table: str, keys: Sequence[Sequence[str]]) -> migrations.RunPython:
    """The migration step that makes `table` append-only; reversible."""
    return migrations.RunPython(_creating(table, keys), _dropping(table))


def writable(table: str, keys: Sequence[Sequence[str]]) -> migrations.RunPython:
    """The step before a change of the table's columns. `keys` are those of before, for the way back."""
    return migrations.RunPython(_dropping(table), _creating(table, keys))


def _creating(table: str, keys: Sequence[Sequence[str]]) -> Step:
    def create(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
        for statement in create_statements(editor.connection.vendor, table, keys):
            editor.execute(statement)

    return create


def _dropping(table: str) -> Step:
    def drop(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
        for statement in drop_statements(editor.connection.vendor, table):
            editor.execute(statement)

    return drop
