"""Who of the staff may do what, and what a role may: every change of it stands in the shop's chain."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction
from django.db.models import QuerySet

from audit.chains import SHOP
from audit.operations import Details, record


@dataclass(frozen=True, kw_only=True)
class Holding:
    """What one member or one role holds at a time. `flags`: active, staff and superuser, of a member alone.

    `names`: its own, since entries name their actors by it and masking takes one that is an e-mail address.
    """

    names: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    rights: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()


def hold(row: User | Group) -> Holding:
    """As it stands in the database now."""
    if isinstance(row, Group):
        own = Group.objects.values_list("name", flat=True).get(pk=row.pk)
        return Holding(names=frozenset([own]), rights=_name_rights(Permission.objects.filter(group=row)))
    fresh = User.objects.get(pk=row.pk)
    flags = {"active": fresh.is_active, "staff": fresh.is_staff, "superuser": fresh.is_superuser}
    return Holding(
        names=frozenset([fresh.get_username()]),
        groups=frozenset(fresh.groups.values_list("name", flat=True)),
        rights=_name_rights(fresh.user_permissions.all()),
        flags=frozenset(name for name, on in flags.items() if on),
    )


def record_holding(*, row: User | Group, before: Holding, by: User) -> None:
    """One entry for what changed since `before`; none where nothing did. Inside the transaction of the change."""
    after, was = asdict(hold(row)), asdict(before)
    changed = {
        name: {"given": sorted(after[name] - was[name]), "taken": sorted(was[name] - after[name])} for name in was
    }
    kept = {name: ways for name, ways in changed.items() if any(ways.values())}
    if kept:
        _record(row, by, "changed", kept)


def remove_member(*, user: User, by: User) -> None:
    """Delete an account with an entry of what it held."""
    with transaction.atomic():
        _record(user, by, "removed", _list(hold(user)))
        user.delete()


def remove_group(*, group: Group, by: User) -> None:
    """Delete a role with an entry of what its members lose."""
    with transaction.atomic():
        _record(
            group, by, "removed", _list(hold(group)) | {"members": sorted(group.user_set.values_list("pk", flat=True))}
        )
        group.delete()


def _name_rights(rights: QuerySet[Permission]) -> frozenset[str]:
    return frozenset(f"{app}.{code}" for app, code in rights.values_list("content_type__app_label", "codename"))


def _list(holding: Holding) -> dict[str, list[str]]:
    return {name: sorted(held) for name, held in asdict(holding).items() if held}


def _record(row: User | Group, by: User, verdict: str, facts: Mapping[str, object]) -> None:
    kind, name = ("role", row.name) if isinstance(row, Group) else ("member", f"staff:{row.get_username()}")
    details = Details(action=kind, verdict=verdict, result=name, facts={kind: row.pk, **facts})
    record(event="role_changed", subject=SHOP, actor=f"staff:{by.get_username()}", details=details)
