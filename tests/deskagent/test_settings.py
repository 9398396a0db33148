"""Settings from the environment: a wrong value stops the start and is named; secrets make themselves, once."""

import json
import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from deskagent.environment import (
    read_choice,
    read_database,
    read_flag,
    read_hosts,
    read_number,
    read_origin,
    read_secret,
)
from deskagent.secrets_file import read_or_create
from tests.conftest import ROOT

KEY = "a key for tests, of at least thirty-two characters"


def plain_environment(tmp_path: Path) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "SYSTEMROOT")}
    return {
        **inherited,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'desk.sqlite3'}",
        "SECRET_KEY": KEY,
        "DESKAGENT_AUDIT_KEY": KEY,
        # Set, so that a developer's own .env file cannot say otherwise.
        "ANTHROPIC_API_KEY": "",
        "ANTHROPIC_AUTH_TOKEN": "",
        "DESKAGENT_MODEL": "offline",
    }


def check(tmp_path: Path, *arguments: str, **variables: str) -> tuple[int, str]:
    """`manage.py check` in an environment that holds these variables and nothing of this machine's desk."""
    environment = plain_environment(tmp_path) | variables
    done = subprocess.run(
        [sys.executable, "manage.py", *(arguments or ("check",))],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"DESKAGENT_PORT": "1", "DESKAGENT_GUARD": "audit", "DESKAGENT_PUBLIC_URL": "https://desk.example.com/"},
        {"DESKAGENT_MODEL": "claude-x", "ANTHROPIC_AUTH_TOKEN": "k", "DESKAGENT_AUDIT_KEY": "k" * 32},
        {"DESKAGENT_PORT": "65535", "DESKAGENT_PUBLIC_URL": "http://[::1]:8000", "DEBUG": "True"},
        {
            "ALLOWED_HOSTS": "a.example, b.example",
            "DEBUG": "no",
            "DESKAGENT_PUBLIC_URL": "HTTPS://Desk.example.com:65535",
        },
    ],
)
def test_right_values_let_the_desk_start(tmp_path: Path, variables: dict[str, str]) -> None:
    code, text = check(tmp_path, **variables)
    assert code == 0, text


NUMBERS = [
    "DESKAGENT_DATABASE_CONNECTIONS",
    "DESKAGENT_PORT",
    "DESKAGENT_FAILED_LOOKUPS_CONVERSATION",
    "DESKAGENT_FAILED_LOOKUPS_ADDRESS_HOUR",
    "DESKAGENT_MESSAGES_CONVERSATION_MINUTE",
    "DESKAGENT_MESSAGES_ADDRESS_MINUTE",
    "DESKAGENT_CONVERSATIONS_ADDRESS_MINUTE",
    "DESKAGENT_SIGN_INS_ADDRESS_MINUTE",
    "DESKAGENT_SIGN_INS_USER_HOUR",
    "DESKAGENT_FRAMES_SOCKET_MINUTE",
    "DESKAGENT_BAD_FRAMES_SOCKET",
    "DESKAGENT_SOCKETS_CONVERSATION",
    "DESKAGENT_SOCKETS_ADDRESS",
    "DESKAGENT_TRUSTED_PROXIES",
    "DESKAGENT_CARD_EXPIRY_SECONDS",
    "DESKAGENT_REQUEST_EXPIRY_SECONDS",
    "DESKAGENT_STEPS_TURN",
    "DESKAGENT_TURNS_CONVERSATION",
    "DESKAGENT_TURN_DEADLINE_SECONDS",
    "DESKAGENT_TURN_DEADLINE_EMAIL_SECONDS",
    "DESKAGENT_IDLE_NOTICE_SECONDS",
    "DESKAGENT_IDLE_CLOSE_SECONDS",
    "DESKAGENT_LEASE_SECONDS",
    "DESKAGENT_SWEEP_SECONDS",
    "DESKAGENT_BOOKS_SECONDS",
    "DESKAGENT_HELP_NOTES_ADDRESS_HOUR",
    "DESKAGENT_TRIAGE_MS",
    "DESKAGENT_MODEL_TRIES",
    "DESKAGENT_MODEL_BACKOFF_MS",
    "DESKAGENT_MODEL_READ_SECONDS",
    "DESKAGENT_CIRCUIT_FAILURES",
    "DESKAGENT_CIRCUIT_SECONDS",
]
MAY_BE_NONE = ["DESKAGENT_TRUSTED_PROXIES", "DESKAGENT_IDLE_NOTICE_SECONDS"]
NO_NUMBERS = ["0", "-1", "abc", "", "1.5", "1e3", "0x10", "５", "+5", "1 000", "9" * 5_000, "1000000001", "1_0"]
WRONG = [
    # No proxies at all is a right number of them.
    *((name, NO_NUMBERS[place % len(NO_NUMBERS)]) for place, name in enumerate(NUMBERS) if name not in MAY_BE_NONE),
    *((name, "-1") for name in MAY_BE_NONE),
    # The library would read another variable here, and the default where there is none.
    ("DESKAGENT_GUARD", "$HOME"),
    ("DESKAGENT_PORT", "$PORT"),
    ("DESKAGENT_AUDIT_KEY", "$HOME"),
    ("DESKAGENT_GUARD", "off"),
    ("DESKAGENT_GATEWAY", "stripes"),
    ("EMAIL_URL", "smtp://"),
    ("EMAIL_URL", "mail.example.com"),
    ("EMAIL_URL", "smtp://mail.example.com:99999"),
    ("DESKAGENT_MAIL_FROM", "Shop desk@shop.example"),
    ("DESKAGENT_MODEL", "claude-x"),
    ("DESKAGENT_AUDIT_KEY", "k" * 31),
    ("DESKAGENT_PUBLIC_URL", "127.0.0.1:8000"),
    ("DESKAGENT_PUBLIC_URL", "ftp://desk.example.com"),
    ("DESKAGENT_PUBLIC_URL", "https://"),
    ("DESKAGENT_PUBLIC_URL", "http://[::1"),
    ("DESKAGENT_PORT", "65536"),
    *(("DESKAGENT_SPEND_CAP_USD", text) for text in ("0", "0.00", "-1", "$5", "5,00", "1e3", "nan")),
    ("DESKAGENT_SPEND_CAP_TOTAL_USD", "12345678"),
    ("DESKAGENT_SPEND_CAP_CONVERSATION_USD", "0.1234567891"),
    ("DESKAGENT_SPEND_CAP_VISITOR_USD", "５"),
    ("DESKAGENT_PORT", "9" * 5_000),
    ("DEBUG", "ture"),
    ("DEBUG", ""),
    ("DATABASE_URL", "nonsense"),
    ("DATABASE_URL", ""),
    ("DATABASE_URL", f"postgres://desk:{KEY}@db:99999/desk"),
    ("DESKAGENT_AUDIT_KEY", " " * 40),
    ("SECRET_KEY", "  "),
    ("ALLOWED_HOSTS", ""),
]
NO_ORIGINS = [
    *("", " ", "desk.example.com", "//desk.example.com", "ftp://desk.example.com", "https://", "https:///"),
    *("https://a.example:99999", "https://a.example:0", "https://a.example:", "https://a.example:x"),
    *("https://a.example/desk", "https://a.example/?x=1", "https://a.example?x=1", "https://a.example#top"),
    *("http://[::1", "http://::1]", "http://[::1]x", "https://me@a.example", "https://a b.example"),
    *("https://a.example\n", "https://a.example\\@b.example", "https://k\u00e4se.example", "https://*.example"),
]
NO_DATABASES = [
    *(
        "",
        " ",
        "nonsense",
        "sqlite",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "/var/desk.sqlite3",
        "desk.sqlite3",
    ),
    *("postgres://", "postgres://db", "postgres://db/", "postgres://db:99999/desk", "postgres://db:x/desk"),
    *("postgres://[::1/desk", "mysql://db/desk", "mongodb://db/desk"),
]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_what_is_no_whole_number_above_zero_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DESKAGENT_TEST", "7")
    assert read_number("DESKAGENT_TEST", 1) == 7
    monkeypatch.setenv("DESKAGENT_TEST", value)
    with pytest.raises(ImproperlyConfigured, match="^DESKAGENT_TEST must be a whole number from 1 to 1000000000,"):
        read_number("DESKAGENT_TEST", 1)


@pytest.mark.parametrize("value", ["off", "", "Enforce", "enforce ", "audit,enforce"])
def test_what_is_no_choice_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DESKAGENT_TEST", "audit")
    assert read_choice("DESKAGENT_TEST", "enforce", ("enforce", "audit")) == "audit"
    monkeypatch.setenv("DESKAGENT_TEST", value)
    with pytest.raises(ImproperlyConfigured, match="^DESKAGENT_TEST must be one of enforce, audit"):
        read_choice("DESKAGENT_TEST", "enforce", ("enforce", "audit"))


@pytest.mark.parametrize("value", NO_ORIGINS)
def test_what_is_no_address_without_a_path_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DESKAGENT_TEST", "https://Desk.Example.com:8443/")
    assert read_origin("DESKAGENT_TEST", "") == ("https", "desk.example.com", "https://desk.example.com:8443")
    monkeypatch.setenv("DESKAGENT_TEST", value)
    with pytest.raises(ImproperlyConfigured, match="^DESKAGENT_TEST must be an http or https address without a path"):
        read_origin("DESKAGENT_TEST", "http://127.0.0.1:8000")


@pytest.mark.parametrize("value", NO_DATABASES)
def test_what_is_no_database_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DESKAGENT_TEST", f"postgresql://desk:{KEY}@db:5432/desk")
    assert read_database("DESKAGENT_TEST", "")["NAME"] == "desk"
    monkeypatch.setenv("DESKAGENT_TEST", value)
    with pytest.raises(ImproperlyConfigured, match="^DESKAGENT_TEST must be like sqlite:///PATH or postgres://"):
        read_database("DESKAGENT_TEST", "sqlite:///desk.sqlite3")


@pytest.mark.parametrize(
    ("value", "read"),
    [("true", True), ("True", True), ("YES", True), ("1", True), ("on", True), ("false", False), ("0", False)],
)
def test_a_flag_is_read_in_any_case(monkeypatch: pytest.MonkeyPatch, value: str, read: bool) -> None:
    monkeypatch.delenv("DESKAGENT_TEST", raising=False)
    assert read_flag("DESKAGENT_TEST") is False
    monkeypatch.setenv("DESKAGENT_TEST", value)
    assert read_flag("DESKAGENT_TEST") is read


@pytest.mark.parametrize("value", ["", " ", "ture", "2", "yes please", "nein", "true,false"])
def test_a_misspelt_flag_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DESKAGENT_TEST", value)
    with pytest.raises(ImproperlyConfigured, match="^DESKAGENT_TEST must be true or false"):
        read_flag("DESKAGENT_TEST")


@pytest.mark.parametrize("value", ["", " ", ",", " , ", "a.example, ,b.example"])
def test_hosts_without_a_name_are_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DESKAGENT_TEST", "a.example, b.example")
    assert read_hosts("DESKAGENT_TEST", []) == ["a.example", "b.example"]
    monkeypatch.setenv("DESKAGENT_TEST", value)
    with pytest.raises(ImproperlyConfigured, match="^DESKAGENT_TEST must name at least one host"):
        read_hosts("DESKAGENT_TEST", ["127.0.0.1"])


@pytest.mark.parametrize("value", [" ", " " * 40, "\t\n" * 20, "k" * 31, "k" * 31 + " " * 9])
def test_a_blank_or_short_secret_is_named_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str
) -> None:
    monkeypatch.setenv("DESKAGENT_TEST", value)
    with pytest.raises(ImproperlyConfigured, match="^DESKAGENT_TEST must have a length of at least 32") as failure:
        read_secret("DESKAGENT_TEST", tmp_path / "key", shortest=32)
    assert "kkk" not in str(failure.value)
    assert not (tmp_path / "key").exists()
    monkeypatch.setenv("DESKAGENT_TEST", "")
    assert len(read_secret("DESKAGENT_TEST", tmp_path / "key", shortest=32)) == 43


def test_every_number_of_the_settings_is_in_the_table_below() -> None:
    text = (ROOT / "deskagent" / "settings.py").read_text(encoding="utf-8")
    assert set(re.findall(r"read_number\(\s*\"(\w+)\"", text)) == set(NUMBERS)


READ_EACH = """
import json, os, runpy, sys
from django.core.exceptions import ImproperlyConfigured
for name, value in json.loads(sys.stdin.read()):
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        runpy.run_path("deskagent/settings.py")
        print(json.dumps(""))
    except ImproperlyConfigured as error:
        print(json.dumps(str(error)))
    os.environ.pop(name)
    if before is not None:
        os.environ[name] = before
"""


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the settings say to each wrong value; one process reads them all, since starting one takes a second."""
    done = subprocess.run(
        [sys.executable, "-c", READ_EACH],
        cwd=ROOT,
        env=plain_environment(tmp_path_factory.mktemp("settings")),
        input=json.dumps(WRONG),
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("place", range(len(WRONG)), ids=[f"{name}-{value[:20]}" for name, value in WRONG])
def test_a_wrong_value_is_named(refusals: list[str], place: int) -> None:
    assert refusals[place].startswith(f"{WRONG[place][0]} ")
    assert KEY not in refusals[place]


@pytest.mark.parametrize(("name", "value"), WRONG[:: len(WRONG) // 4])
def test_a_wrong_value_stops_the_start_and_is_named(tmp_path: Path, name: str, value: str) -> None:
    code, text = check(tmp_path, **{name: value})
    assert code != 0
    assert f"ImproperlyConfigured: {name} " in text
    assert KEY not in text


@pytest.mark.parametrize(("url", "starts"), [("http://127.0.0.1:9000", True), ("", False), ("127.0.0.1:9000", False)])
def test_a_remote_gateway_needs_an_address(tmp_path: Path, url: str, starts: bool) -> None:
    code, text = check(tmp_path, DESKAGENT_GATEWAY="http", DESKAGENT_GATEWAY_URL=url)
    assert (code == 0) is starts
    assert ("ImproperlyConfigured: DESKAGENT_GATEWAY_URL " in text) is not starts


@pytest.mark.parametrize("steps", [["audit"], ["audit", "0001"], ["policy"], ["orders"]])
def test_one_app_can_be_migrated_before_the_others(tmp_path: Path, steps: list[str]) -> None:
    for wanted in (steps, []):
        code, text = check(tmp_path, "migrate", "--verbosity", "0", *wanted)
        assert code == 0, text
    assert '"version": 1' in check(tmp_path, "show_policy")[1]


@pytest.mark.parametrize("app", ["policy", "audit"])
def test_the_migrations_of_an_app_can_be_taken_back(tmp_path: Path, app: str) -> None:
    for wanted in ([], [app, "zero"], []):
        code, text = check(tmp_path, "migrate", "--verbosity", "0", *wanted)
        assert code == 0, text
    assert '"version": 1' in check(tmp_path, "show_policy")[1]


def test_a_wrong_first_policy_stops_the_migration_and_is_named(tmp_path: Path) -> None:
    code, text = check(tmp_path, "migrate", "--verbosity", "0", DESKAGENT_POLICY="generous")
    assert code != 0
    assert "ImproperlyConfigured: DESKAGENT_POLICY: 'generous' is neither a preset (cautious, retail) nor" in text


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
