"""A suggested reply as the page of a chat shows it, and as that page asks for it while it is being written."""

import re
from dataclasses import asdict, dataclass
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse

from conversations.models import Conversation, Suggestion
from conversations.operations.tickets import PERMISSION
from conversations.queries import find_open_ticket, find_suggestion

State = Suggestion.State


@dataclass(frozen=True, kw_only=True)
class Shown:
    """`text` and `faults` only where it is ready. `stale`: the customer wrote after it was begun."""

    id: int
    state: str
    text: str
    why: str
    faults: list[str]
    stale: bool


def show_suggestion(conversation: Conversation) -> Shown | None:
    """What was drafted for the reply that comes next; None where nothing was, or a reply was sent since."""
    ticket = find_open_ticket(conversation)
    found = find_suggestion(conversation, ticket) if ticket is not None else None
    if found is None:
        return None
    return Shown(
        id=found.suggestion.pk,
        state=found.suggestion.state,
        text=found.suggestion.text,
        why=found.suggestion.why,
        faults=list(found.suggestion.faults),
        stale=found.stale,
    )


def describe_suggestion(conversation: Conversation, *, holds: bool) -> dict[str, object]:
    """The page's part; a draft that is ready is what stands in the box, where nothing was typed."""
    shown = show_suggestion(conversation) if holds else None
    if shown is None:
        return {"suggestion": None}
    url = reverse("admin:conversations_suggestion", args=[conversation.pk])
    waits = shown.state in (State.QUEUED, State.RUNNING)
    return {"suggestion": shown, "suggestion_url": url if waits else "", "draft": shown.text}


def ask_suggestion(request: HttpRequest, conversation_id: UUID) -> JsonResponse:
    """The suggestion of now, for the page that waits for it; `{}` where there is none."""
    if not request.user.has_perm(PERMISSION):
        raise PermissionDenied
    conversation = Conversation.objects.filter(pk=conversation_id).first()
    if conversation is None:
        raise Http404
    shown = show_suggestion(conversation)
    return JsonResponse(asdict(shown) if shown else {})


def read_suggestion(text: str) -> int | None:
    """The number that a form sent back, whatever stands there."""
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) else None
