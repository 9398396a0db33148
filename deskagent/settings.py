"""Every setting of the desk, read once from the environment; README and `.env.example` explain each variable."""

from pathlib import Path
from typing import Any

import django_stubs_ext
import environ
from django.core.exceptions import ImproperlyConfigured

from deskagent.environment import (
    env,
    read_choice,
    read_database,
    read_dollars,
    read_flag,
    read_hosts,
    read_mail,
    read_number,
    read_origin,
    read_secret,
    read_sender,
)

# Django's admin classes take their model as a type parameter only with this.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
STATE_DIR = BASE_DIR / "var"

environ.Env.read_env(BASE_DIR / ".env")

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

# --- Who may embed the chat, and what the shop is called on pages of the desk ---
DESKAGENT_SHOP_NAME = env.str("DESKAGENT_SHOP_NAME", default="Wrenfield").strip()
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

# `rules`, or the small model that labels each chat.
DESKAGENT_TRIAGE_MODEL = env.str("DESKAGENT_TRIAGE_MODEL", default="rules")
if DESKAGENT_TRIAGE_MODEL != "rules" and not _has_key:
    raise ImproperlyConfigured(
        f"DESKAGENT_TRIAGE_MODEL is {DESKAGENT_TRIAGE_MODEL!r} but neither ANTHROPIC_API_KEY nor "
        f"ANTHROPIC_AUTH_TOKEN is set"
    )

DESKAGENT_TRIAGE_MS = read_number("DESKAGENT_TRIAGE_MS", 300, most=60_000)

# --- When the model's provider fails ---
DESKAGENT_MODEL_TRIES = read_number("DESKAGENT_MODEL_TRIES", 3, most=10)
DESKAGENT_MODEL_BACKOFF_MS = read_number("DESKAGENT_MODEL_BACKOFF_MS", 500, most=60_000)
DESKAGENT_MODEL_READ_SECONDS = read_number("DESKAGENT_MODEL_READ_SECONDS", 30)
DESKAGENT_CIRCUIT_FAILURES = read_number("DESKAGENT_CIRCUIT_FAILURES", 5)
DESKAGENT_CIRCUIT_SECONDS = read_number("DESKAGENT_CIRCUIT_SECONDS", 30, most=600)

# --- What may happen ---
DESKAGENT_GUARD = read_choice("DESKAGENT_GUARD", "enforce", ("enforce", "audit"))
DESKAGENT_GUARD_CONFIRM = env.str("DESKAGENT_GUARD_CONFIRM", default="")
DESKAGENT_CONSENT = read_choice("DESKAGENT_CONSENT", "card", ("card", "spoken"))
DESKAGENT_POLICY = env.str("DESKAGENT_POLICY", default="retail")
DESKAGENT_IDENTITY_SECRET = env.str("DESKAGENT_IDENTITY_SECRET", default="")
_profile = "retail" if DESKAGENT_POLICY == "retail" else "scoped"
DESKAGENT_PROFILE = read_choice("DESKAGENT_PROFILE", _profile, ("retail", "scoped"))
DESKAGENT_GATEWAY = read_choice("DESKAGENT_GATEWAY", "ledger", ("ledger", "http"))
# Without an address `http` stops the start.
DESKAGENT_GATEWAY_URL = read_origin("DESKAGENT_GATEWAY_URL", "")[2] if DESKAGENT_GATEWAY == "http" else ""

# --- Mail ---
vars().update(read_mail("EMAIL_URL", "consolemail://"))
# Each step of a conversation with a mail server that hangs.
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = read_sender("DESKAGENT_MAIL_FROM", f"desk@{_host}")

# --- Limits ---
DESKAGENT_FAILED_LOOKUPS_CONVERSATION = read_number("DESKAGENT_FAILED_LOOKUPS_CONVERSATION", 5)
DESKAGENT_FAILED_LOOKUPS_ADDRESS_HOUR = read_number("DESKAGENT_FAILED_LOOKUPS_ADDRESS_HOUR", 20)
DESKAGENT_MESSAGES_CONVERSATION_MINUTE = read_number("DESKAGENT_MESSAGES_CONVERSATION_MINUTE", 30)
DESKAGENT_MESSAGES_ADDRESS_MINUTE = read_number("DESKAGENT_MESSAGES_ADDRESS_MINUTE", 600)
DESKAGENT_CONVERSATIONS_ADDRESS_MINUTE = read_number("DESKAGENT_CONVERSATIONS_ADDRESS_MINUTE", 120)
DESKAGENT_SIGN_INS_ADDRESS_MINUTE = read_number("DESKAGENT_SIGN_INS_ADDRESS_MINUTE", 10)
DESKAGENT_SIGN_INS_USER_HOUR = read_number("DESKAGENT_SIGN_INS_USER_HOUR", 20)
DESKAGENT_HELP_NOTES_ADDRESS_HOUR = read_number("DESKAGENT_HELP_NOTES_ADDRESS_HOUR", 60)
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
DESKAGENT_TURN_DEADLINE_EMAIL_SECONDS = read_number("DESKAGENT_TURN_DEADLINE_EMAIL_SECONDS", 10 * 60)
# 0: a chat that falls silent stays open.
DESKAGENT_IDLE_NOTICE_SECONDS = read_number("DESKAGENT_IDLE_NOTICE_SECONDS", 30 * 60, least=0)
DESKAGENT_IDLE_CLOSE_SECONDS = read_number("DESKAGENT_IDLE_CLOSE_SECONDS", 10 * 60)
DESKAGENT_LEASE_SECONDS = read_number("DESKAGENT_LEASE_SECONDS", 30)
DESKAGENT_SWEEP_SECONDS = read_number("DESKAGENT_SWEEP_SECONDS", 10)
DESKAGENT_BOOKS_SECONDS = read_number("DESKAGENT_BOOKS_SECONDS", 60 * 60)

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
    "django.contrib.sitemaps",
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
# A worker takes what it has threads for, and no more: the rest is another worker's.
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
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
    "mail": {
        "task": "orders.tasks.send_overdue_mail",
        "schedule": DESKAGENT_SWEEP_SECONDS,
        "options": {"expires": DESKAGENT_SWEEP_SECONDS},
    },
    "books": {
        "task": "eval.tasks.judge_books",
        "schedule": DESKAGENT_BOOKS_SECONDS,
        "options": {"expires": DESKAGENT_BOOKS_SECONDS},
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
