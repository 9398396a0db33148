"""`manage.py sweep`: one pass over what a lost nudge left behind, and an anchor of the audit log."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from conversations.operations import sweep


class Command(BaseCommand):
    help = (
        "Expire what is overdue, tell chats of decided requests, nudge turns that nobody works on, and anchor the log."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(str(sweep(now=timezone.now(), anchor_now=True)))
