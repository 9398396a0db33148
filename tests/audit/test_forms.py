"""A log that older code wrote is carried over as it stands, goes on in the new form, and is proved in both."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from audit.anchors import SHOP_MARK
from audit.append_only import KEYS, TABLE
from audit.chains import GENESIS
from audit.forms import EMPTY, LONG, SHORT, Unreadable, canonical_text, read_fields, write_fields
from audit.models import Entry, Head, Shop
from audit.queries import find_foreign_key, is_migrated, list_entries, verify
from audit.redaction import digest, key_id, sign
from audit.triggers import drop_statements
from tests.audit.test_chain import ALICE, OF_ALICE, OF_MALLORY, append

OLD, NEW = [("audit", "0003_anchors")], [("audit", "0006_drop_columns")]


def migrate(target: list[tuple[str, str]]) -> Any:
    """The models as they are at `target`."""
    executor = MigrationExecutor(connection)
    return executor.migrate(target).apps


@contextmanager
def older_code() -> Iterator[Any]:
    try:
        yield migrate(OLD)
    finally:
        migrate(NEW)


def write_old(apps: Any, chain: str, events: list[str]) -> None:
    """Entries as the first form's code wrote them."""
    previous = GENESIS
    for position, event in enumerate(events, start=1):
        columns = {
            "chain": chain,
            "position": position,
            "event": event,
            "at": f"2026-11-29T12:00:{position:02}.000000+00:00",
            "conversation": chain.partition(":")[2],
            "actor": "agent",
            "action": "get_order_details",
            "rule": "R4",
            "verdict": "done",
            "policy_version": 1,
            "key_id": key_id(),
            "previous_hash": previous,
        }
        arguments = {"order_id": "#W1"}
        evidence = {"arguments": arguments, "arguments_digest": digest(arguments), "facts": {"amount": "1.00"}}
        text = canonical_text(columns | evidence | {"result": "", "prompt_version": "retail-1", "model": "m"})
        previous = sign(text)
        apps.get_model("audit", "Entry").objects.create(**columns, canonical=text, hash=previous)
    apps.get_model("audit", "Head").objects.create(chain=chain, count=len(events), hash=previous)


@pytest.fixture
def carried_over(transactional_db: None) -> None:
    """Two chats of the first form; Alice's went on in the second one."""
    with older_code() as apps:
        write_old(apps, OF_ALICE, ["conversation_started", "read_ok", "write_ok"])
        write_old(apps, OF_MALLORY, ["conversation_started", "read_ok"])
    append(ALICE, 2)


def entry_at(position: int, chain: str = OF_ALICE) -> Entry:
    return Entry.objects.get(chain=chain, position=position)


def rewrite(position: int, **columns: Any) -> None:
    assert Entry.objects.filter(chain=OF_ALICE, position=position).update(**columns) == 1


def reword(position: int, **words: Any) -> None:
    rewrite(position, canonical=canonical_text(json.loads(entry_at(position).canonical) | words))


def sign_alone() -> None:
    """A text of the second form, hashed as the first one was, with the key: it names no entry before it."""
    text = entry_at(4).canonical
    rewrite(4, hash=sign(text))
    Head.objects.filter(chain=OF_ALICE).update(count=4, hash=sign(text))
    Entry.objects.filter(chain=OF_ALICE, position=5).delete()


def pass_off_another_signature() -> None:
    """The mark of the log's identity is signed with the same key, and as long as an old hash."""
    shop = Shop.objects.get()
    rewrite(3, canonical=SHOP_MARK + shop.identity, hash=shop.mark)


def rename(chain: str) -> None:
    Entry.objects.filter(chain=OF_ALICE).update(chain=chain)
    Head.objects.filter(chain=OF_ALICE).update(chain=chain)


TAMPERINGS: dict[str, tuple[Callable[[], Any], str, int]] = {
    "an old text": (lambda: reword(2, verdict="refused"), OF_ALICE, 2),
    "an old link": (lambda: reword(2, previous_hash=entry_at(3).hash), OF_ALICE, 2),
    "an old event": (lambda: rewrite(3, event="x"), OF_ALICE, 3),
    "an old hash": (lambda: rewrite(3, hash="0" * 64), OF_ALICE, 3),
    "an old hash in the new length": (lambda: rewrite(3, hash="0" * 43), OF_ALICE, 3),
    "an old one removed": (lambda: entry_at(2).delete(), OF_ALICE, 2),
    "the last old one removed": (lambda: entry_at(3).delete(), OF_ALICE, 3),
    "an old tail removed": (lambda: entry_at(2, OF_MALLORY).delete(), OF_MALLORY, 2),
    "an old one copied to another chain": (
        lambda: Entry.objects.filter(pk=entry_at(3).pk).update(chain=OF_MALLORY),
        OF_ALICE,
        3,
    ),
    "an anchor in an old one's place": (
        lambda: rewrite(2, canonical=canonical_text({"shop": "x"}), hash=sign(canonical_text({"shop": "x"}))),
        OF_ALICE,
        2,
    ),
    "an old chain renamed": (lambda: rename("conversation:0"), "conversation:0", 1),
    "a new text": (lambda: reword(4, verdict="refused"), OF_ALICE, 4),
    "a new position": (lambda: reword(4, n=9), OF_ALICE, 4),
    "a new text signed alone": (sign_alone, OF_ALICE, 4),
}


def test_an_older_log_is_carried_over_proved_and_goes_on(carried_over: None) -> None:
    found = verify()
    assert is_migrated()
    assert (found.broken, found.entries, found.chains) == (None, 1 + 5 + 2, 3)
    entries = list(list_entries(subject=ALICE))
    assert [len(entry.hash) for entry in entries] == [64, 64, 64, 43, 43]
    assert (entries[1].actor, entries[1].action, entries[1].rule, entries[1].verdict) == (
        *("agent", "get_order_details", "R4", "done"),
    )
    assert (entries[1].policy_version, entries[1].fields["facts"]) == (1, {"amount": "1.00"})
    assert find_foreign_key() == ""
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Entry.objects.update(event="x")

    tamperings = dict(TAMPERINGS)
    if connection.vendor == "sqlite":
        # PostgreSQL holds no NUL.
        tamperings["the mark of the log's identity"] = (pass_off_another_signature, OF_ALICE, 3)
    for name, (tamper, chain, position) in tamperings.items():
        with transaction.atomic():
            with connection.cursor() as cursor:
                for statement in drop_statements(connection.vendor, TABLE):
                    cursor.execute(statement)
            tamper()
            broken = verify().broken
            transaction.set_rollback(True)
        assert broken is not None, name
        assert (broken.chain, broken.position) == (chain, position), name
    assert verify().broken is None


def test_the_way_back_fills_the_columns_from_the_text(carried_over: None) -> None:
    kept = list(Entry.objects.order_by("pk").values_list("canonical", "hash"))
    with older_code() as apps:
        assert not is_migrated()
        rows = apps.get_model("audit", "Entry").objects.order_by("pk")
        assert list(rows.values_list("canonical", "hash")) == kept
        for row in rows.filter(chain=OF_MALLORY):
            told = json.loads(row.canonical)
            assert {name: getattr(row, name) for name in told if hasattr(row, name)} == {
                name: value for name, value in told.items() if hasattr(row, name)
            }
        newest = rows.filter(chain=OF_ALICE).last()
        assert (newest.conversation, newest.actor, newest.key_id) == (ALICE, "agent", key_id()[:8])
        assert newest.previous_hash == rows.filter(chain=OF_ALICE, position=4).get().hash
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            rows.update(event="x")
    assert list(Entry.objects.order_by("pk").values_list("canonical", "hash")) == kept
    assert verify().broken is None


@pytest.mark.django_db
def test_the_table_holds_what_the_contract_wants_and_no_second_copy() -> None:
    names = {field.column for field in Entry._meta.fields}
    assert names == {"id", "chain", "position", "event", "hash", "canonical"}
    assert KEYS == (("id",), ("chain", "position"))
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, TABLE)
    indexes = [found for found in constraints.values() if (found["unique"] or found["index"])]
    assert [found["columns"] for found in indexes if not found["primary_key"]] == [["chain", "position"]]


def test_what_is_written_is_read_back_under_the_long_names() -> None:
    said = EMPTY | {
        "position": 3,
        "event": "write_ok",
        "at": "2026-11-29T12:00:00.000000Z",
        "arguments": {"a": [1, {"b": None}]},
        "policy_version": 0,
        "verdict": "done",
    }
    text = write_fields(said)
    assert read_fields(text) == said | {"key_id": key_id()[:8]}
    assert '"result"' not in text
    assert len(LONG) == len(SHORT)


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", "[" * 100_000, "\x00"])
def test_a_text_that_is_no_entrys_is_named_so(text: str) -> None:
    with pytest.raises(Unreadable):
        read_fields(text)
    assert Entry(canonical=text).actor == ""


@pytest.mark.django_db
def test_a_newest_entry_that_nobody_can_read_is_no_own_one() -> None:
    append(ALICE)
    assert find_foreign_key() == ""
    Entry.objects.create(chain=OF_ALICE, position=2, event="x", hash="", canonical="{")
    assert find_foreign_key() == "unreadable"
