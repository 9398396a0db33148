"""Errors of the HTTP API: always `{"code", "detail"}`, in words the caller can act on."""

from typing import Any

from django.core.exceptions import RequestDataTooBig
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

CODES = {
    exceptions.NotFound: "not_found",
    exceptions.PermissionDenied: "forbidden",
    exceptions.NotAuthenticated: "forbidden",
    exceptions.AuthenticationFailed: "forbidden",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.UnsupportedMediaType: "invalid",
    exceptions.ParseError: "invalid",
    exceptions.ValidationError: "invalid",
}


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's answer rewritten to the desk's form; None lets an unknown error become a 500."""
    if isinstance(error, RequestDataTooBig):
        return Response({"code": "too_long", "detail": "This is more than a message may hold."}, status=413)
    response = exception_handler(error, context)
    if response is None or not isinstance(error, exceptions.APIException):
        if response is not None:
            response.data = {"code": "not_found" if response.status_code == 404 else "forbidden", "detail": str(error)}
        return response
    code = CODES.get(type(error)) or str(error.get_codes())
    response.data = {"code": code, "detail": _in_words(error.detail)}
    return response


def _in_words(detail: Any) -> str:
    if isinstance(detail, dict):
        return " ".join(f"{_in_words(name)}: {_in_words(item)}" for name, item in detail.items())
    if isinstance(detail, list):
        return " ".join(_in_words(item) for item in detail)
    # What was sent comes back in some messages, half characters too, which no answer could hold.
    return str(detail).encode("utf-8", "replace").decode()
