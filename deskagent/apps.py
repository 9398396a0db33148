from celery.signals import beat_init, worker_init
from django.apps import AppConfig, apps
from django.contrib.admin import apps as admin_apps
from django.db.models.signals import post_migrate


class StaffAdminConfig(admin_apps.AdminConfig):
    """Django's admin as the desk's console."""

    default_site = "deskagent.staff_site.StaffSite"


class DeskConfig(AppConfig):
    """The wiring's own commands and start-up checks."""

    name = "deskagent"

    def ready(self) -> None:
        from deskagent import checks, roles

        worker_init.connect(checks.refuse_to_work, dispatch_uid="deskagent.checks")
        beat_init.connect(checks.refuse_to_work, dispatch_uid="deskagent.checks")
        # The last app with rows: every right exists by then. For an app without any the signal is not sent.
        post_migrate.connect(roles.make_roles, sender=apps.get_app_config("conversations"))
