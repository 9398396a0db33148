"""`celery -A tests.kills.slow_worker worker`: a worker whose model takes as long as `SLOW_SECONDS` says."""

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from celery import Celery

from deskagent.celery import app as product
from tests.kills.parking import obey

if TYPE_CHECKING:
    from conversations.agent.protocol import ModelReply, ModelRequest

app = Celery("deskagent")
app.config_from_object("django.conf:settings", namespace="CELERY")


class SlowModel:
    """The offline model, after a while."""

    name = "offline"

    def stream(self, request: "ModelRequest", on_text: "Callable[[str], None]") -> "ModelReply":
        from conversations.agent import llm

        time.sleep(float(os.environ["SLOW_SECONDS"]))
        return llm.get_model().stream(request, on_text)


# Registered at once, so that the product's task of the same name finds its place taken.
@app.task(name="conversations.tasks.run_turn", lazy=False)
def run_turn(*, turn_id: int) -> None:
    from conversations.agent import turn

    turn.run(turn_id=turn_id, model=SlowModel())


__all__ = ["app", "product"]

obey("worker")
