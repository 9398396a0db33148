"""The cast and the database of every test: a shop with Alice the customer, Mallory another one, and Bob on staff."""

import uuid
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connections
from pytest_django.fixtures import Settings

from approvals import limits
from audit import append_only as audit_table
from audit.triggers import create_statements, drop_statements
from conversations.agent import prompt
from conversations.agent.breaker import Breaker
from conversations.fake_anthropic import FakeAnthropic
from helpcenter import append_only as articles_table
from helpcenter import queries as help_queries
from orders.payments.fake import FakeGateway
from policy import append_only as policy_table
from tests import quick
from tests.scripted import Scripted

# The start-up checks want secrets that were given where REDIS_URL is set; a test run's are its own.
configured.DESKAGENT_GIVEN = {*configured.DESKAGENT_GIVEN, "SECRET_KEY", "DESKAGENT_AUDIT_KEY", "ALLOWED_HOSTS"}

configured.PASSWORD_HASHERS = ["tests.quick.QuickHasher", *configured.PASSWORD_HASHERS]

ROOT = Path(__file__).resolve().parent.parent
PLENTY = 1_000_000
SHARED = ROOT.parent / "shared"
GUARDED = tuple((table.TABLE, table.KEYS) for table in (audit_table, policy_table, articles_table))
# Whose tests look at a database, though journeys do it in processes of their own.
DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}
JOURNEYS = ROOT / "tests" / "journeys"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--services-only", action="store_true", help="leave out what is the same on every engine")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is the same on every engine runs on one of them (docs/decisions/0031)."""
    if not config.getoption("--services-only"):
        return
    looking = {item.path for item in items if _looks_at_services(item)}
    kept, left_out = [], []
    for item in items:
        (left_out if item.path not in looking or item.get_closest_marker("one_engine") else kept).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left_out)


def _looks_at_services(item: pytest.Item) -> bool:
    marked = any(item.get_closest_marker(name) for name in ("django_db", "services"))
    return marked or JOURNEYS in item.path.parents or bool(DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())))


@pytest.fixture(autouse=True, scope="session")
def _flush_past_the_triggers() -> Iterator[None]:
    """A test database is emptied between tests; the append-only triggers refuse that, so they step aside for it."""
    operations = connections["default"].ops
    vendor = connections["default"].vendor
    before = operations.sql_flush

    def flush(style: Any, tables: list[str], **how: Any) -> list[str]:
        tables = [table for table in tables if table not in quick.KEPT]
        if vendor == "postgresql":
            # As a replica it runs neither triggers nor foreign keys; and DELETE is ten times faster than TRUNCATE here.
            deletes = [f'DELETE FROM "{table}"' for table in tables]
            return ["SET session_replication_role = replica", *deletes, "SET session_replication_role = DEFAULT"]
        drop = [line for table, _ in GUARDED for line in drop_statements(vendor, table)]
        create = [line for table, keys in GUARDED for line in create_statements(vendor, table, keys)]
        return [*drop, *before(style, tables, **how), *create]

    operations.sql_flush = flush
    yield
    operations.sql_flush = before


@pytest.fixture(autouse=True, scope="session")
def _quick(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    own = connections["default"].settings_dict
    # Where no test of this run needs a database, none was made for it, and this would be the checkout's own.
    if own["NAME"] == own["TEST"]["NAME"]:
        with django_db_blocker.unblock():
            quick.take_snapshot()
    quick.forget_djangos_own()
    yield
    quick.forget_djangos_own(again=True)


@pytest.fixture(autouse=True, scope="session")
def _no_strays(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Threads of sockets and coroutines keep connections; PostgreSQL drops no database that somebody looks at."""
    yield
    connection = connections["default"]
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(autouse=True)
def _room_for_tests(settings: Settings) -> None:
    """All tests write from one address, quickly, and side by side in one Redis; a test of a limit sets its own."""
    limits.forget_all()
    # Their keys name policy and edition by number, and each test's database counts from 1.
    prompt.read_system.cache_clear()
    help_queries.forget_indexes()
    for limit in ("MESSAGES_CONVERSATION", "MESSAGES_ADDRESS", "CONVERSATIONS_ADDRESS", "SIGN_INS_ADDRESS"):
        setattr(settings, f"DESKAGENT_{limit}_MINUTE", PLENTY)
    settings.DESKAGENT_SPEND_CAP_USD = settings.DESKAGENT_SPEND_CAP_VISITOR_USD = Decimal(PLENTY)
    settings.DESKAGENT_HELP_NOTES_ADDRESS_HOUR = PLENTY
    settings.DESKAGENT_SIGN_INS_USER_HOUR = settings.DESKAGENT_FAILED_LOOKUPS_ADDRESS_HOUR = PLENTY


@pytest.fixture(autouse=True)
def _own_anchor_file(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A test that is rolled back leaves no entries; what it anchored must not be looked for by the next one."""
    settings.DESKAGENT_ANCHOR_FILE = str(tmp_path_factory.getbasetemp() / f"anchors-{uuid.uuid4().hex}.jsonl")


@pytest.fixture
def tau() -> Path:
    folder = SHARED / "tau-bench"
    if not folder.is_dir():
        pytest.skip("shared data missing: tau-bench")
    return folder


@pytest.fixture
def desk(transactional_db: None, settings: Settings) -> None:
    """A desk with its policy and the test shop, on real transactions."""
    from tests.factories import load_shop

    settings.DESKAGENT_MODEL = "offline"
    load_shop()


@pytest.fixture
def scoped(settings: Settings) -> None:
    """New chats have the tools beyond those of the public benchmark."""
    settings.DESKAGENT_PROFILE = "scoped"


@pytest.fixture
def books(desk: None) -> Iterator[None]:
    """Whatever the test does, it ends with the ten invariants, against the shop as it was when it began."""
    from django.utils import timezone

    from eval.books import check, take_snapshot

    before = take_snapshot()
    yield
    assert [str(line) for line in check(now=timezone.now(), snapshot=before) if line.faults] == []


@pytest.fixture
def bob(db: None) -> User:
    """Bob, who may do everything."""
    return User.objects.create_superuser("bob", "bob@example.com", "a long pass phrase")


def close_circuit(*names: str) -> None:
    """As before any failure: an earlier test may have had the same port. Nothing else of the cache is touched, since
    with Redis all workers of a test run share it."""
    for name in names:
        breaker = Breaker(name)
        cache.delete_many([breaker._failures, breaker._open, breaker._tripped, breaker._probe])


@pytest.fixture
def model(settings: Settings) -> Iterator[Scripted]:
    """The real client against a scripted server: `model.plays(...)` says what the model does next."""
    scripted = Scripted()
    with FakeAnthropic(respond=scripted.respond) as server:
        scripted.server = server
        settings.DESKAGENT_MODEL = "claude-haiku-5-5"
        settings.ANTHROPIC_API_KEY = "test"
        settings.ANTHROPIC_BASE_URL = server.url
        settings.DESKAGENT_MODEL_BACKOFF_MS = 1
        close_circuit(f"{server.url} claude-haiku-5-5", f"{server.url}/ claude-haiku-5-5")
        yield scripted
    assert server.complaints == []


@pytest.fixture
def gateway(settings: Settings, tmp_path: Path) -> Iterator[FakeGateway]:
    """A remote payment gateway with a ledger file of its own, and a desk that pays back through it."""
    with FakeGateway(tmp_path / "gateway.jsonl") as fake:
        settings.DESKAGENT_GATEWAY, settings.DESKAGENT_GATEWAY_URL = "http", fake.url
        yield fake


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> None:
    """A file, since threads cannot share an in-memory database; without fsync, since a test's rows may be lost."""
    database = connections["default"].settings_dict
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / f"{worker_id}.sqlite3")
        database["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"
    else:
        database["TEST"]["NAME"] = f"test_{database['NAME']}_{worker_id}"
