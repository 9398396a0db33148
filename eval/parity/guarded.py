"""Every trajectory as a conversation: the reference's calls by a scripted model, a customer who says yes to each
card, a reviewer who approves what waits. What does not end in the golden hash was stopped, and the audit log says
by which rule.
"""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from approvals import operations as gate
from approvals.models import ActionRequest
from audit.queries import list_entries
from conversations import operations
from conversations.agent import turn
from conversations.agent.protocol import ModelReply, ModelRequest, Usage
from conversations.models import Conversation, Turn
from conversations.queries import get_standing
from eval.parity.golden import TRANSFER, Golden
from orders.hashing import StoreDigest
from orders.interchange import load
from orders.models import Customer, Order
from orders.queries import get_customer
from orders.rewinding import rows_restored

Move = dict[str, Any]
REFUSALS = ("write_refused", "verification_failed", "read_error")


class ReferenceModel:
    """Makes the reference's calls one after the other, then says that it is done."""

    name = "reference"

    def __init__(self, moves: list[Move]) -> None:
        self._moves = list(moves)

    def stream(self, request: ModelRequest, on_text: Callable[[str], None]) -> ModelReply:
        if not self._moves:
            on_text("That is all.")
            return self._reply([{"type": "text", "text": "That is all."}], "end_turn")
        move = self._moves.pop(0)
        call_id = f"toolu_{uuid.uuid4().hex}"
        return self._reply(
            [{"type": "tool_use", "id": call_id, "name": move["name"], "input": move["kwargs"]}], "tool_use"
        )

    def _reply(self, content: list[Move], stop_reason: str) -> ModelReply:
        usage = Usage()
        return ModelReply(
            content=content, stop_reason=stop_reason, usage=usage, model=self.name, first_token_ms=0, latency_ms=0
        )


def run(*, folder: Path, step: Callable[[int, int], None] = lambda done, whole: None) -> dict[str, Any]:
    """How many trajectories reach their golden hash, and which are stopped by which rule."""
    golden = Golden(folder)
    load(folder=golden.store, replace=True)
    reviewer = User.objects.create_superuser("reviewer", "", uuid.uuid4().hex)
    shop, reached = StoreDigest(), 0
    stopped: list[dict[str, Any]] = []
    for number, row in enumerate(golden.rows):
        task = golden.task(row["split"], row["index"])
        customers = _find_customers(task)
        with shop_restored(customers, shop):
            conversation = _converse(task, customers[0], reviewer)
            shop.refresh(orders=_numbers(customers), users=[customer.user_id for customer in customers])
            if shop.hexdigest() == row["final_db_sha256"]:
                reached += 1
            else:
                stopped.append({"split": row["split"], "index": row["index"], **_find_stop(conversation)})
        step(number + 1, len(golden.rows))
    whole_again = StoreDigest().hexdigest() == golden.initial_hash
    return {"reached": reached, "stopped": stopped, "nothing_else_changed": whole_again}


def _converse(task: dict[str, Any], customer: Customer, reviewer: User) -> Conversation:
    actions = [action for action in task["actions"] if action["name"] != TRANSFER]
    verified = any(action["name"].startswith("find_user") for action in actions)
    look_up = {"name": "find_user_id_by_email", "kwargs": {"email": customer.email}}
    model = ReferenceModel(actions if verified else [look_up, *actions])
    conversation, _ = operations.start_conversation()
    operations.post_customer_message(conversation_id=conversation.pk, client_id="1", text="Hello, please help me.")
    while True:
        _run_turns(conversation, model)
        standing = get_standing(conversation)
        if standing.state == "awaiting_customer" and standing.open_request is not None:
            operations.answer_card(conversation_id=conversation.pk, request_id=standing.open_request.pk, answer="yes")
        elif standing.state == "under_review" and standing.open_request is not None:
            gate.approve(request_id=standing.open_request.pk, staff=reviewer)
        else:
            return conversation


def _run_turns(conversation: Conversation, model: ReferenceModel) -> None:
    while (due := conversation.turns.filter(state=Turn.State.QUEUED).first()) is not None:
        turn.run(turn_id=due.pk, model=model)


def _find_stop(conversation: Conversation) -> dict[str, str]:
    """The first refusal of a write in the audit log: its rule, or its kind where a schema or a tool refused."""
    entries = list_entries(subject=str(conversation.pk)).filter(event__in=REFUSALS)
    refused = next((entry for entry in entries if entry.rule or entry.verdict == "malformed"), None)
    if refused is None:
        return {"rule": "none", "action": ""}
    return {"rule": refused.rule or "schema", "action": refused.action}


def _find_customers(task: dict[str, Any]) -> list[Customer]:
    """The customers whose rows the calls name, the owner of the first order first, else the task's own user."""
    numbers = [action["kwargs"]["order_id"] for action in task["actions"] if "order_id" in action["kwargs"]]
    owners = dict(Order.objects.filter(number__in=numbers).values_list("number", "customer__user_id"))
    names = [owners[number] for number in numbers if number in owners]
    users = [action["kwargs"]["user_id"] for action in task["actions"] if "user_id" in action["kwargs"]]
    return [get_customer(user_id=name) for name in dict.fromkeys([*names, *users, task["user_id"]])]


@contextmanager
def shop_restored(customers: list[Customer], shop: StoreDigest) -> Iterator[None]:
    """Put these customers' rows back afterwards; what was changed elsewhere shows in the last hash of the run."""
    kept = shop.keep(orders=_numbers(customers), users=[customer.user_id for customer in customers])
    with rows_restored(customers):
        yield
        ActionRequest.objects.update(effect=None)
    shop.put_back(kept)


def _numbers(customers: list[Customer]) -> list[str]:
    return list(Order.objects.filter(customer__in=customers).values_list("number", flat=True))
