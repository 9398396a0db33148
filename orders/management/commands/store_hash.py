"""`manage.py store_hash`: the τ-bench hash of the shop's data."""

from typing import Any

from django.core.management.base import BaseCommand

from orders.hashing import store_hash


class Command(BaseCommand):
    help = "Print the hash over customers, orders and products: 64 hex digits."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(store_hash())
