"""Attempts to decide by a door that does not open: noted at the edge, before the answer says no."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path

from approvals import operations
from approvals.addresses import address_of_request
from approvals.limits import MESSAGES_ADDRESS, SlowDown, take
from approvals.sessions import VISITOR

ROW = re.compile(r"form-[0-9]{1,6}-id")


def note_attempt(request: HttpRequest, request_ids: Iterable[UUID], *, way: str) -> None:
    """Into the audit log; for strangers only as often as they may write at all."""
    user = request.user
    if not isinstance(user, User):
        with suppress(SlowDown):
            take((MESSAGES_ADDRESS, address_of_request(request)))
            operations.record_attempt(request_ids=request_ids, actor=VISITOR, way=way)
        return
    name = f"{'staff' if user.is_staff else 'user'}:{user.get_username()}"
    operations.record_attempt(request_ids=request_ids, actor=name, way=way)


def list_named(request: HttpRequest) -> list[UUID]:
    """The rows that a form sent to a list names, by their boxes or by their lines."""
    named = [*request.POST.getlist("_selected_action")]
    named += [value for name, value in request.POST.items() if ROW.fullmatch(name) and isinstance(value, str)]
    found = []
    for text in named:
        with suppress(ValueError):
            found.append(UUID(text))
    return found


def watch(button: URLPattern) -> URLPattern:
    """A button's address that also notes who pressed it without being staff; the rest is the operation's to note."""
    inner: Callable[..., HttpResponse] = button.callback

    def watched(request: HttpRequest, request_id: UUID, **rest: Any) -> HttpResponse:
        user = request.user
        if request.method == "POST" and not (user.is_active and user.is_staff):
            note_attempt(request, [request_id], way="custom URL")
        return inner(request, request_id, **rest)

    return path(str(button.pattern), watched, name=button.name)
