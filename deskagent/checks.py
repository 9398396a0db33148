"""Start-up checks: what would endanger a shop stops every process that serves it, and is named.

`REDIS_URL` marks production: several processes, customers from outside. `manage.py` runs the checks itself, the web
server, the worker and beat call `refuse_to_start`.
"""

from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register, run_checks
from django.db import DatabaseError, connection

from audit.queries import find_foreign_key

TAG = "desk"
SHORTEST_SECRET, FEWEST_LETTERS = 32, 8
SHORTEST_TOKEN = 16


def refuse_to_start() -> None:
    """End this process with the reasons where a check fails; looks at no database."""
    _end([f"{message.msg} {message.hint}" for message in run_checks(tags=[TAG]) if message.is_serious()])


def refuse_to_work(**kwargs: Any) -> None:
    """For worker and beat, as a receiver of Celery's signals: also where the audit log belongs to another key.

    A web server with such a key answers, but `/readyz` never lets customers come to it.
    """
    refuse_to_start()
    _end([reason] if (reason := _find_foreign_log()) else [])


@register(TAG)
def find_dangers(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """What must not be so in any profile, and with `REDIS_URL` also what must not be so in production."""
    token = settings.DESKAGENT_METRICS_TOKEN
    found: list[CheckMessage] = []
    if token and len(token) < SHORTEST_TOKEN:
        found.append(_error(9, "DESKAGENT_METRICS_TOKEN is short.", f"Give it {SHORTEST_TOKEN} random characters."))
    secret = settings.DESKAGENT_IDENTITY_SECRET
    if secret and (len(secret.strip()) < SHORTEST_SECRET or len(set(secret)) < FEWEST_LETTERS):
        hint = f"Give it at least {SHORTEST_SECRET} random characters: who guesses it is any customer."
        found.append(_error(10, "DESKAGENT_IDENTITY_SECRET is easy to guess.", hint))
    if settings.REDIS_URL:
        found += [*_secrets(), *_addresses(), *_rules(), *_storage(), *_mail()]
    return found


def _secrets() -> Iterator[CheckMessage]:
    key = settings.SECRET_KEY.strip()
    if "SECRET_KEY" not in settings.DESKAGENT_GIVEN:
        yield _error(2, "SECRET_KEY is not set.", "Give all processes the same secret: `openssl rand -base64 48`.")
    elif len(key) < SHORTEST_SECRET or len(set(key)) < FEWEST_LETTERS:
        yield _error(2, "SECRET_KEY is easy to guess.", f"Give it at least {SHORTEST_SECRET} random characters.")
    if "DESKAGENT_AUDIT_KEY" not in settings.DESKAGENT_GIVEN:
        yield Warning(
            "DESKAGENT_AUDIT_KEY is not set: this machine uses the key it made itself.",
            hint="Give all processes the same one before a second machine starts; its worker would be refused.",
            id="deskagent.W001",
        )


def _addresses() -> Iterator[CheckMessage]:
    if settings.DEBUG:
        yield _error(1, "DEBUG is on.", "Unset it: its error pages show settings and customers' data.")
    if "ALLOWED_HOSTS" not in settings.DESKAGENT_GIVEN:
        yield _error(3, "ALLOWED_HOSTS is not set.", "Name the hosts the desk is reached at.")
    elif any(host in ("*", ".") for host in settings.ALLOWED_HOSTS):
        yield _error(3, "ALLOWED_HOSTS allows every host.", "Name the hosts the desk is reached at.")
    public = settings.DESKAGENT_PUBLIC_URL
    if not settings.SECURE and not is_loopback(settings.PUBLIC_HOST):
        hint = "Put TLS in front of the desk and write https: sign-ins and chats must not travel in the clear."
        yield _error(6, f"DESKAGENT_PUBLIC_URL is {public}, without encryption.", hint)
    elif not settings.SECURE and not all(is_loopback(host) for host in settings.ALLOWED_HOSTS):
        yield Warning(
            f"DESKAGENT_PUBLIC_URL is {public}, but ALLOWED_HOSTS names hosts beyond this machine.",
            hint="Set it to the desk's https address: cookies are marked secure only then.",
            id="deskagent.W002",
        )


def _rules() -> Iterator[CheckMessage]:
    if settings.DESKAGENT_GUARD == "audit" and settings.DESKAGENT_GUARD_CONFIRM != "audit":
        hint = "Unset it; if you mean it, set DESKAGENT_GUARD_CONFIRM=audit as well."
        yield _error(4, "DESKAGENT_GUARD is audit: rules R1 to R3 are recorded, not enforced.", hint)
    if settings.DESKAGENT_CONSENT != "card":
        hint = "Unset it: it is for evaluation, and lets the model say that the customer agreed."
        yield _error(5, f"DESKAGENT_CONSENT is {settings.DESKAGENT_CONSENT}.", hint)


def _storage() -> Iterator[CheckMessage]:
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        yield _error(
            7,
            "DATABASE_URL is SQLite, but REDIS_URL is set.",
            "Set it to a PostgreSQL; or unset REDIS_URL and run the desk as one process, `manage.py rundesk`.",
        )


def _mail() -> Iterator[CheckMessage]:
    if settings.EMAIL_BACKEND.endswith(".console.EmailBackend"):
        yield Warning(
            "EMAIL_URL is not set: mail, one-time codes included, is printed by the worker.",
            hint="Set it to your mail server before the policy asks for a code.",
            id="deskagent.W003",
        )


def is_loopback(host: str) -> bool:
    """`localhost`, 127.0.0.1 and the like, ::1."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _end(reasons: list[str]) -> None:
    if reasons:
        raise SystemExit("\n".join(["The desk does not start:", *reasons]))


def _error(number: int, message: str, hint: str) -> Error:
    return Error(message, hint=hint, id=f"deskagent.E{number:03}")


def _find_foreign_log() -> str:
    """A second machine with an audit key of its own would break the chain with its first entry."""
    try:
        foreign = find_foreign_key()
    except DatabaseError:
        # Not there yet, or not migrated: `/readyz` says so for as long as it lasts.
        return ""
    finally:
        if not connection.in_atomic_block:
            connection.close()
    if not foreign:
        return ""
    return (
        f"DESKAGENT_AUDIT_KEY is not the key of this database's audit log ({foreign}). "
        "Give this machine the key of the others, from their environment or var/audit_key."
    )
