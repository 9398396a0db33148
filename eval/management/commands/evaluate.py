"""`manage.py evaluate SUITE`: measure the desk; each suite works in a temporary database of its own."""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from eval import report
from eval.suite import DataMissing, Options, Result
from eval.suites import SUITES

WIDTH = 40


class Command(BaseCommand):
    help = "Run an evaluation suite; exit 1 when one of its gates is missed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("suite", choices=list(SUITES))
        places = "; ".join(f"{name}: {suite.data}" for name, suite in SUITES.items())
        parser.add_argument("--data", type=Path, help=places)
        parser.add_argument("--out", type=Path, help="a folder for report.html, summary.json and predictions.jsonl")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON on the last line")
        for name, suite in SUITES.items():
            for flag, rules in suite.options.items():
                parser.add_argument(flag, **{**rules, "help": f"{name}: {rules['help']}"})

    def handle(self, *args: Any, suite: str, data: Path | None, out: Path | None, json: bool, **options: Any) -> None:
        chosen = SUITES[suite]
        _refuse_foreign(suite, options)
        given = {_as_name(flag): options[_as_name(flag)] for flag in chosen.options}
        try:
            result = chosen.run(Options(data=data, given=given, step=self._show_progress))
        except DataMissing as error:
            raise CommandError(str(error)) from None
        if out is not None:
            report.write(folder=out, suite=chosen, result=result)
        self._print(result, as_json=json)
        if not all(gate.kept for gate in result.gates):
            sys.exit(1)

    def _print(self, result: Result, *, as_json: bool) -> None:
        if "not_checked" in result.summary:
            self.stderr.write(f"NOT CHECKED: {result.summary['not_checked']}")
        for gate in result.gates:
            if not gate.kept:
                self.stderr.write(f"MISSED: {gate.what} is {gate.reached}, the goal is {gate.goal}")
        if as_json:
            self.stdout.write(json.dumps(result.summary))
            return
        for name, value in result.summary.items():
            self.stdout.write(f"{name}: {value}")

    def _show_progress(self, done: int, whole: int) -> None:
        """A bar on a terminal only; a log gets none of its hundred versions."""
        if not self.stderr.isatty() or (done % 10 and done != whole):
            return
        filled = WIDTH * done // whole
        self.stderr.write(f"\r[{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{whole}", ending="")
        if done == whole:
            self.stderr.write("")


def _refuse_foreign(suite: str, options: dict[str, Any]) -> None:
    """An option of another suite would be ignored, and the figures taken for something they are not."""
    for name, other in SUITES.items():
        for flag in other.options:
            if flag not in SUITES[suite].options and options[_as_name(flag)]:
                raise CommandError(f"{flag} belongs to the suite {name}")


def _as_name(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")
