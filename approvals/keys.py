"""Digests and idempotency keys: made from what is asked, never from who asks or from a model's call id."""

import hashlib
import json
from uuid import UUID

from orders.changes import Plan
from policy.actions import Action


def _sha256(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def make_key(*, conversation: UUID, origin: int, action: Action) -> str:
    """One consent, one key: the conversation, the message that opened the turn, and the action's content."""
    return _sha256([str(conversation), origin, action.name, action.arguments()])


def make_corrected_key(*, corrects: str, action: Action) -> str:
    """Of the request that a corrected one stands in for: one correction, one key."""
    return _sha256(["corrected", corrects, action.name, action.arguments()])


def make_digest(*, action: Action, planned: Plan) -> str:
    """What a yes covers: the arguments and everything the card shows. One character more is another action."""
    return _sha256([action.name, action.arguments(), planned.fingerprint()])
