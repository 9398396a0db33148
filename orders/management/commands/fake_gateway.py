"""Lets the desk run against a payment gateway that fails on demand: set DESKAGENT_GATEWAY_URL to what this prints."""

import signal
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from orders.payments.fake import POST_FAULTS, FakeGateway

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Command(BaseCommand):
    help = "Answer as a payment gateway on this machine, with a ledger of its own, until interrupted."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, required=True, help="0 takes any free port")
        parser.add_argument("--ledger", type=Path, metavar="FILE", help="where refunds are written, one a line")
        parser.add_argument("--slow-ms", type=int, default=0, help="milliseconds before a refund is made")
        parser.add_argument(
            "--faults", nargs="*", default=[], choices=POST_FAULTS, help="what the next refunds meet, in order"
        )

    # Django passes every option of every command here.
    def handle(
        self, *args: Any, port: int, ledger: Path | None, slow_ms: int, faults: list[str], **options: Any
    ) -> None:
        # Blocked before the server's threads start, so that they inherit it and only sigwait receives the signal.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            self._serve(port, ledger, slow_ms, faults)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _serve(self, port: int, ledger: Path | None, slow_ms: int, faults: list[str]) -> None:
        try:
            fake = FakeGateway(ledger, port)
            fake.fail(*faults, slow_ms=slow_ms)
            fake.start()
        except (OSError, OverflowError, ValueError) as error:
            raise CommandError(f"cannot start: {error}") from None
        try:
            self.stdout.write(f"Fake payment gateway ready at {fake.url}")
            self.stdout.flush()
            signal.sigwait(STOP_SIGNALS)
        finally:
            fake.stop()
