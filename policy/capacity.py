"""How much a desk has to carry and what it costs, from a dozen numbers that a shop knows or can guess.

Everything is exact `Decimal`; rounding is for showing, with the rounding that the design documents use themselves.
"""

from dataclasses import dataclass, fields, replace
from decimal import ROUND_HALF_UP, Context, Decimal

SECONDS_A_DAY = 86_400
MILLION = Decimal(1_000_000)
# No shop has more of anything, and every product of such numbers can still be shown.
LARGEST = 10**12
EXACT = Context(prec=200)


class NotASize(ValueError):
    """A number of the plan makes no sense; the message names it."""


@dataclass(frozen=True, kw_only=True)
class Prices:
    """Dollars for a million tokens."""

    input: Decimal
    output: Decimal
    # What the repeated prefix costs once the provider has it cached.
    cached: Decimal


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is known of the shop. Tokens are of one call; `tokens_in` and `tokens_out`, where known, of a whole
    conversation."""

    orders_month: Decimal
    contact_rate: Decimal
    turns: int
    prefix_tokens: int
    history_tokens: int
    reply_tokens: int
    prices: Prices
    human_low: Decimal
    human_high: Decimal
    target_share: Decimal
    average_refund: Decimal
    mistake_share: Decimal
    peak: Decimal = Decimal(3)
    days: int = 30
    tokens_in: int | None = None
    tokens_out: int | None = None


@dataclass(frozen=True, kw_only=True)
class Size:
    """Money in dollars, rates a second; `cached_*` is with the prefix read from the provider's cache."""

    tickets_month: Decimal
    tickets_day: Decimal
    tickets_second: Decimal
    tickets_second_peak: Decimal
    calls_day: Decimal
    calls_second: Decimal
    calls_second_peak: Decimal
    tokens_in: Decimal
    tokens_out: Decimal
    cost_in: Decimal
    cost_out: Decimal
    cost: Decimal
    cost_thousand: Decimal
    cost_day: Decimal
    cost_month: Decimal
    cached_tokens: Decimal
    fresh_tokens: Decimal
    cached_cost: Decimal
    cached_cost_day: Decimal
    cached_cost_month: Decimal
    human_month_low: Decimal
    human_month_high: Decimal
    saving_month: Decimal
    break_even_share: Decimal
    loss_month: Decimal


def size(plan: Plan) -> Size:
    """The whole sheet. Raises `NotASize`."""
    _check(plan)
    month = plan.orders_month * plan.contact_rate
    day = month / plan.days
    second = day / SECONDS_A_DAY
    prefix = plan.turns * plan.prefix_tokens
    # Each call sends the prefix and all that was said before it.
    counted = prefix + plan.history_tokens * (plan.turns * (plan.turns - 1) // 2)
    tokens_in = Decimal(counted if plan.tokens_in is None else plan.tokens_in)
    tokens_out = Decimal(plan.turns * plan.reply_tokens if plan.tokens_out is None else plan.tokens_out)
    cost_in, cost_out = tokens_in * plan.prices.input / MILLION, tokens_out * plan.prices.output / MILLION
    repeated = min(Decimal(prefix), tokens_in)
    cached = (repeated * plan.prices.cached + (tokens_in - repeated) * plan.prices.input) / MILLION + cost_out
    cost = cost_in + cost_out
    automatic = month * plan.target_share
    return Size(
        tickets_month=month,
        tickets_day=day,
        tickets_second=second,
        tickets_second_peak=second * plan.peak,
        # Multiplied before it is divided, so that what comes out even is printed so.
        calls_day=month * plan.turns / plan.days,
        calls_second=second * plan.turns,
        calls_second_peak=second * plan.turns * plan.peak,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_in=cost_in,
        cost_out=cost_out,
        cost=cost,
        cost_thousand=cost * 1_000,
        cost_day=cost * month / plan.days,
        cost_month=cost * month,
        cached_tokens=repeated,
        fresh_tokens=tokens_in - repeated,
        cached_cost=cached,
        cached_cost_day=cached * month / plan.days,
        cached_cost_month=cached * month,
        human_month_low=month * plan.human_low,
        human_month_high=month * plan.human_high,
        saving_month=automatic * plan.human_low,
        break_even_share=_break_even(cost, plan.human_low),
        loss_month=automatic * plan.mistake_share * plan.average_refund,
    )


def _break_even(cost: Decimal, human: Decimal) -> Decimal:
    """The share of tickets that must need no person before the model's bill for all of them is paid; 1 is never."""
    return Decimal(1) if human <= cost else cost / human


def _check(plan: Plan) -> None:
    numbers = {column.name: getattr(plan, column.name) for column in fields(plan)}
    numbers |= {f"price_{column.name}": getattr(plan.prices, column.name) for column in fields(plan.prices)}
    for name, value in numbers.items():
        if isinstance(value, Decimal) and not value.is_finite():
            raise NotASize(f"{name} must be a number")
        if isinstance(value, Decimal | int) and not 0 <= value <= LARGEST:
            raise NotASize(f"{name} must be between 0 and {LARGEST:,}")
    for name in ("contact_rate", "target_share", "mistake_share"):
        if getattr(plan, name) > 1:
            raise NotASize(f"{name} is a share: at most 1")
    if plan.days < 1 or plan.turns < 1:
        raise NotASize("days and turns must be at least 1")


# How the documents round: to so many figures that count (above zero), or to so many decimals (zero and below).
SHOWN: dict[str, int] = {
    "tickets_day": 3,
    "tickets_second": -2,
    "tickets_second_peak": -2,
    "calls_second": -1,
    "calls_second_peak": -1,
    "cost_in": -4,
    "cost_out": -4,
    "cost": -4,
    "cost_thousand": -2,
    "cost_day": 2,
    "cost_month": 3,
    "cached_cost": -4,
    "cached_cost_day": 2,
    "cached_cost_month": 3,
    "break_even_share": -4,
}


def round_as_shown(name: str, value: Decimal, *, shown: dict[str, int] = SHOWN) -> Decimal:
    """The figure as a document prints it; one without a rule is whole."""
    figures = shown.get(name, 0)
    if figures > 0:
        step = Decimal(1).scaleb(value.adjusted() + 1 - figures) if value else Decimal(1)
    else:
        step = Decimal(1).scaleb(figures)
    return value.quantize(step, rounding=ROUND_HALF_UP, context=EXACT) if value else Decimal(0)


@dataclass(frozen=True, kw_only=True)
class Preset:
    plan: Plan
    shown: dict[str, int]


_SEED_B = Plan(
    orders_month=Decimal(300_000),
    contact_rate=Decimal(1),
    turns=4,
    prefix_tokens=0,
    history_tokens=0,
    reply_tokens=0,
    tokens_in=20_000,
    tokens_out=2_000,
    prices=Prices(input=Decimal(3), output=Decimal(15), cached=Decimal("0.30")),
    human_low=Decimal(3),
    human_high=Decimal(6),
    target_share=Decimal("0.3"),
    average_refund=Decimal(40),
    mistake_share=Decimal("0.005"),
)
_SEED_C = replace(
    _SEED_B,
    orders_month=Decimal(20_000_000),
    contact_rate=Decimal("0.04"),
    turns=6,
    prefix_tokens=1_800,
    history_tokens=600,
    reply_tokens=150,
    tokens_in=None,
    tokens_out=None,
    prices=Prices(input=Decimal(1), output=Decimal(5), cached=Decimal("0.10")),
    target_share=Decimal("0.6"),
)
# The two design documents. The average refund, the share of mistakes and, for the third document, the cost of a
# person are ours: they give none.
PRESETS = {
    "seed-b": Preset(plan=_SEED_B, shown=SHOWN),
    "seed-c": Preset(plan=_SEED_C, shown=SHOWN | {"tickets_second_peak": 0}),
}
