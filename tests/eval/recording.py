"""What the reference answers to a golden set's calls. `python -m tests.eval.recording` writes our own set anew."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.eval.reference_tools import Pristine, Shop

ROOT = Path(__file__).resolve().parent.parent.parent
OWN = ROOT / "eval" / "scenarios" / "golden"
DEMO_SHOP = ROOT / "orders" / "demo"
TRANSFER = "transfer_to_human_agents"
PYTHON = "3.11"
Task = dict[str, Any]


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def record_tasks(pristine: Pristine, split: str, tasks: list[Task]) -> Iterator[Task]:
    """Each trajectory's outputs and final hash."""
    untouched = Shop(pristine).digest()
    for task in tasks:
        shop = Shop(pristine)
        outputs = [shop.call(action["name"], action["kwargs"]) for action in task["actions"]]
        final = shop.digest()
        yield {
            "split": split,
            "index": task["index"],
            "final_db_sha256": final,
            "db_changed": final != untouched,
            "actions": [
                {
                    "name": action["name"],
                    "output_sha256": hashlib.sha256(output.encode("utf-8")).hexdigest(),
                    "error": output.startswith("Error"),
                    "replayed": action["name"] != TRANSFER,
                }
                for action, output in zip(task["actions"], outputs, strict=True)
            ],
        }


def record_cases(pristine: Pristine, first_task: Task, cases: list[Task]) -> Iterator[Task]:
    """Each case's output and the hash behind it. A transfer ends the episode, whose own task is then replayed."""
    for case in cases:
        shop = Shop(pristine)
        for action in case["setup_actions"]:
            shop.call(action["name"], action["kwargs"])
        before = shop.digest()
        output = shop.call(case["name"], case["kwargs"])
        if case["name"] == TRANSFER and output == "Transfer successful":
            shop = Shop(pristine)
            for action in first_task["actions"]:
                shop.call(action["name"], action["kwargs"])
        after = shop.digest()
        asked = {key: case[key] for key in ("id", "kind", "branch", "setup_actions", "name", "kwargs")}
        yield {**asked, "output": output, "db_changed": after != before, "db_sha256_after": after}


def record_own() -> tuple[dict[str, Any], dict[str, Any]]:
    """`golden.json` and `golden_errors.json` over the demo shop; the calls come from the files themselves."""
    pristine = Pristine(DEMO_SHOP)
    tasks = read(OWN / "tasks_demo.json")
    untouched = Shop(pristine).digest()
    cases = list(record_cases(pristine, tasks[0], read(OWN / "golden_errors.json")["cases"]))
    kinds = {case["kind"]: sum(other["kind"] == case["kind"] for other in cases) for case in cases}
    golden = {
        "python": PYTHON,
        "initial_db_sha256": untouched,
        "tasks": list(record_tasks(pristine, "demo", tasks)),
    }
    return golden, {"python": PYTHON, "initial_db_sha256": untouched, "kinds": kinds, "cases": cases}


def write_own() -> None:
    for name, content in zip(("golden.json", "golden_errors.json"), record_own(), strict=True):
        (OWN / name).write_text(json.dumps(content, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_own()
