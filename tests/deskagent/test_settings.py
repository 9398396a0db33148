"""Settings from the environment: a wrong value stops the start and is named; secrets make themselves, once."""

import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from deskagent.secrets_file import read_or_create
from deskagent.settings import read_choice, read_number
from tests.conftest import ROOT

KEY = "a key for tests, of at least thirty-two characters"


def check(tmp_path: Path, *arguments: str, **variables: str) -> tuple[int, str]:
    """`manage.py check` in an environment that holds these variables and nothing of this machine's desk."""
    inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "SYSTEMROOT")}
    environment = {
        **inherited,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'desk.sqlite3'}",
        "SECRET_KEY": KEY,
        "DESKAGENT_AUDIT_KEY": KEY,
        # Set, so that a developer's own .env file cannot say otherwise.
        "ANTHROPIC_API_KEY": "",
        "ANTHROPIC_AUTH_TOKEN": "",
        "DESKAGENT_MODEL": "offline",
        **variables,
    }
    done = subprocess.run(
        [sys.executable, "manage.py", *(arguments or ("check",))],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"DESKAGENT_PORT": "1", "DESKAGENT_GUARD": "audit", "DESKAGENT_PUBLIC_URL": "https://desk.example.com/"},
        {"DESKAGENT_MODEL": "claude-x", "ANTHROPIC_AUTH_TOKEN": "k", "DESKAGENT_AUDIT_KEY": "k" * 32},
    ],
)
def test_right_values_let_the_desk_start(tmp_path: Path, variables: dict[str, str]) -> None:
    code, text = check(tmp_path, **variables)
    assert code == 0, text


NUMBERS = [
    "DESKAGENT_PORT",
    "DESKAGENT_FAILED_LOOKUPS_CONVERSATION",
    "DESKAGENT_CARD_EXPIRY_SECONDS",
    "DESKAGENT_REQUEST_EXPIRY_SECONDS",
    "DESKAGENT_STEPS_TURN",
    "DESKAGENT_TURNS_CONVERSATION",
    "DESKAGENT_TURN_DEADLINE_SECONDS",
    "DESKAGENT_SWEEP_SECONDS",
]
NO_NUMBERS = ["0", "-1", "abc", "", "1.5", "1e3", "0x10", "５", "+5", "1 000"]
WRONG = [
    *((name, NO_NUMBERS[place % len(NO_NUMBERS)]) for place, name in enumerate(NUMBERS)),
    ("DESKAGENT_GUARD", "off"),
    ("DESKAGENT_MODEL", "claude-x"),
    ("DESKAGENT_AUDIT_KEY", "k" * 31),
    ("DESKAGENT_PUBLIC_URL", "127.0.0.1:8000"),
    ("DESKAGENT_PUBLIC_URL", "ftp://desk.example.com"),
    ("DESKAGENT_PUBLIC_URL", "https://"),
]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_what_is_no_whole_number_above_zero_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DESKAGENT_TEST", "7")
    assert read_number("DESKAGENT_TEST", 1) == 7
    monkeypatch.setenv("DESKAGENT_TEST", value)
    with pytest.raises(ImproperlyConfigured, match="^DESKAGENT_TEST must be a whole number above zero"):
        read_number("DESKAGENT_TEST", 1)


@pytest.mark.parametrize("value", ["off", "", "Enforce", "enforce ", "audit,enforce"])
def test_what_is_no_choice_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DESKAGENT_TEST", "audit")
    assert read_choice("DESKAGENT_TEST", "enforce", ("enforce", "audit")) == "audit"
    monkeypatch.setenv("DESKAGENT_TEST", value)
    with pytest.raises(ImproperlyConfigured, match="^DESKAGENT_TEST must be one of enforce, audit"):
        read_choice("DESKAGENT_TEST", "enforce", ("enforce", "audit"))


def test_every_number_of_the_settings_is_in_the_table_below() -> None:
    text = (ROOT / "deskagent" / "settings.py").read_text(encoding="utf-8")
    assert set(re.findall(r"read_number\(\s*\"(\w+)\"", text)) == set(NUMBERS)


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_stops_the_start_and_is_named(tmp_path: Path, name: str, value: str) -> None:
    code, text = check(tmp_path, **{name: value})
    assert code != 0
    assert f"ImproperlyConfigured: {name} " in text
    assert KEY not in text


def test_a_wrong_first_policy_stops_the_migration_and_is_named(tmp_path: Path) -> None:
    code, text = check(tmp_path, "migrate", "--verbosity", "0", DESKAGENT_POLICY="generous")
    assert code != 0
    assert "ImproperlyConfigured: DESKAGENT_POLICY: 'generous' is neither a preset (retail) nor" in text


@pytest.mark.parametrize(("url", "secure"), [("https://desk.example.com", True), ("http://127.0.0.1:8000", False)])
def test_cookies_are_secure_and_plain_addresses_refused_where_the_desk_is_on_https(
    tmp_path: Path, url: str, secure: bool
) -> None:
    asked = (
        "from django.conf import settings as s; print([s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, "
        "s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS > 0, s.DEBUG])"
    )
    code, text = check(tmp_path, "shell", "--no-imports", "-c", asked, DESKAGENT_PUBLIC_URL=url)
    assert code == 0, text
    assert text.strip().splitlines()[-1] == str([secure] * 4 + [False])


def test_a_secret_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "secret_key"
    before = os.umask(0)
    try:
        secret = read_or_create(path)
    finally:
        os.umask(before)
    assert len(secret) == 43
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_or_create(path) == secret
    assert [entry.name for entry in path.parent.iterdir()] == ["secret_key"]
    assert read_or_create(tmp_path / "another") != secret


def test_a_secret_that_is_there_already_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "audit_key"
    path.write_text("chosen by the operator\n", encoding="utf-8")
    assert read_or_create(path) == "chosen by the operator"
    assert path.read_text(encoding="utf-8") == "chosen by the operator\n"


@pytest.mark.parametrize("attempt", range(5))
def test_sixteen_that_start_together_agree_on_one_secret(tmp_path: Path, attempt: int) -> None:
    path = tmp_path / "secret_key"
    got: list[str] = []
    gate = threading.Barrier(16)

    def start() -> None:
        gate.wait(timeout=10)
        got.append(read_or_create(path))

    threads = [threading.Thread(target=start) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert len(got) == 16
    assert set(got) == {path.read_text(encoding="utf-8")}
    assert [entry.name for entry in tmp_path.iterdir()] == ["secret_key"]


def test_two_processes_that_start_together_agree_on_one_secret(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    code = (
        "import sys; from pathlib import Path; from deskagent.secrets_file import read_or_create; "
        "print(read_or_create(Path(sys.argv[1])))"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    got = {process.communicate(timeout=60)[0].strip() for process in started}
    assert got == {path.read_text(encoding="utf-8")}
