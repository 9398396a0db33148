"""`daphne tests.kills.web:application`: the product's web server, which stands still at an armed crash point."""

from deskagent.asgi import application
from tests.kills.parking import obey

__all__ = ["application"]

obey("web")
