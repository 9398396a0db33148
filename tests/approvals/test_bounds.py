"""The upper bound of a harm rate, against closed forms, published figures and its own definition."""

import math

import pytest

from approvals.bounds import find_upper_bound


@pytest.mark.parametrize("cases", [1, 2, 10, 59, 96, 300, 655, 10_000, 1_000_000])
def test_without_harm_it_is_the_closed_form_near_the_rule_of_three(cases: int) -> None:
    bound = find_upper_bound(cases=cases, harms=0)
    assert bound == pytest.approx(1 - 0.05 ** (1 / cases), abs=1e-8)
    assert bound <= 3 / cases


# One-sided 95 % Clopper-Pearson limits, as beta quantiles: qbeta(0.95, harms + 1, cases - harms).
@pytest.mark.parametrize(
    ("cases", "harms", "percent"),
    [
        (655, 0, 0.46),
        (412, 0, 0.72),
        (510, 0, 0.59),
        (240, 0, 1.24),
        (96, 0, 3.07),
        (38, 0, 7.58),
        (187, 1, 2.51),
        (10, 1, 39.42),
        (20, 2, 28.26),
        (100, 5, 10.23),
    ],
)
def test_known_bounds(cases: int, harms: int, percent: float) -> None:
    assert find_upper_bound(cases=cases, harms=harms) * 100 == pytest.approx(percent, abs=0.006)


@pytest.mark.parametrize(("cases", "harms"), [(5, 1), (50, 3), (200, 0), (200, 17), (1_000, 40)])
def test_at_the_bound_so_few_harms_are_one_in_twenty(cases: int, harms: int) -> None:
    rate = find_upper_bound(cases=cases, harms=harms)
    chance = math.fsum(math.comb(cases, k) * rate**k * (1 - rate) ** (cases - k) for k in range(harms + 1))
    assert chance == pytest.approx(0.05, abs=1e-5)


def test_more_harm_and_fewer_cases_raise_it() -> None:
    assert find_upper_bound(cases=100, harms=1) > find_upper_bound(cases=100, harms=0)
    assert find_upper_bound(cases=50, harms=1) > find_upper_bound(cases=100, harms=1)


@pytest.mark.parametrize("cases", [0, 1, 7])
def test_nothing_but_harm_bounds_nothing(cases: int) -> None:
    assert find_upper_bound(cases=cases, harms=cases) == 1.0


@pytest.mark.parametrize(("cases", "harms"), [(1, 2), (5, -1), (-1, 0)])
def test_impossible_counts_are_a_mistake_of_the_caller(cases: int, harms: int) -> None:
    with pytest.raises(ValueError, match="harms than cases"):
        find_upper_bound(cases=cases, harms=harms)
