"""A desk's database with the demo shop in it, made once a run and copied for each desk.

The three commands that make it take longer than most tests. A desk with another environment gets one of its own.
"""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from tests.conftest import ROOT

COMMANDS = (
    ("migrate", "--verbosity", "0"),
    ("load_store", "orders/demo"),
    ("createsuperuser", "--noinput", "--username", "bob", "--email", "bob@example.com"),
)
# What every desk has for itself, and what no row of these commands comes from.
OF_ONE_DESK = frozenset({"DESKAGENT_PORT", "DATABASE_URL", "REDIS_URL"})
WRITES = re.compile(r"DESKAGENT_|DJANGO_|SECRET_KEY$")
RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid4().hex


def manage(env: Mapping[str, str], *arguments: str) -> str:
    """What a command of the desk printed; one that fails is a failed test."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def name_of(env: Mapping[str, str]) -> str:
    """Of the database that desks with this environment share as their beginning, in this run of the tests."""
    told = {name: value for name, value in env.items() if WRITES.match(name) and name not in OF_ONE_DESK}
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
    return f"prepared_{RUN[:8]}_{digest[:8]}"


def write(env: Mapping[str, str], url: str) -> None:
    for command in COMMANDS:
        manage({**env, "DATABASE_URL": url}, *command)


@contextmanager
def alone(name: str, folder: Path) -> Iterator[Path]:
    """A folder that the workers of this run share, while none of the others is in here with the same name."""
    workers = [parent for parent in folder.parents if re.fullmatch(r"popen-gw\d+", parent.name)]
    root = workers[-1].parent if workers else folder.parent
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield root


def copy_file(env: Mapping[str, str], target: Path) -> None:
    """Put the prepared SQLite database where a desk has its own."""
    name = name_of(env)
    with alone(name, target.parent) as root:
        made = root / f"{name}.sqlite3"
        if not made.exists():
            half = root / f"{name}.half"
            # One that a failed command left behind.
            half.unlink(missing_ok=True)
            write(env, f"sqlite:///{half}")
            # The last connection took the write-ahead log in; a copy without it would lack rows.
            assert not half.with_name(f"{half.name}-wal").exists()
            half.rename(made)
    shutil.copyfile(made, target)
