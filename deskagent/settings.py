"""Every setting of the desk, read once from the environment; README and `.env.example` explain each variable."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext
import environ
from django.core.exceptions import ImproperlyConfigured

from deskagent.secrets_file import read_or_create

# Django's admin classes take their model as a type parameter only with this.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
STATE_DIR = BASE_DIR / "var"

env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")


def read_number(name: str, default: int) -> int:
    """A whole number above zero, or a stop that names the variable."""
    text = env.str(name, default=str(default))
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise ImproperlyConfigured(f"{name} must be a whole number above zero, not {text!r}")
    return int(text)


def read_choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    text: str = env.str(name, default=default)
    if text not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {text!r}")
    return text


# --- Where the desk is ---
DESKAGENT_PORT = read_number("DESKAGENT_PORT", 8000)
DESKAGENT_PUBLIC_URL = env.str("DESKAGENT_PUBLIC_URL", default=f"http://127.0.0.1:{DESKAGENT_PORT}").rstrip("/")
_public = urlsplit(DESKAGENT_PUBLIC_URL)
if _public.scheme not in ("http", "https") or not _public.hostname:
    raise ImproperlyConfigured(f"DESKAGENT_PUBLIC_URL must be an http or https address, not {DESKAGENT_PUBLIC_URL!r}")
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", _public.hostname])
CSRF_TRUSTED_ORIGINS = [DESKAGENT_PUBLIC_URL]
SECURE = _public.scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = SECURE
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE else None

# --- Database ---
DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{STATE_DIR / 'deskagent.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    Path(DATABASES["default"]["NAME"]).parent.mkdir(parents=True, exist_ok=True)
    # IMMEDIATE: a deferred read-then-write fails at once instead of waiting for the lock. FULL: a commit is on disk.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
    }
DATABASES["default"]["ATOMIC_REQUESTS"] = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Secrets of the embedded profile ---
SECRET_KEY = env.str("SECRET_KEY", default="") or read_or_create(STATE_DIR / "secret_key")
DESKAGENT_AUDIT_KEY = env.str("DESKAGENT_AUDIT_KEY", default="") or read_or_create(STATE_DIR / "audit_key")
if len(DESKAGENT_AUDIT_KEY) < 32:
    raise ImproperlyConfigured("DESKAGENT_AUDIT_KEY must have at least 32 characters")

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

# --- What may happen ---
DESKAGENT_GUARD = read_choice("DESKAGENT_GUARD", "enforce", ("enforce", "audit"))
DESKAGENT_POLICY = env.str("DESKAGENT_POLICY", default="retail")

# --- Limits ---
DESKAGENT_FAILED_LOOKUPS_CONVERSATION = read_number("DESKAGENT_FAILED_LOOKUPS_CONVERSATION", 5)
DESKAGENT_CARD_EXPIRY_SECONDS = read_number("DESKAGENT_CARD_EXPIRY_SECONDS", 15 * 60)
DESKAGENT_REQUEST_EXPIRY_SECONDS = read_number("DESKAGENT_REQUEST_EXPIRY_SECONDS", 24 * 60 * 60)
DESKAGENT_STEPS_TURN = read_number("DESKAGENT_STEPS_TURN", 30)
DESKAGENT_TURNS_CONVERSATION = read_number("DESKAGENT_TURNS_CONVERSATION", 200)
DESKAGENT_TURN_DEADLINE_SECONDS = read_number("DESKAGENT_TURN_DEADLINE_SECONDS", 90)
DESKAGENT_SWEEP_SECONDS = read_number("DESKAGENT_SWEEP_SECONDS", 10)

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
    "django.middleware.security.SecurityMiddleware",
    "deskagent.security.content_security_policy",
    "deskagent.security.static_files",
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
            "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": None}]},
        }
    }
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}
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
    # A broker that is away must not hold a customer's request: the sweep finds the row.
    {"socket_connect_timeout": 1, "socket_timeout": 5, "max_retries": 1}
    if REDIS_URL
    # Kombu's memory transport sleeps a second between polls unless told otherwise.
    else {"polling_interval": 0.01}
)
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "conversations.tasks.sweep", "schedule": DESKAGENT_SWEEP_SECONDS}}
CELERY_BEAT_SCHEDULE_FILENAME = str(STATE_DIR / "celerybeat-schedule")
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
