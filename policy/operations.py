"""Publishing policy versions: whole ones, an old one again, one switch, one level. Each is a new version."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, connection, transaction
from django.db.models import Max
from pydantic import ValidationError

from audit.chains import SHOP
from audit.operations import Details, record
from audit.plain import make_text
from audit.queries import is_migrated
from policy.levels import Level
from policy.limits import Limits
from policy.models import PolicyVersion
from policy.queries import get_active

PRESETS = Path(__file__).resolve().parent / "presets"
PERMISSION = "policy.publish_policyversion"
LONGEST_NOTE = 2_000
# Whoever changes a switch while others do reads anew this often.
TRIES = 5

Switch = Literal["agent", "intent", "action"]


class PolicyUnreadable(Exception):
    """The file is missing or its numbers are not a policy; nothing was changed. Show the message to the operator."""


class NotPermitted(Exception):
    """This member of staff may not change the policy. Nothing was changed."""


class NoteMissing(Exception):
    """A change of the policy needs a note that says why. Nothing was changed."""


class Overtaken(Exception):
    """Somebody published meanwhile, so the change would undo theirs. Show what is active now; nothing was changed."""


def publish(
    *, source: str, limits: Limits, author: str, note: str = "", actor: str = "", after: int | None = None
) -> PolicyVersion:
    """A new active version, effective for every decision that starts after the commit.

    `actor`: the author as the log names them. `after`: the number it was made from; `Overtaken` where that is no
    longer the newest.
    """
    before = after if after is not None else PolicyVersion.objects.aggregate(number=Max("number"))["number"] or 0
    try:
        with transaction.atomic():
            version = PolicyVersion.objects.create(
                number=before + 1,
                limits=limits.model_dump_json(),
                source=_shorten(make_text(source)),
                note=make_text(note),
                author=author,
            )
            # The note is free text, which the log masks in a result and nowhere else.
            told = f"{source}: {note}" if note else source
            details = Details(policy_version=version.number, result=told, facts={"limits": json.loads(version.limits)})
            record(event="policy_changed", subject=SHOP, actor=actor or author, details=details)
    except IntegrityError as error:
        # Only the number is unique: whoever wrote it first was faster.
        raise Overtaken(f"Version {before + 1} was published meanwhile. Nothing was changed.") from error
    return version


def publish_by_staff(*, staff: User, limits: Limits, note: str, based_on: int) -> PolicyVersion:
    """The numbers of the console's form, made from version `based_on`.

    Raises `NotPermitted`, `NoteMissing`, and `Overtaken` where another version is the newest by now.
    """
    require_right(staff)
    if not note.strip():
        raise NoteMissing("Say why, so that the next person understands the change.")
    author, actor = staff.get_username(), actor_of(staff)
    return publish(source="console", limits=limits, note=note, after=based_on, author=author, actor=actor)


def roll_back(*, staff: User, number: int) -> PolicyVersion:
    """The numbers of version `number` again, as a new version. Raises `NotPermitted` and `PolicyMissing`."""
    require_right(staff)
    limits = get_active(version=number).limits
    author, actor = staff.get_username(), actor_of(staff)
    return publish(source=f"v{number}", limits=limits, note=f"rollback to v{number}", author=author, actor=actor)


def set_switch(*, staff: User, kind: Switch, name: str = "", on: bool) -> PolicyVersion:
    """One kill switch; the active version again where it stands so already. Raises as `roll_back` does."""
    require_right(staff)

    def turn(limits: Limits) -> dict[str, Any]:
        switches = limits.switches.model_dump(mode="json")
        if kind == "agent":
            return {"switches": switches | {"agent": on}}
        field = f"{kind}s_off"
        off = [one for one in switches[field] if one != name]
        return {"switches": switches | {field: off if on else sorted([*off, name])}}

    told = " ".join(filter(None, [kind, name, "on" if on else "off"]))
    return change(turn, source="switch", note=told, author=staff.get_username(), actor=actor_of(staff))


def set_level(
    *,
    action: str,
    up_to: Decimal | None,
    level: Level,
    author: str,
    note: str,
    actor: str = "",
    seen: Level | None = None,
) -> PolicyVersion:
    """The level of one action in the band that ends at `up_to` (None: the last one); the other bands stay.

    Raises `Overtaken` where there is no such band any more, or its level is no longer the one that was `seen`.
    """

    def step(limits: Limits) -> dict[str, Any]:
        bands = limits.autonomy.bands_of(action)
        found = next((band for band in bands if band.up_to == up_to), None)
        if found is None or seen not in (None, found.level):
            raise Overtaken("This level was changed meanwhile. Nothing was changed.")
        changed = [band.model_copy(update={"level": level}) if band.up_to == up_to else band for band in bands]
        autonomy = limits.autonomy.model_dump(mode="json")
        autonomy["levels"][action] = [band.model_dump(mode="json") for band in changed]
        return {"autonomy": autonomy}

    return change(step, source="level", author=author, note=note, actor=actor)


def change(
    by: Callable[[Limits], dict[str, Any]], *, source: str, author: str, note: str, actor: str = ""
) -> PolicyVersion:
    """The active numbers with some parts replaced; two changes at once follow each other, neither is lost.

    Raises `PolicyMissing`, and pydantic's error for parts that are no policy.
    """
    for _ in range(TRIES):
        active = get_active()
        changed = Limits.model_validate(active.limits.as_data() | by(active.limits))
        if changed == active.limits:
            return PolicyVersion.objects.get(number=active.version)
        try:
            return publish(source=source, limits=changed, author=author, note=note, actor=actor, after=active.version)
        except Overtaken:
            continue
    raise Overtaken("The policy changes too often at the moment. Nothing was changed.")


def require_right(staff: User) -> None:
    if not (staff.is_active and staff.is_staff and staff.has_perm(PERMISSION)):
        raise NotPermitted("You may not change the policy.")


def actor_of(staff: User) -> str:
    """Staff as the log names them."""
    return f"staff:{staff.get_username()}"


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
