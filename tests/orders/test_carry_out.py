"""A remote refund: claimed with the order's change, called for outside any transaction, settled in books and audit."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from audit import crash_points
from orders import refunds
from orders.changes import Subject, plan
from orders.executor import carry_out, describe_gateway, settle
from orders.models import Customer, Effect, Line, Order, Payment, PaymentMethod, Refund
from orders.payments import ADAPTERS
from orders.payments.fake import FakeGateway
from orders.payments.ledger import LedgerGateway
from orders.payments.protocol import Description
from orders.queries import export_order, get_granted_alone, get_refundable, has_effect
from orders.refunds import News
from policy.actions import (
    Action,
    CancelPendingOrder,
    ModifyPendingOrderItems,
    ModifyPendingOrderPayment,
    ReturnDeliveredOrderItems,
)
from tests.conversations.helpers import at_once
from tests.factories import SMALL, now, staff_client
from tests.orders.remote import (
    CLAIMED,
    CONVERSATION,
    DONE,
    FAILED,
    UNKNOWN,
    cancel,
    carry,
    given_back,
    pay_partly_with,
    standing,
    told,
)
from tests.writes import DELIVERED, GIFT_CARD, KETTLE, KETTLE_BLACK, LAMP, MUGS, MUGS_LARGE, VISA

pytestmark = pytest.mark.usefixtures("desk")
CLAIM = ("write_ok", "claimed")
PAID = [("k1", "W5918442-0", 12_200)]


def last_entry() -> dict[str, Any]:
    return dict(export_order(Order.objects.get(number=SMALL))["payment_history"][-1])


def test_the_claim_is_committed_with_the_orders_change_and_nothing_is_called(gateway: FakeGateway) -> None:
    effect = cancel()
    assert standing() == CLAIMED
    assert gateway.calls == []
    assert told() == [CLAIM]
    refund = effect.refunds.get()
    assert (refund.key, refund.amount, refund.currency, refund.tries) == ("k1", 12_200, "USD", 0)
    assert refund.destination.startswith("Visa ending")
    assert effect.settled_at is None
    assert last_entry()["status"] == "pending"
    assert get_refundable(Order.objects.get(number=SMALL)) == 0


@pytest.mark.parametrize(
    ("fault", "stands", "paid", "events"),
    [
        ("", DONE, PAID, [CLAIM, ("refund_settled", "done")]),
        ("decline", FAILED, [], [CLAIM, ("write_failed", "failed")]),
        ("drop_before", UNKNOWN, [], [CLAIM, ("refund_unknown", "first_doubt")]),
        ("drop_after", UNKNOWN, PAID, [CLAIM, ("refund_unknown", "first_doubt")]),
        ("error_before", UNKNOWN, [], [CLAIM, ("refund_unknown", "first_doubt")]),
        ("error_after", UNKNOWN, PAID, [CLAIM, ("refund_unknown", "first_doubt")]),
        ("error_kept", UNKNOWN, [], [CLAIM, ("refund_unknown", "first_doubt")]),
        ("pending", UNKNOWN, [], [CLAIM, ("refund_unknown", "first_doubt")]),
    ],
)
def test_each_answer_settles_the_books_as_far_as_it_is_known(
    gateway: FakeGateway, fault: str, stands: dict[str, Any], paid: list[Any], events: list[Any]
) -> None:
    effect = cancel()
    gateway.fail(*[fault] if fault else [])
    carry_out(effect_id=effect.pk)
    assert standing() == stands
    assert given_back(gateway) == paid
    assert told() == events
    # Nothing is called again here: what is in doubt belongs to reconciliation.
    carry_out(effect_id=effect.pk)
    assert gateway.calls == [("POST", "k1")]


def test_what_the_order_and_the_effect_say_follows_the_settlement(gateway: FakeGateway) -> None:
    effect = cancel()
    assert json.loads(effect.result)["payment_history"][-1]["status"] == "pending"
    carry_out(effect_id=effect.pk)
    effect.refresh_from_db()
    assert "status" not in last_entry()
    assert json.loads(effect.result) == export_order(Order.objects.get(number=SMALL))
    assert effect.settled_at is not None
    assert effect.refunds.get().gateway_id == "re_1"


def test_a_refused_refund_can_be_given_back_by_another_decision_and_the_order_stays_changed(
    gateway: FakeGateway,
) -> None:
    effect = cancel()
    gateway.fail("decline")
    carry_out(effect_id=effect.pk)
    order = Order.objects.get(number=SMALL)
    assert (order.status, get_refundable(order)) == ("cancelled", 12_200)
    assert last_entry()["status"] == "failed"
    assert Refund.objects.get().reason == "the charge cannot be given back"
    # "Nothing was changed" would be a lie.
    assert has_effect(conversation=CONVERSATION)


def test_two_methods_are_two_calls_with_keys_of_their_own(gateway: FakeGateway) -> None:
    pay_partly_with("paypal")
    effect = cancel()
    gateway.fail("decline")
    carry_out(effect_id=effect.pk)
    assert gateway.calls == [("POST", "k1-1"), ("POST", "k1-2")]
    assert given_back(gateway) == [("k1-2", "W5918442-1", 1_000)]
    stands = standing()
    assert stands["history"] == ["failed", "settled"]
    assert stands["refunded"] == [0, 1_000]
    assert stands["effect"] == "failed"
    assert told() == [CLAIM, ("write_failed", "failed"), ("refund_settled", "done")]


def test_an_effect_is_in_doubt_while_any_part_of_it_is(gateway: FakeGateway) -> None:
    pay_partly_with("paypal")
    effect = cancel()
    gateway.fail("drop_after", "decline")
    carry_out(effect_id=effect.pk)
    assert standing()["effect"] == "unknown"
    settle(refund_id=effect.refunds.get(key="k1-1").pk, news=News(state=Refund.State.DONE), now=now())
    assert standing()["effect"] == "failed"


def test_the_shops_own_gift_card_is_booked_at_once(gateway: FakeGateway) -> None:
    card = pay_partly_with("gift_card")
    effect = cancel()
    card.refresh_from_db()
    assert card.balance == 1_000
    assert standing()["history"] == ["pending", "settled"]
    carry_out(effect_id=effect.pk)
    assert given_back(gateway) == PAID
    assert standing()["effect"] == "done"


def test_what_gives_nothing_back_through_the_gateway_is_done_at_once(gateway: FakeGateway) -> None:
    action = ReturnDeliveredOrderItems(order_id=DELIVERED, item_ids=[LAMP], payment_method_id=VISA)
    effect = carry(action, DELIVERED).effect
    assert (effect.state, effect.refunds.count()) == ("done", 0)
    assert told() == [("write_ok", "done")]


def test_the_gateway_sees_the_claim_committed_whenever_it_is_called(gateway: FakeGateway) -> None:
    """Over a second connection, from the gateway's own thread."""
    seen: list[tuple[str, str]] = []

    def look(body: dict[str, Any]) -> None:
        refund = Refund.objects.select_related("effect").get(key=body["key"])
        seen.append((refund.state, refund.effect.state))
        connection.close()

    gateway.on_refund = look
    pay_partly_with("paypal")
    carry_out(effect_id=cancel().pk)
    assert seen == [("called", "claimed"), ("called", "claimed")]


def test_inside_a_transaction_nothing_is_called(gateway: FakeGateway) -> None:
    effect = cancel()
    with pytest.raises(RuntimeError, match="outside any transaction"), transaction.atomic():
        carry_out(effect_id=effect.pk)
    assert gateway.calls == []
    assert standing() == CLAIMED


def test_of_many_workers_one_calls(gateway: FakeGateway) -> None:
    effect = cancel()
    gateway.fail(slow_ms=100)
    results = at_once(*[lambda: carry_out(effect_id=effect.pk)] * 8)
    assert results == [None] * 8
    assert gateway.calls == [("POST", "k1")]
    assert standing() == DONE


@pytest.mark.parametrize(
    "changed", [{"amount": 12_201}, {"amount": 1}, {"charge_id": "W5918442-1"}, {"currency": "EUR"}]
)
def test_an_answer_about_other_money_settles_nothing(gateway: FakeGateway, changed: dict[str, Any]) -> None:
    effect = cancel()
    asked = {"key": "k1", "charge_id": "W5918442-0", "amount": 12_200, "currency": "USD"}
    gateway.ledger._lines.append({"id": "re_9", **asked, **changed, "status": "done"})
    gateway.ledger._kept["k1"] = (asked, (200, gateway.ledger._lines[-1]))
    carry_out(effect_id=effect.pk)
    assert standing() == UNKNOWN
    assert "another refund" in Refund.objects.get().reason


def test_a_gateway_that_talks_nonsense_is_written_down_readably(gateway: FakeGateway) -> None:
    effect = cancel()
    words = "no \x00 \x1b[31m <script> " + "x" * 5_000
    settle(refund_id=effect.refunds.get().pk, news=News(state=Refund.State.FAILED, reason=words), now=now())
    assert standing() == FAILED
    assert Refund.objects.get().reason.startswith("no \ufffd \ufffd[31m <script> xxx")
    assert told()[-1] == ("write_failed", "failed")


def test_the_console_shows_how_a_refund_stands(gateway: FakeGateway, bob: User) -> None:
    effect = cancel()
    gateway.fail("drop_after")
    carry_out(effect_id=effect.pk)
    client = staff_client(bob)
    page = client.get(f"/admin/orders/effect/{effect.pk}/change/").content.decode()
    assert all(text in page for text in ("k1", "$122.00", "Visa ending 4417", "Unknown", "RemoteDisconnected"))
    order = Order.objects.get(number=SMALL)
    assert "Pending" in client.get(f"/admin/orders/order/{order.pk}/change/").content.decode()


def test_what_was_paid_in_part_counts_as_granted_and_what_came_to_nothing_does_not(gateway: FakeGateway) -> None:
    pay_partly_with("paypal")
    effect = cancel()
    order = Order.objects.get(number=SMALL)

    def granted() -> int:
        return get_granted_alone(customer=order.customer, order=order, conversation=CONVERSATION, now=now())

    assert granted() == 13_200
    first, second = effect.refunds.all()
    settle(refund_id=first.pk, news=News(state=Refund.State.FAILED), now=now())
    settle(refund_id=second.pk, news=News(state=Refund.State.FAILED), now=now())
    assert (standing()["effect"], granted()) == ("failed", 0)
    Refund.objects.filter(pk=first.pk).update(state="done")
    assert granted() == 13_200


def test_the_first_certain_news_stays(gateway: FakeGateway) -> None:
    effect = cancel()
    carry_out(effect_id=effect.pk)
    for late in (Refund.State.FAILED, Refund.State.UNKNOWN):
        settle(refund_id=effect.refunds.get().pk, news=News(state=late), now=now())
    assert standing() == DONE
    assert told() == [CLAIM, ("refund_settled", "done")]


def test_the_crash_points_are_passed_in_order(gateway: FakeGateway) -> None:
    passed: list[tuple[str, str]] = []

    def note(point: str) -> None:
        # Entries are written inside the transactions of the others.
        if point != "audit written":
            passed.append((point, Effect.objects.get().state))

    crash_points.watch(note)  # type: ignore[arg-type]
    try:
        effect = cancel()
        carry_out(effect_id=effect.pk)
    finally:
        crash_points._watchers.remove(note)
    assert passed == [
        ("intent committed", "claimed"),
        ("gateway called", "claimed"),
        ("gateway answered", "claimed"),
        ("result stored", "done"),
    ]


def test_a_refund_outlives_the_shops_data(gateway: FakeGateway) -> None:
    from tests.factories import load_shop

    effect = cancel()
    load_shop()
    carry_out(effect_id=effect.pk)
    assert given_back(gateway) == PAID
    effect.refresh_from_db()
    assert (effect.state, effect.order) == ("done", None)


# --- What a gateway cannot do waits for a person ---


class Bare(LedgerGateway):
    """A remote gateway that promises nothing."""

    description = Description(
        name="bare", remote=True, keys=False, key_lifetime=LedgerGateway.description.key_lifetime, look_up=False
    )


class Blind(LedgerGateway):
    """One with keys and without a look-up."""

    description = Description(
        name="blind", remote=True, keys=True, key_lifetime=LedgerGateway.description.key_lifetime, look_up=False
    )


def described(action: Action, number: str = SMALL) -> str:
    order = Order.objects.get(number=number)
    return describe_gateway(plan(action=action, subject=Subject(customer=order.customer, order=order)))


def swap(old: str, new: str, method: str) -> ModifyPendingOrderItems:
    return ModifyPendingOrderItems(order_id=SMALL, item_ids=[old], new_item_ids=[new], payment_method_id=method)


CANCEL = CancelPendingOrder(order_id=SMALL, reason="no longer needed")
CHEAPER, DEARER = (KETTLE, KETTLE_BLACK), (MUGS, MUGS_LARGE)


@pytest.mark.parametrize(("name", "why"), [("bare", "acts once"), ("blind", "looked up")])
def test_a_gateway_without_keys_or_look_up_leaves_every_refund_to_a_person(
    settings: Any, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    monkeypatch.setitem(ADAPTERS, "bare", Bare)
    monkeypatch.setitem(ADAPTERS, "blind", Blind)
    assert described(CANCEL) == ""
    settings.DESKAGENT_GATEWAY = name
    assert why in described(CANCEL)
    returned = ReturnDeliveredOrderItems(order_id=DELIVERED, item_ids=[LAMP], payment_method_id=VISA)
    assert described(returned, DELIVERED) == ""


def test_money_to_collect_or_for_another_method_is_a_persons_work(gateway: FakeGateway) -> None:
    assert described(CANCEL) == ""
    assert "by hand" in described(swap(*DEARER, VISA))
    # A dearer kettle in the order makes the swap give money back.
    Line.objects.filter(order__number=SMALL, variant=KETTLE).update(price=9_000)
    assert described(swap(*CHEAPER, VISA)) == ""
    assert described(swap(*CHEAPER, GIFT_CARD)) == ""
    other = PaymentMethod.objects.create(
        customer=Customer.objects.get(orders__number=SMALL), position=9, method_id="paypal_9", source="paypal"
    )
    assert "by hand" in described(swap(*CHEAPER, other.method_id))
    assert "by hand" in described(ModifyPendingOrderPayment(order_id=SMALL, payment_method_id=other.method_id))
    assert described(ModifyPendingOrderPayment(order_id=SMALL, payment_method_id=GIFT_CARD)) == ""


def test_the_part_that_a_person_does_is_booked_with_the_change(gateway: FakeGateway) -> None:
    other = PaymentMethod.objects.create(
        customer=Customer.objects.get(orders__number=SMALL), position=9, method_id="paypal_9", source="paypal"
    )
    effect = carry(ModifyPendingOrderPayment(order_id=SMALL, payment_method_id=other.method_id)).effect
    carry_out(effect_id=effect.pk)
    history = Payment.objects.filter(order__number=SMALL).order_by("position")
    assert [(row.kind, row.method_id, row.state) for row in history] == [
        ("payment", VISA, "settled"),
        ("payment", "paypal_9", "settled"),
        ("refund", VISA, "settled"),
    ]
    assert given_back(gateway) == PAID


def test_the_documented_number_of_tries_is_the_length_of_the_waits() -> None:
    assert refunds.TRIES == len(refunds.DELAYS) + 1 == 7
