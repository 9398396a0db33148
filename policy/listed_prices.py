"""The sizing sheet at the prices that the desk itself pays, beside the plan's own."""

from dataclasses import dataclass, replace
from decimal import Decimal

from policy.capacity import Plan, Prices, Size, size
from policy.price_list import TABLE, Rates

# The shortest prompt that the provider caches, in tokens; https://docs.claude.com/en/docs/build-with-claude/prompt-caching
LEAST_CACHEABLE = {"claude-haiku-4-5": 4_096}
OTHERWISE_CACHEABLE = 512


@dataclass(frozen=True, kw_only=True)
class Listed:
    """One model's sheet. `caches`: whether its provider would cache a prefix as short as the plan's."""

    model: str
    size: Size
    caches: bool


def size_at_listed_prices(plan: Plan) -> list[Listed]:
    """The plan at each row of the price table. Raises `policy.capacity.NotASize`."""
    rows = []
    for model, row in TABLE.items():
        caches = plan.prefix_tokens >= LEAST_CACHEABLE.get(model, OTHERWISE_CACHEABLE)
        prices = _in_dollars(row.rates)
        if not caches:
            prices = replace(prices, cached=prices.input)
        rows.append(Listed(model=model, size=size(replace(plan, prices=prices)), caches=caches))
    return rows


def _in_dollars(rates: Rates) -> Prices:
    """Billionths of a dollar a token are thousandths of a dollar a million."""
    thousand = Decimal(1_000)
    return Prices(input=rates.input / thousand, output=rates.output / thousand, cached=rates.cache_read / thousand)
