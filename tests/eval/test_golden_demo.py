"""Our own golden set says what an independent reference answers, and the reference what the public environment did."""

import ast
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.eval import reference_tools
from tests.eval.recording import DEMO_SHOP, OWN, read, record_cases, record_own, record_tasks
from tests.eval.reference_tools import TOOLS, Pristine, Shop

TASKS = read(OWN / "tasks_demo.json")
GOLDEN = read(OWN / "golden.json")
ERRORS = read(OWN / "golden_errors.json")
# Their texts are Python's own; they were recorded under 3.11.
PYTHON_TEXT = {"tool_error_python_text", "python_exception"}
WRITES = {name for name in TOOLS if name.split("_")[0] in ("cancel", "modify", "exchange", "return")}


def without_python_text(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if sys.version_info[:2] == (3, 11):
        return cases
    return [case | {"output": "Error"} if case["kind"] in PYTHON_TEXT else case for case in cases]


def in_folder(tau: Path, split: str) -> list[dict[str, Any]]:
    return read(tau / f"tasks_{split}.json")


# --- The reference against the public record ---


def test_the_reference_imports_nothing_of_the_desk() -> None:
    tree = ast.parse(Path(reference_tools.__file__).read_text(encoding="utf-8"))
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules == {"copy", "hashlib", "json", "warnings", "collections.abc", "pathlib", "typing"}


def test_the_reference_repeats_every_public_trajectory(tau: Path) -> None:
    recorded = read(tau / "golden.json")
    pristine = Pristine(tau)
    assert Shop(pristine).digest() == recorded["initial_db_sha256"]
    repeated = [
        row for split in ("test", "train", "dev") for row in record_tasks(pristine, split, in_folder(tau, split))
    ]
    assert (len(repeated), sum(len(row["actions"]) for row in repeated)) == (635, 1375)
    expected = {(row["split"], row["index"]): row for row in recorded["tasks"]}
    assert [row for row in repeated if row != expected[row["split"], row["index"]]] == []


def test_the_reference_repeats_every_public_error_case(tau: Path) -> None:
    recorded = without_python_text(read(tau / "golden_errors.json")["cases"])
    repeated = without_python_text(list(record_cases(Pristine(tau), in_folder(tau, "test")[0], recorded)))
    assert len(repeated) == 615
    assert [case for case, expected in zip(repeated, recorded, strict=True) if case != expected] == []


# --- Our own set ---


def test_the_recorded_files_are_what_the_reference_says_today() -> None:
    golden, errors = record_own()
    assert golden == GOLDEN, "write them anew: python -m tests.eval.recording"
    assert errors.keys() == ERRORS.keys()
    assert {key: errors[key] for key in errors if key != "cases"} == {
        key: ERRORS[key] for key in ERRORS if key != "cases"
    }
    assert without_python_text(errors["cases"]) == without_python_text(ERRORS["cases"])


def test_every_tool_is_called_and_every_write_succeeds_somewhere() -> None:
    recorded = [action for row in GOLDEN["tasks"] for action in row["actions"]]
    assert {action["name"] for action in recorded} == set(TOOLS)
    assert {action["name"] for action in recorded if not action["error"]} == set(TOOLS)
    assert sum(action["error"] for action in recorded) >= 5
    assert {row["db_changed"] for row in GOLDEN["tasks"]} == {True, False}


def test_the_trajectories_are_numbered_and_speak_of_the_demo_shop() -> None:
    users, orders = read(DEMO_SHOP / "users.json"), read(DEMO_SHOP / "orders.json")
    assert len(TASKS) >= 20
    assert [task["index"] for task in TASKS] == list(range(len(TASKS)))
    assert {task["user_id"] for task in TASKS} <= set(users)
    assert len({task["user_id"] for task in TASKS}) >= 15
    named = {
        action["kwargs"]["order_id"] for task in TASKS for action in task["actions"] if "order_id" in action["kwargs"]
    }
    assert named - set(orders) == {"#W0000000"}
    assert all(set(task) == {"index", "user_id", "instruction", "actions", "outputs"} for task in TASKS)


def test_trajectories_hold_the_hard_turns() -> None:
    written = [[action for action in task["actions"] if action["name"] in WRITES] for task in TASKS]
    assert sum(len(writes) >= 2 for writes in written) >= 5
    swaps = [action["kwargs"] for writes in written for action in writes if "new_item_ids" in action["kwargs"]]
    assert any(set(swap["item_ids"]) & set(swap["new_item_ids"]) for swap in swaps)
    by_card = [writes for writes in written if any("gift_card" in str(action["kwargs"]) for action in writes)]
    assert len(by_card) >= 6


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        *(("tool_error", 40), ("tool_error_python_text", 3), ("python_exception", 8)),
        *(("unknown_action", 2), ("accepted", 15)),
    ],
)
def test_error_cases_are_there_of_each_kind(kind: str, least: int) -> None:
    assert sum(case["kind"] == kind for case in ERRORS["cases"]) >= least


def test_an_error_case_is_filed_under_its_kind() -> None:
    for case in ERRORS["cases"]:
        refused = case["output"].startswith("Error")
        assert refused == (case["kind"] not in ("accepted", "unknown_action")), case["id"]
        assert not (case["db_changed"] and case["kind"] != "accepted"), case["id"]
    assert Counter(case["id"] for case in ERRORS["cases"]).most_common(1)[0][1] == 1


def test_every_text_that_a_tool_can_refuse_with_is_met() -> None:
    refusals = {
        node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
        for node in ast.walk(ast.parse(Path(reference_tools.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"
    } - {""}
    assert len(refusals) >= 6
    met = {case["output"] for case in ERRORS["cases"]}
    assert {text for text in refusals if f"Error: {text}" not in met} == set()
