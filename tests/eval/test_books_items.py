"""The checker knows refunds of items: an untouched one passes, and every planted fault is found."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from eval import books
from orders.models import Effect, Line, Order, RefundedLine
from tests.eval.planting import copy_row, loosen, sql, undone
from tests.factories import start_chat
from tests.scripted import Scripted, call, calls, say
from tests.without_return import open_card
from tests.writes import DELIVERED, LAMP, PREFERENCE, RECEIPT, REFUND

REFUNDED = "orders_refundedline"


def effect() -> Any:
    return Effect.objects.filter(action=REFUND)


def other_line() -> Line:
    return Line.objects.exclude(order__number=DELIVERED).order_by("pk")[0]


def refund_twice() -> None:
    loosen(REFUNDED)
    copy_row(REFUNDED, "1 = 1")


FAULTS: dict[str, tuple[int, Callable[[], Any], str]] = {
    "a line twice": (1, refund_twice, "refunded 2 times"),
    "no line at all": (1, lambda: RefundedLine.objects.all().delete(), "other items than it was asked for"),
    "another line": (1, lambda: RefundedLine.objects.update(line=other_line()), "items of another order"),
    "another amount": (
        1,
        lambda: RefundedLine.objects.update(amount=9_601),
        "gave back 96.00, which is not what its items cost",
    ),
    "more given than it cost": (1, lambda: effect().update(amount=9_700), "gave back 97.00"),
    "free for another refund": (1, lambda: RefundedLine.objects.update(released=True), "could be refunded again"),
    "sent back as well": (
        1,
        lambda: Order.objects.filter(number=DELIVERED).update(return_items=[LAMP]),
        "is sent back as well",
    ),
    "by another action": (
        1,
        lambda: RefundedLine.objects.update(effect=Effect.objects.get(action=RECEIPT)),
        "is no refund",
    ),
    "without a yes": (
        4,
        lambda: sql("UPDATE approvals_actionrequest SET confirmed_at = NULL WHERE action = %s", REFUND),
        "without the customer's yes",
    ),
    "an order that moved with it": (
        9,
        lambda: Order.objects.filter(number=DELIVERED).update(status="cancelled"),
        "its effects end in delivered",
    ),
    "of an order that never left": (
        9,
        lambda: sql("UPDATE approvals_actionrequest SET facts = REPLACE(facts, 'delivered', 'pending')"),
        "was pending when issue_refund ran",
    ),
    "a preference nobody asked for": (
        5,
        lambda: sql("UPDATE orders_preference SET customer_id = (SELECT MAX(id) FROM orders_customer)"),
        "changed, and no effect names it",
    ),
}


@pytest.mark.usefixtures("desk", "scoped")
def test_each_fault_is_found_and_the_untouched_shop_passes(model: Scripted, subtests: Any) -> None:
    before = books.take_snapshot()
    chat = open_card(model)
    model.plays(say("Done."))
    chat.press("yes")
    model.plays(
        call("find_user_id_by_email", email="nora.lindahl@example.com"),
        call(RECEIPT, order_id=DELIVERED),
        calls((PREFERENCE, {"name": "newsletter", "value": "off"})),
        say("Both done."),
    )
    start_chat().say("my receipt, and no newsletter")

    def check() -> dict[int, books.Line]:
        return {line.number: line for line in books.check(now=timezone.now(), snapshot=before)}

    assert {number: str(line) for number, line in check().items() if line.faults} == {}
    for name, (number, plant, words) in FAULTS.items():
        with subtests.test(fault=name), undone():
            plant()
            assert words in "; ".join(check()[number].faults), str(check()[number])
    assert {number: str(line) for number, line in check().items() if line.faults} == {}
