"""Publishing policy versions."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.db.models import Max
from pydantic import ValidationError

from audit.chains import SHOP
from audit.operations import Details, record
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
            number=newest + 1, limits=limits.model_dump_json(), source=source, note=note, author=author
        )
        details = Details(
            policy_version=version.number, result=source, facts={"limits": json.loads(version.limits), "note": note}
        )
        record(event="policy_changed", subject=SHOP, actor=author, details=details)
    return version


def read_preset(name: str) -> Limits:
    """The numbers of a preset's name or of a file's path."""
    path = PRESETS / f"{name}.json" if name in list_presets() else Path(name)
    try:
        return Limits.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        known = ", ".join(list_presets())
        raise PolicyUnreadable(f"{name!r} is neither a preset ({known}) nor a readable file") from error
    except (ValidationError, UnicodeDecodeError) as error:
        raise PolicyUnreadable(f"{path.name} is not a policy: {error}") from error


def list_presets() -> list[str]:
    return sorted(path.stem for path in PRESETS.glob("*.json"))


def load_first_version(**_: Any) -> None:
    """After `migrate`: the preset of `DESKAGENT_POLICY`, only where no version exists."""
    if PolicyVersion.objects.exists():
        return
    name = settings.DESKAGENT_POLICY
    try:
        limits = read_preset(name)
    except PolicyUnreadable as error:
        raise ImproperlyConfigured(f"DESKAGENT_POLICY: {error}") from error
    publish(source=name, limits=limits, author="system", note="first version")
