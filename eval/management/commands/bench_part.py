"""`manage.py bench_part NAME`: one part of `bench`, in the process and on the database that its part needs."""

import json
import os
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

PARTS = ("engine", "turns", "cache", "stack")


class Command(BaseCommand):
    help = "Measure one part of the benchmark; `bench` starts these and puts their figures together."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("part", choices=PARTS)
        parser.add_argument("--conversations", type=int, default=100)
        parser.add_argument("--seconds", type=float, default=5.0)
        parser.add_argument("--sockets", type=int, nargs="+", default=[1, 16, 64, 256])

    def handle(self, *args: Any, part: str, conversations: int, **options: Any) -> None:
        self.stdout.write(json.dumps(self._measure(part, conversations, options)))

    def _measure(self, part: str, conversations: int, options: dict[str, Any]) -> dict[str, Any]:
        # Each part needs another half of the product; only the one that is measured is loaded.
        if part == "stack":
            from eval.bench.stack import measure_stack

            return measure_stack(sockets=options["sockets"], seconds=options["seconds"], say=self._say)
        if part == "cache":
            from eval.bench.caching import measure_cache

            return measure_cache()
        from eval.bench import engine

        if part == "turns":
            return engine.measure_turns(conversations=conversations)
        return engine.measure_engine(conversations=conversations, say=self._say)

    def _say(self, line: str) -> None:
        self.stderr.write(f"[load {os.getloadavg()[0]:.1f}] {line}")
        self.stderr.flush()
