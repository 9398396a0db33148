"""Parity: every recorded trajectory and error case through our tools, output by output and hash by hash."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction

from eval.parity.golden import TRANSFER, Golden, sha256
from eval.parity.raw_tools import call
from orders.hashing import StoreDigest
from orders.interchange import load
from orders.models import Order

# Their texts are CPython 3.11's own; elsewhere they begin with "Error" and nothing changed.
PYTHON_TEXT = {"tool_error_python_text", "python_exception"}
# The whole shop is read anew this often, so that a change outside the touched records cannot hide.
FULL_EVERY = 200

Step = Callable[[int, int], None]


@dataclass
class Found:
    """What a run found; a mismatch names its trajectory or case."""

    trajectories: int = 0
    hash_mismatches: list[str] = field(default_factory=list)
    outputs: int = 0
    output_mismatches: list[str] = field(default_factory=list)
    error_cases: int = 0
    error_mismatches: list[str] = field(default_factory=list)
    final_hashes: dict[str, str] = field(default_factory=dict)

    def summary(self, seconds: float, cpu_seconds: float) -> dict[str, Any]:
        return {
            "trajectories": self.trajectories,
            "hash_mismatches": len(self.hash_mismatches),
            "outputs": self.outputs,
            "output_mismatches": len(self.output_mismatches),
            "error_cases": self.error_cases,
            "error_mismatches": len(self.error_mismatches),
            "mismatched": [*self.hash_mismatches, *self.output_mismatches, *self.error_mismatches][:20],
            "hashes_digest": sha256(json.dumps(self.final_hashes, sort_keys=True)),
            "seconds": round(seconds, 2),
            "cpu_seconds": round(cpu_seconds, 2),
        }


def run(*, folder: Path, step: Step = lambda done, whole: None) -> dict[str, Any]:
    """Replay everything in `folder`, in the current database, which is emptied first. `step(done, whole)` reports."""
    started, cpu = time.monotonic(), time.process_time()
    golden = Golden(folder)
    load(folder=golden.store, replace=True)
    shop, found = StoreDigest(), Found()
    whole = len(golden.rows) + len(golden.errors)
    initial = shop.hexdigest()
    if initial != golden.initial_hash:
        found.hash_mismatches.append("initial")
    for number, row in enumerate(golden.rows):
        _replay(golden, row, shop, found, check_all=number % FULL_EVERY == 0)
        step(number + 1, whole)
    for number, case in enumerate(golden.errors):
        _replay_case(golden, case, shop, found, initial)
        step(len(golden.rows) + number + 1, whole)
    if StoreDigest().hexdigest() != initial:
        found.hash_mismatches.append("after everything was rolled back")
    return found.summary(time.monotonic() - started, time.process_time() - cpu)


def _replay(golden: Golden, row: dict[str, Any], shop: StoreDigest, found: Found, *, check_all: bool) -> None:
    name = f"{row['split']}-{row['index']}"
    actions = golden.actions(row["split"], row["index"])
    with rolled_back(shop, actions) as refresh:
        for place, (action, recorded) in enumerate(zip(actions, row["actions"], strict=True)):
            output = call(action["name"], action["kwargs"])
            found.outputs += 1
            if sha256(output) != recorded["output_sha256"]:
                found.output_mismatches.append(f"{name} action {place} {action['name']}")
        refresh()
        final = StoreDigest().hexdigest() if check_all else shop.hexdigest()
    found.trajectories += 1
    found.final_hashes[name] = final
    if final != row["final_db_sha256"]:
        found.hash_mismatches.append(name)


def _replay_case(golden: Golden, case: dict[str, Any], shop: StoreDigest, found: Found, initial: str) -> None:
    with rolled_back(shop, [*case["setup_actions"], case]) as refresh:
        for action in case["setup_actions"]:
            call(action["name"], action["kwargs"])
        if case["setup_actions"]:
            refresh()
        before = shop.hexdigest() if case["setup_actions"] else initial
        output = call(case["name"], case["kwargs"])
        refresh()
        after = shop.hexdigest()
    if case["name"] == TRANSFER:
        after = _hash_of_graded_episode(golden, shop)
    found.error_cases += 1
    exact = case["kind"] not in PYTHON_TEXT or sys.version_info[:2] == (3, 11)
    same = output == case["output"] if exact else output.startswith("Error")
    if not (same and after == case["db_sha256_after"] and (after != before) == case["db_changed"]):
        found.error_mismatches.append(f"case {case['id']} {case['branch']}")
    found.final_hashes[case["id"]] = after


def _hash_of_graded_episode(golden: Golden, shop: StoreDigest) -> str:
    """A transfer ends the episode, and the public environment then grades itself by replaying its task."""
    actions = golden.graded_actions()
    with rolled_back(shop, actions) as refresh:
        for action in actions:
            if action["name"] != TRANSFER:
                call(action["name"], action["kwargs"])
        refresh()
        return shop.hexdigest()


@contextmanager
def rolled_back(shop: StoreDigest, actions: list[dict[str, Any]]) -> Iterator[Callable[[], None]]:
    """One transaction that never commits; the yielded function reads the records again that the actions name."""
    numbers = {str(action["kwargs"].get("order_id")) for action in actions}
    users = {str(action["kwargs"].get("user_id")) for action in actions}
    users |= set(Order.objects.filter(number__in=numbers).values_list("customer__user_id", flat=True))
    kept = shop.keep(orders=numbers, users=users)
    with transaction.atomic():
        yield lambda: shop.refresh(orders=kept.orders, users=kept.users)
        transaction.set_rollback(True)
    shop.put_back(kept)
