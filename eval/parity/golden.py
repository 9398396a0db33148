"""Recorded data as it lies in a folder: the public benchmark's, or our own smaller set over the demo shop."""

import hashlib
import json
from pathlib import Path
from typing import Any

SPLITS = ("test", "train", "dev", "demo")
TRANSFER = "transfer_to_human_agents"
ROOT = Path(__file__).resolve().parent.parent.parent
OWN = ROOT / "eval" / "scenarios" / "golden"
DEMO_SHOP = ROOT / "orders" / "demo"


class Golden:
    """Trajectories with their calls, recorded outputs and final hash; error cases; `store`, the shop they start from.

    A folder without a shop of its own speaks of the demo shop.
    """

    def __init__(self, folder: Path) -> None:
        self.store = folder if (folder / "orders.json").exists() else DEMO_SHOP
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

    def graded_actions(self) -> list[dict[str, Any]]:
        """The calls that the recorded environment replayed to grade itself: its own task, the first of its split."""
        return self.actions(next(iter(self._tasks)), 0)

    def task(self, split: str, index: int) -> dict[str, Any]:
        """`user_id`, and `actions` with name and kwargs."""
        task: dict[str, Any] = self._tasks[split][index]
        return task

    def actions(self, split: str, index: int) -> list[dict[str, Any]]:
        actions: list[dict[str, Any]] = self.task(split, index)["actions"]
        return actions


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
