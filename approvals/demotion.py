"""Back to `suggest` by itself: when harm is found, or when the way a change is carried out cannot be trusted."""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from approvals.models import FOUND_BY_STAFF, ActionRequest, Harm
from orders.models import Effect
from policy.actions import ACTIONS
from policy.levels import Level
from policy.limits import Band
from policy.money import LARGEST, to_minor
from policy.operations import Overtaken, set_level
from policy.queries import PolicyMissing, find_level_since, get_active

logger = logging.getLogger(__name__)

PERMISSION = "approvals.add_harm"
SYSTEM = "system"
# One failed payment is an accident; so many in a day, and this share of an action's writes, are a fault.
ERRORS, ERROR_SHARE, ERROR_WINDOW = 3, 0.05, timedelta(days=1)
# As far back as a sweep looks for what a lost signal left.
LOOK_BACK = timedelta(days=30)


class NotPermitted(Exception):
    """This member of staff may not record harm. Nothing was changed."""


class HarmKnown(Exception):
    """This harm of this request was recorded before. Nothing was changed."""


class NoSuchRequest(Exception):
    """There is no such request that did something, or no such kind of harm."""


def report_harm(*, request_id: UUID, kind: str, note: str, staff: User) -> Harm:
    """Harm that a person found in a request that was carried out; its action falls to `suggest` in that band."""
    if not (staff.is_active and staff.is_staff and staff.has_perm(PERMISSION)):
        raise NotPermitted("You may not record harm.")
    request = ActionRequest.objects.filter(pk=request_id, effect__isnull=False).first()
    if request is None or kind not in FOUND_BY_STAFF:
        raise NoSuchRequest(request_id)
    harm = _record(request, Harm.Kind(kind), note=note, found_by=staff.get_username())
    if harm is None:
        raise HarmKnown("This was recorded before.")
    return harm


def watch_effect(*, effect_id: int) -> None:
    """After a payment settled or was given to a person: whether its action may go on by itself."""
    effect = Effect.objects.filter(pk=effect_id).first()
    if effect is None:
        return
    if effect.state == Effect.State.UNKNOWN and effect.with_person_at is not None:
        _doubt(effect)
    if effect.state in (Effect.State.UNKNOWN, Effect.State.FAILED):
        _watch_errors(effect.action, timezone.now())


def sweep(*, now: datetime) -> int:
    """The same for payments whose signal was lost; how many harms were found."""
    before = Harm.objects.count()
    known = Harm.objects.filter(kind=Harm.Kind.IN_DOUBT).values("request__effect")
    doubted = Effect.objects.filter(
        state=Effect.State.UNKNOWN, with_person_at__isnull=False, created_at__gt=now - LOOK_BACK
    )
    for effect in doubted.exclude(pk__in=known):
        _doubt(effect)
    for action in _failed_since(now - ERROR_WINDOW).values_list("action", flat=True).distinct():
        _watch_errors(action, now)
    return Harm.objects.count() - before


def report_broken_books(*, broken: str) -> int:
    """The books no longer add up: nothing goes on by itself. Returns how many levels fell."""
    fallen = 0
    for action, band, low, _ in _list_trusted():
        _fall(action, band, low + 1, Harm.Kind.BOOKS, f"the books are broken: {broken}")
        fallen += 1
    return fallen


def _doubt(effect: Effect) -> None:
    request = ActionRequest.objects.filter(effect=effect).first()
    if request is not None:
        _record(request, Harm.Kind.IN_DOUBT, note="", found_by=SYSTEM)


def _record(request: ActionRequest, kind: Harm.Kind, *, note: str, found_by: str) -> Harm | None:
    """The harm and the fall in one commit; None where both were there before."""
    with transaction.atomic():
        harm, is_new = Harm.objects.get_or_create(
            request=request,
            kind=kind,
            defaults={
                "action": request.action,
                "level_amount": request.level_amount,
                "note": note,
                "found_by": found_by,
                "at": timezone.now(),
            },
        )
        if not is_new:
            return None
        for action, band, low, high in _list_trusted():
            if action == request.action and low < request.level_amount <= high:
                _demote(action, band, f"harm found in request {request.pk}: {kind.label}")
    return harm


def _watch_errors(action: str, now: datetime) -> None:
    """Counted since the level began, so that a level which was raised again has a new start."""
    for name, band, low, high in _list_trusted():
        if name != action:
            continue
        since = max(now - ERROR_WINDOW, find_level_since(action=action, low=low, high=high))
        writes = Effect.objects.filter(
            action=action,
            created_at__gte=since,
            request__level_amount__gt=low,
            request__level_amount__lte=high,
        )
        failed, tried = writes.filter(_FAILED).count(), writes.count()
        if failed >= ERRORS and failed > tried * ERROR_SHARE:
            _fall(action, band, low + 1, Harm.Kind.ERRORS, f"{failed} of {tried} writes failed in a day")


_FAILED = Q(state=Effect.State.FAILED) | Q(state=Effect.State.UNKNOWN, with_person_at__isnull=False)


def _failed_since(moment: datetime) -> QuerySet[Effect]:
    return Effect.objects.filter(_FAILED, created_at__gte=moment)


def _fall(action: str, band: Band, amount: int, kind: Harm.Kind, why: str) -> None:
    with transaction.atomic():
        Harm.objects.create(action=action, level_amount=amount, kind=kind, note=why, found_by=SYSTEM, at=timezone.now())
        _demote(action, band, why)


def _demote(action: str, band: Band, why: str) -> None:
    told = f"{action} from {band.level} to {Level.SUGGEST} by itself: {why}"
    logger.warning("autonomy falls: %s", told)
    try:
        set_level(action=action, up_to=band.up_to, level=Level.SUGGEST, author=SYSTEM, note=told, seen=band.level)
    except Overtaken:
        # Somebody changed it in this moment; the next sweep judges what holds then.
        logger.warning("the level of %s was changed meanwhile", action)


def _list_trusted() -> list[tuple[str, Band, int, int]]:
    """The bands in which an action goes by itself, with their amounts; none where no policy lets anything through."""
    try:
        autonomy = get_active().limits.autonomy
    except PolicyMissing:
        return []
    found = []
    for action in ACTIONS:
        low = -1
        for band in autonomy.bands_of(action):
            high = LARGEST if band.up_to is None else to_minor(band.up_to)
            if band.level.is_above(Level.SUGGEST):
                found.append((action, band, low, high))
            low = high
    return found
