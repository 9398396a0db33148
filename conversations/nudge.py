"""Telling a worker that a row waits. The row is the to-do: a lost nudge costs a sweep period, nothing else."""

from celery import current_app
from django.db import transaction

from audit.crash_points import reach

RUN_TURN = "conversations.tasks.run_turn"
SUGGEST = "conversations.tasks.suggest"


def run_turn(turn_id: int) -> None:
    """Send the task once this transaction is committed; where the broker is away, the sweep finds the row."""
    transaction.on_commit(lambda: _send(turn_id), robust=True)


def _send(turn_id: int) -> None:
    current_app.send_task(RUN_TURN, kwargs={"turn_id": turn_id})
    reach("turn enqueued")


def suggest(suggestion_id: int) -> None:
    """The same for a draft that staff asked for."""
    transaction.on_commit(lambda: current_app.send_task(SUGGEST, kwargs={"suggestion_id": suggestion_id}), robust=True)
