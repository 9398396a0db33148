"""The call by which a customer proves who they are. Its answer never tells whether an address belongs to anybody."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.addresses import address_of_request
from conversations import operations
from conversations.api import Closed, CustomerView, Refused, Text, answer_refusals, parse
from conversations.queries import get_standing

LONGEST = {"identity": 4_000, "email": 254, "code": 40}
CALLS: dict[str, Callable[..., None]] = {
    "identity": operations.receive_signed,
    "email": operations.receive_email,
    "code": operations.receive_code,
}


class IdentityIn(Closed):
    identity = Text(required=False)
    email = Text(required=False)
    code = Text(required=False)


class VerifiedOut(serializers.Serializer[Any]):
    verified = serializers.CharField(allow_null=True)


class IdentityView(CustomerView):
    @extend_schema(request=IdentityIn, responses={202: VerifiedOut})
    def post(self, request: Request, conversation_id: UUID) -> Response:
        conversation = self.find(request, conversation_id)
        given = list(parse(IdentityIn, request).items())
        if len(given) != 1:
            raise Refused(400, "invalid", "exactly one of identity, email and code")
        [(kind, text)] = given
        if len(text) > LONGEST[kind]:
            raise Refused(400, "invalid", f"{kind}: at most {LONGEST[kind]} characters")
        where = {"conversation_id": conversation.pk, "address": address_of_request(request)}
        answer_refusals(CALLS[kind], **where, **{kind: text})
        return Response({"verified": get_standing(conversation).verified}, status=202)
