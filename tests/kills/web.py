"""`daphne tests.kills.web:application`: the product's web server, which stands still at a crash point."""

from deskagent.asgi import application
from tests.kills.parking import park_at_point

__all__ = ["application"]

park_at_point()
