"""`manage.py evaluate consent`: its figures, its gates and its files, on rows made for the test."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from eval.consent import FILE, interval_95, is_praise_alone, run
from eval.suite import DataMissing, Options

ASKED = "Cancel order #W4410087? Refund of $138.50 to your gift card."
GOOD = [
    ("Yes, please.", "yes"),
    ("That's correct, go ahead.", "yes"),
    ("Terrific!", "yes"),
    ("Yes. When do I get it?", "yes_and_question"),
    ("How much is it?", "yes_and_question"),
    ("No, the other order.", "no_or_change"),
    ("no", "no_or_change"),
]


def write_rows(folder: Path, rows: list[tuple[str, str]]) -> Path:
    lines = [json.dumps({"asked": ASKED, "reply": reply, "label": label}) for reply, label in rows]
    (folder / FILE).write_text("\n".join(lines), encoding="utf-8")
    return folder


def evaluate(*arguments: Any) -> tuple[int, dict[str, Any]]:
    printed = StringIO()
    code = 0
    try:
        call_command("evaluate", "consent", "--json", *map(str, arguments), stdout=printed, stderr=StringIO())
    except SystemExit as ended:
        code = int(ended.code or 0)
    summary: dict[str, Any] = json.loads(printed.getvalue().splitlines()[-1])
    return code, summary


def test_it_counts_answers_by_label_and_leaves_praise_alone_out_of_the_share(tmp_path: Path) -> None:
    code, summary = evaluate("--data", write_rows(tmp_path, GOOD))
    assert code == 0
    assert summary["rows"] == len(GOOD)
    assert summary["labels"] == {
        "yes": {"rows": 3, "yes": 2, "no": 0, "neither": 1},
        "yes_and_question": {"rows": 2, "yes": 0, "no": 0, "neither": 2},
        "no_or_change": {"rows": 2, "yes": 0, "no": 1, "neither": 1},
    }
    assert (summary["yes_share"], summary["explicit_yes_share"]) == (0.66667, 1.0)
    assert summary["praise_alone_not_yes"] == 1


@pytest.mark.parametrize(
    ("row", "missed"),
    [
        (("yes", "no_or_change"), "a refusal or change read as yes"),
        (("whatever", "yes"), "an explicit yes recognised"),
        (("by all means", "yes_and_question"), "a question without a word of agreement read as yes"),
    ],
)
def test_a_gate_that_is_missed_is_named_and_exits_with_one(tmp_path: Path, row: tuple[str, str], missed: str) -> None:
    folder = write_rows(tmp_path, [*GOOD, row])
    assert [gate.what for gate in run(Options(data=folder)).gates if not gate.kept] == [missed]
    assert evaluate("--data", folder)[0] == 1


def test_the_files_hold_the_answers_in_the_rows_order_and_no_label(tmp_path: Path) -> None:
    out = tmp_path / "out"
    evaluate("--data", write_rows(tmp_path, GOOD), "--out", out)
    lines = [json.loads(line) for line in (out / "predictions.jsonl").read_text("utf-8").splitlines()]
    answers = ["yes", "yes", "neither", "neither", "neither", "neither", "no"]
    assert lines == [{"row": row, "answer": answer} for row, answer in enumerate(answers)]
    assert json.loads((out / "summary.json").read_text("utf-8"))["rows"] == len(GOOD)
    assert "Terrific!" in (out / "report.html").read_text("utf-8")


def test_a_reply_in_the_report_is_text(tmp_path: Path) -> None:
    out = tmp_path / "out"
    evaluate("--data", write_rows(tmp_path, [("<img src=x>", "yes")]), "--out", out)
    page = (out / "report.html").read_text("utf-8")
    assert "&lt;img src=x&gt;" in page
    assert "<img" not in page


@pytest.mark.parametrize(
    ("text", "words"),
    [(None, f"holds no {FILE}"), ("no json", "a line that is no row"), ('{"asked": "a"}', "a line that is no row")],
)
def test_data_that_cannot_be_read_is_named(tmp_path: Path, text: str | None, words: str) -> None:
    if text is not None:
        (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(DataMissing, match=words):
        run(Options(data=tmp_path))


def test_without_data_the_command_says_what_it_needs() -> None:
    with pytest.raises(CommandError, match="needs --data"):
        call_command("evaluate", "consent")


def test_an_option_of_another_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="--guarded belongs to the suite parity"):
        call_command("evaluate", "consent", "--data", str(write_rows(tmp_path, GOOD)), "--guarded")


@pytest.mark.parametrize(
    ("reply", "alone"),
    [
        ("Thanks a lot!", True),
        ("Great, thank you.", True),
        ("ok", True),
        ("Great?", False),
        ("Great, go ahead", False),
        ("", False),
        ("!!", False),
    ],
)
def test_thanks_and_praise_alone_are_told_from_a_yes(reply: str, alone: bool) -> None:
    assert is_praise_alone(reply) is alone


# From the literature: no case seen among 1,669 still leaves 0.23 %.
@pytest.mark.parametrize(
    ("hits", "of", "low", "high"), [(0, 1669, 0.0, 0.0023), (0, 0, 0.0, 1.0), (5, 10, 0.2366, 0.7634)]
)
def test_the_interval_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    assert interval_95(hits, of) == pytest.approx((low, high), abs=1e-4)
