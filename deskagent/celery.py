import logging
import os
import signal
import threading
from typing import TYPE_CHECKING

from celery import Celery
from celery.signals import beat_init, worker_process_shutdown, worker_ready, worker_shutdown

from deskagent.heap import spare_what_is_loaded

if TYPE_CHECKING:
    from celery.beat import Service

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deskagent.settings")

app = Celery("deskagent")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
logger = logging.getLogger(__name__)
_stopping = threading.Event()


@beat_init.connect
def stop_when_told(sender: "Service", **_: object) -> None:
    """Celery's beat ends by an exception out of the signal, which Python drops where the signal comes while an object
    is cleared away; then it went on for ever. The flag that its loop looks at ends it all the same."""

    def end(*_: object) -> None:
        sender.stop()
        sender.sync()
        raise SystemExit

    for told in (signal.SIGTERM, signal.SIGINT):
        signal.signal(told, end)


@worker_ready.connect
def watch_idle_money(**_: object) -> None:
    """A worker that nobody asks keeps none of the shop's money for the model: the next sweep may run in another."""
    threading.Thread(target=_return_idle_money, args=(_stopping,), name="purse", daemon=True).start()


@worker_ready.connect
def spare_the_heap(**_: object) -> None:
    from conversations import readings

    readings.prepare()
    readings.prepare_claims()
    spare_what_is_loaded()


@worker_process_shutdown.connect
@worker_shutdown.connect
def give_back_money(**_: object) -> None:
    """A worker that stops keeps none either."""
    from conversations.operations import purse

    _stopping.set()
    purse.give_back()


def _return_idle_money(stopping: threading.Event) -> None:
    from django.conf import settings
    from django.db import DatabaseError, connection

    from conversations.operations import purse

    while not stopping.wait(settings.DESKAGENT_SWEEP_SECONDS):
        try:
            purse.give_back_if_idle()
        except DatabaseError:
            # What was not given back counts as spent, which is on the safe side.
            logger.exception("idle money for the model could not be returned")
        finally:
            connection.close()
