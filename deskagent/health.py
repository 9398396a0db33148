"""Probes for whoever runs the desk: is it alive, could it work, and what is it doing.

A container asks by address, over plain http and under no host name of ours, so these paths are answered before the
middleware that checks hosts and redirects to https.
"""

import asyncio
import hmac
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from inspect import iscoroutinefunction
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.decorators import sync_and_async_middleware
from kombu.exceptions import OperationalError
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from redis.exceptions import RedisError

from audit.queries import find_hindrance
from conversations.connections import give_back
from deskagent.checks import is_loopback
from deskagent.metrics import render

READY_SECONDS = 1.8
FAULTS = (DatabaseError, OperationalError, RedisError, OSError)


@sync_and_async_middleware
def probes(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answer the probes; everything else goes on to the desk."""

    async def answer_later(request: HttpRequest) -> Any:
        answer = PROBES.get(request.path_info)
        return await answer(request) if answer else await get_response(request)

    def answer_now(request: HttpRequest) -> Any:
        answer = PROBES.get(request.path_info)
        return async_to_sync(answer)(request) if answer else get_response(request)

    return answer_later if iscoroutinefunction(get_response) else answer_now


async def show_life(request: HttpRequest) -> HttpResponse:
    """200 for as long as the process answers at all: nothing else is looked at."""
    return JsonResponse({"status": "ok"})


async def show_readiness(request: HttpRequest) -> HttpResponse:
    """200 where all parts answer, else 503 with what each said; within two seconds either way."""
    found = await asyncio.to_thread(READINESS.ask)
    ready = not any(found.values())
    parts = {part: fault or "ok" for part, fault in found.items()}
    return JsonResponse({"status": "ok" if ready else "unavailable", "parts": parts}, status=200 if ready else 503)


async def show_metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus text, for who may read what the shop does."""
    if not may_read_metrics(request):
        detail = "Send DESKAGENT_METRICS_TOKEN as Authorization: Bearer."
        return JsonResponse({"code": "forbidden", "detail": detail}, status=403)
    try:
        text = await sync_to_async(_render)()
    except DatabaseError as error:
        return JsonResponse({"code": "unavailable", "detail": type(error).__name__}, status=503)
    return HttpResponse(text, content_type=CONTENT_TYPE_PLAIN_0_0_4)


PROBES = {"/healthz": show_life, "/readyz": show_readiness, "/metrics": show_metrics}


def may_read_metrics(request: HttpRequest) -> bool:
    """With a token whoever sends it; without one this machine, while the desk is not open to others.

    A proxy in front makes every visitor look local, and need not say so: an open desk, by its address or by the hosts
    it answers to, always wants the token.
    """
    if settings.DESKAGENT_METRICS_TOKEN:
        sent = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
        return hmac.compare_digest(sent, f"Bearer {settings.DESKAGENT_METRICS_TOKEN}".encode())
    closed = is_loopback(settings.PUBLIC_HOST) and all(is_loopback(host) for host in settings.ALLOWED_HOSTS)
    return closed and is_loopback(request.META.get("REMOTE_ADDR", "")) and "X-Forwarded-For" not in request.headers


class Readiness:
    """Asks the parts side by side; one that hangs is reported, and not asked again before it has answered."""

    def __init__(self, parts: dict[str, Callable[[], str]], *, seconds: float) -> None:
        self._parts = parts
        self._seconds = seconds
        self._pool = ThreadPoolExecutor(len(parts), thread_name_prefix="ready")
        self._asked: dict[str, Future[str]] = {}

    def ask(self) -> dict[str, str]:
        """Each part's fault, or nothing where it is well."""
        until = time.monotonic() + self._seconds
        for part, look in self._parts.items():
            if part not in self._asked or self._asked[part].done():
                self._asked[part] = self._pool.submit(look)
        return {part: self._wait(self._asked[part], until) for part in self._parts}

    def _wait(self, asked: "Future[str]", until: float) -> str:
        try:
            return asked.result(timeout=max(0.0, until - time.monotonic()))
        except TimeoutError:
            return f"no answer within {self._seconds} s"
        except FAULTS as error:
            # The kind alone: a message may name hosts, users and passwords, and this page is open.
            return type(error).__name__


def _look_at_database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        connection.close()
    return ""


def _look_at_audit() -> str:
    try:
        return find_hindrance()
    finally:
        connection.close()


def _look_at_broker() -> str:
    with current_app.connection_for_write() as broker:
        broker.ensure_connection(max_retries=1, timeout=1)
    return ""


def _look_at_cache() -> str:
    """Sockets and limits use the same Redis as the cache."""
    cache.get("readyz")
    return ""


def _render() -> bytes:
    try:
        return render()
    finally:
        give_back()


READINESS = Readiness(
    {
        "database": _look_at_database,
        "audit": _look_at_audit,
        "broker": _look_at_broker,
        "cache": _look_at_cache,
    },
    seconds=READY_SECONDS,
)
