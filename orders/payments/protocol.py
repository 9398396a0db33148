"""What the desk asks of a payment gateway, and what it may answer."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from django.db import connection


class Declined(Exception):
    """The gateway refused for good. Nothing moved, and the same key will not move it; the message is its reason."""


class Unreachable(Exception):
    """The gateway may or may not have acted. Settle later; do not send a new key."""


@dataclass(frozen=True, kw_only=True)
class Description:
    """What a gateway promises; what it does not promise, code does not rely on."""

    name: str
    # False: the shop's own books, which need no call.
    remote: bool
    # A second call with the same key, this long after the first, acts at most once.
    keys: bool
    key_lifetime: timedelta
    # A refund is found by our key, however old the key is.
    look_up: bool


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One refund as the gateway has it. Amounts in minor units; compare them with what was asked."""

    gateway_id: str
    key: str
    charge_id: str
    amount: int
    currency: str
    # False: accepted, and not through yet.
    settled: bool


class PaymentGateway(Protocol):
    """Every implementation raises `Declined`, `Unreachable` and nothing else for whatever goes wrong on the way."""

    @property
    def description(self) -> Description: ...

    def refund(self, *, key: str, charge_id: str, amount: int, currency: str) -> Answer:
        """Give back `amount` minor units of a charge, once for a key. Never inside a transaction."""
        ...

    def find(self, *, key: str) -> Answer | None:
        """The refund made under a key; None only where the gateway says that there is none."""
        ...


def require_no_transaction() -> None:
    """A call inside a transaction could move money whose record is rolled back afterwards."""
    if connection.in_atomic_block:
        raise RuntimeError("the payment gateway must not be called inside a database transaction")
