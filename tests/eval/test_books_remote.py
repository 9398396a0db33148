"""A desk that pays back through a remote gateway keeps its ten invariants in every state a refund goes through."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from conversations import operations
from conversations.models import Event
from eval import books
from eval.books.gateway_ledger import read_ledger
from orders import tasks
from orders.models import Effect, Refund
from orders.payments.fake import FakeGateway
from orders.reconciliation import reconcile
from tests.conversations.helpers import open_card
from tests.factories import now, run_turns
from tests.orders.remote import pay_partly_with
from tests.scripted import Scripted, say

pytestmark = pytest.mark.usefixtures("desk")
HOURS = timedelta(hours=1)


def find_faults(gateway: FakeGateway, *, later: timedelta = timedelta()) -> str:
    found = books.check(now=now() + later, gateway_ledger=gateway.ledger.path)
    return "\n".join(str(line) for line in found if line.faults)


def claim(model: Scripted) -> None:
    chat = open_card(model)
    model.rule = lambda body: say("I have news.")
    chat.press("yes")
    assert Effect.objects.get().state == "claimed"


def carry_out() -> None:
    tasks.carry_out(effect_id=Effect.objects.get().pk)
    run_turns()


def look_again(*, first: int = 1, last: int = 1) -> None:
    """Passes of reconciliation, two hours apart."""
    for number in range(first, last + 1):
        reconcile(now=now() + 2 * number * HOURS)
        run_turns()


@pytest.mark.parametrize(
    ("fault", "second"),
    [
        ("", ""),
        ("decline", ""),
        ("drop_before", ""),
        ("drop_after", ""),
        ("pending", ""),
        ("", "gift_card"),
        ("decline", "gift_card"),
        ("decline", "credit_card"),
    ],
)
def test_no_state_of_a_refund_is_taken_for_a_fault(
    model: Scripted, gateway: FakeGateway, fault: str, second: str
) -> None:
    if second:
        pay_partly_with(second)
    claim(model)
    assert find_faults(gateway) == ""
    if fault:
        gateway.fail(fault)
    carry_out()
    assert find_faults(gateway) == ""
    look_again()
    operations.sweep(now=now())
    assert Effect.objects.get().state == ("failed" if fault == "decline" else "done")
    assert find_faults(gateway) == ""


def test_a_refund_in_doubt_is_no_limbo_once_a_person_has_it(model: Scripted, gateway: FakeGateway) -> None:
    claim(model)
    gateway.fail("drop_before", get=("drop_before",) * 6)
    carry_out()
    look_again(last=5)
    assert "is unknown since" in find_faults(gateway, later=25 * HOURS)
    look_again(first=6, last=6)
    assert Effect.objects.get().with_person_at is not None
    assert find_faults(gateway, later=25 * HOURS) == ""


def set_refund(**columns: Any) -> Callable[[], object]:
    return lambda: Refund.objects.update(**columns)


def reword_receipt() -> None:
    last = Event.objects.filter(kind="receipt").latest("pk")
    last.body |= {"status": "failed"}
    last.save()


PLANTED: dict[str, tuple[Callable[[], object], str]] = {
    "an end that the log does not have": (set_refund(state="failed"), "the log says refund_settled"),
    "an open part of what is done": (set_refund(state="unknown"), "is done and its payments are not"),
    "another sum than the log has": (set_refund(amount=1), "was written down with another amount"),
    "another sum than the gateway has": (set_refund(amount=1), "0.01 in our books, 122.00 in the gateway's"),
    "a receipt of another end": (reword_receipt, "says failed, effect"),
    "a doubt that nobody has": (
        lambda: Effect.objects.update(state="unknown", created_at=now() - 25 * HOURS),
        "never settled",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_fault_in_a_remote_refund_is_found(model: Scripted, gateway: FakeGateway, planted: str) -> None:
    claim(model)
    carry_out()
    plant, words = PLANTED[planted]
    plant()
    assert words in find_faults(gateway)


def test_the_stand_ins_own_ledger_can_be_read(model: Scripted, gateway: FakeGateway) -> None:
    claim(model)
    path = gateway.ledger.path
    assert path is not None and read_ledger(path) == []
    carry_out()
    [done] = read_ledger(path)
    assert (done.key, done.amount, done.currency) == (Effect.objects.get().key, 12_200, "USD")
