"""The provider's dated price list for the models that the desk knows: the one table of prices."""

from dataclasses import dataclass
from datetime import date

# The day of the list that `TABLE` was taken from.
AS_OF = date(2026, 10, 1)


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Billionths of a dollar a token; $1 a million tokens is 1,000. `cache_write` is the one of five minutes, the only
    kind the desk asks for."""

    input: int
    output: int
    cache_write: int
    cache_read: int


@dataclass(frozen=True, kw_only=True)
class Price:
    """`beyond`, where there is one, prices the whole request once its prompt is longer than `up_to` tokens."""

    rates: Rates
    up_to: int = 0
    beyond: Rates | None = None


TABLE = {
    "claude-haiku-5-5": Price(
        rates=Rates(input=100, output=500, cache_write=125, cache_read=10),
        up_to=100_000,
        beyond=Rates(input=500, output=2_500, cache_write=625, cache_read=50),
    ),
    "claude-sonnet-5-5": Price(rates=Rates(input=2_000, output=10_000, cache_write=2_500, cache_read=100)),
    "claude-haiku-4-5": Price(rates=Rates(input=1_000, output=5_000, cache_write=1_250, cache_read=100)),
}
