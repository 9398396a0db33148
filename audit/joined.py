"""Rows of several models in one locked look, where no relation of theirs joins them."""

from typing import Any

from django.db.models import Model

from audit.driving import DATABASE
from audit.statements import Select, Slot, Written, convert


class Joined(Select):
    """One instance of each model by its alias, in this order; None for a model whose row an outer join lacks.

    `source` is what follows FROM, with `{alias}` for a table and `%s` for each of `slots`. The rows of `locks` stay
    locked until commit and are the newest ones; the others are as they were when the statement began.
    """

    def __init__(
        self, models: dict[str, type[Model]], source: str, slots: list[Slot], *, locks: tuple[str, ...]
    ) -> None:
        super().__init__()
        self._models, self._source, self._slots, self._locks = models, source, slots, locks

    def first(self, **values: Any) -> Any:
        return self._first(values)

    def write(self, database: Any) -> Written:
        quote = database.ops.quote_name
        fields = {alias: list(model._meta.concrete_fields) for alias, model in self._models.items()}
        columns = ", ".join(f"{alias}.{quote(one.column)}" for alias, each in fields.items() for one in each)
        tables = {alias: f"{quote(model._meta.db_table)} {alias}" for alias, model in self._models.items()}
        sql = f"SELECT {columns} FROM {self._source.format(**tables)}"  # noqa: S608 - the models' own names
        if database.features.has_select_for_update:
            sql += f" FOR UPDATE OF {', '.join(self._locks)}"
        parts = [slot.as_part() for slot in self._slots]
        return Written(sql, parts, bool(self._locks), _Maker(self._models, fields, database).make)


class _Maker:
    def __init__(self, models: dict[str, type[Model]], fields: dict[str, list[Any]], database: Any) -> None:
        self._pieces: list[tuple[type[Model], list[str], int, int, int]] = []
        self._converters: list[tuple[int, list[Any], Any]] = []
        place = 0
        for alias, model in models.items():
            names = [field.attname for field in fields[alias]]
            key = place + fields[alias].index(model._meta.pk)
            self._pieces.append((model, names, place, place + len(names), key))
            for field in fields[alias]:
                column = field.cached_col
                found = database.ops.get_db_converters(column) + column.get_db_converters(database)
                if found:
                    self._converters.append((place, found, column))
                place += 1

    def make(self, row: Any, database: Any) -> list[Any]:
        values = convert(row, database, self._converters)
        return [
            None if values[key] is None else model.from_db(DATABASE, names, values[first:last])
            for model, names, first, last, key in self._pieces
        ]
