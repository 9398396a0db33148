"""`manage.py evaluate SUITE`: measure the desk; each suite works in a temporary database of its own."""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from eval import parity
from eval.database import temporary_database

SUITES = ("parity",)
WIDTH = 40
# What the public data holds and our own set cannot stand in for.
NOT_CHECKED = "the public 635 trajectories and 615 error cases: no --data"


class Command(BaseCommand):
    help = "Run an evaluation suite; exit 1 when one of its gates is missed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("suite", choices=SUITES)
        parser.add_argument(
            "--data", type=Path, help="parity: the folder with the recorded data; our own small set without it"
        )
        parser.add_argument(
            "--guarded", action="store_true", help="parity: also play every trajectory through the gate"
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON on the last line")

    def handle(self, *args: Any, data: Path | None, guarded: bool, json: bool, **options: Any) -> None:
        folder = data or parity.OWN
        for name in ("golden.json", "golden_errors.json"):
            if not (folder / name).is_file():
                raise CommandError(f"{folder} holds no {name}")
        with temporary_database():
            summary = parity.run_raw(folder=folder, step=self._show_progress)
        if guarded:
            with temporary_database():
                summary |= parity.run_guarded(folder=folder, step=self._show_progress)
        if data is None:
            summary["not_checked"] = NOT_CHECKED
            self.stderr.write(f"NOT CHECKED: {NOT_CHECKED}")
        self._print(summary, as_json=json)
        if any(summary[gate] for gate in ("hash_mismatches", "output_mismatches", "error_mismatches")):
            sys.exit(1)

    def _print(self, summary: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(summary))
            return
        for name, value in summary.items():
            self.stdout.write(f"{name}: {value}")

    def _show_progress(self, done: int, whole: int) -> None:
        """A bar on a terminal only; a log gets none of its hundred versions."""
        if not self.stderr.isatty() or (done % 10 and done != whole):
            return
        filled = WIDTH * done // whole
        self.stderr.write(f"\r[{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{whole}", ending="")
        if done == whole:
            self.stderr.write("")
