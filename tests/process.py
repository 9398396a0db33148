"""A real desk in processes of its own, as `make run` starts it: fresh database, demo shop, free port."""

import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import weakref
from collections import deque
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

import psycopg
import redis
from django.conf import settings
from django.db import connections

from deskagent.processes import list_processes
from tests import prepared
from tests.conftest import ROOT

START_SECONDS, STOP_SECONDS = 120, 60
PRODUCT = ("deskagent", "deskagent.asgi:application")
PASSWORD = "a long pass phrase"
DATABASE = "desk.sqlite3"
# Those that a Redis has unless told otherwise; the test run itself keeps the first.
REDIS_NUMBERS = range(1, 16)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class DeskProcess:
    """The embedded profile: `start` returns once the desk says that it is ready, `stop` ends it as Ctrl+C does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("DESKAGENT_", "ANTHROPIC_"))},
            "DATABASE_URL": f"sqlite:///{folder / DATABASE}",
            "REDIS_URL": "",
            "DESKAGENT_PORT": str(self.port),
            "DESKAGENT_MODEL": "offline",
            "DESKAGENT_SWEEP_SECONDS": "1",
            "SECRET_KEY": "of the desk that a test starts, 0123456789",
            "ALLOWED_HOSTS": "127.0.0.1",
            "DESKAGENT_AUDIT_KEY": "a" * 50,
            # Tests sign in often, and desks of several runs may share a Redis.
            "DESKAGENT_SIGN_INS_ADDRESS_MINUTE": "1000",
            "DESKAGENT_SIGN_INS_USER_HOUR": "1000",
            "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
            "PYTHONUNBUFFERED": "1",
        }
        self.processes: list[subprocess.Popen[str]] = []
        # The newest lines of all its processes.
        self.said: deque[str] = deque(maxlen=2_000)

    def prepare(self) -> "DeskProcess":
        """The demo shop and a superuser, "bob"."""
        prepared.copy_file(self.env, self.folder / DATABASE)
        return self

    def manage(self, *arguments: str) -> str:
        return prepared.manage(self.env, *arguments)

    def start(self) -> "DeskProcess":
        self._start("manage.py", "rundesk", until="is ready")
        return self

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        for process in self.processes:
            process.send_signal(how)
        for process in self.processes:
            process.wait(timeout=STOP_SECONDS)
            assert process.stdout is not None
            process.stdout.close()
        self.processes = []

    def _start(self, *arguments: str, until: str = "") -> None:
        """Start one process; with `until`, wait for it to say so."""
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        said: list[str] = []
        while until and until not in "".join(said[-1:]):
            line = process.stdout.readline()
            if not line:
                process.wait(timeout=STOP_SECONDS)
                process.stdout.close()
                raise AssertionError(f"{arguments} did not start: {''.join(said)}")
            said.append(line)
        self.processes.append(process)
        # Read on, or the process would stand still at a full pipe.
        reader = threading.Thread(target=_drain, args=(process.stdout, self.said), daemon=True)
        reader.start()


class StackProcess(DeskProcess):
    """Web server, worker and beat as processes of their own, on the PostgreSQL and Redis of this test run."""

    # Name of a process → the module that runs in place of the product's.
    instead_of: dict[str, str] = {}

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        server = connections["default"].settings_dict
        self.where = f"{server['USER']}:{server['PASSWORD']}@{server['HOST']}:{server['PORT']}"
        self.database = f"desk_{uuid4().hex[:12]}"
        self._create(self.database)
        weakref.finalize(self, _drop, self.where, self.database)
        self.env["DATABASE_URL"] = f"postgres://{self.where}/{self.database}"
        self.env["REDIS_URL"] = self._reserve_redis()

    def prepare(self) -> "StackProcess":
        name = prepared.name_of(self.env)
        with prepared.alone(name, self.folder), _connect(self.where) as admin:
            if not admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                # One that a failed command left behind.
                _drop(self.where, f"{name}_half")
                self._create(f"{name}_half")
                prepared.write(self.env, f"postgres://{self.where}/{name}_half")
                admin.execute(f'ALTER DATABASE "{name}_half" RENAME TO "{name}"')
                atexit.register(_drop_prepared, self.where, name, self.folder)
            admin.execute(f'DROP DATABASE "{self.database}"')
            admin.execute(f'CREATE DATABASE "{self.database}" TEMPLATE "{name}"')
        return self

    def _create(self, name: str) -> None:
        with _connect(self.where) as admin:
            admin.execute(f'CREATE DATABASE "{name}"')

    def _reserve_redis(self) -> str:
        """A number of its own, emptied: a desk whose Redis another one shares loses its tasks to the other's worker.

        The lock lives as long as this object, through stops and starts, and no longer than this process.
        """
        holder = _connect(self.where)
        weakref.finalize(self, holder.close)
        for number in REDIS_NUMBERS:
            if holder.execute("SELECT pg_try_advisory_lock(%s)", [number]).fetchone() == (True,):
                url = f"{settings.REDIS_URL.rsplit('/', 1)[0]}/{number}"
                with redis.Redis.from_url(url) as client:
                    client.flushdb()
                return url
        raise AssertionError("every number of this Redis belongs to a running desk")

    def start(self) -> "StackProcess":
        self.named = {process.name: process for process in list_processes(host="127.0.0.1", port=self.port)}
        self.running: dict[str, subprocess.Popen[str]] = {}
        for name in self.named:
            self.start_again(name)
        self.wait_for_port(self.port)
        return self

    def start_again(self, name: str) -> None:
        instead = self.instead_of.get(name)
        command = [instead if instead and part in PRODUCT else part for part in self.named[name].command[1:]]
        self._start(*command)
        self.running[name] = self.processes[-1]

    def kill(self, name: str) -> None:
        """End one process as a crash of the machine would."""
        process = self.running.pop(name)
        self.processes.remove(process)
        process.kill()
        process.wait(timeout=STOP_SECONDS)
        assert process.stdout is not None
        process.stdout.close()

    def start_web(self, port: int) -> None:
        """One more web server of this desk."""
        self._start("-m", "daphne", "-b", "127.0.0.1", "-p", str(port), "deskagent.asgi:application")
        self.wait_for_port(port)

    def wait_for_port(self, port: int) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                return
            time.sleep(0.1)
        raise AssertionError("the web server does not listen")


def _connect(where: str) -> psycopg.Connection:
    return psycopg.connect(f"postgresql://{where}/postgres", autocommit=True)


def _drop(where: str, name: str) -> None:
    with _connect(where) as admin:
        admin.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _drop_prepared(where: str, name: str, folder: Path) -> None:
    # Another worker that needs it later makes it anew.
    with prepared.alone(name, folder):
        _drop(where, name)


def make_desk(folder: Path) -> DeskProcess:
    """A desk in the profile of this test run: PostgreSQL and Redis where both are set, else one process."""
    return StackProcess(folder) if settings.REDIS_URL else DeskProcess(folder)


def _drain(pipe: IO[str], said: "deque[str]") -> None:
    # The pipe is closed under the reader when the desk is stopped.
    with contextlib.suppress(ValueError, OSError):
        said.extend(pipe)


class Visitor:
    """A customer who speaks HTTP to a real desk."""

    def __init__(self, desk: DeskProcess) -> None:
        self.url = f"{desk.url}/api/v1/conversations/"
        self.token = ""
        _, started = self.call("")
        self.url += started["id"] + "/"
        self.token = started["token"]

    def call(self, path: str, body: dict[str, Any] | None = None, method: str = "POST") -> tuple[int, dict[str, Any]]:
        request = urllib.request.Request(
            self.url + path,
            data=json.dumps(body or {}).encode() if method == "POST" else None,
            method=method,
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=40) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        events = self.call("events/?after=0", method="GET")[1]["events"]
        return [event for event in events if kind in ("", event["kind"])]

    def wait_for(self, kind: str, count: int = 1, seconds: float = 15.0) -> list[dict[str, Any]]:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = self.events(kind)
            if len(found) >= count:
                return found
            time.sleep(0.1)
        raise AssertionError(f"no {kind} within {seconds} s: {self.events()}")
