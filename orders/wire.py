"""Amounts between the books (integer minor units) and the JSON numbers of the shop's export."""

import json

from policy.money import NotMoney, to_minor

# What sums of floats are off by, in major units; anything further from a cent is no amount.
NOISE = 1e-6


def read_wire(number: int | float) -> tuple[int, str]:
    """Minor units of an exported JSON number, and its own text where the minor units alone would not give it back.

    Float noise (1131.1200000000001) is rounded to the cent for the books and kept in the text; a third decimal is
    no noise and refused.
    """
    minor = to_minor(f"{number:.2f}" if isinstance(number, float) else number)
    if abs(number - _plain(minor)) > NOISE:
        raise NotMoney(f"not an amount with at most two decimals: {number!r}")
    text = json.dumps(number)
    return minor, "" if text == json.dumps(_plain(minor)) else text


def write_wire(minor: int, wire: str) -> int | float:
    """The JSON number that the export writes for an amount."""
    number: int | float = json.loads(wire) if wire else _plain(minor)
    return number


def _plain(minor: int) -> float:
    return minor / 100
