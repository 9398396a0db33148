"""`manage.py bench_part NAME`: one part of `bench`, in the process and on the database that its part needs."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

PARTS = ("engine", "turns", "approvals", "cache", "stack")


class Command(BaseCommand):
    help = "Measure one part of the benchmark; `bench` starts these and puts their figures together."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("part", choices=PARTS)
        parser.add_argument("--conversations", type=int, default=100)
        parser.add_argument("--seconds", type=float, default=5.0, help="of each load on the stack")
        parser.add_argument("--within", type=float, default=3_600.0, help="begin nothing that may end later")
        parser.add_argument("--sockets", type=int, nargs="+", default=[1, 16, 64, 256])

    def handle(self, *args: Any, part: str, conversations: int, **options: Any) -> None:
        # Whoever ends this process lets it end its own.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        found: dict[str, Any] = {}
        with suppress(KeyboardInterrupt):
            for figures in self._measure(part, conversations, options):
                found |= figures
                self.stdout.write(json.dumps(found))
                self.stdout.flush()
            return
        self._say(f"{part}: stopped before its end")

    def _measure(self, part: str, conversations: int, options: dict[str, Any]) -> Iterator[dict[str, Any]]:
        # Each part needs another half of the product; only the one that is measured is loaded.
        if part == "stack":
            from eval.bench.stack import measure_stack

            yield from measure_stack(
                sockets=options["sockets"], seconds=options["seconds"], within=options["within"], say=self._say
            )
        elif part == "cache":
            from eval.bench.caching import measure_cache

            yield measure_cache()
        else:
            from eval.bench import engine

            if part == "turns":
                yield engine.measure_turns(conversations=conversations)
            elif part == "approvals":
                yield engine.measure_approvals(conversations=conversations)
            else:
                yield from engine.measure_engine(conversations=conversations, say=self._say)

    def _say(self, line: str) -> None:
        self.stderr.write(f"[load {os.getloadavg()[0]:.1f}] {line}")
        self.stderr.flush()
