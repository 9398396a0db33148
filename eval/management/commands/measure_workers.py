"""`manage.py measure_workers POOL:CONCURRENCY[:PROCESSES] …`: turns a second of each way to run a worker."""

import json
import re
from argparse import ArgumentTypeError
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from eval.workers.measure import Setup, measure

WAY = re.compile(r"(prefork|threads|solo):(\d{1,3})(?::(\d))?")


def read_way(text: str) -> tuple[str, int, int]:
    found = WAY.fullmatch(text)
    if found is None:
        raise ArgumentTypeError(f"like threads:64 or threads:32:2, not {text!r}")
    return found[1], int(found[2]), int(found[3] or 1)


class Command(BaseCommand):
    help = "Measure worker pools with a model that waits 2 x 300 ms a turn, on the PostgreSQL and an idle Redis given."

    # The workers are given what the start-up checks want; the measuring process serves nobody.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ways", nargs="+", type=read_way, metavar="POOL:CONCURRENCY[:PROCESSES]")
        parser.add_argument("--conversations", type=int, nargs="+", default=[64])
        parser.add_argument("--rounds", type=int, default=3, help="messages of each customer")
        parser.add_argument("--repeat", type=int, default=1, help="runs of each way, interleaved")

    def handle(self, *args: Any, ways: list[tuple[str, int, int]], **options: Any) -> None:
        if connection.vendor != "postgresql" or not settings.REDIS_URL:
            raise CommandError(
                "set DATABASE_URL to a PostgreSQL and REDIS_URL to an idle Redis; make services has both"
            )
        for run in range(options["repeat"]):
            for conversations in options["conversations"]:
                for pool, concurrency, processes in ways:
                    setup = Setup(
                        pool=pool,
                        concurrency=concurrency,
                        processes=processes,
                        conversations=conversations,
                        rounds=options["rounds"],
                    )
                    figures = {"run": run + 1, **asdict(setup), **asdict(measure(setup))}
                    self.stdout.write(json.dumps(figures))
                    self.stdout.flush()
