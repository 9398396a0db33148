"""Every setting of the desk, read once from the environment; README and `.env.example` explain each variable."""

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import django_stubs_ext
import environ
from django.core.exceptions import ImproperlyConfigured

from deskagent.secrets_file import read_or_create

# Django's admin classes take their model as a type parameter only with this.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
STATE_DIR = BASE_DIR / "var"

YES, NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?/*")

env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")


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


def read_secret(name: str, file: Path, *, shortest: int = 1) -> str:
    """The variable's text, or one made on the first run and kept in the file."""
    text: str = env.str(name, default="") or read_or_create(file)
    if len(text.strip()) < shortest:
        raise ImproperlyConfigured(f"{name} must have a length of at least {shortest}, without spaces around it")
    return text


# --- Where the desk is ---
DESKAGENT_PORT = read_number("DESKAGENT_PORT", 8000, most=65_535)
_scheme, _host, DESKAGENT_PUBLIC_URL = read_origin("DESKAGENT_PUBLIC_URL", f"http://127.0.0.1:{DESKAGENT_PORT}")
DEBUG = read_flag("DEBUG")
ALLOWED_HOSTS = read_hosts("ALLOWED_HOSTS", ["127.0.0.1", "localhost", _host])
CSRF_TRUSTED_ORIGINS = [DESKAGENT_PUBLIC_URL]
PUBLIC_HOST = _host
SECURE = _scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = SECURE
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE else None

# --- Database ---
DESKAGENT_DATABASE_CONNECTIONS = read_number("DESKAGENT_DATABASE_CONNECTIONS", 20, most=1_000)
DATABASES = {"default": read_database("DATABASE_URL", f"sqlite:///{STATE_DIR / 'deskagent.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    Path(DATABASES["default"]["NAME"]).parent.mkdir(parents=True, exist_ok=True)
    # IMMEDIATE: a deferred read-then-write fails at once instead of waiting for the lock. FULL: a commit is on disk.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
    }
else:
    # One pool a process: whoever waits for a model or a customer has given its connection back.
    DATABASES["default"]["OPTIONS"] = {
        **DATABASES["default"].get("OPTIONS", {}),
        "pool": {
            "min_size": 1,
            "max_size": DESKAGENT_DATABASE_CONNECTIONS,
            "timeout": 30,
        },
    }
    # A connection that died in the pool (the server was restarted) is replaced before it is used.
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DATABASES["default"]["ATOMIC_REQUESTS"] = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Secrets of the embedded profile ---
SECRET_KEY = read_secret("SECRET_KEY", STATE_DIR / "secret_key")
DESKAGENT_AUDIT_KEY = read_secret("DESKAGENT_AUDIT_KEY", STATE_DIR / "audit_key", shortest=32)
# Empty: beside the database, which only a connection can name.
DESKAGENT_ANCHOR_FILE = env.str("DESKAGENT_ANCHOR_FILE", default="")
# What the operator gave, as the start-up checks see it: a secret made here is not shared with other machines.
DESKAGENT_GIVEN = {name for name in ("SECRET_KEY", "DESKAGENT_AUDIT_KEY", "ALLOWED_HOSTS") if env.str(name, default="")}
DESKAGENT_METRICS_TOKEN = env.str("DESKAGENT_METRICS_TOKEN", default="")

# --- Who may embed the chat ---
DESKAGENT_WIDGET_ORIGINS = [origin.rstrip("/") for origin in env.list("DESKAGENT_WIDGET_ORIGINS", default=[])]

# --- The agent ---
ANTHROPIC_API_KEY = env.str("ANTHROPIC_API_KEY", default="")
ANTHROPIC_AUTH_TOKEN = env.str("ANTHROPIC_AUTH_TOKEN", default="")
ANTHROPIC_BASE_URL = env.str("ANTHROPIC_BASE_URL", default="")
_has_key = bool(ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN)
DESKAGENT_MODEL = env.str("DESKAGENT_MODEL", default="claude-haiku-5-5" if _has_key else "offline")
if DESKAGENT_MODEL != "offline" and not _has_key:
    raise ImproperlyConfigured(
        f"DESKAGENT_MODEL is {DESKAGENT_MODEL!r} but neither ANTHROPIC_API_KEY nor ANTHROPIC_AUTH_TOKEN is set"
    )

# --- When the model's provider fails ---
DESKAGENT_MODEL_TRIES = read_number("DESKAGENT_MODEL_TRIES", 3, most=10)
DESKAGENT_MODEL_BACKOFF_MS = read_number("DESKAGENT_MODEL_BACKOFF_MS", 500, most=60_000)
DESKAGENT_MODEL_READ_SECONDS = read_number("DESKAGENT_MODEL_READ_SECONDS", 30)
DESKAGENT_CIRCUIT_FAILURES = read_number("DESKAGENT_CIRCUIT_FAILURES", 5)
DESKAGENT_CIRCUIT_SECONDS = read_number("DESKAGENT_CIRCUIT_SECONDS", 30, most=600)

# --- What may happen ---
DESKAGENT_GUARD = read_choice("DESKAGENT_GUARD", "enforce", ("enforce", "audit"))
DESKAGENT_GUARD_CONFIRM = env.str("DESKAGENT_GUARD_CONFIRM", default="")
DESKAGENT_POLICY = env.str("DESKAGENT_POLICY", default="retail")
DESKAGENT_GATEWAY = read_choice("DESKAGENT_GATEWAY", "ledger", ("ledger", "http"))
# Without an address `http` stops the start.
DESKAGENT_GATEWAY_URL = read_origin("DESKAGENT_GATEWAY_URL", "")[2] if DESKAGENT_GATEWAY == "http" else ""

# --- Limits ---
DESKAGENT_FAILED_LOOKUPS_CONVERSATION = read_number("DESKAGENT_FAILED_LOOKUPS_CONVERSATION", 5)
DESKAGENT_FAILED_LOOKUPS_ADDRESS_HOUR = read_number("DESKAGENT_FAILED_LOOKUPS_ADDRESS_HOUR", 20)
DESKAGENT_MESSAGES_CONVERSATION_MINUTE = read_number("DESKAGENT_MESSAGES_CONVERSATION_MINUTE", 30)
DESKAGENT_MESSAGES_ADDRESS_MINUTE = read_number("DESKAGENT_MESSAGES_ADDRESS_MINUTE", 600)
DESKAGENT_CONVERSATIONS_ADDRESS_MINUTE = read_number("DESKAGENT_CONVERSATIONS_ADDRESS_MINUTE", 120)
DESKAGENT_SIGN_INS_ADDRESS_MINUTE = read_number("DESKAGENT_SIGN_INS_ADDRESS_MINUTE", 10)
DESKAGENT_SIGN_INS_USER_HOUR = read_number("DESKAGENT_SIGN_INS_USER_HOUR", 20)
DESKAGENT_FRAMES_SOCKET_MINUTE = read_number("DESKAGENT_FRAMES_SOCKET_MINUTE", 1_200)
DESKAGENT_BAD_FRAMES_SOCKET = read_number("DESKAGENT_BAD_FRAMES_SOCKET", 20)
DESKAGENT_SOCKETS_CONVERSATION = read_number("DESKAGENT_SOCKETS_CONVERSATION", 20)
DESKAGENT_SOCKETS_ADDRESS = read_number("DESKAGENT_SOCKETS_ADDRESS", 2_000)
DESKAGENT_TRUSTED_PROXIES = read_number("DESKAGENT_TRUSTED_PROXIES", 0, least=0, most=10)
DESKAGENT_CARD_EXPIRY_SECONDS = read_number("DESKAGENT_CARD_EXPIRY_SECONDS", 15 * 60)
DESKAGENT_REQUEST_EXPIRY_SECONDS = read_number("DESKAGENT_REQUEST_EXPIRY_SECONDS", 24 * 60 * 60)
DESKAGENT_STEPS_TURN = read_number("DESKAGENT_STEPS_TURN", 30)
DESKAGENT_TURNS_CONVERSATION = read_number("DESKAGENT_TURNS_CONVERSATION", 200)
DESKAGENT_TURN_DEADLINE_SECONDS = read_number("DESKAGENT_TURN_DEADLINE_SECONDS", 90)
DESKAGENT_LEASE_SECONDS = read_number("DESKAGENT_LEASE_SECONDS", 30)
DESKAGENT_SWEEP_SECONDS = read_number("DESKAGENT_SWEEP_SECONDS", 10)

# --- What the model may cost; days are UTC dates ---
DESKAGENT_SPEND_CAP_USD = read_dollars("DESKAGENT_SPEND_CAP_USD", "5.00")
DESKAGENT_SPEND_CAP_TOTAL_USD = read_dollars("DESKAGENT_SPEND_CAP_TOTAL_USD", "")
DESKAGENT_SPEND_CAP_CONVERSATION_USD = read_dollars("DESKAGENT_SPEND_CAP_CONVERSATION_USD", "0.50")
DESKAGENT_SPEND_CAP_VISITOR_USD = read_dollars("DESKAGENT_SPEND_CAP_VISITOR_USD", "2.00")

# --- Django ---
ROOT_URLCONF = "deskagent.urls"
ASGI_APPLICATION = "deskagent.asgi.application"
INSTALLED_APPS = [
    "daphne",
    "deskagent.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "audit",
    "policy",
    "orders",
    "helpcenter",
    "approvals",
    "conversations",
    "eval",
    "deskagent.apps.DeskConfig",
]
MIDDLEWARE = [
    "deskagent.health.probes",
    "django.middleware.security.SecurityMiddleware",
    "deskagent.security.content_security_policy",
    "deskagent.security.static_files",
    "deskagent.cross_origin.widget_origins",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "admin:login"
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# The desk serves its own files from where they lie: no collect step between a checkout and a running shop.
WHITENOISE_USE_FINDERS = True
LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
# The staff calls take the token from this cookie (contract), so scripts of this origin may read it.
CSRF_COOKIE_HTTPONLY = False
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["deskagent.parsers.BoundedJSONParser"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "deskagent.errors.answer_error",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "DeskAgent",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "conversations.schema.add_events",
    ],
}

# --- Redis: without it everything lives in one process (`rundesk`) ---
REDIS_URL = env.str("REDIS_URL", default="")
if REDIS_URL and not REDIS_URL.startswith(("redis://", "rediss://")):
    raise ImproperlyConfigured("REDIS_URL must begin with redis:// or rediss://")
if REDIS_URL:
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            # The client closes a socket that is quiet for its time-out; a chat may be quiet for hours.
            "CONFIG": {
                "hosts": [
                    {
                        "address": REDIS_URL,
                        "socket_timeout": None,
                        "socket_connect_timeout": 1,
                        "socket_keepalive": True,
                    }
                ]
            },
        }
    }
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
        }
    }
else:
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels.layers.InMemoryChannelLayer",
            # What a blocked socket may have waiting before the layer drops; it reads the rows again then.
            "CONFIG": {"capacity": 2_000},
        }
    }

# --- Celery: rows, not the broker, are the to-do ---
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    # A broker that is away or hangs holds a customer's request for a second at most: the sweep finds the row.
    {"socket_connect_timeout": 0.5, "socket_timeout": 0.5, "max_retries": 1, "interval_start": 0, "interval_max": 0.1}
    if REDIS_URL
    # Kombu's memory transport sleeps a second between polls unless told otherwise.
    else {"polling_interval": 0.01}
)
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "conversations.tasks.sweep",
        "schedule": DESKAGENT_SWEEP_SECONDS,
        # While no worker runs they would pile up; one is as good as a hundred.
        "options": {"expires": DESKAGENT_SWEEP_SECONDS},
    },
    "reconcile": {
        "task": "orders.tasks.reconcile",
        "schedule": DESKAGENT_SWEEP_SECONDS,
        "options": {"expires": DESKAGENT_SWEEP_SECONDS},
    },
}
# The schedule is kept in memory: a sweep too many costs nothing, and two beats need no file of their own.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
# A worker waits for its broker for as long as it takes.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
