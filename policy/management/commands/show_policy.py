"""`manage.py show_policy`: the active version as JSON."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from policy.queries import PolicyMissing, get_active


class Command(BaseCommand):
    help = "Print the active policy version as JSON."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            active = get_active()
        except PolicyMissing as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps({"version": active.version, **active.limits.model_dump(mode="json")}, indent=2))
