"""Full collections leave out what a process was started with: walking through it takes a tenth of a second."""

import subprocess
import sys

import pytest
from django.conf import settings

pytestmark = pytest.mark.services

# Django alone makes more than this; a process that spared only a few of them has forgotten to.
MANY = 50_000
WEB = "import deskagent.asgi"
WORKER = """
from deskagent.celery import app
from celery.signals import worker_ready
import django
django.setup()
worker_ready.send(sender=app)
"""


@pytest.mark.parametrize("start", [WEB, WORKER], ids=["web", "worker"])
def test_a_process_spares_what_it_was_started_with(start: str) -> None:
    code = f"{start}\nimport gc; print(gc.get_freeze_count(), len(gc.get_objects()))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )
    spared, watched = map(int, done.stdout.split())
    assert spared > MANY > watched
