"""The product's Celery app with the scripted model: `celery -A eval.bench.worker worker` for measuring only."""

from celery import Celery

from deskagent.celery import app as product

app = Celery("deskagent")
app.config_from_object("django.conf:settings", namespace="CELERY")


# Registered at once, so that the product's task of the same name finds its place taken.
@app.task(name="conversations.tasks.run_turn", lazy=False)
def run_turn(*, turn_id: int) -> None:
    # Models are there only once the worker has set Django up.
    from conversations.agent import turn
    from eval.bench.scripted import WAIT_SECONDS, ScriptedModel

    turn.run(turn_id=turn_id, model=ScriptedModel(WAIT_SECONDS))


__all__ = ["app", "product"]
