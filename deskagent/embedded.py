"""The embedded profile: web server, worker and sweeps in one process, with nothing else to install."""

import errno
import fcntl
import logging
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from celery import Celery, current_app
from celery.worker import WorkController
from daphne.server import Server
from django.conf import settings
from django.contrib.auth.models import User
from django.db import close_old_connections, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from conversations import operations
from orders import nudge

logger = logging.getLogger(__name__)
WORKER_THREADS = 8
JUDGE_BOOKS = "eval.tasks.judge_books"
LOCK_NUMBER = 0x6465736B  # "desk": PostgreSQL's advisory locks are numbers


class CannotStart(Exception):
    """The message tells the operator what is wrong and what to do."""


@contextmanager
def only_desk_on_database() -> Iterator[None]:
    """Hold the database for one `rundesk`; other commands are not hindered. The operating system or the
    connection's end frees it, however the process dies."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK_NUMBER])
            if not cursor.fetchone()[0]:
                raise CannotStart("another rundesk runs on this database; stop it first")
            yield
        return
    path = Path(f"{connection.settings_dict['NAME']}.rundesk")
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotStart("another rundesk runs on this database; stop it first") from None
        yield


def check_migrations() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CannotStart("the database is not up to date; run `manage.py migrate`")


def check_port(host: str, port: int) -> None:
    """Fail with the reason before anything is started."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be opened: {error.strerror}"
            raise CannotStart(f"port {port} {why}; set DESKAGENT_PORT to another one") from error


def create_first_admin() -> str | None:
    """The password of a new `admin`, where nobody may sign in yet; shown once and stored only as a hash."""
    if User.objects.filter(is_superuser=True, is_active=True).exists():
        return None
    password = secrets.token_urlsafe(12)
    User.objects.create_superuser("admin", "", password)
    return password


def serve(*, application: object, host: str, port: int, ready: Callable[[], None]) -> None:
    """Run until SIGINT or SIGTERM."""
    stopping = threading.Event()
    worker = _start_worker()
    sweeper = threading.Thread(target=_sweep_until, args=(stopping,), name="sweeper", daemon=True)
    sweeper.start()
    try:
        Server(
            application=application,
            endpoints=[f"tcp:port={port}:interface={host}"],
            ready_callable=ready,
            server_name="DeskAgent",
        ).run()
    finally:
        stopping.set()
        worker.stop()
        sweeper.join(timeout=5)
        operations.purse.give_back()


def _start_worker() -> WorkController:
    from deskagent.celery import app

    worker: WorkController = _worker_class(app)(
        app=app,
        hostname="rundesk@embedded",
        pool="threads",
        concurrency=WORKER_THREADS,
        loglevel=logging.WARNING,
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    )
    threading.Thread(target=worker.start, name="worker", daemon=True).start()
    return worker


def _worker_class(app: Celery) -> type[WorkController]:
    app.loader.import_default_modules()
    return WorkController


def _sweep_until(stopping: threading.Event) -> None:
    books_due = time.monotonic() + settings.DESKAGENT_BOOKS_SECONDS
    while not stopping.wait(settings.DESKAGENT_SWEEP_SECONDS):
        close_old_connections()
        try:
            # First, since a sweep fails for as long as its anchors' file cannot be written.
            nudge.reconcile()
            nudge.send_overdue_mail()
            if time.monotonic() >= books_due:
                books_due = time.monotonic() + settings.DESKAGENT_BOOKS_SECONDS
                current_app.send_task(JUDGE_BOOKS)
            operations.purse.give_back_if_idle()
            operations.sweep(now=timezone.now())
        except Exception:
            # The edge of the sweeper's thread: the next pass finds the same rows.
            logger.exception("a sweep failed")
        finally:
            connection.close()
