"""The staff calls on requests: the queue and the decision. Django's session and CSRF token, as in the admin."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, cast
from uuid import UUID

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import APIException, NotFound, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals import operations
from approvals.authority import PERMISSION
from approvals.models import ActionRequest, State
from approvals.queries import list_waiting
from approvals.watching import note_attempt
from policy.money import major


class MayDecide(BasePermission):
    """Staff who may decide requests; everybody else gets 403."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user and request.user.is_active and request.user.is_staff)


class Conflict(APIException):
    status_code = 409
    default_code = "conflict"


class Unfit(APIException):
    status_code = 400
    default_code = "invalid"


class DecisionIn(serializers.Serializer[Any]):
    decision = serializers.ChoiceField(choices=["approve", "decline"])
    note = serializers.CharField(allow_blank=True, max_length=2_000, default="")


class CorrectionIn(serializers.Serializer[Any]):
    item_ids = serializers.ListField(child=serializers.CharField(max_length=40), min_length=1, max_length=50)
    note = serializers.CharField(allow_blank=True, max_length=2_000, default="")


class RequestOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    action = serializers.CharField()
    amount = serializers.CharField()
    currency = serializers.CharField()
    conversation = serializers.UUIDField()
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class StaffView(APIView):
    authentication_classes = [SessionAuthentication]
    permission_classes = [MayDecide]


class DecidingView(StaffView):
    """A call about one request: whoever is no staff is turned away and noted."""

    def permission_denied(self, request: Request, message: str | None = None, code: str | None = None) -> NoReturn:
        note_attempt(request._request, [self.kwargs["request_id"]], way="API")
        super().permission_denied(request, message, code)


class RequestList(StaffView):
    """Requests that wait for a person, the longest waiting first."""

    @extend_schema(responses=RequestOut(many=True))
    def get(self, request: Request) -> Response:
        if not request.user.has_perm(PERMISSION):
            raise PermissionDenied
        if request.query_params.get("state", State.AWAITING_STAFF) != State.AWAITING_STAFF:
            raise serializers.ValidationError("state must be awaiting_staff")
        return Response({"requests": [_as_json(row) for row in list_waiting()]})


class RequestDecision(DecidingView):
    """Approve or decline one waiting request: exactly one of many calls succeeds."""

    @extend_schema(request=DecisionIn, responses=RequestOut)
    def post(self, request: Request, request_id: UUID) -> Response:
        body = DecisionIn(data=request.data)
        body.is_valid(raise_exception=True)
        decide = operations.approve if body.validated_data["decision"] == "approve" else operations.decline
        with answering_refusals():
            # The permission class let no anonymous user through.
            decided = decide(request_id=request_id, staff=cast(User, request.user), note=body.validated_data["note"])
        return Response({"id": str(decided.pk), "state": decided.state})


class RequestCorrection(DecidingView):
    """Ask the customer for fewer items of one waiting request; the answer is the request that stands in for it."""

    @extend_schema(request=CorrectionIn, responses=RequestOut)
    def post(self, request: Request, request_id: UUID) -> Response:
        body = CorrectionIn(data=request.data)
        body.is_valid(raise_exception=True)
        with answering_refusals():
            made = operations.correct(request_id=request_id, staff=cast(User, request.user), **body.validated_data)
        return Response({"id": str(made.pk), "state": made.state, "corrects": str(request_id)})


@contextmanager
def answering_refusals() -> Iterator[None]:
    """The gate's refusals as the API says them; each of them is recorded already."""
    try:
        yield
    except operations.RequestNotFound as error:
        raise NotFound("There is no such request.") from error
    except operations.NotPermitted as error:
        raise PermissionDenied(str(error)) from error
    except operations.NotCorrectable as error:
        raise Unfit(str(error)) from error
    except operations.Stale as error:
        raise Conflict(str(error), code="stale") from error
    except operations.OverAuthority as error:
        raise Conflict(str(error), code="over_authority") from error
    except operations.AlreadyDecided as error:
        raise Conflict(str(error), code="already_decided") from error


def _as_json(row: ActionRequest) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "action": row.action,
        "amount": major(row.amount),
        "currency": row.currency,
        "conversation": str(row.session.conversation),
        "reason": row.reason,
        "created_at": row.created_at.isoformat(),
        "expires_at": row.expires_at.isoformat(),
    }
