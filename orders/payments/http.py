"""A small REST gateway: `POST /refunds` with an idempotency key, `GET /refunds/{key}`, amounts in minor units.

Nothing it answers is believed unless it is exactly what was agreed: everything else means that it may have acted.
"""

import http.client
import json
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Literal
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from orders.payments.protocol import Answer, Declined, Description, Unreachable, require_no_transaction

LARGEST_ANSWER = 64 * 1024
KEY_LIFETIME = timedelta(hours=24)
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[\x21-\x7e]+$")]


@dataclass(frozen=True, kw_only=True)
class Patience:
    """Seconds to wait: for the connection, for the next bytes, and for all that follows the connection.

    Together shorter than the lease of a refund that is called for.
    """

    connect: float = 3
    read: float = 25
    whole: float = 25


class _Answered(BaseModel):
    """What a gateway says is a fact only in these types; fields that we do not know are none of our business."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class _RefundOut(_Answered):
    id: Name
    key: Name
    charge_id: Annotated[str, Field(max_length=80)]
    amount: int
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    status: Literal["done", "pending", "declined"]
    reason: str = ""


class _Refusal(_Answered):
    code: Literal["declined", "not_found"]
    key: Name
    detail: str = ""


class HttpGateway:
    """Speaks to the gateway at `url`; every call is one connection, without proxies and redirects."""

    description = Description(name="http", remote=True, keys=True, key_lifetime=KEY_LIFETIME, look_up=True)

    def __init__(self, url: str, patience: Patience | None = None) -> None:
        self._url = urlsplit(url)
        self._patience = patience or Patience()

    def refund(self, *, key: str, charge_id: str, amount: int, currency: str) -> Answer:
        body = {"key": key, "charge_id": charge_id, "amount": amount, "currency": currency}
        status, answer = self._send("POST", "/refunds", key, body)
        if status == 402:
            raise Declined(_read_refusal(answer, key, "declined").detail)
        if status not in (200, 201):
            raise Unreachable(f"answered with status {status}")
        return _read_refund(answer, key)

    def find(self, *, key: str) -> Answer | None:
        status, answer = self._send("GET", f"/refunds/{quote(key, safe='')}", key)
        if status == 404:
            # A proxy without a gateway behind it says 404 too, but not like this.
            _read_refusal(answer, key, "not_found")
            return None
        if status != 200:
            raise Unreachable(f"answered with status {status}")
        return _read_refund(answer, key)

    def _send(self, method: str, path: str, key: str, body: dict[str, object] | None = None) -> tuple[int, bytes]:
        require_no_transaction()
        try:
            return self._exchange(method, path, key, body)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Unreachable(f"{type(error).__name__}: {error}") from error

    def _exchange(self, method: str, path: str, key: str, body: dict[str, object] | None) -> tuple[int, bytes]:
        connection = self._open()
        content = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "application/json", "Content-Type": "application/json", "Idempotency-Key": key}
        try:
            connection.connect()
            connection.sock.settimeout(self._patience.read)
            # The library waits for each piece, and a gateway could send its answer in a thousand of them.
            watch = threading.Timer(self._patience.whole, _cut, [connection.sock])
            watch.daemon = True
            watch.start()
            try:
                connection.request(method, self._url.path.rstrip("/") + path, content, headers)
                response = connection.getresponse()
                answer = response.read(LARGEST_ANSWER + 1)
            finally:
                watch.cancel()
        finally:
            connection.close()
        if len(answer) > LARGEST_ANSWER:
            raise ValueError("the answer is too large")
        return response.status, answer

    def _open(self) -> http.client.HTTPConnection:
        secure = self._url.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        return kind(self._url.hostname or "", self._url.port, timeout=self._patience.connect)


def _cut(sock: socket.socket) -> None:
    # It may be closed already: the exchange ended in the same moment.
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _read_refund(content: bytes, key: str) -> Answer:
    try:
        found = _RefundOut.model_validate_json(content)
    except ValidationError as error:
        raise Unreachable(f"the answer is not a refund: {error.error_count()} faults") from None
    if found.key != key:
        raise Unreachable("the answer is about another refund")
    if found.status == "declined":
        raise Declined(found.reason)
    return Answer(
        gateway_id=found.id,
        key=found.key,
        charge_id=found.charge_id,
        amount=found.amount,
        currency=found.currency,
        settled=found.status == "done",
    )


def _read_refusal(content: bytes, key: str, code: str) -> _Refusal:
    try:
        found = _Refusal.model_validate_json(content)
    except ValidationError:
        raise Unreachable("the refusal is not one of this gateway") from None
    if (found.key, found.code) != (key, code):
        raise Unreachable("the refusal is about something else")
    return found
