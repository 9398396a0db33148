"""Statements that are written once a process and asked often.

Django takes ten times as long to write a query as the database takes to answer it, and a turn asks the same few dozen
again and again. Each of these is an ordinary queryset with a `Slot` wherever a value goes: it is compiled at its first
use for the engine at hand, and then only its values change. Values are always parameters, never text of the statement.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DatabaseError, connection
from django.db.models import Expression, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.transaction import TransactionManagementError

# What follows speaks to Django's compiler, whose parts have no types of their own: hence `Any`.
Found = TypeVar("Found", bound=Model)
Spell = Callable[[dict[str, Any]], Any]


class Slot(Expression):
    """The place of one value, which goes to the database as `field` would store it."""

    def __init__(self, name: str, field: Any) -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", [self]

    def spell(self, values: dict[str, Any]) -> Any:
        return self.output_field.get_db_prep_save(values[self.name], connection)


class _Written(NamedTuple):
    """One statement for one engine. `make` turns a row of the answer into what was asked for."""

    sql: str
    spells: list[Spell]
    locks: bool = False
    make: Callable[[Any], Any] = tuple

    def execute(self, values: dict[str, Any]) -> Any:
        if self.locks and not connection.in_atomic_block:
            raise TransactionManagementError("a row is locked until the end of a transaction, and there is none")
        cursor = connection.cursor()
        cursor.execute(self.sql, [spell(values) for spell in self.spells])
        return cursor


class _Statement:
    """Keeps the written forms by engine."""

    def __init__(self) -> None:
        self._written: dict[str, _Written] = {}

    def write(self) -> _Written:
        raise NotImplementedError

    def _execute(self, values: dict[str, Any]) -> tuple[_Written, Any]:
        written = self._written.get(connection.vendor)
        if written is None:
            written = self._written[connection.vendor] = self.write()
        return written, written.execute(values)


class Rows(_Statement, Generic[Found]):
    """Model instances, as the queryset would give them, `select_related` and `select_for_update` included."""

    def __init__(self, build: Callable[[], "QuerySet[Found]"]) -> None:
        super().__init__()
        self._build = build

    def write(self) -> _Written:
        queryset = self._build()
        compiler: Any = queryset.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        converters = _list_converters(compiler)
        first, last = compiler.klass_info["select_fields"][0], compiler.klass_info["select_fields"][-1] + 1
        names = [column[0].target.attname for column in compiler.select[first:last]]
        # The stubs are of a later Django, where it takes one more.
        populate: Any = get_related_populators
        populators = populate(compiler.klass_info, compiler.select, "default")
        model: type[Model] = compiler.klass_info["model"]

        def make(row: Any) -> Any:
            values = _convert(row, converters)
            found = model.from_db("default", names, values[first:last])
            for populator in populators:
                populator.populate(values, found)
            return found

        return _Written(sql, _list_spells(params), queryset.query.select_for_update, make)

    def list(self, **values: Any) -> list[Found]:
        written, cursor = self._execute(values)
        return [written.make(row) for row in cursor.fetchall()]

    def first(self, **values: Any) -> Found | None:
        written, cursor = self._execute(values)
        row = cursor.fetchone()
        cursor.close()
        return None if row is None else written.make(row)

    def get(self, **values: Any) -> Found:
        """The row that a unique column names; the model's `DoesNotExist` where there is none."""
        found = self.first(**values)
        if found is None:
            missing: type[Exception] = getattr(self._build().model, "DoesNotExist")  # noqa: B009 - made by Django
            raise missing(f"no such row: {values}")
        return found


class Tuples(_Statement):
    """Rows of a queryset with `values_list`, as tuples."""

    def __init__(self, build: Callable[[], "QuerySet[Any, Any]"]) -> None:
        super().__init__()
        self._build = build

    def write(self) -> _Written:
        query = self._build().query
        compiler: Any = query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        converters = _list_converters(compiler)
        make = partial(_convert, converters=converters) if converters else tuple
        return _Written(sql, _list_spells(params), query.select_for_update, make)

    def list(self, **values: Any) -> list[Any]:
        written, cursor = self._execute(values)
        return [written.make(row) for row in cursor.fetchall()]

    def first(self, **values: Any) -> Any:
        written, cursor = self._execute(values)
        row = cursor.fetchone()
        cursor.close()
        return None if row is None else written.make(row)


class Change(_Statement):
    """`queryset.update(**columns)`; a column takes a `Slot`, or an expression with some in it.

    `returning`: the column by which `run_and_list` names the rows that were changed.
    """

    def __init__(self, build: Callable[[], "QuerySet[Any]"], *, returning: str = "", **columns: Any) -> None:
        super().__init__()
        self._build, self._columns, self._returning = build, columns, returning

    def write(self) -> _Written:
        query: Any = self._build().query.chain(UpdateQuery)
        query.add_update_values(self._columns)
        query.annotations = {}
        sql, params = query.get_compiler(connection=connection).as_sql()
        if self._returning:
            sql += f" RETURNING {connection.ops.quote_name(query.get_meta().get_field(self._returning).column)}"
        return _Written(sql, _list_spells(params))

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
    key = (type(row), row.pk is None, connection.vendor)
    found = _inserts.get(key)
    if found is None:
        found = _inserts[key] = _write_insert(row)
    sql, fields = found
    with connection.cursor() as cursor:
        cursor.execute(sql, [field.get_db_prep_save(field.pre_save(row, True), connection) for field in fields])
        if row.pk is None:
            row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, "default"


def save(row: Model, *names: str) -> None:
    """`row.save(update_fields=names)` without its look-arounds. A row that is gone raises `DatabaseError`."""
    key = (type(row), names, connection.vendor)
    found = _saves.get(key)
    if found is None:
        found = _saves[key] = _write_save(row, names)
    sql, fields = found
    with connection.cursor() as cursor:
        cursor.execute(sql, [field.get_db_prep_save(field.pre_save(row, False), connection) for field in fields])
        if cursor.rowcount != 1:
            raise DatabaseError(f"there is no {row._meta.label} {row.pk} to save")


def _write_insert(row: Model) -> tuple[str, list[Any]]:
    meta = row._meta
    fields = [field for field in meta.concrete_fields if row.pk is not None or field is not meta.pk]
    query: Any = InsertQuery(type(row))
    query.insert_values(fields, [row])
    compiler = query.get_compiler(connection=connection)
    compiler.returning_fields = [] if row.pk is not None else [meta.pk]
    ((sql, _),) = compiler.as_sql()
    return sql, fields


def _write_save(row: Model, names: tuple[str, ...]) -> tuple[str, list[Any]]:
    meta, quote = row._meta, connection.ops.quote_name
    fields: list[Any] = [meta.get_field(name) for name in names]
    columns = ", ".join(f"{quote(field.column)} = %s" for field in fields)
    sql = f"UPDATE {quote(meta.db_table)} SET {columns} WHERE {quote(meta.pk.column)} = %s"  # noqa: S608 - own names
    return sql, [*fields, meta.pk]


def _list_spells(params: Iterable[Any]) -> list[Spell]:
    return [part.spell if isinstance(part, Slot) else partial(_constant, part) for part in params]


def _constant(value: Any, _: dict[str, Any]) -> Any:
    return value


def _list_converters(compiler: Any) -> list[tuple[int, list[Any], Any]]:
    found = compiler.get_converters([column[0] for column in compiler.select])
    return [(place, convert, expression) for place, (convert, expression) in found.items()]


def _convert(row: Any, converters: list[tuple[int, list[Any], Any]]) -> Any:
    values = list(row)
    for place, convert, expression in converters:
        value = values[place]
        for one in convert:
            value = one(value, expression, connection)
        values[place] = value
    return tuple(values)
