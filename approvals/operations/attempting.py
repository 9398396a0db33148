"""Attempts to decide by a way that does not decide: recorded, whoever made them."""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction

from approvals.gathering import record_request
from approvals.models import ActionRequest
from approvals.operations.moving import lock_request
from approvals.sessions import lock_session

# A form can name any number of rows; nobody needs more entries than that to see what was tried.
MOST = 20


def record_attempt(*, request_ids: Iterable[UUID], actor: str, way: str) -> None:
    """An `approval_refused` for each of these requests that exists; nothing else changes."""
    for request_id in list(dict.fromkeys(request_ids))[:MOST]:
        conversation = (
            ActionRequest.objects.filter(pk=request_id).values_list("session__conversation", flat=True).first()
        )
        if conversation is None:
            continue
        with transaction.atomic():
            lock_session(conversation)
            request = lock_request(request_id)
            record_request("approval_refused", request, actor=actor, verdict="NotPermitted", facts={"way": way})
