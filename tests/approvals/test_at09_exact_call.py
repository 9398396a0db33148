"""AT09: an approval binds the exact call."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from approvals import operations as gate
from approvals.models import ActionRequest, State
from orders.models import Customer, Effect, Line, Order, PaymentMethod
from tests.approvals.waiting import BOTH, make_approver, make_card, make_waiting_return, publish_policy, say_yes
from tests.factories import OTHER_USER
from tests.writes import DELIVERED, GIFT_CARD, LAMP, NORA, RETURN, VISA, state_of_shop

pytestmark = pytest.mark.usefixtures("shop")

ORDER = Order.objects.filter(number=DELIVERED)
LINE = Line.objects.filter(order__number=DELIVERED, variant_id=LAMP)
METHOD = PaymentMethod.objects.filter(method_id=VISA)
NORA_ROW = Customer.objects.filter(user_id__startswith=NORA[:-1])


def change_rows(rows: Any, field: str, last: Any) -> Callable[[ActionRequest], Callable[[], Any]]:
    """Changes the end of a column of the shop by one character, or a number by one; what it returns undoes it."""

    def change(_: ActionRequest) -> Callable[[], Any]:
        before = getattr(rows.get(), field)
        rows.update(**{field: before + last if isinstance(before, int) else before[:-1] + last})
        return lambda: rows.update(**{field: before})

    return change


def change_request(field: str, value: Callable[[Any], Any]) -> Callable[[ActionRequest], Callable[[], Any]]:
    """The same in the request's own row, as somebody with the database could."""

    def change(request: ActionRequest) -> Callable[[], Any]:
        row = ActionRequest.objects.filter(pk=request.pk)
        row.update(**{field: value(getattr(row.get(), field))})
        return lambda: None

    return change


def other(**changed: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda arguments: arguments | changed


CHANGES = {
    "amount of a line": change_rows(LINE, "price", 1),
    "name of a line": change_rows(LINE, "name", "x"),
    "currency": change_rows(ORDER, "currency", "F"),
    "order number": change_rows(Order.objects.filter(number__startswith=DELIVERED[:-1]), "number", "0"),
    "status": change_rows(ORDER, "status", "D"),
    "last four of the card": change_rows(METHOD, "last_four", "0"),
    "id of the method": change_rows(PaymentMethod.objects.filter(method_id__startswith=VISA[:-1]), "method_id", "0"),
    "customer": change_rows(NORA_ROW, "user_id", "0"),
    "amount in the request": change_request("amount", lambda amount: amount - 1),
    "currency in the request": change_request("currency", lambda _: "USF"),
    "destination in the request": change_request("destination", lambda text: f"{text[:-1]}0"),
    "order in the request": change_request("order_number", lambda text: f"{text[:-1]}0"),
    "order in the arguments": change_request("arguments", other(order_id=f"{DELIVERED[:-1]}0")),
    "line in the arguments": change_request("arguments", other(item_ids=[LAMP[:-1] + "0"])),
    "fewer lines in the arguments": change_request("arguments", other(item_ids=[LAMP])),
    "method in the arguments": change_request("arguments", other(payment_method_id=GIFT_CARD)),
    "customer of the request": change_request("customer_id", lambda _: Customer.objects.get(user_id=OTHER_USER).pk),
    "action": change_request("action", lambda _: "exchange_delivered_order_items"),
    "digest": change_request("digest", lambda text: text[:-1] + ("0" if text[-1] != "0" else "1")),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_at09_one_character_more_or_less_runs_nothing_and_needs_a_new_approval(bob: User, change: Any) -> None:
    """Approved by one of the two who are needed; then something changes before it runs."""
    publish_policy(second_person_above="1000.00")
    request, before = make_waiting_return(), state_of_shop()
    gate.approve(request_id=request.pk, staff=make_approver("eve"))
    undo = change(request)
    with pytest.raises(gate.Stale):
        gate.approve(request_id=request.pk, staff=bob)
    undo()
    request.refresh_from_db()
    assert (request.state, Effect.objects.count(), state_of_shop()) == (State.STALE, 0, before)
    with pytest.raises(gate.AlreadyDecided):
        gate.approve(request_id=request.pk, staff=bob)
    # A new yes to a new card is asked about again: nothing of the first approval is left for it.
    assert say_yes(make_card(RETURN, **BOTH)).state == State.AWAITING_STAFF


CORRECTED = {name: change for name, change in CHANGES.items() if name != "fewer lines in the arguments"}


@pytest.mark.parametrize("change", CORRECTED.values(), ids=CORRECTED.keys())
def test_at09_a_correction_binds_the_exact_call_too(bob: User, change: Any) -> None:
    made = gate.correct(request_id=make_waiting_return().pk, staff=bob, item_ids=[LAMP])
    undo = change(made)
    done = say_yes(made)
    undo()
    assert (done.state, Effect.objects.count()) == (State.STALE, 0)
    assert say_yes(make_card(RETURN, **BOTH)).state == State.AWAITING_STAFF


def test_at09_unchanged_it_runs(bob: User) -> None:
    """The same set-up as above, so that a refusal there is one for its reason."""
    publish_policy(second_person_above="1000.00")
    request = make_waiting_return()
    gate.approve(request_id=request.pk, staff=make_approver("eve"))
    assert gate.approve(request_id=request.pk, staff=bob).state == State.GRANTED
