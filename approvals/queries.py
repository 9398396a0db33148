"""The staff queue and the open request of a conversation."""

from typing import assert_never
from uuid import UUID

from django.db.models import QuerySet

from approvals import answers
from approvals.models import MOVES, ActionRequest, CustomerSession, State
from audit.statements import Rows, Slot
from orders.models import Effect, Refund
from orders.queries import describe_refunds

_CONVERSATION = Slot("conversation", CustomerSession._meta.get_field("conversation"))
_SESSION = Rows(lambda: CustomerSession.objects.select_related("customer").filter(conversation=_CONVERSATION))
_OPEN = Rows(lambda: ActionRequest.objects.filter(session__conversation=_CONVERSATION, state__in=list(MOVES)))
_REQUEST = Rows(
    lambda: ActionRequest.objects.select_related("session__customer", "effect", "decided_by").filter(
        pk=Slot("request_id", ActionRequest._meta.pk)
    )
)


def get_session(*, conversation: UUID) -> CustomerSession:
    return _SESSION.get(conversation=conversation)


def find_open_request(*, conversation: UUID) -> ActionRequest | None:
    """The card or the waiting request of a conversation; a waiting one first, as it holds the chat."""
    return min(list_open_requests(conversation=conversation), key=_urgency, default=None)


def list_open_requests(*, conversation: UUID) -> list[ActionRequest]:
    return _OPEN.list(conversation=conversation)


def get_request(*, request_id: UUID) -> ActionRequest:
    return _REQUEST.get(request_id=request_id)


def get_correction(request: ActionRequest) -> ActionRequest:
    """The request that stands in for a withdrawn one."""
    return ActionRequest.objects.select_related("session__customer", "effect", "decided_by").get(corrects=request)


def get_result(request: ActionRequest) -> str:
    """What the model is told of an ended request; of a remote payment, what is known of it now."""
    effect = request.effect
    if effect is None:
        return request.result
    title = request.card["title"]
    match Effect.State(effect.state):
        case Effect.State.DONE:
            return str(effect.result)
        case Effect.State.FAILED:
            return answers.not_paid(title, describe_refunds(effect, Refund.State.FAILED))
        case Effect.State.CLAIMED | Effect.State.UNKNOWN:
            return answers.processing(title, describe_refunds(effect))
        case never:
            assert_never(never)


def list_waiting() -> QuerySet[ActionRequest]:
    """Requests that a person has to decide, the longest waiting first."""
    return (
        ActionRequest.objects.filter(state=State.AWAITING_STAFF)
        .select_related("session__customer")
        .order_by("created_at")
    )


def find_same_done(request: ActionRequest) -> ActionRequest | None:
    """A later request of exactly the same action that was carried out: what staff did with a shadowed one."""
    later = ActionRequest.objects.filter(digest=request.digest, customer=request.customer, effect__isnull=False)
    return later.filter(created_at__gt=request.created_at).select_related("decided_by").first()


def is_left_to_do(request: ActionRequest) -> bool:
    """Whether a person still has to do what this shadowed request holds."""
    return request.state == State.SHADOWED and find_same_done(request) is None


def list_left_to_do(*, conversation: UUID) -> list[ActionRequest]:
    """The shadowed requests of a conversation that nobody has done yet, in the order in which they were agreed to."""
    shadowed = ActionRequest.objects.filter(session__conversation=conversation, state=State.SHADOWED)
    return [request for request in shadowed.order_by("created_at") if is_left_to_do(request)]


def _urgency(request: ActionRequest) -> int:
    return 0 if request.state == State.AWAITING_STAFF else 1
