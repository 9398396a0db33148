from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from audit.models import Entry


@admin.register(Entry)
class EntryAdmin(admin.ModelAdmin[Entry]):
    """The log as evidence: no page of the console writes to it."""

    list_display = ["at", "event", "action", "rule", "verdict", "actor", "chain", "position"]
    list_filter = ["event", "verdict"]
    search_fields = ["conversation", "action", "canonical"]
    ordering = ["-id"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
