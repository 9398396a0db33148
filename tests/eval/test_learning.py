"""The sentences that the reading of danger is learned from, and what is made out of them."""

import sys

import pytest
from django.core.management import CommandError, call_command

from eval import learning
from eval.learning import Row, cut_letters, make_mixed, make_slips

ROWS = [
    *(Row(f"my parcel number {at} is late", "harmless") for at in range(8)),
    *(Row(f"my lawyer will write to you {at} times", "legal") for at in range(8)),
]


def test_the_same_rows_are_made_each_time() -> None:
    assert learning.all_rows() == learning.all_rows()
    assert {row.label for row in learning.all_rows()} == set(learning.KINDS)


def test_a_slip_keeps_the_label_and_changes_letters_only() -> None:
    made = make_slips(ROWS)
    assert len(made) == len(ROWS) // learning.SLIP_EVERY
    for row, before in zip(made, ROWS[:: learning.SLIP_EVERY], strict=True):
        assert row.label == before.label
        assert sorted(row.text.lower()) == sorted(before.text.lower())


def test_a_mixture_is_as_dangerous_as_the_one_dangerous_row_in_it() -> None:
    texts = {row.text: row.label for row in ROWS}
    for row in make_mixed(ROWS)[:200]:
        labels = [label for text, label in texts.items() if text in row.text]
        assert row.label == ("legal" if "legal" in labels else "harmless")
        assert labels.count("legal") == (row.label == "legal")
        assert "harmless" in labels


def test_a_mixture_may_have_no_marks_and_is_never_longer_than_what_is_read_together() -> None:
    mixed = make_mixed(ROWS)
    assert 500 < sum("." not in row.text for row in mixed) < len(mixed) - 500
    assert max(len(row.text.split()) for row in mixed) <= learning.MOST_TOGETHER


def test_a_harmless_letter_is_learned_in_parts_and_a_dangerous_row_whole() -> None:
    letter = " ".join(f"Here is sentence number {at}, which is as calm as the others." for at in range(30))
    run_on = "and so it went on " * 40
    parts = cut_letters([Row(letter, "harmless"), Row(run_on, "harmless"), Row(letter, "legal")])
    assert [part for part in parts if part.label == "legal"] == [Row(letter, "legal")]
    harmless = [part.text for part in parts if part.label == "harmless"]
    assert " ".join(harmless) == f"{letter} {run_on.strip()}"
    assert all(len(text.split()) <= learning.MOST_TOGETHER for text in harmless)


@pytest.mark.parametrize("which", ["danger", "claims"])
def test_without_pytorch_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    # Where somebody has installed it, this must not learn for twenty minutes.
    monkeypatch.setitem(sys.modules, "eval.training", None)
    with pytest.raises(CommandError, match="pip install torch"):
        call_command("learn_readings", which)
