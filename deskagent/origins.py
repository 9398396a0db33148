"""Which pages may open sockets: compared with scheme, host and port, which the stock validator ignores."""

from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from django.http.request import validate_host

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


def allow_origins(application: Application) -> Application:
    """Refuse sockets from pages of other origins. A client without an Origin is no browser; the token guards it."""

    async def check(scope: dict[str, Any], receive: Any, send: Any) -> None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if is_allowed(headers.get(b"origin"), headers.get(b"host", "")):
            await application(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 4403})

    return check


def is_allowed(origin: str | None, host: str) -> bool:
    if origin is None:
        return True
    own = {settings.DESKAGENT_PUBLIC_URL, *settings.DESKAGENT_WIDGET_ORIGINS}
    if validate_host(host.rsplit(":", 1)[0], settings.ALLOWED_HOSTS):
        own.add(f"{'https' if settings.SECURE else 'http'}://{host}")
    return origin in own
