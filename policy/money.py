"""The one place where minor units become text and text becomes minor units."""

import re
from decimal import Context, Decimal

# The shops we serve so far trade in currencies of two decimals; another exponent needs a column, not a guess.
EXPONENT = 2
SIGNS = {"USD": "$"}


# Digits as people and JSON write them: `Decimal` alone would also take underscores and digits of other scripts.
WRITTEN = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,2})?")
# Enough for every amount that can be written so; the default of 28 digits would round in silence.
EXACT = Context(prec=200)
# What a column of the books holds, on both engines.
SMALLEST, LARGEST = -(2**63), 2**63 - 1


class NotMoney(ValueError):
    """The value is no amount with at most two decimals, or one that no book can hold."""


def to_minor(value: str | int | float | Decimal) -> int:
    """Minor units of an amount in major units; floats are taken at their shortest decimal text."""
    if isinstance(value, int) and value.bit_length() > 64:
        raise NotMoney("not an amount: too many digits")
    text = str(value)
    if not WRITTEN.fullmatch(text):
        raise NotMoney(f"not an amount: {text[:80]!r}")
    scaled = Decimal(text).scaleb(EXPONENT, EXACT)
    minor = int(scaled)
    if minor != scaled:
        raise NotMoney(f"not an amount with at most two decimals: {text!r}")
    if not SMALLEST <= minor <= LARGEST:
        raise NotMoney(f"not an amount that the books can hold: {text!r}")
    return minor


def to_decimal(minor: int) -> Decimal:
    return Decimal(minor).scaleb(-EXPONENT)


def major(minor: int) -> str:
    """The amount as events and cards carry it: `"689.97"`."""
    return f"{to_decimal(minor):.2f}"


def spoken(minor: int, currency: str) -> str:
    """The amount as people read it: `$1,000.00`, `-$5.00`, or `1,000.00 SEK`."""
    sign, text = "-" if minor < 0 else "", f"{to_decimal(abs(minor)):,.2f}"
    return f"{sign}{SIGNS[currency]}{text}" if currency in SIGNS else f"{sign}{text} {currency}"
