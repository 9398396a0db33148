"""A real desk in processes of its own, as `make run` starts it: fresh database, demo shop, free port."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

PASSWORD = "a long pass phrase"


class DeskProcess:
    """`start` returns once the desk says that it is ready; `stop` ends it the way Ctrl+C does."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("DESKAGENT_", "ANTHROPIC_"))},
            "DATABASE_URL": f"sqlite:///{folder / 'desk.sqlite3'}",
            "DESKAGENT_PORT": str(self.port),
            "DESKAGENT_MODEL": "offline",
            "DESKAGENT_SWEEP_SECONDS": "1",
            "SECRET_KEY": "k" * 50,
            "DESKAGENT_AUDIT_KEY": "a" * 50,
            "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
            "PYTHONUNBUFFERED": "1",
        }
        self.process: subprocess.Popen[str] | None = None

    def prepare(self) -> "DeskProcess":
        self.manage("migrate", "--verbosity", "0")
        self.manage("load_store", "orders/demo")
        self.manage("createsuperuser", "--noinput", "--username", "bob", "--email", "bob@example.com")
        return self

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> "DeskProcess":
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "rundesk"],
            cwd=ROOT,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line)
            if "is ready" in line:
                return self
        self.process.wait(timeout=20)
        self.process.stdout.close()
        raise AssertionError("the desk did not start: " + "".join(said))

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is None:
            return
        self.process.send_signal(how)
        self.process.wait(timeout=20)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None


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
