"""The audit log against somebody with a pen: what the database refuses, and what the proof finds when it could not."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction
from django.test import override_settings

from audit import append_only as audit_table
from audit.chains import GENESIS, SHOP, conversation_chain
from audit.forms import canonical_text, hash_entry
from audit.models import Entry, Head
from audit.operations import Details, record
from audit.queries import find_broken_link, list_entries, verify
from audit.triggers import create_statements, drop_statements
from policy import append_only as policy_table

ALICE, MALLORY = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
OF_ALICE, OF_MALLORY = conversation_chain(ALICE), conversation_chain(MALLORY)
GUARDED = {"audit": audit_table, "policy": policy_table}
TABLE = audit_table.TABLE


def append(subject: str, times: int = 1, *, event: str = "read_ok", **details: Any) -> None:
    with transaction.atomic():
        for _ in range(times):
            record(event=event, subject=subject, actor="agent", details=Details(**details))


@pytest.fixture
def log(db: None) -> None:
    """Two chats of four entries and the shop's own chain, which `migrate` began."""
    for subject in (ALICE, MALLORY):
        append(subject, 3, action="get_order_details", arguments={"order_id": "#W1"}, verdict="", policy_version=1)
        append(subject, event="write_ok", action="cancel_pending_order", rule="R4", verdict="done", policy_version=1)


@contextmanager
def no_triggers(module: Any = audit_table) -> Iterator[Any]:
    """What an attacker with the database's password does first."""
    with connection.cursor() as cursor:
        for statement in drop_statements(connection.vendor, module.TABLE):
            cursor.execute(statement)
        yield cursor
        for statement in create_statements(connection.vendor, module.TABLE, module.KEYS):
            cursor.execute(statement)


def verify_by_command() -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("verify_audit", stdout=out)
    except SystemExit as stop:
        return out.getvalue().strip(), int(stop.code or 0)
    return out.getvalue().strip(), 0


@pytest.mark.django_db(transaction=True)
def test_a_record_outside_a_transaction_is_a_mistake_and_writes_nothing() -> None:
    before = Entry.objects.count(), Head.objects.count()
    with pytest.raises(RuntimeError, match="inside the transaction"):
        record(event="read_ok", subject=ALICE, actor="agent", details=Details())
    assert (Entry.objects.count(), Head.objects.count()) == before
    append(ALICE)
    assert Entry.objects.count() == before[0] + 1


@pytest.mark.django_db(transaction=True)
def test_a_change_that_is_rolled_back_leaves_no_entry_and_no_hole() -> None:
    append(ALICE, 2)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        record(event="write_ok", subject=ALICE, actor="agent", details=Details())
        record(event="conversation_started", subject=MALLORY, actor="visitor", details=Details())
        raise ZeroDivisionError
    assert not Head.objects.filter(chain=OF_MALLORY).exists()
    append(ALICE)
    assert [entry.position for entry in list_entries(subject=ALICE)] == [1, 2, 3]
    assert not list_entries(subject=MALLORY).exists()
    assert verify().broken is None


@pytest.mark.django_db
def test_a_savepoint_that_is_rolled_back_leaves_no_entry() -> None:
    with transaction.atomic():
        record(event="triaged", subject=ALICE, actor="agent", details=Details())
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            record(event="write_ok", subject=ALICE, actor="agent", details=Details())
            raise ZeroDivisionError
        record(event="write_refused", subject=ALICE, actor="agent", details=Details())
    assert [entry.event for entry in list_entries(subject=ALICE)] == ["triaged", "write_refused"]
    assert verify().broken is None


@pytest.mark.usefixtures("log")
def test_every_chat_and_the_shop_have_a_chain_of_their_own() -> None:
    append(SHOP, event="policy_changed")
    chains: dict[str, list[Entry]] = {}
    for entry in Entry.objects.order_by("chain", "position"):
        chains.setdefault(entry.chain, []).append(entry)
    assert {chain: len(entries) for chain, entries in chains.items()} == {OF_ALICE: 4, OF_MALLORY: 4, SHOP: 2}
    for chain, entries in chains.items():
        assert [entry.position for entry in entries] == list(range(1, len(entries) + 1))
        before = [GENESIS, *(entry.hash for entry in entries[:-1])]
        for entry, previous in zip(entries, before, strict=True):
            assert entry.hash == hash_entry(chain=chain, previous=previous, canonical=entry.canonical)
        head = Head.objects.get(chain=chain)
        assert (head.count, head.hash) == (len(entries), entries[-1].hash)


@pytest.mark.django_db
def test_a_conversation_named_like_the_shop_cannot_write_into_its_chain() -> None:
    before = list_entries(subject=SHOP).count()
    append("conversation:" + SHOP)
    append(ALICE)
    assert list_entries(subject=SHOP).count() == before
    assert verify().broken is None


@pytest.mark.usefixtures("log")
def test_the_command_says_how_much_it_proved() -> None:
    assert verify_by_command() == ("ok 9 entries in 3 chains, anchor none", 0)
    assert find_broken_link() is None


@pytest.mark.django_db
def test_an_empty_log_is_whole() -> None:
    with no_triggers() as cursor:
        cursor.execute(f"DELETE FROM {TABLE}")
        cursor.execute("DELETE FROM audit_head")
    assert verify_by_command() == ("ok 0 entries in 0 chains, anchor none", 0)


ROW = f"SELECT * FROM {TABLE} WHERE chain = '{OF_ALICE}' AND position = 2"
COPIED = "chain, position, event, hash, canonical"
REFUSED_EVERYWHERE = {
    "update one": f"UPDATE {TABLE} SET event = 'x' WHERE chain = '{OF_ALICE}' AND position = 2",
    "update all": f"UPDATE {TABLE} SET event = 'x'",
    "update the bytes": f"UPDATE {TABLE} SET canonical = '{{}}' WHERE position = 1",
    "update to the same": f"UPDATE {TABLE} SET event = event",
    "delete one": f"DELETE FROM {TABLE} WHERE chain = '{OF_ALICE}' AND position = 4",
    "delete all": f"DELETE FROM {TABLE}",
    "a second at a position": f"INSERT INTO {TABLE} ({COPIED}) SELECT chain, position, 'x', 'h', canonical "
    f"FROM ({ROW}) AS taken",
    "a second of an id": f"INSERT INTO {TABLE} (id, {COPIED}) SELECT id, 'other', 1, 'x', 'h', canonical "
    f"FROM ({ROW}) AS taken",
}
REFUSED_BY = {
    "sqlite": {
        "replace by id": f"REPLACE INTO {TABLE} SELECT id, chain, position, 'x', hash, canonical FROM ({ROW})",
        "replace by position": f"REPLACE INTO {TABLE} ({COPIED}) SELECT chain, position, 'x', 'h', canonical "
        f"FROM ({ROW})",
        "replace by update": f"UPDATE OR REPLACE {TABLE} SET position = 1 WHERE position = 2",
        "upsert": f"INSERT INTO {TABLE} ({COPIED}) SELECT {COPIED} FROM ({ROW}) WHERE true "
        "ON CONFLICT DO UPDATE SET event = 'x'",
    },
    "postgresql": {
        "truncate": f"TRUNCATE {TABLE} CASCADE",
        "upsert": f"INSERT INTO {TABLE} ({COPIED}) SELECT {COPIED} FROM ({ROW}) AS taken "
        "ON CONFLICT (chain, position) DO UPDATE SET event = 'x'",
    },
}
# PostgreSQL leaves inserts to the unique keys; SQLite could replace through them, so its triggers refuse first.
REFUSAL = "append-only" if connection.vendor == "sqlite" else "append-only|unique constraint"
REFUSED = REFUSED_EVERYWHERE | REFUSED_BY[connection.vendor]


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED)
def test_the_database_refuses_to_change_what_was_recorded(statement: str) -> None:
    before = list(Entry.objects.order_by("pk").values_list())
    with pytest.raises(DatabaseError, match=REFUSAL), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert list(Entry.objects.order_by("pk").values_list()) == before
    append(ALICE)
    assert verify_by_command() == ("ok 10 entries in 3 chains, anchor none", 0)


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize(
    "change",
    [
        lambda: Entry.objects.update(event="x"),
        lambda: Entry.objects.all().delete(),
        lambda: Entry.objects.order_by("pk")[0].delete(),
        lambda: Entry.objects.order_by("pk")[0].save(),
    ],
    ids=["update", "delete", "delete one", "save"],
)
def test_the_models_own_methods_are_refused_too(change: Callable[[], Any]) -> None:
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        change()
    assert verify_by_command() == ("ok 9 entries in 3 chains, anchor none", 0)


@pytest.mark.parametrize("label", GUARDED)
def test_the_triggers_guard_every_unique_key_of_their_table(label: str) -> None:
    tables = {model._meta.db_table: model for model in apps.get_app_config(label).get_models()}
    model = tables[GUARDED[label].TABLE]
    unique = {(field.column,) for field in model._meta.fields if field.unique}
    unique |= {
        tuple(constraint.fields)
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
    }
    assert {tuple(key) for key in GUARDED[label].KEYS} == unique


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize("label", GUARDED)
def test_the_triggers_can_be_taken_down_and_put_back(label: str) -> None:
    with no_triggers(GUARDED[label]) as cursor:
        cursor.execute(f"UPDATE {GUARDED[label].TABLE} SET id = id")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE {GUARDED[label].TABLE} SET id = id")


def entry_at(position: int, chain: str = OF_ALICE) -> Entry:
    return Entry.objects.get(chain=chain, position=position)


def change_column(name: str, value: Any) -> Callable[[], None]:
    return lambda: rewrite(2, **{name: value})


def rewrite(position: int, /, **columns: Any) -> None:
    Entry.objects.filter(chain=OF_ALICE, position=position).update(**columns)


def remove(*positions: int) -> None:
    Entry.objects.filter(chain=OF_ALICE, position__in=positions).delete()


def change_canonical() -> None:
    rewrite(4, canonical=entry_at(4).canonical.replace('"verdict":"done"', '"verdict":"none"'))


def change_both_and_hash_without_the_key() -> None:
    """A forger who knows the code but not the key."""
    text = canonical_text(json.loads(entry_at(4).canonical) | {"verdict": "refused"})
    with override_settings(DESKAGENT_AUDIT_KEY="a guess of at least thirty-two characters"):
        guessed = hash_entry(chain=OF_ALICE, previous=entry_at(3).hash, canonical=text)
    rewrite(4, canonical=text, hash=guessed)
    Head.objects.filter(chain=OF_ALICE).update(hash=entry_at(4).hash)


def reuse_bytes_of_another_entry() -> None:
    donor = entry_at(3, OF_MALLORY)
    rewrite(3, canonical=donor.canonical, hash=donor.hash)


def swap_two() -> None:
    rewrite(2, position=99)
    rewrite(3, position=2)
    rewrite(99, position=3)


def move_to_another_chain() -> None:
    Entry.objects.filter(chain=OF_ALICE, position=4).update(chain=OF_MALLORY, position=5)


def move_the_last_to_the_shop() -> None:
    Entry.objects.filter(chain=OF_ALICE, position=4).update(chain=SHOP, position=2)


def rename_the_chain() -> None:
    Entry.objects.filter(chain=OF_ALICE).update(chain=conversation_chain("0"))
    Head.objects.filter(chain=OF_ALICE).update(chain=conversation_chain("0"))


def close_the_gap() -> None:
    remove(2)
    rewrite(3, position=2)
    rewrite(4, position=3)
    Head.objects.filter(chain=OF_ALICE).update(count=3)


def insert_a_made_up_one() -> None:
    Entry.objects.create(chain=OF_ALICE, position=5, event="approval_granted", hash="f" * 64, canonical="{}")
    Head.objects.filter(chain=OF_ALICE).update(count=5, hash="f" * 64)


def start_a_made_up_chain() -> None:
    Entry.objects.create(chain="conversation:0", position=1, event="write_ok", hash="e" * 43, canonical="{}")


TAMPERINGS: dict[str, tuple[Callable[[], None], str, int]] = {
    "event": (change_column("event", "write_ok"), OF_ALICE, 2),
    "hash": (change_column("hash", "2" * 43), OF_ALICE, 2),
    "hash of the first form": (change_column("hash", "2" * 64), OF_ALICE, 2),
    "hash that is no ASCII": (change_column("hash", "\u00e4" * 43), OF_ALICE, 2),
    "the hash of the one before": (lambda: rewrite(2, hash=entry_at(1).hash), OF_ALICE, 2),
    "canonical": (change_canonical, OF_ALICE, 4),
    "canonical that is no JSON": (lambda: rewrite(1, canonical="{"), OF_ALICE, 1),
    "canonical that is deep": (lambda: rewrite(1, canonical="[" * 100_000), OF_ALICE, 1),
    "canonical that is a list": (lambda: rewrite(1, canonical="[]"), OF_ALICE, 1),
    "canonical of no key": (lambda: rewrite(1, canonical='{"n":1,"key":7}'), OF_ALICE, 1),
    "empty canonical": (lambda: rewrite(1, canonical=""), OF_ALICE, 1),
    "a space in canonical": (lambda: rewrite(1, canonical=entry_at(1).canonical + " "), OF_ALICE, 1),
    "hash without the key": (change_both_and_hash_without_the_key, OF_ALICE, 4),
    "bytes of another entry": (reuse_bytes_of_another_entry, OF_ALICE, 3),
    "removed first": (lambda: remove(1), OF_ALICE, 1),
    "removed middle": (lambda: remove(2), OF_ALICE, 2),
    "removed two": (lambda: remove(2, 3), OF_ALICE, 2),
    "removed tail": (lambda: remove(4), OF_ALICE, 4),
    "removed tail of two": (lambda: remove(3, 4), OF_ALICE, 3),
    "removed and closed up": (close_the_gap, OF_ALICE, 2),
    "removed head": (lambda: Head.objects.filter(chain=OF_ALICE).delete() and None, OF_ALICE, 4),
    "removed chain, head left": (lambda: remove(1, 2, 3, 4), OF_ALICE, 1),
    "head counts less": (lambda: Head.objects.filter(chain=OF_ALICE).update(count=3) and None, OF_ALICE, 5),
    "head of another hash": (lambda: Head.objects.filter(chain=OF_ALICE).update(hash="3" * 64) and None, OF_ALICE, 5),
    "swapped": (swap_two, OF_ALICE, 2),
    "moved to another chain": (move_to_another_chain, OF_MALLORY, 5),
    "moved to the shop": (move_the_last_to_the_shop, SHOP, 2),
    "renamed chain": (rename_the_chain, conversation_chain("0"), 1),
    "made up": (insert_a_made_up_one, OF_ALICE, 5),
    "made up chain": (start_a_made_up_chain, "conversation:0", 1),
}


@pytest.mark.usefixtures("log")
@pytest.mark.parametrize(("tamper", "chain", "position"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_tampering_past_the_triggers_is_named_with_chain_and_position(
    tamper: Callable[[], None], chain: str, position: int
) -> None:
    untouched = verify_by_command()
    assert untouched == ("ok 9 entries in 3 chains, anchor none", 0)
    with no_triggers():
        tamper()
    text, code = verify_by_command()
    assert (text.split(": ")[0], code) == (f"chain {chain} broken at entry {position}", 1), text
    broken = find_broken_link()
    assert broken is not None
    assert (broken.chain, broken.position) == (chain, position)


@pytest.mark.usefixtures("log")
def test_entries_of_another_key_are_named_not_trusted(settings: Any) -> None:
    settings.DESKAGENT_AUDIT_KEY = "another key of at least thirty-two characters"
    text, code = verify_by_command()
    assert (text.split(": ")[0], code) == (f"chain {OF_ALICE} broken at entry 1", 1)
    assert "another key" in text


def run_threads(subjects: list[str], times: int) -> list[BaseException]:
    """One real connection a thread, all let go at once, each entry in a transaction of its own."""
    failures: list[BaseException] = []
    gate = threading.Barrier(len(subjects))

    def work(subject: str) -> None:
        try:
            gate.wait(timeout=20)
            for _ in range(times):
                append(subject)
        except BaseException as failure:  # noqa: BLE001 - the thread's failure is the test's
            failures.append(failure)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(subject,)) for subject in subjects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    return failures


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("chains", [1, 16])
def test_sixteen_writers_at_once_fork_no_chain(chains: int) -> None:
    before = verify().entries
    subjects = [f"writer-{number % chains}" for number in range(16)]

    assert run_threads(subjects, 20) == []

    found = verify()
    assert (found.broken, found.entries) == (None, before + 320)
    counted = Counter(Entry.objects.exclude(chain=SHOP).values_list("chain", flat=True))
    assert set(counted.values()) == {320 // chains}
    assert len(counted) == chains
