"""`manage.py rundesk`: the whole desk in one process."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from deskagent import embedded


class Command(BaseCommand):
    help = "Run web server, worker and sweeps in one process (the embedded profile)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")

    def handle(self, *args: Any, host: str, **options: Any) -> None:
        from deskagent.asgi import application

        port = settings.DESKAGENT_PORT
        if settings.REDIS_URL:
            raise CommandError("REDIS_URL is set: run daphne, a worker and beat instead; rundesk is for one process")
        try:
            with embedded.only_desk_on_database():
                embedded.check_migrations()
                embedded.check_port(host, port)
                password = embedded.create_first_admin()
                embedded.serve(application=application, host=host, port=port, ready=lambda: self._greet(password))
        except embedded.CannotStart as error:
            raise CommandError(str(error)) from error

    def _greet(self, password: str | None) -> None:
        if password:
            self.stdout.write(f"Console sign-in, shown only now: admin / {password}")
        if settings.DESKAGENT_MODEL == "offline":
            self.stdout.write("Model: offline. Answers follow fixed rules; no AI model is used.")
        address = settings.DESKAGENT_PUBLIC_URL
        self.stdout.write(f"DeskAgent is ready: {address}/ (shop) and {address}/admin/ (console). Ctrl+C stops it.")
        self.stdout.flush()
