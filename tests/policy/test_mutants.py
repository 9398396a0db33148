"""What `make mutants` counts and what it filters: only the letters of texts for people are no question to a table."""

import json
from pathlib import Path

import pytest

from tests.mutants import KILLED, SURVIVED, UNTESTED, Mutant, read_mutants, report

BEFORE = """
def f(left):
    reason = f"Above {left} a person looks."
    if left > 1:
        reason += " Twice."
    return Verdict(rule="R5", outcome=ASK, reason=reason)
"""


@pytest.mark.parametrize(
    ("old", "new", "is_of_words"),
    [
        ("a person looks", "XXa person looksXX", True),
        (" Twice.", " TWICE.", True),
        ("{left}", "{None}", False),
        ("left > 1", "left >= 1", False),
        ('"R5"', '"r5"', False),
        ("reason=reason", "reason=None", False),
        ("reason +=", "reason =", False),
        (", reason=reason", "", False),
    ],
)
def test_a_mutant_of_words_changes_only_the_letters_of_a_text_for_people(old: str, new: str, is_of_words: bool) -> None:
    mutant = Mutant(name="f", status=SURVIVED, before=BEFORE, after=BEFORE.replace(old, new))
    assert mutant.after != mutant.before
    assert mutant.is_of_words is is_of_words


def test_results_are_read_beside_the_functions_and_only_what_was_killed_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mutants" / "policy"
    folder.mkdir(parents=True)
    bodies = {"orig": 'say(reason="no")', 1: 'say(reason="NO")', 2: "say(reason=None)", 3: 'hear(reason="no")', 4: "0"}
    lines = [f"def x_f__mutmut_{number}():\n    return {body}\n" for number, body in bodies.items()]
    (folder / "rules.py").write_text("\n".join(lines))
    codes = {f"policy.rules.x_f__mutmut_{number}": code for number, code in {1: 0, 2: 0, 3: 33, 4: 1}.items()}
    (folder / "rules.py.meta").write_text(json.dumps({"exit_code_by_key": codes}))
    mutants = list(read_mutants(tmp_path))
    assert [one.status for one in mutants] == [SURVIVED, SURVIVED, UNTESTED, KILLED]
    assert report(mutants) == pytest.approx(1 / 3)
    printed = capsys.readouterr().out
    assert "x_f__mutmut_2: survived\n  - return say(reason='no')\n  + return say(reason=None)" in printed
    assert "x_f__mutmut_1" not in printed
    assert '"mutants": 4, "filtered": 1' in printed
