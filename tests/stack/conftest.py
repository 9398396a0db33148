"""Journeys of the production profile: they are there only where a PostgreSQL and a Redis are."""

from django.conf import settings

collect_ignore_glob = [] if settings.REDIS_URL else ["test_*.py"]
