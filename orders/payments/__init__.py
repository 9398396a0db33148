"""Where refunds go: the shop's own books, or a remote gateway. Only the executor and reconciliation call it."""

from collections.abc import Callable

from django.conf import settings

from orders.payments.http import HttpGateway
from orders.payments.ledger import LedgerGateway
from orders.payments.protocol import Answer, Declined, Description, PaymentGateway, Unreachable

__all__ = ["ADAPTERS", "Answer", "Declined", "Description", "PaymentGateway", "Unreachable", "get_gateway"]

ADAPTERS: dict[str, Callable[[], PaymentGateway]] = {
    "ledger": LedgerGateway,
    "http": lambda: HttpGateway(settings.DESKAGENT_GATEWAY_URL),
}


def get_gateway() -> PaymentGateway:
    """The gateway of the settings."""
    return ADAPTERS[settings.DESKAGENT_GATEWAY]()
