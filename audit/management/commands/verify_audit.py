"""`manage.py verify_audit`: proves the audit log whole, or names the first fault."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.queries import verify


class Command(BaseCommand):
    help = "Check every audit chain and anchor; exit 1 and name the first fault where one is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--anchor", type=Path, help="a file with anchors; DESKAGENT_ANCHOR_FILE without it")

    def handle(self, *args: Any, anchor: Path | None = None, **options: Any) -> None:
        if anchor is not None and not anchor.is_file():
            raise CommandError(f"{anchor} is not a file")
        found = verify(anchor_file=anchor)
        if found.broken:
            self.stdout.write(str(found.broken))
            sys.exit(1)
        newest = f"{found.anchor.number} of {found.anchor.at}" if found.anchor else "none"
        self.stdout.write(f"ok {found.entries} entries in {found.chains} chains, anchor {newest}")
