"""The shop's cap over several worker processes, one of which is killed."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.conf import settings as desk_settings
from django.db import connections

from conversations.models import ModelCall
from conversations.operations import purse
from tests.conftest import ROOT
from tests.conversations.spending import CAPS, MOST, dollars, make_turn, spent

pytestmark = pytest.mark.usefixtures("desk")
PROCESSES, THREADS = 3, 6


@pytest.fixture(autouse=True)
def _own_purse() -> Iterator[None]:
    purse.forget()
    yield
    purse.forget()


def database_url() -> str:
    server = connections["default"].settings_dict
    if server["ENGINE"].endswith("sqlite3"):
        return f"sqlite:///{server['NAME']}"
    return f"postgres://{server['USER']}:{server['PASSWORD']}@{server['HOST']}:{server['PORT']}/{server['NAME']}"


def start(room: int) -> "subprocess.Popen[str]":
    caps = {variable: str(dollars(10**15)) for variable in CAPS.values()}
    own = {
        "DJANGO_SETTINGS_MODULE": "deskagent.settings",
        "DATABASE_URL": database_url(),
        "REDIS_URL": "",
        "DESKAGENT_AUDIT_KEY": desk_settings.DESKAGENT_AUDIT_KEY,
        **caps,
        # Half a call more than the room, so that the last billionth is not what decides.
        "DESKAGENT_SPEND_CAP_USD": str(dollars(room * MOST + MOST // 2)),
    }
    turns = [str(make_turn().pk) for _ in range(THREADS)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.conversations.spending_process", *turns],
        cwd=ROOT,
        env={**os.environ, **own},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def line_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def go_on(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.mark.parametrize("room", [10, 200])
def test_no_mix_of_processes_passes_the_cap_and_a_killed_one_keeps_what_it_took(room: int) -> None:
    """3 processes of 6 threads; the first is killed with its calls open and whatever its block still holds."""
    workers = [start(room) for _ in range(PROCESSES)]
    try:
        assert [line_of(worker) for worker in workers] == ["ready"] * PROCESSES
        for worker in workers:
            go_on(worker)
        reserved = [int(line_of(worker)) for worker in workers]
        workers[0].kill()
        for worker in workers[1:]:
            go_on(worker)
            assert worker.wait(timeout=30) == 0
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()
    # Each process stops at its own refusal, with less than one call in its block.
    assert room - PROCESSES < sum(reserved) <= room
    assert ModelCall.objects.filter(open=True, cost_nano=MOST).count() == sum(reserved)
    assert sum(reserved) * MOST <= spent("shop") < (room + 1) * MOST
    assert spent("total") == spent("shop")
