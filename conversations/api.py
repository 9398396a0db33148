"""The HTTP API of the chat: what a customer's token opens, and the staff calls on a conversation."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.http import HttpRequest, JsonResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import APIException, NotFound
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.addresses import address_of_request
from approvals.limits import SlowDown
from approvals.operations import NotOpen
from conversations import operations
from conversations.connections import give_back
from conversations.models import Conversation
from conversations.operations.posting import CLIENT_ID
from conversations.operations.tickets import PERMISSION
from conversations.queries import (
    ConversationNotFound,
    find_rating,
    get_conversation_for_token,
    get_last_seq,
    get_standing,
    list_events,
)

LONGEST_WAIT = 25.0
# How often a waiting long-poll looks; sockets, which are pushed to, come later.
LOOK_EVERY = 0.15
LOCALE = re.compile(r"[A-Za-z0-9_-]{0,20}")


class Refused(APIException):
    """An answer of the contract: a status with its code."""

    def __init__(self, status: int, code: str, detail: str, *, wait: int | None = None) -> None:
        self.status_code = status
        # DRF's own handler reads it into `Retry-After`.
        self.wait = wait
        super().__init__(detail, code)


class Closed(serializers.Serializer[Any]):
    """A body in which an unknown field is a mistake, not something to drop."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(map(str, data)) - set(self.fields))):
            raise serializers.ValidationError({unknown[0]: "unknown field"})
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A JSON string as it came: numbers are no text, and the edge, not the serializer, judges length and blanks."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("must be a string")
        return data

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return self.to_internal_value(data) if data is not serializers.empty else super().run_validation(data)


class StartIn(Closed):
    identity = Text(required=False)
    locale = Text(required=False)


class MessageIn(Closed):
    client_id = Text()
    text = Text()


class AnswerIn(Closed):
    request_id = serializers.UUIDField()
    answer = serializers.ChoiceField(choices=["yes", "no"])


class Score(serializers.IntegerField):
    """A JSON integer as it came: neither "5" nor true is one."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            raise serializers.ValidationError("must be a whole number")
        return data


class RatingIn(Closed):
    score = Score(min_value=1, max_value=5)
    comment = Text(required=False)


class ReplyIn(Closed):
    text = Text()


class VerdictIn(serializers.Serializer[Any]):
    """Whether a person was needed, and why; both may be left out."""

    needed_person = serializers.ChoiceField(choices=["yes", "no"], required=False)
    why = Text(required=False)


class ConversationOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = serializers.CharField()
    owner = serializers.CharField()
    verified = serializers.CharField(allow_null=True)
    identity_needed = serializers.CharField(allow_null=True)
    open_request = serializers.UUIDField(allow_null=True)
    rating = serializers.IntegerField(allow_null=True)
    last_seq = serializers.IntegerField()


class CustomerView(APIView):
    """Calls that a conversation's token opens; a wrong token, another's id and an unknown id are the same 404."""

    def find(self, request: Request, conversation_id: UUID) -> Conversation:
        return find_conversation(request.headers.get("Authorization", ""), conversation_id)


class ConversationList(APIView):
    @extend_schema(request=StartIn, responses={201: ConversationOut})
    def post(self, request: Request) -> Response:
        body = parse(StartIn, request)
        locale = body.get("locale", "")
        if not LOCALE.fullmatch(locale):
            raise Refused(400, "invalid", "locale: a language tag, like en or en-US")
        conversation, token = answer_refusals(
            operations.receive_conversation,
            locale=locale,
            address=address_of_request(request),
            identity=body.get("identity"),
        )
        return Response({"id": str(conversation.pk), "token": token, "state": "open"}, status=201)


class ConversationDetail(CustomerView):
    @extend_schema(responses=ConversationOut)
    def get(self, request: Request, conversation_id: UUID) -> Response:
        conversation = self.find(request, conversation_id)
        standing = get_standing(conversation)
        rating = find_rating(conversation)
        return Response(
            {
                "id": str(conversation.pk),
                "state": standing.state,
                "owner": standing.owner,
                "verified": standing.verified,
                "identity_needed": operations.find_needed(conversation),
                "open_request": str(standing.open_request.pk) if standing.open_request else None,
                "rating": rating.score if rating else None,
                "last_seq": conversation.last_seq,
            }
        )


class MessageList(CustomerView):
    @extend_schema(request=MessageIn, responses={202: None})
    def post(self, request: Request, conversation_id: UUID) -> Response:
        conversation = self.find(request, conversation_id)
        body = parse(MessageIn, request)
        if not CLIENT_ID.fullmatch(body["client_id"]):
            raise Refused(400, "invalid", "client_id: 1 to 64 letters, digits or . _ : -")
        posted = answer_refusals(
            operations.receive_message,
            conversation_id=conversation.pk,
            client_id=body["client_id"],
            text=body["text"],
            address=address_of_request(request),
        )
        return Response({"seq": posted.seq}, status=202 if posted.created else 200)


class AnswerList(CustomerView):
    @extend_schema(request=AnswerIn, responses={202: None})
    def post(self, request: Request, conversation_id: UUID) -> Response:
        conversation = self.find(request, conversation_id)
        body = parse(AnswerIn, request)
        answer_refusals(
            operations.receive_answer,
            conversation_id=conversation.pk,
            request_id=body["request_id"],
            answer=body["answer"],
            address=address_of_request(request),
        )
        return Response({}, status=202)


class Session(CustomerView):
    """The storefront's sign-out."""

    @extend_schema(responses={204: None})
    def delete(self, request: Request, conversation_id: UUID) -> Response:
        conversation = self.find(request, conversation_id)
        operations.end_session(conversation_id=conversation.pk)
        return Response(status=204)


class Handoff(CustomerView):
    @extend_schema(request=None, responses={202: None})
    def post(self, request: Request, conversation_id: UUID) -> Response:
        conversation = self.find(request, conversation_id)
        ticket = answer_refusals(
            operations.receive_handoff, conversation_id=conversation.pk, address=address_of_request(request)
        )
        return Response({"ticket": str(ticket.pk)}, status=202)


class RatingView(CustomerView):
    """Given at any time, also to a closed chat, which it does not open; the newest one counts."""

    @extend_schema(request=RatingIn, responses={202: None})
    def post(self, request: Request, conversation_id: UUID) -> Response:
        conversation = self.find(request, conversation_id)
        body = parse(RatingIn, request)
        answer_refusals(
            operations.receive_rating,
            conversation_id=conversation.pk,
            score=body["score"],
            comment=body.get("comment", ""),
            address=address_of_request(request),
        )
        return Response({}, status=202)


class MayAnswer(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        user = request.user
        return bool(user and user.is_active and user.is_staff and user.has_perm(PERMISSION))


class StaffConversation(APIView):
    """One staff call on a conversation, named by the URL."""

    authentication_classes = [SessionAuthentication]
    permission_classes = [MayAnswer]

    @extend_schema(request=ReplyIn, responses={200: None})
    def post(self, request: Request, conversation_id: UUID, call: str) -> Response:
        if not Conversation.objects.filter(pk=conversation_id).exists():
            raise NotFound("There is no such conversation.")
        answer_refusals(STAFF_CALLS[call], request, conversation_id)
        return Response({})


def take_over(request: Request, conversation_id: UUID) -> None:
    operations.take_over(conversation_id=conversation_id, staff=_staff(request))


def reply(request: Request, conversation_id: UUID) -> None:
    text = parse(ReplyIn, request)["text"]
    operations.post_staff_message(conversation_id=conversation_id, staff=_staff(request), text=text)


def hand_back(request: Request, conversation_id: UUID) -> None:
    operations.hand_back(conversation_id=conversation_id, staff=_staff(request), verdict=_read_verdict(request))


def close(request: Request, conversation_id: UUID) -> None:
    operations.close(conversation_id=conversation_id, staff=_staff(request), verdict=_read_verdict(request))


def _read_verdict(request: Request) -> operations.Verdict:
    body = parse(VerdictIn, request)
    return operations.read_verdict(body.get("needed_person", ""), body.get("why", ""))


STAFF_CALLS = {"take-over": take_over, "reply": reply, "hand-back": hand_back, "close": close}


async def wait_for_events(request: HttpRequest, conversation_id: UUID) -> JsonResponse:
    """The long-poll, as a coroutine: a customer who waits holds no thread."""
    if request.method != "GET":
        return JsonResponse({"code": "method_not_allowed", "detail": "only GET"}, status=405)
    try:
        after, wait = _number(request, "after", 0), min(_number(request, "wait", 0), LONGEST_WAIT)
        await in_thread(find_conversation, request.headers.get("Authorization", ""), conversation_id)
    except APIException as error:
        return JsonResponse({"code": error.get_codes(), "detail": str(error.detail)}, status=error.status_code)
    until = time.monotonic() + wait
    while True:
        events = await in_thread(list_events, conversation_id=conversation_id, after=int(after))
        if events:
            return JsonResponse({"events": events, "last_seq": events[-1]["seq"]})
        if time.monotonic() >= until:
            return JsonResponse({"events": [], "last_seq": await in_thread(get_last_seq, conversation_id)})
        await asyncio.sleep(LOOK_EVERY)


async def in_thread(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Ask the database and give the connection back: a long-poll waits without one."""

    def ask() -> Any:
        try:
            return call(*args, **kwargs)
        finally:
            give_back()

    return await sync_to_async(ask)()


def find_conversation(authorization: str, conversation_id: UUID) -> Conversation:
    scheme, _, token = authorization.partition(" ")
    try:
        if scheme.lower() != "bearer":
            raise ConversationNotFound
        return get_conversation_for_token(conversation_id=conversation_id, token=token.strip())
    except ConversationNotFound:
        raise Refused(404, "not_found", "There is no such conversation.") from None


def parse(kind: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The checked body; a ValidationError becomes 400 `invalid`."""
    body = kind(data=request.data)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


def answer_refusals(call: Any, *args: Any, **kwargs: Any) -> Any:
    """The domain's refusals in the contract's codes."""
    try:
        return call(*args, **kwargs)
    except operations.Blank as error:
        raise Refused(400, "invalid", str(error)) from error
    except operations.MessageTooLong as error:
        raise Refused(413, "too_long", str(error)) from error
    except operations.UnderReview as error:
        raise Refused(409, "under_review", str(error)) from error
    except operations.ConversationClosed as error:
        raise Refused(409, "closed", str(error)) from error
    except NotOpen as error:
        raise Refused(409, "not_open", "This card is no longer open. Nothing was changed by this answer.") from error
    except operations.NotHeld as error:
        raise Refused(409, "not_held", str(error)) from error
    except operations.BadIdentity as error:
        raise Refused(400, "invalid", "identity: not accepted. Sign in at the shop again.") from error
    except operations.OtherCustomer as error:
        raise Refused(409, "other_customer", str(error)) from error
    except SlowDown as error:
        raise Refused(429, "slow_down", str(error), wait=error.retry_after) from error


def _number(request: HttpRequest, name: str, default: int) -> float:
    text = request.GET.get(name, str(default))
    if not re.fullmatch(r"\d{1,9}(\.\d{1,3})?", text, re.ASCII):
        raise Refused(400, "invalid", f"{name}: must be a number")
    return float(text)


def _staff(request: Request) -> User:
    user = request.user
    if not isinstance(user, User):
        raise TypeError("a staff call without a user")
    return user
