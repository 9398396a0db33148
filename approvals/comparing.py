"""The facts of a request as the rules saw them, beside what is true now."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from approvals.models import ActionRequest, State
from orders.queries import OrderNotFound, get_granted_alone, get_order, get_refundable
from policy.money import major, spoken, to_minor
from policy.queries import PolicyMissing, get_active

FACTS = {
    "order_status": "Order status",
    "money_back": "Money back",
    "refundable": "Paid, not yet given back",
    "granted_alone": "Granted without a person",
    "holder": "Who holds the chat",
    "known_by": "Customer known by",
    "shipment_status": "Parcel",
    "days_since_delivery": "Days since delivery",
    "refunds_before": "Refunds in the policy’s window",
}
AMOUNTS = {"money_back", "refundable", "granted_alone"}
# What only the dry run under lock can say; the decision makes it anew.
READ_WHEN_DECIDED = "read again when you decide"


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One fact as the rules saw it and as it is now."""

    label: str
    then: str
    now: str
    changed: bool


def compare_facts(request: ActionRequest) -> list[Fact]:
    """Facts then, and beside them facts now where the request still waits for staff."""
    now = _read_facts(request) if request.state == State.AWAITING_STAFF else {}
    names = dict.fromkeys([*FACTS, *request.facts])
    return [_compare(request, name, now) for name in names if name in request.facts]


def _read_facts(request: ActionRequest) -> dict[str, Any]:
    session, conversation = request.session, request.session.conversation
    same = session.customer_id == request.customer_id
    chat = {"holder": session.holder, "known_by": session.strength if same else ""}
    if not request.order_number or request.customer is None:
        return chat
    try:
        order = get_order(number=request.order_number)
    except OrderNotFound:
        return chat | {"order_status": "no longer there"}
    granted_alone = get_granted_alone(
        customer=request.customer,
        order=order,
        conversation=conversation,
        now=timezone.now(),
        moved_counts=_do_moves_count(),
    )
    return chat | {
        "order_status": order.status,
        "refundable": major(get_refundable(order)),
        "granted_alone": major(granted_alone),
    }


def _do_moves_count() -> bool:
    """As the decision will count; without a readable policy nothing will be decided."""
    try:
        return get_active().limits.payment_change_counts
    except PolicyMissing:
        return False


def _compare(request: ActionRequest, name: str, now: dict[str, Any]) -> Fact:
    def word(value: Any) -> str:
        return spoken(to_minor(value), request.currency) if name in AMOUNTS else str(value)

    then = request.facts[name]
    changed = name in now and now[name] != then
    return Fact(
        label=FACTS.get(name, name.replace("_", " ")),
        then=word(then),
        now=word(now[name]) if name in now else READ_WHEN_DECIDED,
        changed=changed,
    )
