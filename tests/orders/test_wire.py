"""Amounts between the books and the export: the cent is exact, and the number comes back as it was written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orders.wire import read_wire, write_wire
from policy.money import NotMoney

CENTS = st.integers(min_value=0, max_value=1_000_000_000)


def come_back(number: int | float) -> int | float:
    return write_wire(*read_wire(number))


def same(one: int | float, other: int | float) -> bool:
    return json.dumps(one) == json.dumps(other) and type(one) is type(other)


@pytest.mark.parametrize(
    ("number", "minor", "kept"),
    [
        (0.0, 0, ""),
        (0, 0, "0"),
        (-0.0, 0, "-0.0"),
        (5.0, 500, ""),
        (5, 500, "5"),
        (689.97, 68_997, ""),
        (0.1, 10, ""),
        (1131.12, 113_112, ""),
        (1131.1200000000001, 113_112, "1131.1200000000001"),
        (0.1 + 0.2, 30, "0.30000000000000004"),
        (2845.3999999999996, 284_540, "2845.3999999999996"),
        (10_000_000, 1_000_000_000, "10000000"),
        (1e-9, 0, "1e-09"),
    ],
)
def test_the_books_hold_the_cent_and_the_text_holds_the_rest(number: int | float, minor: int, kept: str) -> None:
    assert read_wire(number) == (minor, kept)
    assert same(come_back(number), number)


@pytest.mark.parametrize("number", [True, float("nan"), float("inf"), float("-inf")])
def test_what_is_no_amount_is_not_read(number: float) -> None:
    with pytest.raises(NotMoney):
        read_wire(number)


@given(CENTS)
def test_a_plain_amount_needs_no_text_of_its_own(cents: int) -> None:
    assert read_wire(cents / 100) == (cents, "")


@given(st.integers(min_value=0, max_value=10_000_000))
def test_an_int_stays_an_int(whole: int) -> None:
    assert read_wire(whole) == (whole * 100, str(whole))
    assert same(come_back(whole), whole)


@given(st.lists(CENTS, min_size=2, max_size=12), st.booleans())
def test_noise_of_a_float_sum_is_kept_and_booked_to_the_cent(parts: list[int], subtract: bool) -> None:
    noisy = sum(part / 100 for part in parts)
    cents = sum(parts)
    if subtract:
        noisy, cents = abs(noisy - 2 * parts[0] / 100), abs(cents - 2 * parts[0])
    assert read_wire(noisy)[0] == cents
    assert same(come_back(noisy), noisy)


@given(CENTS, st.floats(min_value=-9e-7, max_value=9e-7))
def test_every_number_the_import_takes_comes_back_as_it_was(cents: int, noise: float) -> None:
    number = cents / 100 + noise
    minor, _ = read_wire(number)
    assert minor == cents
    assert same(come_back(number), number)


@pytest.mark.parametrize("number", [1.005, 10.995, 0.001, 1e-5, 121.995, 1.875, 9_999_999.999, 5.00001])
def test_a_third_decimal_is_no_noise(number: float) -> None:
    with pytest.raises(NotMoney):
        read_wire(number)
