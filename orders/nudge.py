"""Telling a worker that money waits to be moved. The row is the to-do: a lost nudge costs a sweep period."""

from celery import current_app
from django.db import transaction

CARRY_OUT = "orders.tasks.carry_out"
RECONCILE = "orders.tasks.reconcile"


def carry_out(effect_id: int) -> None:
    """Send the task once this transaction is committed; where the broker is away, reconciliation finds the row."""
    transaction.on_commit(lambda: current_app.send_task(CARRY_OUT, kwargs={"effect_id": effect_id}), robust=True)


def reconcile() -> None:
    """Let a worker do a pass: a slow gateway must not hold up whoever keeps the time."""
    current_app.send_task(RECONCILE)
