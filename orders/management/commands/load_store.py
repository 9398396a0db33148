"""`manage.py load_store DIR`: the shop's data from three JSON files."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from orders.exported import StoreUnreadable
from orders.interchange import ShopNotEmpty, is_empty, load


class Command(BaseCommand):
    help = "Load users.json, orders.json and products.json, replacing the shop's data."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--replace", action="store_true", help="replace a shop that is not empty")
        parser.add_argument("--if-empty", action="store_true", help="do nothing where the shop is not empty")

    def handle(self, *args: Any, folder: Path, replace: bool, if_empty: bool, **options: Any) -> None:
        if if_empty and not is_empty():
            return
        try:
            totals = load(folder=folder, replace=replace)
        except ShopNotEmpty as error:
            raise CommandError(f"{error}; add --replace to replace its data") from error
        except StoreUnreadable as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{totals.customers} customers, {totals.orders} orders, {totals.products} products")
