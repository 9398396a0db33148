from celery.signals import beat_init, worker_init
from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class StaffAdminConfig(admin_apps.AdminConfig):
    """Django's admin as the desk's console."""

    default_site = "deskagent.staff_site.StaffSite"


class DeskConfig(AppConfig):
    """The wiring's own commands and start-up checks."""

    name = "deskagent"

    def ready(self) -> None:
        from deskagent import checks

        worker_init.connect(checks.refuse_to_work, dispatch_uid="deskagent.checks")
        beat_init.connect(checks.refuse_to_work, dispatch_uid="deskagent.checks")
