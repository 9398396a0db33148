"""The numbers in force."""

from dataclasses import dataclass

from pydantic import ValidationError

from policy.limits import Limits
from policy.models import PolicyVersion


class PolicyMissing(Exception):
    """There is no readable active version: refuse every write and tell the operator."""


@dataclass(frozen=True, kw_only=True)
class ActivePolicy:
    version: int
    limits: Limits


def get_active(*, version: int | None = None) -> ActivePolicy:
    """The newest version, read afresh so that every process follows a change at once; or the one named."""
    versions = PolicyVersion.objects.order_by("-number")
    row = versions.first() if version is None else versions.filter(number=version).first()
    if row is None:
        raise PolicyMissing("no policy version exists; load one with `manage.py load_policy retail`")
    try:
        return ActivePolicy(version=row.number, limits=Limits.model_validate_json(row.limits))
    except ValidationError as error:
        raise PolicyMissing(f"policy version {row.number} cannot be read: {error}") from error


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
