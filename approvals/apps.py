from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class ApprovalsConfig(AppConfig):
    name = "approvals"

    def ready(self) -> None:
        from approvals import receivers

        receivers.connect()
        autodiscover_modules("ladder_admin")
