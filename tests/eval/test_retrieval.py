"""What the help center finds for the labelled questions, and how the suite counts it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eval.retrieval import FILE, OWN, is_held_out, load, run
from eval.suite import DataMissing, Options
from helpcenter.interchange import read_folder
from tests.conftest import ROOT
from tests.process import DeskProcess

DEMO = ROOT / "helpcenter" / "demo"
# What was reached, a little below: at least the goals of 85, 95 and 90 percent.
LEAST = {"first": 0.93, "in_three": 0.955, "no_answer_below_floor": 0.90}
LEAST_HELD_OUT = {"first": 0.87, "in_three": 0.91, "no_answer_below_floor": 0.90}
# Far below the goals: whoever knows the titles alone asks in words that no article has.
LEAST_STRANGERS = {"first": 0.46, "in_three": 0.51, "no_answer_below_floor": 0.86}


def evaluate(folder: Path, *arguments: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, summary and complaints of the command, in a process and a database of its own."""
    done = subprocess.run(
        [sys.executable, "manage.py", "evaluate", "retrieval", "--json", *arguments],
        cwd=ROOT,
        env=DeskProcess(folder).env,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, json.loads(done.stdout.splitlines()[-1]), done.stderr


def test_the_right_article_is_found_and_nothing_where_none_answers(tmp_path: Path) -> None:
    code, summary, complaints = evaluate(tmp_path)
    assert code == 0, complaints
    for name, least in LEAST.items():
        assert summary[name] >= least, summary
        assert summary["held_out"][name] >= LEAST_HELD_OUT[name], summary
        assert summary["strangers_2"][name] >= LEAST_STRANGERS[name], summary


def test_the_questions_are_many_different_and_spread_over_all_articles() -> None:
    rows = load(OWN / FILE)
    labels = [row.article for row in rows]
    slugs = {file.slug for file in read_folder(DEMO)}
    assert len({row.question for row in rows}) == len(rows) >= 180
    assert set(labels) - {None} == slugs
    assert min(labels.count(slug) for slug in slugs) >= 6
    assert labels.count(None) >= 50
    assert 0.4 < sum(is_held_out(row.question) for row in rows) / len(rows) < 0.6


def test_a_wrong_label_a_missed_answer_and_a_false_find_are_counted(tmp_path: Path) -> None:
    rows = [
        {"question": "do gift cards expire", "article": "gift-cards"},
        {"question": "how do I reset my password", "article": "gift-cards"},
        {"question": "sourdough starter hydration", "article": "gift-cards"},
        {"question": "sourdough starter flour", "article": None},
        {"question": "how do I cancel my order", "article": None},
    ]
    (tmp_path / FILE).write_text(json.dumps(rows), encoding="utf-8")
    code, summary, complaints = evaluate(tmp_path, "--data", str(tmp_path))
    assert code == 1
    assert complaints.count("MISSED") == 3
    assert (summary["questions"], summary["answered_by_an_article"]) == (5, 3)
    assert (summary["first"], summary["in_three"], summary["no_answer_below_floor"]) == (0.3333, 0.3333, 0.5)


@pytest.mark.parametrize("text", [None, "", "{}", '[{"question": "x"}]', '[{"question": "x", "article": 3}]'])
def test_a_file_that_holds_no_questions_is_named(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(DataMissing, match=FILE):
        run(Options(data=tmp_path))
