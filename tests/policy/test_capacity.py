"""The sizing sheet against the two design documents' own figures, and the break-even limit."""

from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

import pytest

from policy.capacity import PRESETS, NotASize, Size, round_as_shown, size
from policy.threshold import NoBreakEven, find_threshold

# (preset, figure, exact, as the document prints it)
FIGURES = [
    ("seed-c", "tickets_month", "800000", "800000"),
    ("seed-c", "tickets_day", "26666.67", "26700"),
    ("seed-c", "tickets_second", "0.31", "0.31"),
    ("seed-c", "tickets_second_peak", "0.93", "1"),
    ("seed-c", "calls_day", "160000", "160000"),
    ("seed-c", "calls_second", "1.85", "1.9"),
    ("seed-c", "calls_second_peak", "5.56", "5.6"),
    ("seed-c", "tokens_in", "19800", "19800"),
    ("seed-c", "tokens_out", "900", "900"),
    ("seed-c", "cost_in", "0.0198", "0.0198"),
    ("seed-c", "cost_out", "0.0045", "0.0045"),
    ("seed-c", "cost", "0.0243", "0.0243"),
    ("seed-c", "cost_thousand", "24.30", "24.30"),
    ("seed-c", "cost_day", "648", "650"),
    ("seed-c", "cost_month", "19440", "19400"),
    ("seed-c", "cached_tokens", "10800", "10800"),
    ("seed-c", "fresh_tokens", "9000", "9000"),
    ("seed-c", "cached_cost", "0.01458", "0.0146"),
    ("seed-c", "cached_cost_day", "388.8", "390"),
    ("seed-c", "cached_cost_month", "11664", "11700"),
    ("seed-b", "tickets_month", "300000", "300000"),
    ("seed-b", "tickets_day", "10000", "10000"),
    ("seed-b", "tickets_second", "0.12", "0.12"),
    ("seed-b", "cost_in", "0.06", "0.06"),
    ("seed-b", "cost_out", "0.03", "0.03"),
    ("seed-b", "cost", "0.09", "0.09"),
    ("seed-b", "cost_month", "27000", "27000"),
    ("seed-b", "human_month_low", "900000", "900000"),
    ("seed-b", "human_month_high", "1800000", "1800000"),
    ("seed-b", "saving_month", "270000", "270000"),
]


@pytest.mark.parametrize(("preset", "figure", "exact", "printed"), FIGURES)
def test_the_documents_figures_come_out_with_their_own_rounding(
    preset: str, figure: str, exact: str, printed: str
) -> None:
    chosen = PRESETS[preset]
    value: Decimal = getattr(size(chosen.plan), figure)
    places = -Decimal(exact).as_tuple().exponent  # type: ignore[operator]
    assert round(value, places) == Decimal(exact)
    assert round_as_shown(figure, value, shown=chosen.shown) == Decimal(printed)


def test_the_break_even_of_the_third_document() -> None:
    found = find_threshold(review_cost=Decimal(1), mistake_share=1 / Decimal(200))
    assert found.amount == 200
    assert found.expected_loss(Decimal(200)) == 1


@pytest.mark.parametrize(
    ("cost", "share"), [("1", "0"), ("1", "-0.1"), ("1", "1.1"), ("-1", "0.5"), ("NaN", "0.5"), ("1", "NaN")]
)
def test_numbers_without_a_break_even_are_refused_in_words(cost: str, share: str) -> None:
    with pytest.raises(NoBreakEven, match="must be"):
        find_threshold(review_cost=Decimal(cost), mistake_share=Decimal(share))


def test_a_free_review_means_that_every_refund_is_looked_at() -> None:
    assert find_threshold(review_cost=Decimal(0), mistake_share=Decimal("0.01")).amount == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"contact_rate": Decimal("1.01")},
        {"orders_month": Decimal(-1)},
        {"orders_month": Decimal("NaN")},
        {"turns": 0},
        {"turns": -1},
        {"days": 0},
        {"target_share": Decimal(2)},
        {"prefix_tokens": -1},
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(NotASize):
        size(replace(PRESETS["seed-c"].plan, **changed))


def test_where_a_person_is_cheaper_than_the_model_it_never_pays() -> None:
    plan = replace(PRESETS["seed-c"].plan, human_low=Decimal("0.01"))
    assert size(plan).break_even_share == 1
    assert size(PRESETS["seed-c"].plan).break_even_share == Decimal("0.0081")


def test_an_empty_shop_costs_nothing_and_divides_by_nothing() -> None:
    empty = size(replace(PRESETS["seed-c"].plan, orders_month=Decimal(0)))
    assert (empty.tickets_day, empty.cost_month, empty.saving_month) == (0, 0, 0)
    assert all(round_as_shown(one.name, getattr(empty, one.name)) >= 0 for one in fields(Size))


def test_what_an_automatic_mistake_costs_a_month() -> None:
    # 800,000 tickets, 60 % of them automatic, one in 200 wrong, 40.00 each.
    assert size(PRESETS["seed-c"].plan).loss_month == 800_000 * Decimal("0.6") / 200 * 40
