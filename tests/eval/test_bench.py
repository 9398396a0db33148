"""The benchmark measures what it says: counters against known work, and exactly the figures that were promised."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction

from approvals.queries import get_session
from conversations.models import Message
from conversations.nudge import RUN_TURN
from deskagent.celery import app as product
from eval.bench import engine, peer, run, shop
from eval.bench.counters import count_commit_frames, counting_commits, counting_queries, measure_bytes
from eval.bench.figures import SHAPE, fill, percentile
from eval.bench.inprocess import Desk, Inbox, WentWrong, check_all_done
from eval.bench.scripted import PROFILE, ScriptedModel
from eval.processor import cpu_seconds
from eval.workers.replacing import make_app
from orders.interchange import load
from orders.models import Order
from policy.models import PolicyVersion
from tests.conftest import Settings

KEYS = {
    "turn_ms": {"sqlite": {"p50", "p95"}, "postgresql": {"p50", "p95"}},
    "commits": {"read", "write"},
    "queries": {"read", "write"},
    "growth": {"turn_1", "turn_50", "turn_200"},
    "bytes": {"turns_3", "turns_200"},
    "socket": {f"N={number}": {"first_p50", "first_p95", "final_p50", "turns_s"} for number in (1, 16, 64, 256)},
    "stage_ms_p95": {"queue", "triage", "model", "tools", "gate", "check", "push"},
}
SINGLE = (
    *("messages_per_reply", "cache_share", "cost_ratio_uncached", "cost_usd", "turn_p95_profile", "model_calls_s"),
    *("decision_ms_p95", "audit_write_ms_p95", "search_ms_p95", "rss_mb_1000_sockets"),
)


def keys_of(figures: Any) -> Any:
    """Nested names, as `KEYS` has them."""
    if any(isinstance(value, dict) for value in figures.values()):
        return {name: keys_of(value) for name, value in figures.items()}
    return set(figures)


def assert_promised(figures: dict[str, Any]) -> None:
    assert set(figures) == {*KEYS, *SINGLE}
    assert {name: keys_of(figures[name]) for name in KEYS} == KEYS


# --- Figures ---


def test_what_was_not_measured_is_null_and_what_nobody_asked_for_is_left_out() -> None:
    filled = fill(SHAPE, {"commits": {"read": 3}, "by_turn": 1, "search_ms_p95": None})
    assert_promised(filled)
    assert filled["commits"] == {"read": 3, "write": None}
    filled["commits"]["read"] = None
    assert filled == SHAPE


def test_of_two_engines_the_worse_stands() -> None:
    engines: dict[str, dict[str, Any]] = {
        "sqlite": {
            "turn_ms": {"sqlite": {"p50": 5.0, "p95": 9.0}},
            "commits": {"read": 3, "write": 4},
            "growth": {"turn_1": 10.0, "turn_50": 11.0, "turn_200": 14.0},
            "decision_ms_p95": 0.02,
        },
        "postgresql": {
            "turn_ms": {"postgresql": {"p50": 7.0, "p95": 8.0}},
            "commits": {"read": 4, "write": 3},
            "growth": {"turn_1": 20.0, "turn_50": 20.0, "turn_200": 21.0},
        },
    }
    merged = run.merge(engines)
    assert merged["commits"] == {"read": 4, "write": 4}
    assert merged["growth"] == engines["sqlite"]["growth"]
    assert (merged["decision_ms_p95"], merged["audit_write_ms_p95"]) == (0.02, None)
    assert set(merged["turn_ms"]) == {"sqlite", "postgresql"}
    assert fill(SHAPE, run.merge({})) == SHAPE


@pytest.mark.parametrize(("share", "value"), [(0.0, 1.0), (0.5, 2.5), (0.95, 3.85), (1.0, 4.0)])
def test_percentiles_lie_between_the_nearest_values(share: float, value: float) -> None:
    assert percentile([4, 1, 3, 2], share) == pytest.approx(value)


# --- Counters ---


@pytest.mark.parametrize("commits", [0, 1, 7])
def test_commits_are_read_off_the_log_of_sqlite(tmp_path: Path, commits: int) -> None:
    path = tmp_path / "a.sqlite3"
    wal = Path(f"{path}-wal")
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("CREATE TABLE t (x TEXT)")
    for _ in range(20):
        database.execute("INSERT INTO t VALUES (?)", ["earlier" * 2_000])
    # The next write begins the log again, in front of what is left of the earlier frames.
    database.execute("PRAGMA wal_checkpoint(RESTART)")
    database.execute("INSERT INTO t VALUES ('first')")
    assert count_commit_frames(wal.read_bytes()) == 1
    for _ in range(commits):
        database.execute("BEGIN")
        for _ in range(3):
            database.execute("INSERT INTO t VALUES (?)", ["x" * 6_000])
        database.execute("COMMIT")
    database.execute("BEGIN")
    database.execute("INSERT INTO t VALUES ('never')")
    database.execute("ROLLBACK")
    assert count_commit_frames(wal.read_bytes()) == 1 + commits
    database.close()


def test_a_log_that_was_cut_off_counts_what_is_whole() -> None:
    assert count_commit_frames(b"") == 0
    assert count_commit_frames(b"x" * 31) == 0


def test_durable_commits_and_queries_are_counted(desk: None) -> None:
    inbox = Inbox()
    here = Desk(inbox=inbox)
    with counting_commits() as commits:
        commits.mark()
        with counting_queries() as queries:
            assert PolicyVersion.objects.count()
        if connection.vendor == "sqlite":
            assert commits.count() == 0
        assert len(queries) == 1
        with counting_queries() as queries:
            for _ in range(3):
                with transaction.atomic():
                    here.open_chat()
        # Other tests may write to the same PostgreSQL meanwhile, and its log is one.
        assert commits.count() == 3 or (connection.vendor == "postgresql" and commits.count() > 3)
    assert not any(sql.startswith(("BEGIN", "COMMIT", "SAVEPOINT")) for sql in queries)


def test_stored_bytes_grow_with_what_is_stored(desk: None) -> None:
    before = measure_bytes()
    for _ in range(60):
        Desk(inbox=Inbox()).open_chat()
    assert 20_000 < measure_bytes() - before < 200_000


# --- The measured conversation ---


@pytest.fixture
def here(desk: None, settings: Settings, tmp_path: Path) -> Any:
    """The measured shop, as small as one conversation of each kind needs it."""
    from deskagent.celery import app

    shop.write_shop(tmp_path, orders=3, large=1)
    load(folder=tmp_path, replace=True)
    inbox = Inbox()
    inbox.set_current()
    yield Desk(inbox=inbox)
    app.set_current()


def test_the_conversation_finds_asks_and_cancels(here: Desk) -> None:
    costs = here.talk(1)
    check_all_done()
    words = Message.objects.filter(role=Message.Role.AGENT).values_list("text", flat=True)
    assert [len(text.split()) for text in words] == [40, 40]
    assert Order.objects.get(number=shop.order_number(1)).status == "cancelled"
    assert here.model.calls == 5
    assert all(cost.seconds > cost.cpu / 2 > 0 for cost in costs)
    assert 1_000 < len(json.dumps(shop.make_order(1))) < 1_300


def test_its_turns_are_counted_one_by_one(here: Desk) -> None:
    chat = here.open_chat()
    with counting_commits() as commits:
        costs = [here.count(chat, words, commits) for words in shop.list_turns(2)]
    if connection.vendor == "sqlite":
        assert [cost.commits for cost in costs] == [3, 3, 2]
    assert all(0 < cost.queries < 120 for cost in costs)


def test_a_large_order_waits_for_a_person_and_is_no_measured_turn(here: Desk) -> None:
    here.talk(3)
    assert (
        get_session(conversation=Message.objects.latest("pk").conversation_id).requests.get().state == "awaiting_staff"
    )
    with pytest.raises(WentWrong):
        check_all_done()


def test_an_approval_is_timed_from_the_click_to_the_reply(here: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shop, "ORDERS", 3)
    assert engine._approve(here, 1) > 0
    check_all_done()
    assert Order.objects.get(number=shop.order_number(3)).status == "cancelled"


@pytest.mark.parametrize(
    ("heard", "seconds"), [({"text"}, 0.9), ({"tool_result"}, 1.1), ({"tool_result", "text"}, 2.0)]
)
def test_every_turn_of_the_slow_day_waits_two_seconds_in_all(heard: set[str], seconds: float) -> None:
    assert ScriptedModel(*PROFILE)._find_wait(heard) == pytest.approx(seconds)


def test_processor_time_is_counted_by_process() -> None:
    script = "import time\nwhile time.process_time() < 0.3: pass\nprint('done', flush=True); time.sleep(60)"
    busy = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    with busy:
        assert busy.stdout is not None
        assert busy.stdout.readline() == "done\n"
        used = cpu_seconds({busy.pid})
        busy.kill()
    assert used >= 0.29
    assert cpu_seconds({busy.pid}) == 0


def test_a_measured_worker_sweeps_like_the_products_and_asks_its_own_model() -> None:
    try:
        app = make_app(ScriptedModel)
        app.loader.import_default_modules()
        own = {name for name in app.tasks if not name.startswith("celery.")}
        product.loader.import_default_modules()
        assert own == {name for name in product.tasks if not name.startswith("celery.")}
        assert app.tasks[RUN_TURN].run.__module__ == "eval.workers.replacing"
    finally:
        product.set_current()


# --- The commands ---


def test_bench_prints_what_was_asked_for_and_null_for_the_rest(capfd: pytest.CaptureFixture[str]) -> None:
    call_command("bench", "--only", "cache")
    figures = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert_promised(figures)
    assert figures["cache_share"] >= 0.955
    assert figures["cost_ratio_uncached"] >= 4.4
    assert fill(SHAPE, {**figures, "cache_share": None, "cost_ratio_uncached": None, "cost_usd": None}) == SHAPE


def test_without_the_peer_nothing_is_measured_and_the_reason_is_said(settings: Settings, tmp_path: Path) -> None:
    settings.BASE_DIR = tmp_path / "desk"
    with pytest.raises(CommandError, match=r"\.\./shared/peers"):
        call_command("bench", "--peer")


def test_ratios_are_medians_of_pairs() -> None:
    assert peer.ratio([(1.0, 2.0), (3.0, 3.0), (9.0, 10.0)]) == 0.9
