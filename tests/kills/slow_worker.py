"""`celery -A tests.kills.slow_worker worker`: a worker whose model takes as long as `SLOW_SECONDS` says."""

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from eval.workers.replacing import make_app
from tests.kills.parking import obey

if TYPE_CHECKING:
    from conversations.agent.protocol import ModelReply, ModelRequest


class SlowModel:
    """The offline model, after a while."""

    name = "offline"

    def stream(self, request: "ModelRequest", on_text: "Callable[[str], None]") -> "ModelReply":
        from conversations.agent import llm

        time.sleep(float(os.environ["SLOW_SECONDS"]))
        return llm.get_model().stream(request, on_text)


app = make_app(SlowModel)

obey("worker")
