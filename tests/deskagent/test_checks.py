"""Production does not start with settings that endanger a shop, and says which variable and what to do."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from audit.operations import Details, record
from deskagent.checks import find_dangers, is_loopback, refuse_to_work
from deskagent.processes import list_processes
from tests.conftest import ROOT
from tests.deskagent.test_settings import KEY, check

SAFE: dict[str, Any] = {
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "DEBUG": False,
    "SECRET_KEY": KEY,
    "DESKAGENT_GIVEN": {"SECRET_KEY", "DESKAGENT_AUDIT_KEY", "ALLOWED_HOSTS"},
    "ALLOWED_HOSTS": ["desk.example.com"],
    "DESKAGENT_PUBLIC_URL": "https://desk.example.com",
    "PUBLIC_HOST": "desk.example.com",
    "SECURE": True,
    "DESKAGENT_GUARD": "enforce",
    "DESKAGENT_GUARD_CONFIRM": "",
    "DESKAGENT_CONSENT": "card",
    "DESKAGENT_METRICS_TOKEN": "",
    "DATABASES": {"default": {"ENGINE": "django.db.backends.postgresql"}},
}
PLAIN = {"SECURE": False, "PUBLIC_HOST": "desk.example.com", "DESKAGENT_PUBLIC_URL": "http://desk.example.com"}
LOCAL = {"SECURE": False, "PUBLIC_HOST": "127.0.0.1", "DESKAGENT_PUBLIC_URL": "http://127.0.0.1:8000"}
REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    ("E001", "DEBUG", {"DEBUG": True}),
    ("E002", "SECRET_KEY", {"DESKAGENT_GIVEN": {"DESKAGENT_AUDIT_KEY", "ALLOWED_HOSTS"}}),
    ("E002", "SECRET_KEY", {"SECRET_KEY": "abcdefghijklmnopqrstuvwxyz01234"}),
    ("E002", "SECRET_KEY", {"SECRET_KEY": "k" * 50}),
    ("E003", "ALLOWED_HOSTS", {"DESKAGENT_GIVEN": {"DESKAGENT_AUDIT_KEY", "SECRET_KEY"}}),
    ("E003", "ALLOWED_HOSTS", {"ALLOWED_HOSTS": ["*"]}),
    ("E003", "ALLOWED_HOSTS", {"ALLOWED_HOSTS": ["desk.example.com", "*"]}),
    ("E004", "DESKAGENT_GUARD", {"DESKAGENT_GUARD": "audit"}),
    ("E004", "DESKAGENT_GUARD", {"DESKAGENT_GUARD": "audit", "DESKAGENT_GUARD_CONFIRM": "yes"}),
    ("E005", "DESKAGENT_CONSENT", {"DESKAGENT_CONSENT": "spoken"}),
    ("E006", "DESKAGENT_PUBLIC_URL", PLAIN),
    ("E007", "DATABASE_URL", {"DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3"}}}),
    ("E009", "DESKAGENT_METRICS_TOKEN", {"DESKAGENT_METRICS_TOKEN": "short"}),
    ("W001", "DESKAGENT_AUDIT_KEY", {"DESKAGENT_GIVEN": {"SECRET_KEY", "ALLOWED_HOSTS"}}),
    ("W002", "DESKAGENT_PUBLIC_URL", LOCAL),
    ("W003", "EMAIL_URL", {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}),
]


def configure(settings: Settings, changes: dict[str, Any]) -> None:
    for name, value in (SAFE | changes).items():
        if name == "DATABASES":
            # Django warns of a replaced dictionary; its connections keep what they have.
            settings.DATABASES["default"] = {**settings.DATABASES["default"], **value["default"]}
        else:
            setattr(settings, name, value)


@pytest.fixture(autouse=True)
def _same_database(settings: Settings) -> Any:
    before = settings.DATABASES["default"]
    yield
    settings.DATABASES["default"] = before


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"DESKAGENT_GUARD": "audit", "DESKAGENT_GUARD_CONFIRM": "audit"},
        {"DESKAGENT_METRICS_TOKEN": "0123456789abcdef"},
        {**LOCAL, "ALLOWED_HOSTS": ["127.0.0.1", "localhost", "[::1]"]},
    ],
)
def test_safe_settings_pass(settings: Settings, changes: dict[str, Any]) -> None:
    configure(settings, changes)
    assert find_dangers(None) == []


@pytest.mark.parametrize(("code", "name", "changes"), REFUSED)
def test_each_danger_is_named_with_what_to_do(
    settings: Settings, code: str, name: str, changes: dict[str, Any]
) -> None:
    configure(settings, changes)
    [found] = find_dangers(None)
    assert (found.id, found.is_serious()) == (f"deskagent.{code}", code.startswith("E"))
    assert found.msg.startswith(name)
    assert found.hint
    assert KEY not in f"{found.msg}{found.hint}"


@pytest.mark.parametrize(("code", "name", "changes"), REFUSED)
def test_without_redis_only_a_short_token_is_refused(
    settings: Settings, code: str, name: str, changes: dict[str, Any]
) -> None:
    configure(settings, {**changes, "REDIS_URL": ""})
    assert bool(find_dangers(None)) is (code == "E009")


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("10.0.0.1", False),
        ("0.0.0.0", False),
        ("localhost.example.com", False),
        ("127.0.0.1.example.com", False),
        ("", False),
    ],
)
def test_only_this_machine_is_local(host: str, local: bool) -> None:
    assert is_loopback(host) is local


def test_a_worker_with_another_audit_key_than_the_logs_does_not_start(desk: None, settings: Settings) -> None:
    configure(settings, {})
    with transaction.atomic():
        record(event="read_ok", subject="shop", actor="agent", details=Details())
    refuse_to_work()
    settings.DESKAGENT_AUDIT_KEY = "the key that another machine made for itself"
    with pytest.raises(SystemExit, match="DESKAGENT_AUDIT_KEY is not the key of this database's audit log"):
        refuse_to_work()


@pytest.mark.parametrize("process", list_processes(host="127.0.0.1", port=1), ids=lambda process: process.name)
def test_no_process_of_production_starts_in_danger(tmp_path: Path, process: Any) -> None:
    done = subprocess.run(
        [sys.executable, *process.command[1:]],
        cwd=ROOT,
        env={
            "DATABASE_URL": f"sqlite:///{tmp_path / 'desk.sqlite3'}",
            "REDIS_URL": "redis://127.0.0.1:1/0",
            "SECRET_KEY": KEY,
            "ALLOWED_HOSTS": "*",
            "DESKAGENT_AUDIT_KEY": KEY,
            "DESKAGENT_MODEL": "offline",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "ALLOWED_HOSTS allows every host." in said and "DATABASE_URL is SQLite" in said
    assert KEY not in said


def test_commands_refuse_as_well(tmp_path: Path) -> None:
    code, said = check(tmp_path, REDIS_URL="redis://127.0.0.1:1/0", DEBUG="true")
    assert code != 0
    assert all(f"deskagent.{number}" in said for number in ("E001", "E003", "E007"))
