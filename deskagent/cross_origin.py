"""Lets the pages named in `DESKAGENT_WIDGET_ORIGINS` call the customers' API; cookies and staff calls stay out."""

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import sync_and_async_middleware

CUSTOMER_API = "/api/v1/conversations/"
ANSWER = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Max-Age": "600",
}


@sync_and_async_middleware
def widget_origins(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answer a listed origin's preflight, and name it on what it reads. Every other origin gets no such header."""

    def name_origin(request: HttpRequest, response: Any) -> Any:
        if request.path_info.startswith(CUSTOMER_API):
            response.headers["Vary"] = "Origin"
            if request.headers.get("Origin") in settings.DESKAGENT_WIDGET_ORIGINS:
                response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
                response.headers["Access-Control-Expose-Headers"] = "Retry-After"
        return response

    def answer_preflight(request: HttpRequest) -> HttpResponse | None:
        listed = request.headers.get("Origin") in settings.DESKAGENT_WIDGET_ORIGINS
        asks = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        if listed and asks and request.path_info.startswith(CUSTOMER_API):
            return HttpResponse(status=204, headers=ANSWER)
        return None

    async def answer_later(request: HttpRequest) -> Any:
        return name_origin(request, answer_preflight(request) or await get_response(request))

    def answer(request: HttpRequest) -> Any:
        return name_origin(request, answer_preflight(request) or get_response(request))

    return answer_later if iscoroutinefunction(get_response) else answer
