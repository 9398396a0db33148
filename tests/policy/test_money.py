"""Amounts: text and JSON numbers to minor units and back, and everything that is no amount."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.money import NotMoney, major, spoken, to_decimal, to_minor


@pytest.mark.parametrize(
    ("value", "minor"),
    [
        ("0", 0),
        ("0.00", 0),
        ("0.01", 1),
        ("1000.00", 100_000),
        ("1000.0", 100_000),
        ("1e3", 100_000),
        ("-0.01", -1),
        ("-1284.50", -128_450),
        (0, 0),
        (7, 700),
        (-7, -700),
        (0.1, 10),
        (0.29, 29),
        (1.15, 115),
        (4.35, 435),
        (689.97, 68_997),
        (1131.12, 113_112),
        (-19.99, -1_999),
        (10_000_000.01, 1_000_000_001),
        (Decimal("19.990"), 1_999),
        (Decimal("1E+2"), 10_000),
        ("+5.00", 500),
        ("92233720368547758.07", 2**63 - 1),
        ("-92233720368547758.08", -(2**63)),
    ],
)
def test_an_amount_becomes_minor_units_without_a_float_in_between(value: Any, minor: int) -> None:
    assert to_minor(value) == minor


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "ten",
        "1,000.00",
        "$5",
        "0x10",
        "5.00 USD",
        "1.001",
        "0.005",
        "-0.001",
        0.005,
        1131.1200000000001,
        0.1 + 0.2,
        1e-7,
        Decimal("19.999"),
        True,
        False,
        None,
        [],
        {},
        b"5",
        "NaN",
        "sNaN",
        "Infinity",
        "-Infinity",
        float("nan"),
        float("inf"),
        float("-inf"),
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("-Infinity"),
        # More than a book holds, and what 28 digits of precision would round in silence.
        "1e999999",
        "1e99",
        "99999999999999999999999999999.99",
        "92233720368547758.08",
        "-92233720368547758.09",
        "1000000000000000000000000000001",
        "0." + "0" * 41,
        "1" * 5_000,
        10**30 + 1,
        10**5_000,
        1e300,
        Decimal("1E+999999"),
        Decimal("1E-999999"),
        Decimal("12345678901234567890123456789.01"),
        # What `Decimal` would take, and no till prints.
        "1_000",
        "1_0.00",
        "１０",
        "٥",
        " 5",
        "5\n",
        "5.",
        ".5",
        "--5",
        "1e",
    ],
    ids=lambda value: repr(value)[:40] if not isinstance(value, int) else f"{value.bit_length()} bits",
)
def test_what_is_no_amount_of_two_decimals_is_refused(value: Any) -> None:
    with pytest.raises(NotMoney):
        to_minor(value)


@pytest.mark.parametrize(
    ("minor", "written"),
    [
        (0, "0.00"),
        (1, "0.01"),
        (10, "0.10"),
        (100, "1.00"),
        (68_997, "689.97"),
        (100_000, "1000.00"),
        (123_456_789, "1234567.89"),
        (-1, "-0.01"),
        (-128_450, "-1284.50"),
    ],
)
def test_events_carry_major_units_with_two_decimals(minor: int, written: str) -> None:
    assert major(minor) == written


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [
        (0, "USD", "$0.00"),
        (5, "USD", "$0.05"),
        (100_000, "USD", "$1,000.00"),
        (123_456_789, "USD", "$1,234,567.89"),
        (100_000, "SEK", "1,000.00 SEK"),
        (-128_450, "SEK", "-1,284.50 SEK"),
        (-500, "USD", "-$5.00"),
        (-1, "USD", "-$0.01"),
        (-128_450, "USD", "-$1,284.50"),
    ],
)
def test_people_read_amounts_with_their_currency(minor: int, currency: str, text: str) -> None:
    assert spoken(minor, currency) == text


@given(st.integers(min_value=-(2**63), max_value=2**63 - 1))
def test_every_amount_a_column_can_hold_survives_the_way_out_and_back(minor: int) -> None:
    assert to_minor(major(minor)) == to_minor(to_decimal(minor)) == minor


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**9), max_value=10**9))
def test_a_float_is_taken_at_the_amount_it_was_written_as(amount: Decimal) -> None:
    assert to_minor(float(amount)) == int(amount * 100)
