"""The product's Celery app with the model replaced, for workers that only measure or test."""

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from celery import Celery
from celery.exceptions import CeleryWarning

# Imported for its place only: once it is there, what is made here is the current app.
from deskagent.celery import app as product

if TYPE_CHECKING:
    from conversations.agent.protocol import Model

__all__ = ["make_app", "product"]


def make_app(build_model: "Callable[[], Model]") -> Celery:
    """An app whose turns ask a model of their own; `build_model` runs with each turn, when models may be imported."""
    app = Celery("deskagent")
    app.config_from_object("django.conf:settings", namespace="CELERY")
    app.autodiscover_tasks()

    # Registered at once, so that the product's task of the same name finds its place taken, of which Celery would warn.
    warnings.filterwarnings("ignore", category=CeleryWarning)

    @app.task(name="conversations.tasks.run_turn", lazy=False)
    def run_turn(*, turn_id: int) -> None:
        from conversations import connections
        from conversations.agent import turn

        with connections.working():
            turn.run(turn_id=turn_id, model=build_model())

    return app
