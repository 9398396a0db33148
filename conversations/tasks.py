"""What workers run."""

from celery import shared_task
from django.utils import timezone

from conversations import connections, operations
from conversations.agent import suggesting, turn


@shared_task
def run_turn(*, turn_id: int) -> None:
    with connections.working():
        turn.run(turn_id=turn_id)


@shared_task
def suggest(*, suggestion_id: int) -> None:
    with connections.working():
        suggesting.run(suggestion_id=suggestion_id)


@shared_task
def sweep() -> None:
    operations.sweep(now=timezone.now())
