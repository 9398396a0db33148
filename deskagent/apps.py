from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class StaffAdminConfig(admin_apps.AdminConfig):
    """Django's admin as the desk's console."""

    default_site = "deskagent.staff_site.StaffSite"


class DeskConfig(AppConfig):
    """The wiring's own commands."""

    name = "deskagent"
