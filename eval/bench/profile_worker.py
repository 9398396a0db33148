"""`celery -A eval.bench.profile_worker worker`: a worker with the waits of a slow day."""

from typing import TYPE_CHECKING

from eval.workers.replacing import make_app

if TYPE_CHECKING:
    from conversations.agent.protocol import Model


def build_model() -> "Model":
    # Models are there only once the worker has set Django up.
    from eval.bench.scripted import PROFILE, ScriptedModel

    return ScriptedModel(*PROFILE)


app = make_app(build_model)
