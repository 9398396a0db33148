"""Invariant 7: whatever was begun has ended, or still has time."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from approvals.models import MOVES, ActionRequest
from conversations.models import Conversation, Turn
from eval.books.lines import Line, make_line
from orders.models import Effect

# A payment whose call nobody came back from, and one whose answer nobody knows, before a person must have it.
CLAIMED_TIME = timedelta(minutes=15)
UNKNOWN_TIME = timedelta(hours=24)


def check_limbo(*, now: datetime) -> Line:
    deadline = timedelta(seconds=settings.DESKAGENT_TURN_DEADLINE_SECONDS)
    by_mail = timedelta(seconds=settings.DESKAGENT_TURN_DEADLINE_EMAIL_SECONDS)
    mails = Q(conversation__channel=Conversation.Channel.EMAIL)
    late = [*_turns(now, deadline, ~mails), *_turns(now, by_mail, mails)]
    faults = [*late, *_waiting(now, deadline), *_requests(now, deadline), *_effects(now)]
    return make_line(7, "no limbo", Turn.objects.count() + Effect.objects.count(), faults)


def _turns(now: datetime, deadline: timedelta, channel: Q) -> Iterator[str]:
    states = Turn.State
    late = Q(state=states.QUEUED, created_at__lt=now - deadline)
    late |= Q(state=states.RUNNING, lease_until__lt=now - deadline) | Q(state=states.RUNNING, lease_until=None)
    for turn in Turn.objects.filter(late, channel).order_by("pk"):
        since = turn.lease_until if turn.state == states.RUNNING else turn.created_at
        yield f"turn {turn.pk} is {turn.state}, {'without a lease' if since is None else f'late since {since:%F %T}'}"
    ended = Q(state__in=[states.DONE, states.WITH_PERSON, states.FAILED])
    for turn in Turn.objects.filter((ended & Q(ended_at=None)) | (~ended & ~Q(ended_at=None)), channel).order_by("pk"):
        yield f"turn {turn.pk} is {turn.state} and {'has' if turn.ended_at else 'has not'} ended"


def _waiting(now: datetime, deadline: timedelta) -> Iterator[str]:
    """A waiting turn's request is open, or ended so lately that the sweep may still come."""
    turns = list(Turn.objects.filter(state=Turn.State.WAITING).order_by("pk"))
    requests = ActionRequest.objects.in_bulk([turn.request_id for turn in turns if turn.request_id])
    for turn in turns:
        request = requests.get(turn.request_id) if turn.request_id else None
        if request is None:
            yield f"turn {turn.pk} waits for nothing"
        elif request.state not in MOVES:
            ended = max(filter(None, (request.decided_at, request.confirmed_at, request.created_at)))
            if ended < now - deadline and request.expires_at < now - deadline:
                yield f"turn {turn.pk} waits for a request that is {request.state}"


def _requests(now: datetime, deadline: timedelta) -> Iterator[str]:
    for request in ActionRequest.objects.filter(state__in=list(MOVES), expires_at__lt=now - deadline):
        yield f"request {request.pk} is {request.state}, expired since {request.expires_at:%F %T}"


def _effects(now: datetime) -> Iterator[str]:
    states = Effect.State
    late = Q(state=states.CLAIMED, created_at__lt=now - CLAIMED_TIME)
    late |= Q(state=states.UNKNOWN, created_at__lt=now - UNKNOWN_TIME, with_person_at=None)
    late |= Q(state__in=[states.DONE, states.FAILED], settled_at=None)
    for effect in Effect.objects.filter(late).order_by("pk"):
        yield f"effect {effect.pk} is {effect.state} since {effect.created_at:%F %T}, never settled"
