"""Reading one variable of the environment: a wrong value stops the start with the variable's name in the message."""

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from deskagent.secrets_file import read_or_create

YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?/*")


class PlainEnv(environ.Env):  # type: ignore[misc]  # the library has no types
    """The library's reader without its proxies: a value that begins with `$` is that value, not another variable's,
    and never the default."""

    def get_value(
        self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, parse_default: bool = False
    ) -> Any:
        text = self.ENVIRON.get(var)
        if text is not None and text.startswith("$"):
            return text if cast in (None, str) else self.parse_value(text, cast)
        return super().get_value(var, cast, default, parse_default)


env = PlainEnv()


def read_number(name: str, default: int, *, least: int = 1, most: int = 1_000_000_000) -> int:
    """A whole number in the bounds, or a stop that names the variable."""
    text = env.str(name, default=str(default))
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and least <= int(text) <= most):
        raise ImproperlyConfigured(f"{name} must be a whole number from {least} to {most}, not {text[:80]!r}")
    return int(text)


def read_dollars(name: str, default: str) -> Decimal | None:
    """An amount of dollars above zero, exact to the billionth; None where variable and default are empty."""
    text: str = env.str(name, default=default).strip() or default
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,7}(\.[0-9]{1,9})?", text, re.ASCII) or not Decimal(text):
        raise ImproperlyConfigured(
            f"{name} must be dollars above zero and below ten million, like 5.00, not {text[:80]!r}"
        )
    return Decimal(text)


def read_choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    text: str = env.str(name, default=default)
    if text not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {text!r}")
    return text


def read_flag(name: str) -> bool:
    """False where it is not set. A misspelt word is neither yes nor no, and stops the start."""
    text: str = env.str(name, default="false")
    if text.lower() not in (*YES, *NO):
        raise ImproperlyConfigured(f"{name} must be true or false, not {text!r}")
    return text.lower() in YES


def read_origin(name: str, default: str) -> tuple[str, str, str]:
    """Scheme, host and the whole of an address without a path, as browsers write it: `https://desk.example.com`."""
    text: str = env.str(name, default=default)
    found = ORIGIN.fullmatch(text.lower())
    if found is None or not 0 < int(found["port"] or 1) < 65_536:
        raise ImproperlyConfigured(f"{name} must be an http or https address without a path, not {text!r}")
    return found["scheme"], found["host"], text.lower().rstrip("/")


def read_hosts(name: str, default: list[str]) -> list[str]:
    hosts = [host.strip() for host in env.list(name, default=default)]
    if not hosts or "" in hosts:
        raise ImproperlyConfigured(f"{name} must name at least one host, and none that is empty")
    return hosts


def read_database(name: str, default: str) -> dict[str, Any]:
    """The database of a URL. The message leaves the URL out: it may hold a password."""
    problem = ImproperlyConfigured(f"{name} must be like sqlite:///PATH or postgres://USER:PASSWORD@HOST:PORT/NAME")
    text: str = env.str(name, default=default)
    if not text.startswith(("sqlite:///", "postgres://", "postgresql://")):
        raise problem
    try:
        config: dict[str, Any] = environ.Env.db_url_config(text)
    except ValueError:
        raise problem from None
    # A database in memory is gone between `migrate` and `rundesk`.
    if config["NAME"] in ("", ":memory:"):
        raise problem
    return config


def read_mail(name: str, default: str) -> dict[str, Any]:
    """Django's mail settings of a URL. The message leaves the URL out: it may hold a password."""
    text: str = env.str(name, default=default)
    try:
        config: dict[str, Any] = environ.Env.email_url_config(text)
    except (ValueError, ImproperlyConfigured):
        config = {}
    if not config or (config["EMAIL_BACKEND"].endswith("smtp.EmailBackend") and not config["EMAIL_HOST"]):
        raise ImproperlyConfigured(f"{name} must be like smtp+tls://USER:PASSWORD@HOST:PORT, or consolemail://")
    return {name: value for name, value in config.items() if value is not None}


def read_sender(name: str, default: str) -> str:
    """The address that the desk's mail comes from, alone or after a name: `Shop <desk@shop.example>`."""
    text: str = env.str(name, default=default)
    if not re.fullmatch(r"[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+", text):
        raise ImproperlyConfigured(f"{name} must be an e-mail address, not {text[:80]!r}")
    return text


def read_secret(name: str, file: Path, *, shortest: int = 1) -> str:
    """The variable's text, or one made on the first run and kept in the file."""
    text: str = env.str(name, default="") or read_or_create(file)
    if len(text.strip()) < shortest:
        raise ImproperlyConfigured(f"{name} must have a length of at least {shortest}, without spaces around it")
    return text
