"""`manage.py bench`: the product's own figures, as JSON on the last line; with `--peer` beside another program's."""

import json
import os
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from eval.bench import peer, run


class Command(BaseCommand):
    help = "Measure the desk, in at most five minutes; nothing configured is touched."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--only", nargs="+", choices=run.PARTS, default=list(run.PARTS), help="parts to measure")
        parser.add_argument("--peer", action="store_true", help="also measure the peer, in turns, and print ratios")
        parser.add_argument("--rounds", type=int, default=5, help="with --peer: how often both are measured")

    # `peer` the option would hide `peer` the module.
    def handle(self, *args: Any, only: list[str], rounds: int, **options: Any) -> None:
        harness = peer.find_harness() if options["peer"] else None
        figures = run.run(parts=only, say=self._say)
        if harness is not None:
            figures["peer"] = peer.compare(harness, figures=figures, rounds=rounds, say=self._say)
        self.stdout.write(json.dumps(figures))

    def _say(self, line: str) -> None:
        self.stderr.write(f"[load {os.getloadavg()[0]:.1f}] {line}")
        self.stderr.flush()
