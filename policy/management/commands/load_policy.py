"""`manage.py load_policy NAME|FILE`: a new active policy version."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from policy.operations import Overtaken, PolicyUnreadable, publish, read_preset


class Command(BaseCommand):
    help = "Make a preset or a file the new active policy version."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", help="a preset's name or a JSON file")

    def handle(self, *args: Any, source: str, **options: Any) -> None:
        try:
            version = publish(source=source, limits=read_preset(source), author="command line")
        except (PolicyUnreadable, Overtaken) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"policy {version} is active")
