"""`runstack` and `docker-compose.yml` start the same processes, and none is left alone when another ends."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from pytest_django.fixtures import Settings

from deskagent import processes, stack
from deskagent.processes import PREPARATIONS, VARIABLES, Process, list_processes
from tests.conftest import ROOT
from tests.deskagent.test_documents import variables

pytestmark = pytest.mark.services

SERVERS = {"postgres", "redis"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """As compose reads it: its default for a variable, or its name where it has to be given."""
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    read: dict[str, Any] = yaml.safe_load(re.sub(r"\$\{(\w+):\?set it\}", r"<\1>", text))
    return read["services"]


def test_compose_runs_the_processes_of_the_stack_with_their_commands(compose: dict[str, Any]) -> None:
    stack_of_code = {process.name: list(process.command) for process in list_processes(host="0.0.0.0", port=8000)}
    of_compose = {name: service for name, service in compose.items() if name not in SERVERS | {"prepare"}}
    assert {name: service["command"].split() for name, service in of_compose.items()} == stack_of_code
    assert compose["web"]["ports"] == ["127.0.0.1:8000:8000"]


def test_compose_prepares_as_the_stack_does(compose: dict[str, Any]) -> None:
    command = compose["prepare"]["command"]
    assert command == f'sh -c "{" && ".join(" ".join(step) for step in PREPARATIONS)}"'
    for name in ("web", "worker", "beat"):
        assert compose[name]["depends_on"]["prepare"] == {"condition": "service_completed_successfully"}


def test_every_process_gets_the_variables_that_production_needs(compose: dict[str, Any]) -> None:
    own = {"DATABASE_URL", "REDIS_URL"}
    for name in ("prepare", "web", "worker", "beat"):
        given = compose[name]["environment"]
        assert set(given) == set(VARIABLES)
        assert {key: value for key, value in given.items() if key not in own} == {
            key: f"<{key}>" for key in VARIABLES if key not in own
        }
        assert given["DATABASE_URL"].startswith("postgres://") and given["REDIS_URL"].startswith("redis://")
        assert compose[name]["env_file"] == [{"path": ".env", "required": False}]
    assert set(VARIABLES) <= variables()


def test_the_image_runs_as_nobody_special_and_is_asked_for_its_health() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"FROM python:3\.11\.\d+-slim-\w+", lines[1])
    user = lines.index("USER desk")
    assert user > max(place for place, line in enumerate(lines) if line.startswith(("RUN", "COPY")))
    assert any("/healthz" in line for line in lines)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {".env", ".git", "var"} <= set(ignored)


def run(*commands: tuple[str, str], stop_on: str = "", patience: float = 20.0) -> tuple[stack.Ended | None, list[str]]:
    """Run scripts as the stack's processes; a line that says `stop_on` is answered with Ctrl+C."""
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if stop_on and stop_on in line:
            os.kill(os.getpid(), signal.SIGINT)

    steps = [Process(name=name, command=("python", "-c", script)) for name, script in commands]
    return stack.run(steps, processes.pass_on(), say=say, patience=patience), said


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_process_that_dies_ends_the_others_and_is_named(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    waits = f"import os, time, pathlib; pathlib.Path({str(note)!r}).write_text(str(os.getpid())); time.sleep(60)"
    dies = (
        "import sys, time, pathlib\n"
        f"while not pathlib.Path({str(note)!r}).exists(): time.sleep(0.01)\n"
        "print('oh no'); sys.exit(7)"
    )
    ended, said = run(("web", waits), ("worker", dies))
    assert ended == stack.Ended(name="worker", code=7)
    assert said == ["worker | oh no"]
    assert not is_alive(int(note.read_text()))


@pytest.mark.parametrize(("deaf", "patience"), [("", 20.0), ("signal.signal(signal.SIGTERM, signal.SIG_IGN); ", 0.2)])
def test_ctrl_c_ends_all_even_one_that_does_not_listen(deaf: str, patience: float) -> None:
    before = signal.getsignal(signal.SIGINT)
    script = f"import os, signal, time; {deaf}print('up', os.getpid(), flush=True); time.sleep(60)"
    ended, said = run(("web", script), stop_on="up", patience=patience)
    assert ended is None
    [line] = said
    assert line.startswith("web    | up ")
    assert not is_alive(int(line.split()[-1]))
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("host", "public", "missing"),
    [
        ("127.0.0.1", "127.0.0.1", ["SECRET_KEY", "ALLOWED_HOSTS"]),
        ("0.0.0.0", "127.0.0.1", []),
        ("127.0.0.1", "desk.example.com", []),
    ],
)
def test_only_a_desk_of_this_machine_uses_the_secrets_it_made(
    settings: Settings, host: str, public: str, missing: list[str]
) -> None:
    settings.DESKAGENT_GIVEN, settings.PUBLIC_HOST = {"DESKAGENT_AUDIT_KEY"}, public
    settings.SECRET_KEY = "made by this machine itself"
    environment, named = stack.get_environment(host=host)
    assert named == missing
    assert (environment.get("SECRET_KEY") == settings.SECRET_KEY) is bool(missing)


def test_half_a_profile_is_refused(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "runstack", "--services"],
        cwd=ROOT,
        env={"DATABASE_URL": f"sqlite:///{tmp_path / 'desk.sqlite3'}", "REDIS_URL": "redis://127.0.0.1:1/0"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "set DATABASE_URL to a PostgreSQL and REDIS_URL to a Redis" in done.stderr
