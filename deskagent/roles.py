"""The four roles of the console as groups: who works with what. The owner, a superuser, has no role and every right."""

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db import connection

SUPPORT, APPROVER, MERCHANT, AUDITOR = "Support", "Approver", "Merchant", "Auditor"
SHOP_ROWS = ("orders.view_order", "orders.view_customer", "orders.view_effect")
ROLES: dict[str, tuple[str, ...]] = {
    SUPPORT: (
        *("conversations.view_ticket", "conversations.view_conversation", "conversations.answer_conversation"),
        *("conversations.view_rating", "orders.view_mail"),
        *SHOP_ROWS,
    ),
    APPROVER: (
        *("approvals.view_actionrequest", "approvals.decide_actionrequest"),
        *("approvals.view_harm", "approvals.add_harm", "conversations.view_conversation"),
        *SHOP_ROWS,
    ),
    MERCHANT: (
        *("helpcenter.view_article", "helpcenter.add_article", "helpcenter.change_article"),
        "helpcenter.publish_article",
        *("helpcenter.view_category", "helpcenter.add_category", "helpcenter.change_category"),
        "helpcenter.delete_category",
    ),
    # Reads what proves something. Transcripts and customers are not needed for that: the log names them by pseudonym.
    AUDITOR: (
        *("audit.view_entry", "policy.view_policyversion", "approvals.view_actionrequest"),
        *("approvals.view_harm", "approvals.view_authority", "orders.view_effect"),
    ),
}


def make_roles(**_: Any) -> None:
    """Make the roles that are missing, after a migration. One that is there stays as the shop has made it since."""
    if Group._meta.db_table not in connection.introspection.table_names():
        # One app was migrated alone, before Django's own.
        return
    missing = set(ROLES) - set(Group.objects.filter(name__in=ROLES).values_list("name", flat=True))
    if not missing:
        return
    wanted = {right for name in missing for right in ROLES[name]}
    held = {
        f"{right.content_type.app_label}.{right.codename}": right
        for right in Permission.objects.select_related("content_type").filter(
            codename__in={right.partition(".")[2] for right in wanted}
        )
    }
    if not wanted <= set(held):
        # In the middle of the migrations; the last one comes back here.
        return
    groups = Group.objects.bulk_create([Group(name=name) for name in sorted(missing)])
    rows = Group.permissions.through
    rows.objects.bulk_create(
        [rows(group_id=group.pk, permission_id=held[right].pk) for group in groups for right in ROLES[group.name]]
    )
