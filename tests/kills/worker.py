"""`celery -A tests.kills.worker worker`: the product's worker, which stands still at a crash point."""

from deskagent.celery import app
from tests.kills.parking import park_at_point

__all__ = ["app"]

park_at_point()
