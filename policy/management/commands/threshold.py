"""`manage.py threshold`: the refund up to which an automatic decision is cheaper than a person's look at it."""

import json
from argparse import ArgumentTypeError
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from policy.threshold import NoBreakEven, find_threshold


def number(text: str) -> Decimal:
    """A number, or a fraction like `1/200`."""
    try:
        over, _, under = text.partition("/")
        return Decimal(over) / Decimal(under) if under else Decimal(over)
    except (InvalidOperation, ZeroDivisionError) as error:
        raise ArgumentTypeError(f"{text!r} is not a number") from error


class Command(BaseCommand):
    help = "The break-even limit: cost of a review divided by the share of mistakes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--review-cost", type=number, default=Decimal(1), help="what a person's look costs")
        parser.add_argument("--mistake-share", type=number, default=1 / Decimal(200), help="0.005, or 1/200")
        parser.add_argument("--json", action="store_true", help="the figures as JSON")

    def handle(self, *args: Any, review_cost: Decimal, mistake_share: Decimal, json: bool, **options: Any) -> None:
        try:
            found = find_threshold(review_cost=review_cost, mistake_share=mistake_share)
        except NoBreakEven as error:
            raise CommandError(str(error)) from error
        if json:
            self.stdout.write(_as_json(found.review_cost, found.mistake_share, found.amount))
            return
        self.stdout.write(
            f"A review costs {found.review_cost:f} and {found.mistake_share:f} of decisions are wrong: "
            f"break even at {found.amount.normalize():,f}. Refunds above it are worth a person's look."
        )


def _as_json(review_cost: Decimal, mistake_share: Decimal, amount: Decimal) -> str:
    figures = {"review_cost": review_cost, "mistake_share": mistake_share, "break_even": amount}
    return json.dumps({name: f"{value.normalize():f}" for name, value in figures.items()})
