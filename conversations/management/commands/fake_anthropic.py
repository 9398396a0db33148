"""Lets the desk run against a scripted model: point ANTHROPIC_BASE_URL at the address this prints."""

import signal
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from conversations.fake_anthropic import FakeAnthropic, Script, ScriptError

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Command(BaseCommand):
    help = "Answer as the Anthropic Messages API on this machine, from a script, until interrupted."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, required=True, help="0 takes any free port")
        parser.add_argument("--script", type=Path, required=True, metavar="FILE", help="JSON file of replies")

    # Django passes every option of every command here.
    def handle(self, *args: Any, port: int, script: Path, **options: Any) -> None:
        try:
            fake = FakeAnthropic(Script.from_file(script), port)
        except ScriptError as error:
            raise CommandError(f"script: {error}") from None
        # Blocked before the server's threads start, so that they inherit it and only sigwait receives the signal.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            self._serve(fake, port)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _serve(self, fake: FakeAnthropic, port: int) -> None:
        try:
            fake.start()
        except (OSError, OverflowError) as error:
            raise CommandError(f"port {port}: {error}") from None
        try:
            self.stdout.write(f"Fake Anthropic API ready at {fake.url}")
            self.stdout.flush()
            signal.sigwait(STOP_SIGNALS)
        finally:
            fake.stop()
