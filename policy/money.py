"""The one place where minor units become text and text becomes minor units."""

from decimal import Decimal, InvalidOperation

# The shops we serve so far trade in currencies of two decimals; another exponent needs a column, not a guess.
EXPONENT = 2
SIGNS = {"USD": "$"}


class NotMoney(ValueError):
    """The value is no amount with at most two decimals."""


def to_minor(value: str | int | float | Decimal) -> int:
    """Minor units of an amount in major units; floats are taken at their shortest decimal text."""
    try:
        scaled = Decimal(str(value)).scaleb(EXPONENT)
        minor = int(scaled)
    except (InvalidOperation, OverflowError, ValueError) as error:
        raise NotMoney(f"not an amount: {value!r}") from error
    if isinstance(value, bool) or minor != scaled:
        raise NotMoney(f"not an amount with at most two decimals: {value!r}")
    return minor


def to_decimal(minor: int) -> Decimal:
    return Decimal(minor).scaleb(-EXPONENT)


def major(minor: int) -> str:
    """The amount as events and cards carry it: `"689.97"`."""
    return f"{to_decimal(minor):.2f}"


def spoken(minor: int, currency: str) -> str:
    """The amount as people read it: `$1,000.00`, or `1,000.00 SEK`."""
    text = f"{to_decimal(minor):,.2f}"
    return f"{SIGNS[currency]}{text}" if currency in SIGNS else f"{text} {currency}"
