"""The embedded profile's sweeper does all of its work, whatever a part of it meets."""

import threading
from pathlib import Path
from typing import Any

import pytest
from celery.signals import before_task_publish
from pytest_django.fixtures import Settings

from deskagent import embedded
from orders.nudge import RECONCILE


class OnePass(threading.Event):
    """Stops the sweeper after its first pass, without waiting."""

    passes = 0

    def wait(self, timeout: float | None = None) -> bool:
        self.passes += 1
        return self.passes > 1


@pytest.mark.usefixtures("desk")
def test_an_anchor_file_that_cannot_be_written_stops_no_reconciliation(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "no_folder").touch()
    settings.DESKAGENT_ANCHOR_FILE = str(tmp_path / "no_folder" / "anchors.jsonl")
    assert RECONCILE in sweep_once()


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(("seconds", "is_sent"), [(0, True), (3600, False)])
def test_the_books_are_judged_when_their_time_has_come(settings: Settings, seconds: int, is_sent: bool) -> None:
    settings.DESKAGENT_BOOKS_SECONDS = seconds
    assert (embedded.JUDGE_BOOKS in sweep_once()) is is_sent


def sweep_once() -> list[str]:
    """The names of the tasks that one pass sends."""
    sent: list[str] = []

    def note(sender: str, **_: Any) -> None:
        sent.append(sender)

    before_task_publish.connect(note)
    try:
        embedded._sweep_until(OnePass())
    finally:
        before_task_publish.disconnect(note)
    return sent
