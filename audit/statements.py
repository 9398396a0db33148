"""Statements that are written once a process and asked often.

Django takes ten times as long to write a query as the database takes to answer it, and a turn asks the same few dozen
again and again. Each of these is an ordinary queryset with a `Slot` wherever a value goes: it is compiled at its first
use for the engine at hand, and then only its values change. Values are always parameters, never text of the statement.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DatabaseError, connections
from django.db.models import Expression, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.transaction import TransactionManagementError

from audit.cursors import open_cursor
from audit.driving import DATABASE, PLAIN, Part, fill, part_of, read_column

# What follows speaks to Django's compiler and to connections, whose parts have no types of their own: hence `Any`.
Found = TypeVar("Found", bound=Model)


class Slot(Expression):
    """The place of one value, which goes to the database as `field` would store it."""

    def __init__(self, name: str, field: Any) -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", [self]

    def as_part(self) -> "Part":
        return Part(self.name, self.output_field, type(self.output_field) in PLAIN)


def as_tuple(row: Any, _: Any) -> Any:
    return tuple(row)


class Written(NamedTuple):
    """One statement for one engine. `make` turns a row of the answer into what was asked for."""

    sql: str
    parts: list[Part]
    locks: bool = False
    make: Callable[[Any, Any], Any] = as_tuple

    def execute(self, database: Any, values: dict[str, Any]) -> Any:
        if self.locks and not database.in_atomic_block:
            raise TransactionManagementError("a row is locked until the end of a transaction, and there is none")
        cursor = open_cursor(database)
        cursor.execute(self.sql, [fill(part, values, database) for part in self.parts])
        return cursor


class _Statement:
    """Keeps the written forms by engine."""

    def __init__(self) -> None:
        self._written: dict[str, Written] = {}

    def write(self, database: Any) -> Written:
        raise NotImplementedError

    def _prepare(self) -> tuple[Any, Written]:
        """This thread's connection, and the statement for its engine."""
        database: Any = connections[DATABASE]
        written = self._written.get(database.vendor)
        if written is None:
            written = self._written[database.vendor] = self.write(database)
        return database, written


class Select(_Statement):
    """A statement that answers with rows."""

    def _list(self, values: dict[str, Any]) -> list[Any]:
        database, written = self._prepare()
        return [written.make(row, database) for row in written.execute(database, values).fetchall()]

    def _first(self, values: dict[str, Any]) -> Any:
        """The first row; None where there is none."""
        database, written = self._prepare()
        # All of them, so that no statement stays half read.
        rows = written.execute(database, values).fetchall()
        return written.make(rows[0], database) if rows else None


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

        def make(row: Any, database: Any) -> Any:
            values = convert(row, database, converters)
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
        make = partial(convert, converters=converters) if converters else as_tuple
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
        database, written = self._prepare()
        return [row[0] for row in written.execute(database, values).fetchall()]

    def run(self, **values: Any) -> int:
        """How many rows were changed."""
        if self._returning:
            return len(self.run_and_list(**values))
        database, written = self._prepare()
        changed: int = written.execute(database, values).rowcount
        return changed


_inserts: dict[tuple[type[Model], bool, str], tuple[str, list[Part]]] = {}
_saves: dict[tuple[type[Model], tuple[str, ...], str], tuple[str, list[Part]]] = {}


def insert(row: Model) -> None:
    """`row.save(force_insert=True)` without its look-arounds: no signals, no parents, and the key comes back."""
    database: Any = connections[DATABASE]
    key = (type(row), row.pk is None, database.vendor)
    found = _inserts.get(key)
    if found is None:
        found = _inserts[key] = _write_insert(row, database)
    sql, columns = found
    cursor = open_cursor(database)
    cursor.execute(sql, [read_column(part, row, True, database) for part in columns])
    if row.pk is None:
        [[row.pk]] = cursor.fetchall()
    row._state.adding, row._state.db = False, DATABASE


def insert_once(row: Model) -> None:
    """Insert a row without a key unless a unique constraint has it already; the key does not come back."""
    database: Any = connections[DATABASE]
    sql, columns = _write_insert(row, database, returning=False)
    open_cursor(database).execute(
        f"{sql} ON CONFLICT DO NOTHING", [read_column(part, row, True, database) for part in columns]
    )


def save(row: Model, *names: str) -> None:
    """`row.save(update_fields=names)` without its look-arounds. A row that is gone raises `DatabaseError`."""
    database: Any = connections[DATABASE]
    key = (type(row), names, database.vendor)
    found = _saves.get(key)
    if found is None:
        found = _saves[key] = _write_save(row, names, database)
    sql, columns = found
    cursor = open_cursor(database)
    cursor.execute(sql, [read_column(part, row, False, database) for part in columns])
    if cursor.rowcount != 1:
        raise DatabaseError(f"there is no {row._meta.label} {row.pk} to save")


def _write_insert(row: Model, database: Any, *, returning: bool = True) -> tuple[str, list[Part]]:
    meta = row._meta
    columns = [field for field in meta.concrete_fields if row.pk is not None or field is not meta.pk]
    query: Any = InsertQuery(type(row))
    query.insert_values(columns, [row])
    compiler = query.get_compiler(connection=database)
    compiler.returning_fields = [meta.pk] if row.pk is None and returning else []
    ((sql, _),) = compiler.as_sql()
    return sql, [part_of(field) for field in columns]


def _write_save(row: Model, names: tuple[str, ...], database: Any) -> tuple[str, list[Part]]:
    meta, quote = row._meta, database.ops.quote_name
    columns: list[Any] = [meta.get_field(name) for name in names]
    values = ", ".join(f"{quote(field.column)} = %s" for field in columns)
    key: Any = meta.pk
    sql = f"UPDATE {quote(meta.db_table)} SET {values} WHERE {quote(key.column)} = %s"  # noqa: S608 - own names
    return sql, [part_of(field) for field in (*columns, key)]


def _list_parts(params: Iterable[Any]) -> list[Part]:
    return [part.as_part() if isinstance(part, Slot) else Part("", part, True) for part in params]


def _list_converters(compiler: Any) -> list[tuple[int, list[Any], Any]]:
    found = compiler.get_converters([column[0] for column in compiler.select])
    return [(place, convert, expression) for place, (convert, expression) in found.items()]


def convert(row: Any, database: Any, converters: list[tuple[int, list[Any], Any]]) -> Any:
    values = list(row)
    for place, convert, expression in converters:
        value = values[place]
        for one in convert:
            value = one(value, expression, database)
        values[place] = value
    return tuple(values)
