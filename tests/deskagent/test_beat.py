"""Beat ends when it is told to, whatever Python does in that moment."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.process import DeskProcess

# The signal comes while an object is cleared away, where Python drops every exception.
BEAT = """
import os, signal, sys
import deskagent.celery
from celery import beat

class Leaving:
    def __del__(self):
        os.kill(os.getpid(), signal.{name})

class Ticking(beat.Scheduler):
    ticks = 0
    def tick(self):
        self.ticks += 1
        if self.ticks == 2:
            Leaving()
        if self.ticks > 40:
            os._exit(3)
        return 0.02

from celery.apps.beat import Beat
Beat(app=deskagent.celery.app, scheduler_cls=Ticking, quiet=True).run()
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_beat_ends_though_its_exception_is_dropped(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    env = DeskProcess(tmp_path_factory.mktemp("desk")).env
    done = subprocess.run(
        [sys.executable, "-c", BEAT.format(name=name)],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Exception ignored" in done.stderr
    assert done.returncode == 0, done.stderr
