"""Telling a worker that money waits to be moved. The row is the to-do: a lost nudge costs a sweep period."""

from celery import current_app
from django.db import transaction

CARRY_OUT = "orders.tasks.carry_out"
RECONCILE = "orders.tasks.reconcile"
SEND_MAIL = "orders.tasks.send_mail"
SEND_OVERDUE_MAIL = "orders.tasks.send_overdue_mail"


def carry_out(effect_id: int) -> None:
    """Send the task once this transaction is committed; where the broker is away, reconciliation finds the row."""
    transaction.on_commit(lambda: current_app.send_task(CARRY_OUT, kwargs={"effect_id": effect_id}), robust=True)


def reconcile() -> None:
    """Let a worker do a pass: a slow gateway must not hold up whoever keeps the time."""
    current_app.send_task(RECONCILE)


def send_mail(mail_id: int) -> None:
    transaction.on_commit(lambda: current_app.send_task(SEND_MAIL, kwargs={"mail_id": mail_id}), robust=True)


def send_overdue_mail() -> None:
    """Let a worker do a pass: a mail server that hangs must not hold up whoever keeps the time."""
    current_app.send_task(SEND_OVERDUE_MAIL)
