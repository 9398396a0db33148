from django.apps import AppConfig
from django.db.models.signals import post_migrate


class PolicyConfig(AppConfig):
    name = "policy"

    def ready(self) -> None:
        from policy.operations import load_first_version

        post_migrate.connect(load_first_version, sender=self)
