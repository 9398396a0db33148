"""Keeps every read and write of the vendor's client inside one deadline, which its own time-outs do not.

They bound a single read each, so a server that sends a byte now and then holds a worker for ever. Here each of them
gets what is left of the whole call's time, headers and TLS included.
"""

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore2
import httpx2

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def within(deadline: float) -> Iterator[None]:
    """What this thread sends and receives ends by then (`time.monotonic()`), or raises a time-out."""
    token = _deadline.set(deadline)
    try:
        yield
    finally:
        _deadline.reset(token)


def bound(client: httpx2.Client) -> httpx2.Client:
    """Put the deadline below a client, and below the proxies it took from the environment."""
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx2.HTTPTransport):
            # No public way leads to the sockets of a client that also honours proxies; versions are locked, and the
            # tests with trickling servers fail where this no longer reaches them.
            pool: Any = transport._pool
            pool._network_backend = _Backend(pool._network_backend)
    return client


def _left(timeout: float | None, late: type[httpcore2.TimeoutException]) -> float | None:
    deadline = _deadline.get()
    if deadline is None:
        return timeout
    left = deadline - time.monotonic()
    if left <= 0:
        raise late("the call's deadline has passed")
    return left if timeout is None else min(timeout, left)


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, inner: httpcore2.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        left = _left(timeout, httpcore2.ConnectTimeout)
        return _Stream(self._inner.connect_tcp(host, port, left, local_address, socket_options))

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._inner.connect_unix_socket(path, _left(timeout, httpcore2.ConnectTimeout), socket_options))

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = _left(timeout, httpcore2.ConnectTimeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
