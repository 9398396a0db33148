"""What goes to the driver without Django's cursor behaves as with it, on the engine of the run."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, NotSupportedError, ProgrammingError, connection, transaction
from django.db.transaction import TransactionManagementError

from audit.cursors import OnPostgres, OnSqlite, as_numbers, as_qmarks, open_cursor
from audit.statements import Rows, Slot, insert, save
from conversations.models import Conversation

FOUND = Rows(lambda: Conversation.objects.filter(pk=Slot("pk", Conversation._meta.pk)))
HOSTILE = ["'; DROP TABLE x; --", "100 %s %% $1 ?", '"\\', "ü漢🙂", "", "x" * 20]


def store(locale: str) -> Conversation:
    row = Conversation(id=uuid4(), token_hash="0" * 64, locale=locale)
    insert(row)
    return row


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.usefixtures("desk")
def test_text_goes_as_a_value_and_comes_back(text: str) -> None:
    assert isinstance(open_cursor(connection), OnSqlite | OnPostgres)
    row = store(text)
    found = FOUND.get(pk=row.pk)
    assert (found.locale, found.created_at, found.closed_at) == (text, row.created_at, None)


@pytest.mark.parametrize("number", [0, 1, 32_767, 32_768, 2**31 - 1])
@pytest.mark.usefixtures("desk")
def test_numbers_of_any_size_share_one_statement(number: int) -> None:
    row = store("en")
    row.last_seq = number
    save(row, "last_seq")
    assert FOUND.get(pk=row.pk).last_seq == number


@pytest.mark.usefixtures("desk")
def test_a_refused_row_raises_what_django_would_and_the_next_statement_goes_on() -> None:
    row = store("en")
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(Conversation(id=row.pk, token_hash="1" * 64))
    assert FOUND.get(pk=row.pk).token_hash == "0" * 64


@pytest.mark.usefixtures("desk")
def test_what_is_rolled_back_is_gone() -> None:
    with transaction.atomic():
        row = store("en")
        transaction.set_rollback(True)
    assert FOUND.first(pk=row.pk) is None


@pytest.mark.usefixtures("desk")
def test_a_broken_transaction_takes_no_statement() -> None:
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError):
            FOUND.first(pk=uuid4())


@pytest.mark.usefixtures("desk")
def test_whoever_watches_the_connection_sees_the_statement() -> None:
    seen: list[str] = []

    def watch(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        FOUND.first(pk=uuid4())
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("sql", "marks", "numbers"),
    [
        ("SELECT 1", "SELECT 1", "SELECT 1"),
        ("a = %s AND b IN (%s, %s)", "a = ? AND b IN (?, ?)", "a = $1 AND b IN ($2, $3)"),
        ("a LIKE '100%%' AND b = %s", "a LIKE '100%' AND b = ?", "a LIKE '100%' AND b = $1"),
    ],
)
def test_places_are_written_as_the_driver_reads_them(sql: str, marks: str, numbers: str) -> None:
    assert (as_qmarks(sql), as_numbers(sql)) == (marks, numbers)


@pytest.mark.usefixtures("desk")
def test_a_plan_that_the_server_dropped_costs_one_statement_and_not_the_connection() -> None:
    row = store("en")
    FOUND.get(pk=row.pk)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("DEALLOCATE ALL")
        with pytest.raises(ProgrammingError):
            FOUND.get(pk=row.pk)
    assert FOUND.get(pk=row.pk) == row


@pytest.mark.usefixtures("desk")
def test_a_column_of_another_type_costs_one_statement_and_not_the_connection() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE changing (number integer)")
        ask = "SELECT number FROM changing WHERE number = %s"
        try:
            open_cursor(connection).execute("INSERT INTO changing (number) VALUES (%s)", [7])
            open_cursor(connection).execute(ask, [7])
            if connection.vendor == "postgresql":
                cursor.execute("ALTER TABLE changing ALTER COLUMN number TYPE bigint")
                with pytest.raises(NotSupportedError), transaction.atomic():
                    open_cursor(connection).execute(ask, [7])
            found = open_cursor(connection)
            found.execute(ask, [7])
            assert found.fetchall() == [(7,)]
        finally:
            cursor.execute("DROP TABLE changing")
