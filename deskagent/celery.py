import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deskagent.settings")

app = Celery("deskagent")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
