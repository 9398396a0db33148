"""`manage.py evaluate parity` as a person or CI runs it: what it prints, how it exits, and what it leaves alone."""

import json
import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.eval.recording import OWN, read
from tests.process import DeskProcess

KEYS = [
    *("trajectories", "hash_mismatches", "outputs", "output_mismatches", "error_cases", "error_mismatches"),
    *("mismatched", "hashes_digest", "seconds", "cpu_seconds"),
]
NOT_CHECKED = "the public 635 trajectories and 615 error cases: no --data"
TRAJECTORIES = len(read(OWN / "golden.json")["tasks"])
OUTPUTS = sum(len(row["actions"]) for row in read(OWN / "golden.json")["tasks"])
CASES = len(read(OWN / "golden_errors.json")["cases"])


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> DeskProcess:
    """A configured desk with customers in its database, which no evaluation may touch."""
    return DeskProcess(tmp_path_factory.mktemp("desk")).prepare()


def evaluate(desk: DeskProcess, *arguments: Any, stderr: int = subprocess.PIPE) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", "evaluate", *map(str, arguments)],
        cwd=ROOT,
        env=desk.env,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        check=False,
        timeout=240,
    )


def summary_of(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    summary: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return summary


def database_bytes(desk: DeskProcess) -> dict[str, bytes]:
    path = Path(desk.env["DATABASE_URL"].removeprefix("sqlite:///"))
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def test_our_own_set_runs_without_data_and_the_desks_database_stays_as_it_was(desk: DeskProcess) -> None:
    before = database_bytes(desk)
    done = evaluate(desk, "parity", "--guarded", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert database_bytes(desk) == before
    summary = summary_of(done)
    assert list(summary) == [*KEYS, "reached", "stopped", "nothing_else_changed", "not_checked"]
    assert [summary[name] for name in KEYS[:7]] == [TRAJECTORIES, 0, OUTPUTS, 0, CASES, 0, []]
    assert summary["not_checked"] == NOT_CHECKED
    # A log gets the one line that says what is missing, and no progress bar.
    assert done.stderr == f"NOT CHECKED: {NOT_CHECKED}\n"
    # Twice the same item is refused by the schema; a cancellation after a payment change would refund too much.
    stopped = [(stop["index"], stop["rule"]) for stop in summary["stopped"]]
    assert stopped == [(2, "schema"), (6, "R5"), (17, "R5")]
    assert summary["reached"] == TRAJECTORIES - len(stopped)
    assert summary["nothing_else_changed"] is True


def test_it_prints_a_line_for_each_figure_without_json(desk: DeskProcess) -> None:
    done = evaluate(desk, "parity")
    assert done.returncode == 0, done.stderr
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert list(lines) == [*KEYS, "not_checked"]
    assert (lines["trajectories"], lines["error_cases"]) == (str(TRAJECTORIES), str(CASES))


def test_the_public_set_has_no_mismatch_and_leaves_nothing_unchecked(desk: DeskProcess, tau: Path) -> None:
    done = evaluate(desk, "parity", "--data", tau, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    summary = summary_of(done)
    assert list(summary) == KEYS
    assert [summary[name] for name in KEYS[:7]] == [635, 0, 1375, 0, 615, 0, []]


# --- A planted fault ---


def spoil_hash(golden: dict[str, Any], errors: dict[str, Any]) -> None:
    golden["tasks"][3]["final_db_sha256"] = "0" * 64


def spoil_output(golden: dict[str, Any], errors: dict[str, Any]) -> None:
    golden["tasks"][1]["actions"][2]["output_sha256"] = "0" * 64


def spoil_initial_hash(golden: dict[str, Any], errors: dict[str, Any]) -> None:
    golden["initial_db_sha256"] = "0" * 64


def spoil_case(golden: dict[str, Any], errors: dict[str, Any]) -> None:
    errors["cases"][0]["output"] = "Error: something else"


def spoil_case_hash(golden: dict[str, Any], errors: dict[str, Any]) -> None:
    transfers = [case for case in errors["cases"] if case["name"] == "transfer_to_human_agents"]
    transfers[0]["db_sha256_after"] = "0" * 64


TRANSFER_CASE = next(
    case["id"] for case in read(OWN / "golden_errors.json")["cases"] if case["name"].startswith("tran")
)


@pytest.mark.parametrize(
    ("spoil", "gate", "named"),
    [
        (spoil_hash, "hash_mismatches", "demo-3"),
        (spoil_output, "output_mismatches", "demo-1 action 2 get_order_details"),
        (spoil_initial_hash, "hash_mismatches", "initial"),
        (spoil_case, "error_mismatches", "case 0001 cancel_pending_order:order_not_found"),
        (spoil_case_hash, "error_mismatches", f"case {TRANSFER_CASE} transfer_to_human_agents:value"),
    ],
)
def test_a_planted_fault_is_named_and_exits_with_one(
    desk: DeskProcess, tmp_path: Path, spoil: Callable[..., None], gate: str, named: str
) -> None:
    folder = tmp_path / "golden"
    shutil.copytree(OWN, folder)
    golden, errors = read(folder / "golden.json"), read(folder / "golden_errors.json")
    spoil(golden, errors)
    (folder / "golden.json").write_text(json.dumps(golden), encoding="utf-8")
    (folder / "golden_errors.json").write_text(json.dumps(errors), encoding="utf-8")
    done = evaluate(desk, "parity", "--data", folder, "--json")
    assert done.returncode == 1, done.stdout + done.stderr
    summary = summary_of(done)
    assert summary["mismatched"] == [named]
    assert summary[gate] == 1
    assert "not_checked" not in summary


@pytest.mark.parametrize("missing", ["golden.json", "golden_errors.json"])
def test_a_folder_without_its_files_is_refused_by_name(desk: DeskProcess, tmp_path: Path, missing: str) -> None:
    folder = tmp_path / "golden"
    shutil.copytree(OWN, folder)
    (folder / missing).unlink()
    done = evaluate(desk, "parity", "--data", folder)
    assert done.returncode == 1
    assert done.stderr == f"CommandError: {folder} holds no {missing}\n"


def test_a_terminal_gets_a_progress_bar(desk: DeskProcess) -> None:
    ours, theirs = pty.openpty()
    try:
        done = evaluate(desk, "parity", "--json", stderr=theirs)
        shown = os.read(ours, 65_536).decode()
    finally:
        os.close(theirs)
        os.close(ours)
    assert done.returncode == 0
    whole = TRAJECTORIES + CASES
    assert f"[{'#' * 40}] {whole}/{whole}" in shown
    assert f"NOT CHECKED: {NOT_CHECKED}" in shown
