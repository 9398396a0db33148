"""News of payments, after their commit: whether an action may go on by itself."""

from typing import Any

from approvals import demotion
from orders.signals import effect_settled


def connect() -> None:
    effect_settled.connect(watch_the_effect, dispatch_uid="approvals.watch_the_effect")


def watch_the_effect(*, effect_id: int, **_: Any) -> None:
    demotion.watch_effect(effect_id=effect_id)
