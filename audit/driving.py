"""How a value and a statement go to the driver of either engine."""

from typing import Any, NamedTuple

from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.models import Model, fields

DATABASE = "default"
# Where a connection keeps the cursor of its statements.
KEPT = "_deskagent_statements"
# Fields that store a text or a whole number as it is.
PLAIN = (
    *(fields.CharField, fields.TextField, fields.BooleanField, fields.AutoField, fields.BigAutoField),
    *(fields.IntegerField, fields.BigIntegerField, fields.PositiveIntegerField, fields.PositiveSmallIntegerField),
)


class Part(NamedTuple):
    """One parameter: the value of this name as `field` stores it, or a constant where there is no name.

    `plain`: a text or a number goes as it is.
    """

    name: str
    field: Any
    plain: bool


def part_of(field: Any) -> Part:
    return Part(field.attname, field, type(field) in PLAIN)


def fill(part: Part, values: dict[str, Any], database: Any) -> Any:
    """The parameter as the driver takes it."""
    if not part.name:
        return part.field
    value = values[part.name]
    if value is None or (part.plain and isinstance(value, (str, int))):
        return value
    return part.field.get_db_prep_save(value, database)


def read_column(part: Part, row: Model, adding: bool, database: Any) -> Any:
    """A column of a row as the driver takes it."""
    value = getattr(row, part.name) if part.plain else part.field.pre_save(row, adding)
    if value is None or (part.plain and isinstance(value, (str, int))):
        return value
    return part.field.get_db_prep_save(value, database)


def open_cursor(database: Any) -> Any:
    """A cursor like the connection's own; on PostgreSQL one whose statements the server reads and plans once.

    Django's put the values into the text, which its log of queries needs. The option `prepare_threshold` of the
    settings says from which use on.
    """
    if database.queries_logged:
        return database.cursor()
    # Every answer is read to its end at once, so one cursor serves a connection as long as that lives.
    kept: Any = getattr(database, KEPT, None)
    if kept is not None and database.connection is not None and kept[0] is database.connection:
        return kept[1]
    database.ensure_connection()
    if database.vendor == "postgresql":
        binding: Any = ServerBindingCursor
        with database.wrap_database_errors:
            cursor = database._prepare_cursor(binding(database.connection))
    else:
        cursor = database.cursor()
    setattr(database, KEPT, (database.connection, cursor))
    return cursor
