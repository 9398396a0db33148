"""`make soak`: the long tests once and the kills `KILL_ROUNDS` times; what was interrupted goes on where it stopped.

The steps with their seeds are in `var/soak/plan.json`, what ended in `var/soak/results.jsonl`. A test that passed in a
step is not run again in it; one that failed is, and its failure stays in the table. A run that is complete is put away
under its own name, and the next one begins anew.
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "var" / "soak"
PLAN, RESULTS = FOLDER / "plan.json", FOLDER / "results.jsonl"
NOTHING_LEFT = 5
KILLS = ("-m", "kills", "-n", "2", "--dist", "loadfile")
LONG = ("-m", "soak and not kills", "-n", "0")
COLUMNS = ("test", "runs", "failed", "caught", "slowest s", "longest s", "load")


def read_plan() -> dict[str, int]:
    """Steps and their seeds, as they were drawn when this run began."""
    if not PLAN.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        rounds = int(os.environ.get("KILL_ROUNDS", "5"))
        steps = ["soak", *(f"kills {number}" for number in range(1, rounds + 1))]
        PLAN.write_text(json.dumps({step: random.randrange(2**32) for step in steps}, indent=1))
    plan: dict[str, int] = json.loads(PLAN.read_text())
    return plan


def read_results() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


def run(step: str, seed: int) -> bool:
    """Run what is left of a step; whether all of it has passed now."""
    passed = [line["test"] for line in read_results() if line["step"] == step and line["outcome"] == "passed"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.soak_log", f"--hypothesis-seed={seed}"]
    command += KILLS if step.startswith("kills") else LONG
    for test in passed:
        command += ["--deselect", test]
    environment = os.environ | {"SOAK_STEP": step, "SOAK_SEED": str(seed), "SOAK_LOG": str(RESULTS)}
    return subprocess.run(command, env=environment, check=False).returncode in (0, NOTHING_LEFT)


def print_table(results: list[dict[str, Any]]) -> None:
    rows: list[tuple[str, ...]] = [COLUMNS]
    for test in sorted({line["test"] for line in results}):
        lines = [line for line in results if line["test"] == test]
        failed = sum(line["outcome"] != "passed" for line in lines)
        caught = sum(line.get("caught", 0) for line in lines)
        most = (max(line.get(name, 0) for line in lines) for name in ("slowest_seconds", "seconds", "load"))
        rows.append((test.removeprefix("tests/"), str(len(lines)), str(failed), str(caught), *map(str, most)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    for row in rows:
        name, *numbers = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        sys.stdout.write(f"{name}  {'  '.join(numbers)}".rstrip() + "\n")


def main() -> int:
    whole = True
    for step, seed in read_plan().items():
        sys.stdout.write(f"--- {step}, seed {seed}\n")
        sys.stdout.flush()
        whole &= run(step, seed)
    print_table(read_results())
    if whole:
        RESULTS.rename(FOLDER / f"results-{time.strftime('%Y%m%d-%H%M%S')}.jsonl")
        PLAN.unlink()
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
