"""Middleware of every page: the content security policy, and the desk's own static files.

Both run as coroutines too: one middleware that cannot would make every waiting long-poll hold a thread.
"""

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from whitenoise.middleware import WhiteNoiseMiddleware

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# One function serves both kinds of handler; which one it got is known only at run time.
Handler = Callable[[HttpRequest], Any]


@sync_and_async_middleware
def content_security_policy(get_response: Handler) -> Handler:
    """Only files of this origin, nothing inline, no frames."""

    def protect(response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    async def answer_later(request: HttpRequest) -> HttpResponseBase:
        return protect(await get_response(request))

    def answer(request: HttpRequest) -> HttpResponseBase:
        return protect(get_response(request))

    return answer_later if iscoroutinefunction(get_response) else answer


@sync_and_async_middleware
def static_files(get_response: Handler) -> Handler:
    """Whitenoise for paths below `STATIC_URL`, everything else straight on."""
    files = WhiteNoiseMiddleware(lambda _: HttpResponseNotFound())

    def find_file(request: HttpRequest) -> Any:
        found: Any = files(request)
        if not found.streaming:
            return found
        # Read at once: the files are small, and a synchronous stream is served slowly by an asynchronous server.
        whole = HttpResponse(b"".join(found.streaming_content), status=found.status_code)
        for name, value in found.items():
            whole.headers[name] = value
        found.close()
        return whole

    async def answer_later(request: HttpRequest) -> Any:
        if request.path_info.startswith(settings.STATIC_URL):
            return await sync_to_async(find_file)(request)
        return await get_response(request)

    def answer(request: HttpRequest) -> Any:
        if request.path_info.startswith(settings.STATIC_URL):
            return find_file(request)
        return get_response(request)

    return answer_later if iscoroutinefunction(get_response) else answer
