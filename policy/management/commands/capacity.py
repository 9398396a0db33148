"""`manage.py capacity`: how much the desk has to carry, and what it costs."""

import json
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from decimal import Decimal
from typing import Any, get_type_hints

from django.core.management.base import BaseCommand, CommandError, CommandParser

from policy.capacity import PRESETS, NotASize, Plan, Prices, Size, round_as_shown, size
from policy.listed_prices import size_at_listed_prices
from policy.management.commands.threshold import number
from policy.price_list import AS_OF

TYPES = get_type_hints(Plan)
LEFT = max(len(column.name) for column in fields(Size)) + 2


class Command(BaseCommand):
    help = "Size the desk: tickets and calls a second, cost a conversation and a month, saving, break-even share."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--preset", choices=list(PRESETS), default="seed-c", help="the numbers to start from")
        for column in fields(Plan):
            if column.name != "prices":
                kind: Callable[[str], Any] = number if TYPES[column.name] is Decimal else int
                parser.add_argument(f"--{column.name.replace('_', '-')}", type=kind, help="instead of the preset's")
        for column in fields(Prices):
            parser.add_argument(f"--price-{column.name}", type=number, help="dollars for a million tokens")
        parser.add_argument("--json", action="store_true", help="the whole sheet as JSON")

    def handle(self, *args: Any, preset: str, json: bool, **options: Any) -> None:
        chosen = PRESETS[preset]
        given = {column.name: options.get(column.name) for column in fields(Plan)}
        priced = {column.name: options.get(f"price_{column.name}") for column in fields(Prices)}
        prices = replace(chosen.plan.prices, **{name: value for name, value in priced.items() if value is not None})
        plan = replace(
            chosen.plan, prices=prices, **{name: value for name, value in given.items() if value is not None}
        )
        try:
            sheet, listed = size(plan), size_at_listed_prices(plan)
        except NotASize as error:
            raise CommandError(str(error)) from error
        if json:
            self._print_json(plan, sheet, chosen.shown, listed)
            return
        self.stdout.write(f"{'figure':<{LEFT}}{'exact':>24}{'rounded':>16}")
        for name, value in asdict(sheet).items():
            rounded = round_as_shown(name, value, shown=chosen.shown)
            self.stdout.write(f"{name:<{LEFT}}{_exact(value):>24}{rounded:>16,f}")
        self.stdout.write(f"\nAt the price list of {AS_OF:%B %Y}, cached prefix and all:")
        for row in listed:
            cost, month = (round_as_shown(n, getattr(row.size, n)) for n in ("cached_cost", "cached_cost_month"))
            note = "" if row.caches else "  (the prefix is too short for its cache)"
            self.stdout.write(f"  {row.model:<20} ${cost:,f} a conversation, ${month:,f} a month{note}")

    def _print_json(self, plan: Plan, sheet: Size, shown: dict[str, int], listed: list[Any]) -> None:
        rounded = {name: round_as_shown(name, value, shown=shown) for name, value in asdict(sheet).items()}
        listed_sheets = {row.model: asdict(row.size) | {"caches": row.caches} for row in listed}
        told = {
            "plan": asdict(plan),
            "exact": asdict(sheet),
            "rounded": rounded,
            "listed_prices": {"as_of": AS_OF.isoformat(), "models": listed_sheets},
        }
        self.stdout.write(json.dumps(told, default=_as_text))


def _exact(value: Decimal) -> str:
    """Every digit where they end, ten after the point where they do not."""
    text = f"{value.normalize():,f}"
    whole, _, rest = text.partition(".")
    return text if len(rest) <= 10 else f"{whole}.{rest[:10]}…"


def _as_text(value: object) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
