"""`celery -A eval.workers.app worker`: a worker whose model only waits, for measuring ways to run one."""

from typing import TYPE_CHECKING

from eval.workers.replacing import make_app

if TYPE_CHECKING:
    from conversations.agent.protocol import Model


def build_model() -> "Model":
    # Models are there only once the worker has set Django up.
    from eval.workers.waiting import WaitingModel

    return WaitingModel()


app = make_app(build_model)
