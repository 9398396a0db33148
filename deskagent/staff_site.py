from typing import Any

from django.contrib import admin
from django.http import HttpRequest

# What needs doing first; whatever is not named follows.
ORDER = ["conversations", "approvals", "orders", "helpcenter", "policy", "audit"]


class StaffSite(admin.AdminSite):
    """The staff console: Django's own admin under the desk's name."""

    site_header = "DeskAgent"
    site_title = "DeskAgent console"
    index_title = "Support desk"

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        apps = super().get_app_list(request, app_label)
        return sorted(apps, key=lambda app: ORDER.index(app["app_label"]) if app["app_label"] in ORDER else len(ORDER))
