import os

from celery import Celery
from celery.signals import worker_process_shutdown, worker_shutdown

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deskagent.settings")

app = Celery("deskagent")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_shutdown.connect
@worker_shutdown.connect
def give_back_money(**_: object) -> None:
    """A worker that stops keeps none of the shop's money for the model."""
    from conversations.operations import purse

    purse.give_back()
