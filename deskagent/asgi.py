import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deskagent.settings")

from django.core.asgi import get_asgi_application

# First: it sets Django up, which the modules below need.
http = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter

from conversations import readings
from conversations.routing import urlpatterns
from deskagent.checks import refuse_to_start
from deskagent.heap import spare_what_is_loaded
from deskagent.origins import allow_origins

refuse_to_start()
application = ProtocolTypeRouter({"http": http, "websocket": allow_origins(URLRouter(urlpatterns))})
readings.prepare()
spare_what_is_loaded()
