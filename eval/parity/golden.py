"""The recorded data of the public benchmark, as it lies in a folder."""

import hashlib
import json
from pathlib import Path
from typing import Any

SPLITS = ("test", "train", "dev")
TRANSFER = "transfer_to_human_agents"


class Golden:
    """Trajectories with their calls, recorded outputs and final hash; error cases."""

    def __init__(self, folder: Path) -> None:
        golden = json.loads((folder / "golden.json").read_text(encoding="utf-8"))
        self.initial_hash: str = golden["initial_db_sha256"]
        self.rows: list[dict[str, Any]] = golden["tasks"]
        self.errors: list[dict[str, Any]] = json.loads((folder / "golden_errors.json").read_text(encoding="utf-8"))[
            "cases"
        ]
        self._tasks = {
            split: json.loads((folder / f"tasks_{split}.json").read_text(encoding="utf-8"))
            for split in SPLITS
            if (folder / f"tasks_{split}.json").exists()
        }

    def task(self, split: str, index: int) -> dict[str, Any]:
        """`user_id`, and `actions` with name and kwargs."""
        task: dict[str, Any] = self._tasks[split][index]
        return task

    def actions(self, split: str, index: int) -> list[dict[str, Any]]:
        actions: list[dict[str, Any]] = self.task(split, index)["actions"]
        return actions


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
