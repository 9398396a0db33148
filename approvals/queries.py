"""The staff queue and the open request of a conversation."""

from uuid import UUID

from django.db.models import QuerySet

from approvals.models import MOVES, ActionRequest, CustomerSession, State


def get_session(*, conversation: UUID) -> CustomerSession:
    return CustomerSession.objects.select_related("customer").get(conversation=conversation)


def find_open_request(*, conversation: UUID) -> ActionRequest | None:
    """The card or the waiting request of a conversation; a waiting one first, as it holds the chat."""
    waiting = ActionRequest.objects.filter(session__conversation=conversation, state__in=list(MOVES))
    return min(waiting, key=_urgency, default=None)


def get_request(*, request_id: UUID) -> ActionRequest:
    return ActionRequest.objects.select_related("session__customer", "effect", "decided_by").get(pk=request_id)


def list_waiting() -> QuerySet[ActionRequest]:
    """Requests that a person has to decide, the longest waiting first."""
    return (
        ActionRequest.objects.filter(state=State.AWAITING_STAFF)
        .select_related("session__customer")
        .order_by("created_at")
    )


def _urgency(request: ActionRequest) -> int:
    return 0 if request.state == State.AWAITING_STAFF else 1
