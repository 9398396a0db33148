"""What goes up: `request_moved(request_id, state)`, sent on commit. A sweep finds the same rows when it is lost."""

from uuid import UUID

from django.db import transaction
from django.dispatch import Signal

request_moved = Signal()


def announce(request_id: UUID, state: str) -> None:
    transaction.on_commit(lambda: request_moved.send_robust(sender=None, request_id=request_id, state=state))
