"""Statements that are written once a process and asked often.

Django takes ten times as long to write a query as the database takes to answer it, and a turn asks the same few dozen
again and again. Each of these is an ordinary queryset with a `Slot` wherever a value goes: it is compiled at its first
use for the engine at hand, and then only its values change. Values are always parameters, never text of the statement.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DatabaseError, connections
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.models import Expression, Model, QuerySet, fields
from django.db.models.query import get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.transaction import TransactionManagementError

# What follows speaks to Django's compiler and to connections, whose parts have no types of their own: hence `Any`.
Found = TypeVar("Found", bound=Model)
DATABASE = "default"
# Fields that store a text or a whole number as it is.
PLAIN = (
    *(fields.CharField, fields.TextField, fields.BooleanField, fields.AutoField, fields.BigAutoField),
    *(fields.IntegerField, fields.BigIntegerField, fields.PositiveIntegerField, fields.PositiveSmallIntegerField),
)


class Slot(Expression):
    """The place of one value, which goes to the database as `field` would store it."""

    def __init__(self, name: str, field: Any) -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", [self]


class Written(NamedTuple):
    """One statement for one engine: for each parameter the name of its value and how that is stored, or a constant.

    `make` turns a row of the answer into what was asked for.
    """

    sql: str
    parts: list[tuple[str, Any]]
    locks: bool = False
    make: Callable[[Any], Any] = tuple

    def execute(self, database: Any, values: dict[str, Any]) -> Any:
        if self.locks and not database.in_atomic_block:
            raise TransactionManagementError("a row is locked until the end of a transaction, and there is none")
        cursor = _open_cursor(database)
        params = [_spell(part, values[name], database) if name else part for name, part in self.parts]
        cursor.execute(self.sql, params)
        return cursor


class _Statement:
    """Keeps the written forms by engine."""

    def __init__(self) -> None:
        self._written: dict[str, Written] = {}

    def write(self, database: Any) -> Written:
        raise NotImplementedError

    def _execute(self, values: dict[str, Any]) -> tuple[Written, Any]:
        database: Any = connections[DATABASE]
        written = self._written.get(database.vendor)
        if written is None:
            written = self._written[database.vendor] = self.write(database)
        return written, written.execute(database, values)


class Select(_Statement):
    """A statement that answers with rows."""

    def _list(self, values: dict[str, Any]) -> list[Any]:
        written, cursor = self._execute(values)
        return [written.make(row) for row in cursor.fetchall()]

    def _first(self, values: dict[str, Any]) -> Any:
        """The first row; None where there is none."""
        written, cursor = self._execute(values)
        row = cursor.fetchone()
        cursor.close()
        return None if row is None else written.make(row)


class Rows(Select, Generic[Found]):
    """Model instances, as the queryset would give them, `select_related` and `select_for_update` included."""

    def __init__(self, build: Callable[[], "QuerySet[Found]"]) -> None:
        super().__init__()
        self._build = build

    def write(self, database: Any) -> Written:
        query = self._build().query
        compiler: Any = query.get_compiler(connection=database)
        sql, params = compiler.as_sql()
        converters = _list_converters(compiler)
        first, last = compiler.klass_info["select_fields"][0], compiler.klass_info["select_fields"][-1] + 1
        names = [column[0].target.attname for column in compiler.select[first:last]]
        # The stubs are of a later Django, where it takes one more.
        populate: Any = get_related_populators
        populators = populate(compiler.klass_info, compiler.select, DATABASE)
        model: type[Model] = compiler.klass_info["model"]

        def make(row: Any) -> Any:
            values = convert(row, converters)
            found = model.from_db(DATABASE, names, values[first:last])
            for populator in populators:
                populator.populate(values, found)
            return found

        return Written(sql, _list_parts(params), query.select_for_update, make)

    def list(self, **values: Any) -> list[Found]:
        return self._list(values)

    def first(self, **values: Any) -> Found | None:
        found: Found | None = self._first(values)
        return found

    def get(self, **values: Any) -> Found:
        """The row that a unique column names; the model's `DoesNotExist` where there is none."""
        found = self.first(**values)
        if found is None:
            missing: type[Exception] = getattr(self._build().model, "DoesNotExist")  # noqa: B009 - made by Django
            raise missing(f"no such row: {values}")
        return found


class Tuples(Select):
    """Rows of a queryset with `values_list`, as tuples."""

    def __init__(self, build: Callable[[], "QuerySet[Any, Any]"]) -> None:
        super().__init__()
        self._build = build

    def write(self, database: Any) -> Written:
        query = self._build().query
        compiler: Any = query.get_compiler(connection=database)
        sql, params = compiler.as_sql()
        converters = _list_converters(compiler)
        make = partial(convert, converters=converters) if converters else tuple
        return Written(sql, _list_parts(params), query.select_for_update, make)

    def list(self, **values: Any) -> list[Any]:
        return self._list(values)

    def first(self, **values: Any) -> Any:
        return self._first(values)


class Change(_Statement):
    """`queryset.update(**columns)`; a column takes a `Slot`, or an expression with some in it.

    `returning`: the column by which `run_and_list` names the rows that were changed.
    """

    def __init__(self, build: Callable[[], "QuerySet[Any]"], *, returning: str = "", **columns: Any) -> None:
        super().__init__()
        self._build, self._columns, self._returning = build, columns, returning

    def write(self, database: Any) -> Written:
        query: Any = self._build().query.chain(UpdateQuery)
        query.add_update_values(self._columns)
        query.annotations = {}
        sql, params = query.get_compiler(connection=database).as_sql()
        if self._returning:
            sql += f" RETURNING {database.ops.quote_name(query.get_meta().get_field(self._returning).column)}"
        return Written(sql, _list_parts(params))

    def run_and_list(self, **values: Any) -> list[Any]:
        """The `returning` column of each row that was changed."""
        _, cursor = self._execute(values)
        return [row[0] for row in cursor.fetchall()]

    def run(self, **values: Any) -> int:
        """How many rows were changed."""
        _, cursor = self._execute(values)
        changed: int = cursor.rowcount
        cursor.close()
        return changed


_inserts: dict[tuple[type[Model], bool, str], tuple[str, list[Any]]] = {}
_saves: dict[tuple[type[Model], tuple[str, ...], str], tuple[str, list[Any]]] = {}


def insert(row: Model) -> None:
    """`row.save(force_insert=True)` without its look-arounds: no signals, no parents, and the key comes back."""
    database: Any = connections[DATABASE]
    key = (type(row), row.pk is None, database.vendor)
    found = _inserts.get(key)
    if found is None:
        found = _inserts[key] = _write_insert(row, database)
    sql, columns = found
    with _open_cursor(database) as cursor:
        cursor.execute(sql, [_spell(field, field.pre_save(row, True), database) for field in columns])
        if row.pk is None:
            row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, DATABASE


def save(row: Model, *names: str) -> None:
    """`row.save(update_fields=names)` without its look-arounds. A row that is gone raises `DatabaseError`."""
    database: Any = connections[DATABASE]
    key = (type(row), names, database.vendor)
    found = _saves.get(key)
    if found is None:
        found = _saves[key] = _write_save(row, names, database)
    sql, columns = found
    with _open_cursor(database) as cursor:
        cursor.execute(sql, [_spell(field, field.pre_save(row, False), database) for field in columns])
        if cursor.rowcount != 1:
            raise DatabaseError(f"there is no {row._meta.label} {row.pk} to save")


def _write_insert(row: Model, database: Any) -> tuple[str, list[Any]]:
    meta = row._meta
    columns = [field for field in meta.concrete_fields if row.pk is not None or field is not meta.pk]
    query: Any = InsertQuery(type(row))
    query.insert_values(columns, [row])
    compiler = query.get_compiler(connection=database)
    compiler.returning_fields = [] if row.pk is not None else [meta.pk]
    ((sql, _),) = compiler.as_sql()
    return sql, columns


def _write_save(row: Model, names: tuple[str, ...], database: Any) -> tuple[str, list[Any]]:
    meta, quote = row._meta, database.ops.quote_name
    columns: list[Any] = [meta.get_field(name) for name in names]
    values = ", ".join(f"{quote(field.column)} = %s" for field in columns)
    key: Any = meta.pk
    sql = f"UPDATE {quote(meta.db_table)} SET {values} WHERE {quote(key.column)} = %s"  # noqa: S608 - own names
    return sql, [*columns, key]


def _open_cursor(database: Any) -> Any:
    """A cursor like the connection's own; on PostgreSQL one whose statements the server reads and plans once.

    Django's put the values into the text. The option `prepare_threshold` of the settings says from which use on.
    """
    if database.vendor != "postgresql":
        return database.cursor()
    database.ensure_connection()
    cursor: Any = ServerBindingCursor
    with database.wrap_database_errors:
        return database._prepare_cursor(cursor(database.connection))


def _spell(field: Any, value: Any, database: Any) -> Any:
    """The value as the driver takes it."""
    if value is None or (type(field) in PLAIN and isinstance(value, str | int)):
        return value
    return field.get_db_prep_save(value, database)


def _list_parts(params: Iterable[Any]) -> list[tuple[str, Any]]:
    return [(part.name, part.output_field) if isinstance(part, Slot) else ("", part) for part in params]


def _list_converters(compiler: Any) -> list[tuple[int, list[Any], Any]]:
    found = compiler.get_converters([column[0] for column in compiler.select])
    return [(place, convert, expression) for place, (convert, expression) in found.items()]


def convert(row: Any, converters: list[tuple[int, list[Any], Any]]) -> Any:
    values = list(row)
    for place, convert, expression in converters:
        value = values[place]
        for one in convert:
            value = one(value, expression, connections[DATABASE])
        values[place] = value
    return tuple(values)
