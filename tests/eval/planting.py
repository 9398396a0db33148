"""A shop with a history, and a pen that the database does not stop: for planting faults that a checker must find."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction

from audit import append_only as audit_table
from audit.forms import hash_entry, write_fields
from audit.models import Entry
from audit.triggers import drop_statements
from conversations.operations import hand_back, post_staff_message, take_over
from orders.models import Effect
from policy import append_only as policy_table
from tests.factories import LARGE, NORA_EMAIL, OTHER_EMAIL, SMALL, Chat, decide, run_turns, start_chat
from tests.scripted import Scripted, call, say
from tests.writes import ADDRESS, DELIVERED, LAMP, VISA


def play(model: Scripted, bob: User) -> list[Chat]:
    """Cancelled alone, cancelled with approval, returned, another address; a refusal by the customer, and a person."""
    verify = call("find_user_id_by_email", email=NORA_EMAIL)
    small, large, kept, person = (start_chat() for _ in range(4))
    model.plays(
        verify, call("cancel_pending_order", order_id=SMALL, reason="no longer needed"), say("It is cancelled.")
    )
    small.say("cancel it please")
    small.press("yes")
    model.plays(verify, call("cancel_pending_order", order_id=LARGE, reason="ordered by mistake"), say("Approved."))
    large.say("cancel the large one")
    large.press("yes")
    assert decide(bob, large.card()["request_id"], "approve", "fine").status_code == 200
    run_turns()
    returning = {"order_id": DELIVERED, "item_ids": [LAMP], "payment_method_id": VISA}
    model.plays(verify, call("return_delivered_order_items", **returning), say("Send it back."))
    kept.say("the lamp is too small")
    kept.say("yes")
    model.plays(call("modify_user_address", user_id="nora_lindahl_1042", **ADDRESS), say("Kept."))
    kept.say("and my address?")
    kept.press("no")
    model.plays(call("find_user_id_by_email", email=OTHER_EMAIL), say("Hello."), say("Welcome back."))
    person.say("hello")
    person.say("I want to talk to a person")
    take_over(conversation_id=person.id, staff=bob)  # type: ignore[arg-type]
    person.say("it is about my bike")
    post_staff_message(conversation_id=person.id, staff=bob, text="Hello, I look.")  # type: ignore[arg-type]
    hand_back(conversation_id=person.id, staff=bob)  # type: ignore[arg-type]
    run_turns()
    assert model.moves == []
    return [small, large, kept, person]


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is done inside never was; the append-only triggers step aside for it."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            for table in (audit_table.TABLE, policy_table.TABLE):
                for statement in drop_statements(connection.vendor, table):
                    cursor.execute(statement)
        yield
        transaction.set_rollback(True)


def sql(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        assert cursor.rowcount != 0, statement


def loosen(table: str) -> None:
    """The table without its unique keys and checks, with every row it had."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # As a plain copy: nothing but names and values come along.
            cursor.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")
            cursor.execute(f"DROP TABLE {table}")
            cursor.execute(f"ALTER TABLE loose RENAME TO {table}")
            # Foreign keys need it.
            cursor.execute(f"CREATE UNIQUE INDEX loose_{table} ON {table} (id)")
            return
        cursor.execute(
            "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype IN ('u', 'c')", [table]
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}" CASCADE')
        # A unique key with a condition is an index and no constraint.
        cursor.execute(
            "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = %s::regclass AND indisunique "
            "AND NOT indisprimary",
            [table],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP INDEX {name}")


def copy_row(table: str, where: str, **changes: Any) -> None:
    """One more row like the one found, with other values in some columns."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} WHERE {where} LIMIT 1")
        names = [column[0] for column in cursor.description]
        row = dict(zip(names, cursor.fetchone(), strict=True)) | {"id": 900_000} | changes
        marks = ", ".join(["%s"] * len(row))
        columns = ", ".join(f'"{name}"' for name in row)
        cursor.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(row.values()))


def rewrite_entry(entry: Entry, change: Callable[[dict[str, Any]], None]) -> None:
    """Another text under the key; the links behind it are left broken."""
    fields = dict(entry.fields)
    change(fields)
    before = Entry.objects.get(chain=entry.chain, position=entry.position - 1)
    text = write_fields(fields)
    hashed = hash_entry(chain=entry.chain, previous=before.hash, canonical=text)
    Entry.objects.filter(pk=entry.pk).update(canonical=text, hash=hashed, event=fields["event"])


def write_entry(effect_of: str) -> Entry:
    """The `write_ok` of the effect on this order."""
    key = Effect.objects.get(order_number=effect_of).key
    return next(entry for entry in Entry.objects.filter(event="write_ok") if key in entry.canonical)
