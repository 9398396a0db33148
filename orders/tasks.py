"""What workers run."""

from celery import shared_task
from django.utils import timezone

from orders import executor, mail, reconciliation


@shared_task
def carry_out(*, effect_id: int) -> None:
    executor.carry_out(effect_id=effect_id)


@shared_task
def reconcile() -> None:
    reconciliation.reconcile(now=timezone.now())


@shared_task
def send_mail(*, mail_id: int) -> None:
    mail.send(mail_id=mail_id)


@shared_task
def send_overdue_mail() -> None:
    mail.send_overdue(now=timezone.now())
