"""What leaves no trace inside the database is seen from outside: anchors, their file, and what they prove."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from audit import anchoring
from audit.anchoring import CannotAnchor, anchor_if_due, found_shop, write_anchors
from audit.anchors import anchor_path
from audit.chains import GENESIS, SHOP
from audit.forms import canonical_text, hash_entry
from audit.models import Anchor, Entry, Head, Shop
from audit.queries import verify
from conversations.operations import sweep
from tests.audit.test_chain import ALICE, MALLORY, OF_ALICE, OF_MALLORY, append, no_triggers

pytestmark = pytest.mark.django_db
ENTRIES = 30


def anchor() -> int:
    return write_anchors(now=timezone.now())


@pytest.fixture
def anchored(db: None) -> Path:
    """A long chat in three anchors, a short one in the first, and the file that holds them."""
    append(MALLORY, 3)
    for _ in range(3):
        append(ALICE, ENTRIES // 3)
        assert anchor() == 1
    return anchor_path()


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def verify_by_command(*options: str) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("verify_audit", *options, stdout=out)
    except SystemExit as stop:
        return out.getvalue().strip(), int(stop.code or 0)
    return out.getvalue().strip(), 0


def recompute(first: int) -> None:
    """As somebody with the key would: other words from one entry on, every hash and the head made anew."""
    before = Entry.objects.filter(chain=OF_ALICE, position=first - 1).first()
    previous = before.hash if before else GENESIS
    for entry in Entry.objects.filter(chain=OF_ALICE, position__gte=first).order_by("position"):
        text = canonical_text(json.loads(entry.canonical) | {"by": "staff:nobody"})
        previous = hash_entry(chain=OF_ALICE, previous=previous, canonical=text)
        Entry.objects.filter(pk=entry.pk).update(canonical=text, hash=previous)
    Head.objects.filter(chain=OF_ALICE).update(hash=previous)


def cut(count: int, *, of: int = ENTRIES) -> None:
    """The last entries, with a head that fits what is left."""
    left = of - count
    Entry.objects.filter(chain=OF_ALICE, position__gt=left).delete()
    last = Entry.objects.get(chain=OF_ALICE, position=left)
    Head.objects.filter(chain=OF_ALICE).update(count=left, hash=last.hash)


def remove_chain(chain: str) -> None:
    Entry.objects.filter(chain=chain).delete()
    Head.objects.filter(chain=chain).delete()


def cut_and_grow_again() -> None:
    cut(10)
    append(ALICE, 20)


def start_over() -> None:
    remove_chain(OF_MALLORY)
    append(MALLORY, 5)


def rewind_and_anchor() -> None:
    cut(10)
    Head.objects.filter(chain=OF_ALICE).update(anchored=0)
    anchor()


def remove_everything() -> None:
    Entry.objects.all().delete()
    Head.objects.all().delete()


LOSSES: dict[str, tuple[Callable[[], Any], str, int]] = {
    "the last one": (lambda: cut(1), OF_ALICE, ENTRIES),
    "the last ten": (lambda: cut(10), OF_ALICE, ENTRIES - 9),
    "a whole chain": (lambda: remove_chain(OF_MALLORY), OF_MALLORY, 1),
    "the shop's chain": (lambda: remove_chain(SHOP), SHOP, 1),
    "everything": (remove_everything, OF_ALICE, 1),
    "recomputed from the first": (lambda: recompute(1), OF_ALICE, 1),
    "recomputed after the first anchor": (lambda: recompute(15), OF_ALICE, 11),
    "recomputed last": (lambda: recompute(ENTRIES), OF_ALICE, 21),
    "cut and grown again": (cut_and_grow_again, OF_ALICE, 21),
    "removed and begun again": (start_over, OF_MALLORY, 1),
    "cut and anchored again": (rewind_and_anchor, OF_ALICE, ENTRIES - 9),
    "changed": (lambda: Entry.objects.filter(chain=OF_ALICE, position=7).update(event="x"), OF_ALICE, 7),
    "removed in the middle": (lambda: Entry.objects.filter(chain=OF_ALICE, position=16).delete(), OF_ALICE, 16),
    "never anchored again": (lambda: Head.objects.filter(chain=OF_ALICE).update(anchored=999), OF_ALICE, 999),
    "another identity": (lambda: Shop.objects.update(identity="0" * 32), "anchors", 1),
    "no identity": (lambda: Shop.objects.all().delete(), "anchors", 1),
    "an anchor's row removed": (lambda: Anchor.objects.filter(number=2).delete(), "anchors", 3),
    "an anchor's row changed": (lambda: Anchor.objects.filter(number=2).update(line="{}"), "anchors", 2),
}


@pytest.mark.parametrize(("lose", "chain", "position"), LOSSES.values(), ids=LOSSES)
def test_what_was_anchored_cannot_go_unseen(anchored: Path, lose: Callable[[], Any], chain: str, position: int) -> None:
    text, code = verify_by_command()
    assert (text.split(" of ")[0], code) == (f"ok {ENTRIES + 4} entries in 3 chains, anchor 3", 0)
    with no_triggers():
        lose()
    text, code = verify_by_command()
    assert (text.split(": ")[0], code) == (f"chain {chain} broken at entry {position}", 1), text
    assert verify_by_command("--anchor", str(anchored)) == (text, 1)


@pytest.mark.parametrize("count", [1, 10, 100])
def test_a_cut_tail_is_seen_by_the_file_alone(anchored: Path, count: int) -> None:
    append(ALICE, 100)
    anchor()
    assert verify_by_command()[1] == 0
    left = ENTRIES + 100 - count
    with no_triggers():
        cut(count, of=ENTRIES + 100)
        Anchor.objects.all().delete()
        Head.objects.update(anchored=0)
    text, code = verify_by_command()
    assert (text.split(": ")[0], code) == (f"chain {OF_ALICE} broken at entry {left + 1}", 1)


def test_without_its_file_the_same_cut_is_seen_by_the_rows_alone(anchored: Path) -> None:
    anchored.unlink()
    assert verify_by_command() == (f"ok {ENTRIES + 4} entries in 3 chains, anchor none", 0)
    with no_triggers():
        cut(1)
    assert verify_by_command()[0].startswith(f"chain {OF_ALICE} broken at entry {ENTRIES}: ")


def test_what_came_after_the_last_anchor_is_only_held_by_the_chain_itself(anchored: Path) -> None:
    append(ALICE, 5)
    assert verify_by_command()[1] == 0
    with no_triggers():
        Entry.objects.filter(chain=OF_ALICE, position__gt=ENTRIES).delete()
        last = Entry.objects.get(chain=OF_ALICE, position=ENTRIES)
        Head.objects.filter(chain=OF_ALICE).update(count=ENTRIES, hash=last.hash)
    assert verify_by_command()[1] == 0


def edit(file: Path, change: Callable[[list[str]], list[str]]) -> None:
    file.write_text("".join(f"{line}\n" for line in change(file.read_text().splitlines())))


FORGED: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "one removed": (lambda lines: [lines[0], lines[2]], "chain anchors broken at entry 3"),
    "one moved": (lambda lines: [lines[0], lines[2], lines[1]], "chain anchors broken at entry 3"),
    "one damaged": (lambda lines: [lines[0], lines[1][:-9], lines[2]], "chain anchors broken at entry 3"),
    "a count changed": (
        lambda lines: [lines[0], lines[1].replace(f'{OF_ALICE}",20', f'{OF_ALICE}",21'), lines[2]],
        "chain anchors broken at entry 2",
    ),
    "a time changed": (lambda lines: [lines[0].replace("20", "19", 1), *lines[1:]], "chain anchors broken at entry 1"),
}


@pytest.mark.parametrize(("change", "fault"), FORGED.values(), ids=FORGED)
def test_a_forged_file_is_named(anchored: Path, change: Callable[[list[str]], list[str]], fault: str) -> None:
    before = anchored.read_text()
    edit(anchored, change)
    assert anchored.read_text() != before
    text, code = verify_by_command()
    assert (text.split(": ")[0], code) == (fault, 1)


TOLERATED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "an older copy": (lambda text: b"".join(text.splitlines(keepends=True)[:2]), "2"),
    "a torn last line": (lambda text: text[:-20], "2"),
    "half a line behind it": (lambda text: text + b'{"shop":"', "3"),
    "noise and empty lines": (lambda text: b"\n\xff\x00 no json\n\n[]\n" + text, "3"),
    "a line written twice": (lambda text: text + text.splitlines(keepends=True)[-1], "3"),
    "another shop's": (lambda text: text + b"".join(foreign(text)), "3"),
    "nothing but another shop's": (lambda text: b"".join(foreign(text)), "none"),
    "nothing": (lambda text: b"", "none"),
}


def foreign(text: bytes) -> list[bytes]:
    identity = Shop.objects.get().identity.encode()
    return [line.replace(identity, b"f" * 32) for line in text.splitlines(keepends=True)]


@pytest.mark.parametrize(("change", "newest"), TOLERATED.values(), ids=TOLERATED)
def test_a_file_that_proves_less_is_no_fault_and_is_made_good(
    anchored: Path, change: Callable[[bytes], bytes], newest: str
) -> None:
    anchored.write_bytes(change(anchored.read_bytes()))
    text, code = verify_by_command()
    assert (text.split(", anchor ")[1].split(" ")[0], code) == (newest, 0)

    append(ALICE)
    anchor()

    assert verify_by_command()[0].startswith(f"ok {ENTRIES + 5} entries in 3 chains, anchor 4 of ")
    with no_triggers():
        Anchor.objects.all().delete()
        Head.objects.update(anchored=0)
        cut(0)
    assert verify_by_command()[0].startswith(f"chain {OF_ALICE} broken at entry {ENTRIES + 1}: ")


def test_an_anchor_holds_what_changed_and_continues_the_one_before(anchored: Path) -> None:
    first, second, third = lines_of(anchored)
    heads = {line["number"]: [[chain, count] for chain, count, _ in line["heads"]] for line in (first, second, third)}
    assert heads == {
        1: [[OF_ALICE, 10], [OF_MALLORY, 3], [SHOP, 1]],
        2: [[OF_ALICE, 20]],
        3: [[OF_ALICE, ENTRIES]],
    }
    assert (first["previous"], second["previous"], third["previous"]) == (GENESIS, first["hash"], second["hash"])
    assert len({first["digest"], second["digest"], third["digest"]}) == 3
    assert anchor() == 0
    assert len(lines_of(anchored)) == 3


def test_an_anchor_reads_no_entry_and_only_the_heads_that_changed(anchored: Path) -> None:
    append(ALICE)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert anchor() == 1
    asked = [query["sql"] for query in queries]
    assert [sql for sql in asked if "audit_entry" in sql] == []
    assert len(asked) < 20
    plan = Head.objects.filter(count__gt=F("anchored")).order_by("chain").explain()
    if connection.vendor == "sqlite":
        assert "audit_not_anchored" in plan


def test_many_changed_heads_take_several_anchors(db: None) -> None:
    for number in range(anchoring.MOST_HEADS + 10):
        Head.objects.create(chain=f"conversation:{number:05}", count=1, hash=GENESIS)
    assert anchor() == 2
    assert sum(len(line["heads"]) for line in lines_of(anchor_path())) == Head.objects.count()
    assert not Head.objects.filter(anchored__lt=F("count")).exists()


def test_a_sweep_anchors_once_a_minute_and_the_command_always(db: None) -> None:
    now = timezone.now()
    append(ALICE)
    assert sweep(now=now).anchors == 1
    append(ALICE)
    assert sweep(now=now + timedelta(seconds=59)).anchors == 0
    assert anchor_if_due(now=now + timedelta(seconds=61)) == 1
    append(ALICE)
    out = StringIO()
    call_command("sweep", stdout=out)
    assert out.getvalue().strip().endswith(", 1 anchors written")
    assert verify_by_command()[0].startswith("ok 4 entries in 2 chains, anchor 3 of ")


def test_a_row_whose_writer_died_before_the_file_is_written_there_next_time(
    anchored: Path, tmp_path: Path, settings: Any
) -> None:
    settings.DESKAGENT_ANCHOR_FILE = str(tmp_path / "not-yet" / "anchors.jsonl")
    anchor()
    assert anchor_path().read_text() == anchored.read_text()
    assert verify_by_command()[0].split(", ")[1].startswith("anchor 3 of ")


def test_a_database_without_an_identity_is_not_anchored_and_gets_no_new_one(anchored: Path) -> None:
    Shop.objects.all().delete()
    found_shop()
    assert not Shop.objects.exists()
    with pytest.raises(CannotAnchor):
        anchor()
    with no_triggers():
        remove_everything()
    found_shop()
    assert Shop.objects.count() == 1


def test_a_file_that_is_named_must_be_there(anchored: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is not a file"):
        call_command("verify_audit", "--anchor", str(tmp_path / "none.jsonl"))


def test_the_default_file_is_beside_the_database(settings: Any) -> None:
    settings.DESKAGENT_ANCHOR_FILE = ""
    name = str(connection.settings_dict["NAME"])
    beside = Path(f"{name}.anchors.jsonl")
    assert anchor_path() == (beside if connection.vendor == "sqlite" else settings.STATE_DIR / beside)


@pytest.mark.django_db(transaction=True)
def test_an_anchor_is_not_written_inside_a_change() -> None:
    append(ALICE)
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        anchor()
    assert not anchor_path().exists()


@pytest.mark.django_db(transaction=True)
def test_anchors_and_entries_of_many_threads_at_once_end_whole() -> None:
    barrier = Barrier(8)

    def work(number: int) -> None:
        barrier.wait(timeout=20)
        try:
            for _ in range(10):
                if number % 2:
                    append(f"writer-{number}")
                else:
                    anchor()
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    anchor()

    found = verify()
    assert (found.broken, found.entries) == (None, 1 + 40)
    numbers = [line["number"] for line in lines_of(anchor_path())]
    assert numbers == list(range(1, len(numbers) + 1))
    assert sorted(Anchor.objects.values_list("number", flat=True)) == numbers
    newest = {chain: count for line in lines_of(anchor_path()) for chain, count, _ in line["heads"]}
    assert newest == {SHOP: 1} | {f"conversation:writer-{number}": 10 for number in (1, 3, 5, 7)}
