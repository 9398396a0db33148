"""What workers run."""

from celery import shared_task
from django.utils import timezone

from orders import executor, reconciliation


@shared_task
def carry_out(*, effect_id: int) -> None:
    executor.carry_out(effect_id=effect_id)


@shared_task
def reconcile() -> None:
    reconciliation.reconcile(now=timezone.now())
