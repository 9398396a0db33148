from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from audit.models import Entry

SHOWN = (
    *("at", "event", "actor", "action", "rule", "verdict", "policy_version", "chain", "position", "hash"),
    "canonical",
)


@admin.register(Entry)
class EntryAdmin(admin.ModelAdmin[Entry]):
    """The log as evidence: no page of the console writes to it."""

    fields = SHOWN
    readonly_fields = SHOWN
    list_display = ["at", "event", "action", "rule", "verdict", "actor", "chain", "position"]
    list_filter = ["event"]
    search_fields = ["chain", "canonical"]
    ordering = ["-id"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
