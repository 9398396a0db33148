"""News from the gate and the payments, after their commit. A fault here delays the telling; it undoes nothing."""

from typing import Any
from uuid import UUID

from approvals.signals import request_moved
from conversations import operations
from orders.signals import effect_settled


def connect() -> None:
    request_moved.connect(tell_the_chat, dispatch_uid="conversations.tell_the_chat")
    effect_settled.connect(tell_the_customer, dispatch_uid="conversations.tell_the_customer")


def tell_the_chat(*, request_id: UUID, **_: Any) -> None:
    operations.tell_request(request_id=request_id)


def tell_the_customer(*, effect_id: int, **_: Any) -> None:
    operations.tell_effect(effect_id=effect_id)
