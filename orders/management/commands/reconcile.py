"""`manage.py reconcile`: one pass over refunds whose end nobody saw."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from orders.reconciliation import reconcile


class Command(BaseCommand):
    help = "Ask the payment gateway about refunds that are overdue, and settle them."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(str(reconcile(now=timezone.now())))
