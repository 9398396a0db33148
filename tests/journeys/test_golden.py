"""Golden hashes: every public trajectory whose only writes are cancellations, through the whole path.

The scripted model makes the reference's calls; the customer is verified first where the reference does not, each
cancellation gets its own card and its own yes, and a scripted reviewer approves what waits. The order of the
reference's reads that are not built yet is kept by leaving them out.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import Model

from approvals.models import ActionRequest
from audit.queries import verify
from conversations.agent.tools import READS
from conversations.models import Step
from orders.hashing import StoreDigest, store_hash
from orders.interchange import load
from orders.models import Customer, Effect, Order, Payment, PaymentMethod
from tests.conftest import SHARED
from tests.factories import Chat, decide, run_turns, start_chat
from tests.scripted import Scripted, call, say

INITIAL = "5a4b2cb59f4d12dea7e4adff24a7f8fada510ead49372ea4a729a82bbb5f49b5"
CANCEL = "cancel_pending_order"
CHUNKS = 7


def read_trajectories(folder: Path) -> list[dict[str, Any]]:
    """Trajectories that write, and write cancellations only, with the recorded outputs beside the calls."""
    golden = json.loads((folder / "golden.json").read_text())
    tasks = {split: json.loads((folder / f"tasks_{split}.json").read_text()) for split in ("test", "train", "dev")}
    writes = {"cancel_pending_order", "modify_user_address"} | {
        f"{verb}_{what}"
        for verb, what in [
            ("modify", "pending_order_address"),
            ("modify", "pending_order_items"),
            ("modify", "pending_order_payment"),
            ("return", "delivered_order_items"),
            ("exchange", "delivered_order_items"),
        ]
    }
    chosen = []
    for row in golden["tasks"]:
        task = tasks[row["split"]][row["index"]]
        written = [action["name"] for action in task["actions"] if action["name"] in writes]
        if written and set(written) == {CANCEL}:
            calls = list(zip(task["actions"], row["actions"], strict=True))
            chosen.append({"id": f"{row['split']}-{row['index']}", "hash": row["final_db_sha256"], "calls": calls})
            chosen[-1]["user"] = task["user_id"]
    return chosen


@contextmanager
def shop_restored(user_id: str) -> Iterator[None]:
    """Undo what one trajectory did to its customer's rows; whatever else it touched shows in the next hash."""
    customer = Customer.objects.get(user_id=user_id)
    rows: list[Model] = [
        *Order.objects.filter(customer=customer),
        *Payment.objects.filter(order__customer=customer),
        *PaymentMethod.objects.filter(customer=customer),
    ]
    yield
    Payment.objects.filter(effect__isnull=False).delete()
    ActionRequest.objects.update(effect=None)
    Effect.objects.all().delete()
    for row in rows:
        row.save()


def moves_of(trajectory: dict[str, Any], email: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The model's calls, and the hash of each one's recorded output ("" for the added verification)."""
    moves, outputs = [], []
    if not any(action["name"].startswith("find_user") for action, _ in trajectory["calls"]):
        moves.append(call("find_user_id_by_email", email=email))
        outputs.append("")
    for action, recorded in trajectory["calls"]:
        if action["name"] == CANCEL or action["name"] in READS:
            moves.append(call(action["name"], **action["kwargs"]))
            outputs.append(recorded["output_sha256"])
    return [*moves, say("All done.")], outputs


def play(chat: Chat, reviewer: User) -> int:
    """The customer says yes to every card, the reviewer to every waiting request; how many cards there were."""
    cards = 0
    chat.say("Hello, please help me with my orders.")
    while (state := chat.state()) != "open":
        if state == "awaiting_customer":
            cards += 1
            chat.press("yes")
        else:
            assert state == "under_review"
            assert decide(reviewer, chat.card()["request_id"], "approve").status_code == 200
            run_turns()
    return cards


@pytest.mark.one_engine
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_cancellations_end_in_the_golden_hash(
    transactional_db: None, tau: Path, model: Scripted, bob: User, chunk: int
) -> None:
    load(folder=tau, replace=True)
    shop = StoreDigest()
    assert shop.hexdigest() == INITIAL
    for trajectory in read_trajectories(tau)[chunk::CHUNKS]:
        customer = Customer.objects.get(user_id=trajectory["user"])
        moves, outputs = moves_of(trajectory, customer.email)
        with shop_restored(trajectory["user"]):
            model.plays(*moves)
            chat = start_chat()
            cards = play(chat, bob)
            assert model.moves == []
            assert cards == sum(action["name"] == CANCEL for action, _ in trajectory["calls"])
            shop.refresh(orders=customer.orders.values_list("number", flat=True), users=[customer.user_id])
            assert shop.hexdigest() == trajectory["hash"], trajectory["id"]
            results = [step.body["content"] for step in Step.objects.filter(conversation=chat.id, kind="result")]
            hashes = [hashlib.sha256(text.encode()).hexdigest() for text in results]
            assert [ours for ours, theirs in zip(hashes, outputs, strict=True) if theirs] == [h for h in outputs if h]
        shop.refresh(orders=customer.orders.values_list("number", flat=True), users=[customer.user_id])
    # Read anew from every row: what a trajectory changed elsewhere would be here still.
    assert store_hash() == INITIAL
    assert verify().broken is None


def test_there_are_105_such_trajectories() -> None:
    if not (SHARED / "tau-bench").is_dir():
        pytest.skip("shared data missing: tau-bench")
    trajectories = read_trajectories(SHARED / "tau-bench")
    writes = [sum(action["name"] == CANCEL for action, _ in row["calls"]) for row in trajectories]
    assert len(trajectories) == 105
    assert sum(count > 1 for count in writes) == 14
