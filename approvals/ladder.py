"""Taking an action one step up or down the autonomy ladder. Each step is a policy version with its reason."""

from decimal import Decimal

from django.contrib.auth.models import User
from django.utils import timezone

from approvals.evidence import Evidence, get_evidence, list_missing
from policy.levels import Level
from policy.models import PolicyVersion
from policy.operations import NoteMissing, Overtaken, actor_of, require_right, set_level
from policy.queries import get_active

OVERRIDE = "approvals.override_ladder"
LAST = "This action stands at the end of the ladder already. Nothing was changed."
MOVED = "The level was changed meanwhile. Nothing was changed."


class TooEarly(Exception):
    """The evidence for a step up is not there yet; the message says what is missing. Nothing was changed."""


def step_up(*, staff: User, action: str, up_to: Decimal | None, seen: Level, note: str) -> PolicyVersion:
    """One level up from the level that was `seen`, with the evidence in the version's note.

    Raises `NotPermitted`, `Overtaken`, `TooEarly` where evidence is missing and `staff` may not override it, and
    `NoteMissing` where they may and do not say why.
    """
    require_right(staff)
    evidence, missing = _look(action, up_to, seen)
    if evidence.above is None:
        raise Overtaken(LAST)
    told = f"{evidence.clean_cases} cases in {evidence.days} days without harm"
    if missing:
        lacks = " and ".join(missing)
        if not staff.has_perm(OVERRIDE):
            raise TooEarly(f"Not yet: {lacks}. Nothing was changed.")
        if not note.strip():
            raise NoteMissing(f"Only {lacks}: say why the step is taken all the same. Nothing was changed.")
        told = f"taken before its evidence, with {lacks}"
    return _set(staff, evidence, evidence.above, f"{told}. {note}".strip())


def step_down(*, staff: User, action: str, up_to: Decimal | None, seen: Level, note: str = "") -> PolicyVersion:
    """One level down, at once and without conditions. Raises `NotPermitted` and `Overtaken`."""
    require_right(staff)
    evidence, _ = _look(action, up_to, seen)
    if evidence.below is None:
        raise Overtaken(LAST)
    return _set(staff, evidence, evidence.below, note.strip())


def _look(action: str, up_to: Decimal | None, seen: Level) -> tuple[Evidence, list[str]]:
    limits = get_active().limits
    try:
        evidence = get_evidence(action=action, up_to=up_to, limits=limits, now=timezone.now())
    except LookupError as error:
        raise Overtaken(MOVED) from error
    if evidence.level is not seen:
        raise Overtaken(MOVED)
    return evidence, list_missing(evidence, limits.autonomy)


def _set(staff: User, evidence: Evidence, level: Level, note: str) -> PolicyVersion:
    told = f"{evidence.action} from {evidence.level} to {level}" + (f": {note}" if note else "")
    return set_level(
        action=evidence.action,
        up_to=evidence.up_to,
        level=level,
        author=staff.get_username(),
        actor=actor_of(staff),
        note=told,
        seen=evidence.level,
    )
