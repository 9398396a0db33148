"""The files that `manage.py evaluate … --out` leaves: readable by people and programs, and no text becomes markup."""

import json
from pathlib import Path

import pytest

from eval.report import render, write
from eval.suite import Bars, Gate, Result, Suite, Table

HOSTILE = "<script>alert(1)</script>"
ESCAPED = "&lt;script&gt;alert(1)&lt;/script&gt;"


def make_suite(title: str = "A suite") -> Suite:
    return Suite(title=title, data="", run=lambda options: Result(summary={}))


def make_gate(*, kept: bool = True, what: str = "mistakes") -> Gate:
    return Gate(what=what, goal="0", reached="0" if kept else "3", kept=kept)


@pytest.mark.parametrize(
    ("suite", "result"),
    [
        (make_suite(HOSTILE), Result(summary={})),
        (make_suite(), Result(summary={HOSTILE: 1})),
        (make_suite(), Result(summary={"name": HOSTILE})),
        (make_suite(), Result(summary={"names": [HOSTILE]})),
        (make_suite(), Result(summary={}, gates=[make_gate(what=HOSTILE)])),
        (make_suite(), Result(summary={}, parts=[Table(title=HOSTILE, columns=["a"], rows=[["b"]])])),
        (make_suite(), Result(summary={}, parts=[Table(title="t", columns=[HOSTILE], rows=[["b"]])])),
        (make_suite(), Result(summary={}, parts=[Table(title="t", columns=["a"], rows=[[HOSTILE]])])),
        (make_suite(), Result(summary={}, parts=[Bars(title="t", bars=[(HOSTILE, 0.5, "50 %")])])),
        (make_suite(), Result(summary={}, parts=[Bars(title="t", bars=[("a", 0.5, HOSTILE)])])),
    ],
)
def test_every_text_on_the_page_is_escaped(suite: Suite, result: Result) -> None:
    page = render(suite=suite, result=result)
    assert ESCAPED in page
    assert HOSTILE not in page


@pytest.mark.parametrize(("share", "width"), [(0, "0"), (0.5, "210"), (1, "420"), (7, "420"), (-1, "0")])
def test_a_bar_is_as_long_as_its_share_and_never_leaves_the_drawing(share: float, width: str) -> None:
    page = render(suite=make_suite(), result=Result(summary={}, parts=[Bars(title="t", bars=[("a", share, "")])]))
    assert f'width="{width}" height="16" rx="3" fill="var(--bar)"' in page


@pytest.mark.parametrize(("kept", "word"), [(True, "kept"), (False, "missed")])
def test_a_gate_says_whether_it_was_kept(kept: bool, word: str) -> None:
    page = render(suite=make_suite(), result=Result(summary={}, gates=[make_gate(kept=kept)]))
    assert f'<td class="{word}">{word}</td>' in page


def test_the_answers_stand_in_the_order_of_the_rows(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "here"
    write(folder=folder, suite=make_suite(), result=Result(summary={"rows": 2}, answers=["yes", "no"]))
    assert json.loads((folder / "summary.json").read_text("utf-8")) == {"rows": 2}
    lines = (folder / "predictions.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [{"row": 0, "answer": "yes"}, {"row": 1, "answer": "no"}]


def test_a_suite_that_grades_no_answers_writes_none(tmp_path: Path) -> None:
    write(folder=tmp_path, suite=make_suite(), result=Result(summary={}))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "summary.json"]
