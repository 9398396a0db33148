"""Amount limits of groups: set and removed with an entry in the shop's chain."""

from django.contrib.auth.models import Group, User
from django.db import transaction

from approvals.models import Authority
from audit.chains import SHOP
from audit.operations import Details, record
from policy.money import major


def set_authority(*, group: Group, most: int, currency: str, by: User) -> Authority:
    """What members of this group may approve from now on."""
    with transaction.atomic():
        values = {"most": most, "currency": currency}
        authority, created = Authority.objects.update_or_create(group=group, defaults=values)
        _record(authority, by, "limit_set" if created else "limit_changed")
    return authority


def remove_authority(*, authority: Authority, by: User) -> None:
    with transaction.atomic():
        _record(authority, by, "limit_removed")
        authority.delete()


def remove_with_group(*, group: Group) -> None:
    """A group that is deleted takes its limit along; that may not go unrecorded, as the last limit bounds everybody."""
    with transaction.atomic():
        for authority in Authority.objects.select_for_update().filter(group=group):
            _record(authority, None, "limit_removed")
            authority.delete()


def _record(authority: Authority, by: User | None, verdict: str) -> None:
    facts = {"group": authority.group.pk, "most": major(authority.most), "currency": authority.currency}
    details = Details(action="approval limit", verdict=verdict, result=authority.group.name, facts=facts)
    record(event="role_changed", subject=SHOP, actor=f"staff:{by.get_username()}" if by else "system", details=details)
