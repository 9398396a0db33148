"""Publishing policy versions."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from django.db.models import Max
from pydantic import ValidationError

from audit.chains import SHOP
from audit.operations import Details, record
from audit.plain import make_text
from audit.queries import is_migrated
from policy.limits import Limits
from policy.models import PolicyVersion

PRESETS = Path(__file__).resolve().parent / "presets"


class PolicyUnreadable(Exception):
    """The file is missing or its numbers are not a policy; nothing was changed. Show the message to the operator."""


def publish(*, source: str, limits: Limits, author: str, note: str = "") -> PolicyVersion:
    """A new active version, effective for every decision that starts after the commit."""
    with transaction.atomic():
        newest = PolicyVersion.objects.aggregate(number=Max("number"))["number"] or 0
        version = PolicyVersion.objects.create(
            number=newest + 1,
            limits=limits.model_dump_json(),
            source=_shorten(make_text(source)),
            note=make_text(note),
            author=author,
        )
        # The note is free text, which the log masks in a result and nowhere else.
        told = f"{source}: {note}" if note else source
        details = Details(policy_version=version.number, result=told, facts={"limits": json.loads(version.limits)})
        record(event="policy_changed", subject=SHOP, actor=author, details=details)
    return version


def _shorten(source: str) -> str:
    """A path as its column can hold it; its end says more than its beginning."""
    longest = PolicyVersion._meta.get_field("source").max_length or 0
    return source if len(source) <= longest else "\u2026" + source[1 - longest :]


def read_preset(name: str) -> Limits:
    """The numbers of a preset's name or of a file's path."""
    path = PRESETS / f"{name}.json" if name in list_presets() else Path(name)
    try:
        return Limits.model_validate_json(path.read_text(encoding="utf-8"))
    except (ValidationError, UnicodeDecodeError) as error:
        raise PolicyUnreadable(f"{path.name} is not a policy: {error}") from error
    except (OSError, ValueError) as error:
        # ValueError: a path with NUL in it.
        known = ", ".join(list_presets())
        raise PolicyUnreadable(f"{name!r} is neither a preset ({known}) nor a readable file") from error


def list_presets() -> list[str]:
    return sorted(path.stem for path in PRESETS.glob("*.json"))


def load_first_version(**_: Any) -> None:
    """After `migrate`: the preset of `DESKAGENT_POLICY`, only where no version exists.

    Django says "after migrate" for every app whichever was migrated, so the tables need not be there yet, or any more.
    """
    if PolicyVersion._meta.db_table not in connection.introspection.table_names() or not is_migrated():
        return
    if PolicyVersion.objects.exists():
        return
    name = settings.DESKAGENT_POLICY
    try:
        limits = read_preset(name)
    except PolicyUnreadable as error:
        raise ImproperlyConfigured(f"DESKAGENT_POLICY: {error}") from error
    publish(source=name, limits=limits, author="system", note="first version")
