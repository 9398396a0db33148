"""The numbers in force."""

from dataclasses import dataclass
from functools import lru_cache

from pydantic import ValidationError

from audit.statements import Slot, Tuples
from policy.limits import Limits
from policy.models import PolicyVersion

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
