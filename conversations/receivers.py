"""News from the gate, after its commit. A fault here delays the telling; it cannot undo what was decided."""

from typing import Any
from uuid import UUID

from approvals.signals import request_moved
from conversations import operations


def connect() -> None:
    request_moved.connect(tell_the_chat, dispatch_uid="conversations.tell_the_chat")


def tell_the_chat(*, request_id: UUID, **_: Any) -> None:
    operations.tell_request(request_id=request_id)
