"""How a value goes to the driver of either engine."""

from typing import Any, NamedTuple

from django.db.models import Model, fields

DATABASE = "default"
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
