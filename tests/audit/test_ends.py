"""A process guesses where a chain ends; the head's row decides. No wrong guess may fork a chain or leave a hole."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from audit.chains import SHOP
from audit.models import Entry, Head
from audit.operations import MOST_ENDS, Details, record, seen_ends
from audit.queries import list_entries, verify
from tests.audit.test_chain import ALICE, MALLORY, OF_ALICE, append


def append_elsewhere(subject: str, times: int = 1) -> None:
    """As another process would: this one sees nothing of it."""
    before = dict(seen_ends)
    append(subject, times, event="handoff")
    seen_ends.clear()
    seen_ends.update(before)


def append_in_vain(subject: str, times: int = 1) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        for _ in range(times):
            record(event="write_ok", subject=subject, actor="agent", details=Details())
        raise ZeroDivisionError


def grow_again() -> None:
    """As many entries as this process believes in, but other ones."""
    append_in_vain(ALICE, 2)
    append_elsewhere(ALICE, 2)


def overtake() -> None:
    append_in_vain(ALICE)
    append_elsewhere(ALICE, 3)


# What happened since this process last wrote, how many entries there are then, and what the next one asks.
MOMENTS: dict[str, tuple[Callable[[], Any], int, int]] = {
    "nothing": (lambda: None, 2, 2),
    "forgotten": (seen_ends.clear, 2, 3),
    "rolled back": (lambda: append_in_vain(ALICE), 2, 4),
    "another process wrote": (lambda: append_elsewhere(ALICE), 3, 4),
    "rolled back, and another wrote as many": (grow_again, 4, 4),
    "rolled back, and another wrote more": (overtake, 5, 4),
    "another chain": (lambda: append(MALLORY, 5), 2, 2),
    "room for no more": (lambda: seen_ends.update({str(number): (1, "") for number in range(MOST_ENDS)}), 2, 2),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("happens", "count", "asked"), MOMENTS.values(), ids=MOMENTS)
def test_a_wrong_guess_costs_a_look_and_nothing_else(happens: Callable[[], Any], count: int, asked: int) -> None:
    append(ALICE, 2)
    happens()
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        record(event="read_ok", subject=ALICE, actor="agent", details=Details())
    assert len(queries) == asked
    assert [entry.position for entry in list_entries(subject=ALICE)] == list(range(1, count + 2))
    assert verify().broken is None


@pytest.mark.django_db(transaction=True)
def test_a_new_chain_begins_with_its_head() -> None:
    seen_ends.clear()
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        record(event="conversation_started", subject=ALICE, actor="visitor", details=Details())
    assert [query["sql"].split()[0] for query in queries] == ["SELECT", "INSERT", "INSERT"]
    assert Head.objects.get(chain=OF_ALICE).count == 1


@pytest.mark.django_db(transaction=True)
def test_a_chain_whose_first_entry_never_was_begins_anew() -> None:
    append_in_vain(ALICE, 3)
    append(ALICE)
    assert [entry.position for entry in list_entries(subject=ALICE)] == [1]
    assert verify().broken is None


@pytest.mark.django_db(transaction=True)
def test_savepoints_in_any_order_leave_what_was_kept() -> None:
    """Kept, lost, kept inside lost, lost inside kept: three deep, in one transaction."""

    def write(event: str) -> None:
        record(event=event, subject=ALICE, actor="agent", details=Details())

    with transaction.atomic():
        write("one")
        append_in_vain(ALICE, 2)
        with transaction.atomic():
            write("two")
            append_in_vain(ALICE)
            with transaction.atomic():
                write("three")
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            write("lost")
            with transaction.atomic():
                write("kept inside lost")
            raise ZeroDivisionError
        write("four")
    assert [entry.event for entry in list_entries(subject=ALICE)] == ["one", "two", "three", "four"]
    assert verify().broken is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kept", [True, False], ids=["committed", "rolled back"])
def test_who_waits_for_a_head_follows_what_became_of_it(kept: bool) -> None:
    append(ALICE)
    begun = threading.Event()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            begun.set()
            append(ALICE, event="second")
        except BaseException as failure:  # noqa: BLE001 - the thread's failure is the test's
            failures.append(failure)
        finally:
            connection.close()

    second = threading.Thread(target=work)
    with transaction.atomic():
        record(event="first", subject=ALICE, actor="agent", details=Details())
        second.start()
        assert begun.wait(20)
        transaction.set_rollback(not kept)
    second.join(20)
    assert not failures
    assert not second.is_alive()
    events = [entry.event for entry in list_entries(subject=ALICE)]
    assert events == (["read_ok", "first", "second"] if kept else ["read_ok", "second"])
    assert verify().broken is None


@pytest.mark.django_db(transaction=True)
def test_writers_who_often_change_their_mind_fork_no_chain() -> None:
    gate = threading.Barrier(6)

    def work(number: int) -> None:
        try:
            gate.wait(timeout=20)
            for turn in range(12):
                with transaction.atomic():
                    record(event="read_ok", subject=ALICE, actor=f"{number}", details=Details())
                    transaction.set_rollback(turn % 3 == number % 3)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    found = verify()
    assert found.broken is None
    assert Entry.objects.exclude(chain=SHOP).count() == 6 * 8
