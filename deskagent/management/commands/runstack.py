"""`manage.py runstack`: the production profile on one machine: web server, worker and beat on PostgreSQL and Redis."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from deskagent import embedded, stack
from deskagent.processes import list_processes, pass_on


class Command(BaseCommand):
    help = "Run web server, worker and beat as processes of their own; one that ends, ends all."
    # The processes check what they were given; this one may still have to find it.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
        parser.add_argument(
            "--services", action="store_true", help="without DATABASE_URL and REDIS_URL use those of `make services`"
        )

    def handle(self, *args: Any, host: str, services: bool, **options: Any) -> None:
        if not settings.REDIS_URL and connection.vendor != "postgresql" and services:
            self._start_again_with_services()
        if not settings.REDIS_URL or connection.vendor != "postgresql":
            raise CommandError("set DATABASE_URL to a PostgreSQL and REDIS_URL to a Redis, or neither and --services")
        environment, missing = stack.get_environment(host=host)
        if missing:
            self._say(f"Not set: {', '.join(missing)}. This machine's own are used; a shop needs to be given them.")
        if code := stack.prepare(environment):
            sys.exit(code)
        try:
            embedded.check_port(host, settings.DESKAGENT_PORT)
        except embedded.CannotStart as error:
            raise CommandError(str(error)) from error
        if password := embedded.create_first_admin():
            self._say(f"Console sign-in, shown only now: admin / {password}")
        connection.close()
        self._say(f"Starting on {settings.DESKAGENT_PUBLIC_URL}/ (shop) and /admin/ (console). Ctrl+C stops all.")
        ended = stack.run(list_processes(host=host, port=settings.DESKAGENT_PORT), environment, say=self._say)
        if ended is not None:
            raise CommandError(f"{ended.name} ended with exit code {ended.code}; the others were stopped")

    def _start_again_with_services(self) -> None:
        self._say("DATABASE_URL and REDIS_URL are not set: using private servers; `make services-stop` ends them.")
        try:
            urls = stack.start_services()
        except stack.NoServices as error:
            raise CommandError(str(error)) from error
        # Settings are read once, so the same command begins again with the URLs set.
        os.execve(sys.executable, [sys.executable, *sys.argv], pass_on(**urls))  # noqa: S606 - our own command

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
