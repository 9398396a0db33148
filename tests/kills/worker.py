"""`celery -A tests.kills.worker worker`: the product's worker, which stands still at an armed crash point.

A task that nobody took is handed out again after five seconds, where production waits an hour.
"""

from deskagent.celery import app
from tests.kills.parking import obey

__all__ = ["app"]

app.conf.broker_transport_options = {**app.conf.broker_transport_options, "visibility_timeout": 5}
obey("worker")
