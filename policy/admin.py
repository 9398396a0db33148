from django.contrib import admin
from django.http import HttpRequest

from policy.models import PolicyVersion


@admin.register(PolicyVersion)
class PolicyVersionAdmin(admin.ModelAdmin[PolicyVersion]):
    """Versions are proof: looked at, never edited."""

    list_display = ["number", "source", "author", "note", "created_at"]
    readonly_fields = ["number", "limits", "source", "note", "author", "created_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: PolicyVersion | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: PolicyVersion | None = None) -> bool:
        return False
