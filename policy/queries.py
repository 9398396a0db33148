"""The numbers in force."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from pydantic import ValidationError

from audit.statements import Slot, Tuples
from policy.levels import Level
from policy.limits import Limits
from policy.models import PolicyVersion
from policy.money import to_minor

_NEWEST = Tuples(lambda: PolicyVersion.objects.order_by("-number").values_list("number", "limits")[:1])
_NUMBERED = Tuples(
    lambda: PolicyVersion.objects.filter(number=Slot("number", PolicyVersion._meta.get_field("number"))).values_list(
        "number", "limits"
    )
)


class PolicyMissing(Exception):
    """There is no readable active version: refuse every write and tell the operator."""


@dataclass(frozen=True, kw_only=True)
class ActivePolicy:
    version: int
    limits: Limits


def get_active(*, version: int | None = None) -> ActivePolicy:
    """The newest version, read afresh so that every process follows a change at once; or the one named."""
    row = _NEWEST.first() if version is None else _NUMBERED.first(number=version)
    if row is None:
        raise PolicyMissing("no policy version exists; load one with `manage.py load_policy retail`")
    number, limits = row
    try:
        return ActivePolicy(version=number, limits=_parse(limits))
    except ValidationError as error:
        raise PolicyMissing(f"policy version {number} cannot be read: {error}") from error


@lru_cache(maxsize=64)
def _parse(limits: str) -> Limits:
    """The same text is the same frozen numbers, so a version is read every time and understood once."""
    return Limits.model_validate_json(limits)


@dataclass(frozen=True, kw_only=True)
class Version:
    """One version as the console shows it; no limits where its numbers cannot be read."""

    row: PolicyVersion
    limits: Limits | None


def find_version(*, number: int | None = None) -> Version | None:
    """The version of this number, or the newest one; nothing where there is none. Never raises for a broken row."""
    versions = PolicyVersion.objects.order_by("-number")
    row = versions.first() if number is None else versions.filter(number=number).first()
    if row is None:
        return None
    try:
        return Version(row=row, limits=Limits.model_validate_json(row.limits))
    except ValidationError:
        return Version(row=row, limits=None)


def find_level_since(*, action: str, low: int, high: int) -> datetime:
    """Since when the whole range of amounts (above `low`, up to `high`, in minor units) has the level it has now.

    Reads back from the newest version; a version that cannot be read ends the run, as it let nothing through.
    """
    rows = PolicyVersion.objects.order_by("-number").iterator(chunk_size=50)
    newest = next(rows, None)
    if newest is None:
        raise PolicyMissing("no policy version exists")
    level, since = _levels(newest, action, low, high), newest.created_at
    for row in rows:
        if _levels(row, action, low, high) != level:
            break
        since = row.created_at
    return since


def _levels(row: PolicyVersion, action: str, low: int, high: int) -> set[Level] | None:
    try:
        autonomy = Limits.model_validate_json(row.limits).autonomy
    except ValidationError:
        return None
    ends = [to_minor(band.up_to) for band in autonomy.bands_of(action) if band.up_to is not None]
    edges = {low + 1, high, *ends, *(end + 1 for end in ends)}
    return {autonomy.level_of(action, amount) for amount in edges if low < amount <= high}
