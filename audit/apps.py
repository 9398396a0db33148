from django.apps import AppConfig
from django.db.models.signals import post_migrate


class AuditConfig(AppConfig):
    name = "audit"

    def ready(self) -> None:
        from audit.anchoring import found_shop

        post_migrate.connect(found_shop, sender=self)
