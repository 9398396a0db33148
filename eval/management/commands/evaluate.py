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


class Command(BaseCommand):
    help = "Run an evaluation suite; exit 1 when one of its gates is missed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("suite", choices=SUITES)
        parser.add_argument("--data", type=Path, required=True, help="the folder with the suite's data")
        parser.add_argument(
            "--guarded", action="store_true", help="parity: also play every trajectory through the gate"
        )
        parser.add_argument("--json", action="store_true", help="print the summary as JSON on the last line")

    def handle(self, *args: Any, data: Path, guarded: bool, json: bool, **options: Any) -> None:
        if not (data / "golden.json").is_file():
            raise CommandError(f"{data} holds no golden.json")
        with temporary_database():
            summary = parity.run_raw(folder=data, step=self._show_progress)
        if guarded:
            with temporary_database():
                summary |= parity.run_guarded(folder=data, step=self._show_progress)
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
