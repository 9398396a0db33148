"""`celery -A eval.bench.worker worker`: a worker with the scripted model, for the benchmark."""

from typing import TYPE_CHECKING

from eval.workers.replacing import make_app

if TYPE_CHECKING:
    from conversations.agent.protocol import Model


def build_model() -> "Model":
    # Models are there only once the worker has set Django up.
    from eval.bench.scripted import WAIT_SECONDS, ScriptedModel

    return ScriptedModel(WAIT_SECONDS, WAIT_SECONDS)


app = make_app(build_model)
