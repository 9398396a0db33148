"""`manage.py evaluate triage`: its figures, its gates and its files, on rows made for the test."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from eval import triage
from eval.triage import DANGERS, FILE, OWN, measure_dangers

GOOD = [
    ("where has my parcel got to", "track_order"),
    ("kindly abort the order", "cancel_order"),
    ("let me talk with a real human", "contact_human_agent"),
    ("put me through to support", "contact_customer_service"),
    ("what is the support hotline", "contact_customer_service"),
    ("the password of my profile is gone", "recover_password"),
]

# What was measured, of look-alikes and of the two kinds of ordinary messages: the goal is 0.02.
SEALED: list[tuple[str, int, dict[str, float]]] = [
    ("dangers_fresh.json", 160, {"false_share": 0.05}),
    ("dangers_sealed_1.json", 400, {"false_share": 0.02, "ordinary_false_share": 0.01}),
    ("dangers_sealed_2.json", 400, {"false_share": 0.025, "ordinary_false_share": 0.01}),
    ("dangers_sealed_3.json", 400, {"false_share": 0.025, "ordinary_false_share": 0.01}),
    ("dangers_sealed_4.json", 560, {"false_share": 0.02, "ordinary_false_share": 0.016}),
    (
        "dangers_sealed_5.json",
        580,
        {"false_share": 0.034, "ordinary_false_share": 0.01, "long_ordinary_false_share": 0.1},
    ),
    (
        "dangers_sealed_6.json",
        470,
        {"false_share": 0.02, "ordinary_false_share": 0.01, "long_ordinary_false_share": 0.1},
    ),
]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command with one small set of dangers: reading all of them takes a minute, and each has a test of its own."""
    monkeypatch.setattr(triage, "DANGERS", {"dangers_kept_aside": "dangers_unseen.json"})
    monkeypatch.setattr(triage, "FRESH", {})


def write_rows(folder: Path, rows: list[tuple[str, str]]) -> Path:
    lines = ["utterance,intent", *(f"{text},{label}" for text, label in rows)]
    (folder / FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def evaluate(*arguments: Any) -> tuple[int, dict[str, Any], str]:
    printed, told = StringIO(), StringIO()
    code = 0
    try:
        call_command("evaluate", "triage", "--json", *map(str, arguments), stdout=printed, stderr=told)
    except SystemExit as ended:
        code = int(ended.code or 0)
    summary: dict[str, Any] = json.loads(printed.getvalue().splitlines()[-1])
    return code, summary, told.getvalue()


@pytest.mark.usefixtures("few")
def test_it_reads_the_rows_by_the_desks_own_labels_and_keeps_the_answers(tmp_path: Path) -> None:
    code, summary, _ = evaluate("--data", write_rows(tmp_path, GOOD), "--out", tmp_path / "out")
    assert code == 0
    assert (summary["rows"], summary["macro_accuracy"]) == (len(GOOD), 1.0)
    assert (summary["human_recall"], summary["human_false_share"]) == (1.0, 0.0)
    answers = [json.loads(line) for line in (tmp_path / "out" / "predictions.jsonl").read_text().splitlines()]
    assert answers[0] == {"row": 0, "answer": "order_status"}
    # Asking to be put through is right for the label that asks for support.
    assert answers[3] == {"row": 3, "answer": "person"}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("row", "missed"),
    [
        (("get me a human", "track_order"), "other messages taken for asking a person"),
        (("what time is it", "contact_human_agent"), "asking for a person recognised"),
        (("cancel it", "get_invoice"), "macro accuracy"),
    ],
)
def test_a_missed_gate_is_named_and_ends_with_one(tmp_path: Path, row: tuple[str, str], missed: str) -> None:
    code, _, told = evaluate("--data", write_rows(tmp_path, [*GOOD, row]))
    assert code == 1
    assert missed in told


@pytest.mark.parametrize("rows", [[("hello", "unheard_of")], [("hello", "")]])
def test_a_label_that_nobody_knows_stops_the_run(tmp_path: Path, rows: list[tuple[str, str]]) -> None:
    with pytest.raises(CommandError, match="known"):
        evaluate("--data", write_rows(tmp_path, rows))


def test_without_data_it_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=FILE):
        evaluate()
    with pytest.raises(CommandError, match=FILE):
        evaluate("--data", tmp_path)


@pytest.mark.parametrize("file", DANGERS.values())
def test_danger_is_heard_and_what_only_sounds_like_it_is_not(file: str) -> None:
    found = measure_dangers(OWN / file)
    assert found["messages"] >= 110
    assert all(share >= 0.95 for share in found["recall"].values()), found
    assert found["false_share"] <= 0.02


@pytest.mark.parametrize(("file", "messages", "most"), SEALED)
def test_danger_in_words_of_authors_never_learned_from_is_heard_no_less_than_when_it_was_measured(
    file: str, messages: int, most: dict[str, float]
) -> None:
    found = measure_dangers(OWN / file)
    assert found["messages"] == messages
    assert all(share >= 0.95 for share in found["recall"].values()), found
    assert all(found[name] <= share for name, share in most.items()), found
