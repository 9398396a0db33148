"""`manage.py guard_report`: what the audit mode let pass that the enforcing one would have refused, by rule."""

import json
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from approvals.would_be import list_would_be_refusals


class Command(BaseCommand):
    help = "Count would-be refusals by rule and action: what conversations in audit mode did past R1, R2 or R3."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, help="only the last so many days; all of them without it")
        parser.add_argument("--json", action="store_true", help="print the rows as JSON on one line")

    def handle(self, *args: Any, **options: Any) -> None:
        days = options["days"]
        since = timezone.now() - timedelta(days=days) if days is not None else None
        rows = list_would_be_refusals(since=since)
        if options["json"]:
            self.stdout.write(json.dumps({"rows": [asdict(row) for row in rows]}))
            return
        for row in rows:
            self.stdout.write(f"{row.rule}  {row.count:>7}  {row.action} in {row.conversations} chats, last {row.last}")
        self.stdout.write(f"{sum(row.count for row in rows)} would-be refusals")
