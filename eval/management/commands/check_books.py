"""`manage.py check_books`: the ten invariants over the rows of this desk, one line each."""

import json as json_module
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from eval import books, trust


class Command(BaseCommand):
    help = "Check the ten invariants; exit 1 when one is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--snapshot", type=Path, help="the shop's rows from before, for invariant 5")
        parser.add_argument("--take-snapshot", type=Path, help="write such a file and check nothing")
        parser.add_argument("--gateway-ledger", type=Path, help="the gateway's own ledger, JSON lines")
        parser.add_argument(
            "--demote", action="store_true", help="where money or orders do not add up, let every action wait for staff"
        )
        parser.add_argument("--json", action="store_true", help="print all findings as JSON")

    def handle(
        self,
        *args: Any,
        snapshot: Path | None = None,
        take_snapshot: Path | None = None,
        gateway_ledger: Path | None = None,
        json: bool = False,
        demote: bool = False,
        **options: Any,
    ) -> None:
        if take_snapshot is not None:
            taken = books.take_snapshot()
            taken.write(take_snapshot)
            self.stdout.write(f"snapshot of {len(taken.digests)} customers, orders and products")
            return
        try:
            before = books.read_snapshot(snapshot) if snapshot else None
            lines = books.check(now=timezone.now(), snapshot=before, gateway_ledger=gateway_ledger)
        except (OSError, books.SnapshotUnreadable, books.LedgerUnreadable) as error:
            raise CommandError(str(error)) from error
        broken = any(line.faults for line in lines)
        if json:
            found = {"ok": not broken, "invariants": [line.as_json() for line in lines]}
            self.stdout.write(json_module.dumps(found))
        else:
            self.stdout.write("\n".join(map(str, lines)))
        if demote:
            trust.tell_distrust(lines)
        if broken:
            sys.exit(1)
