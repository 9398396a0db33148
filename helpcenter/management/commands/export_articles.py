"""`manage.py export_articles DIR`: articles as Markdown files with front matter."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from helpcenter.interchange import export_folder


class Command(BaseCommand):
    help = "Write the newest version of each article into a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        try:
            self.stdout.write(f"{export_folder(folder)} articles written")
        except OSError as error:
            raise CommandError(str(error)) from error
