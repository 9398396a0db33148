"""Requests that wait for staff, made through the gate alone, and staff with so much authority."""

import uuid
from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction
from django.utils import timezone

from approvals import operations as gate
from approvals.models import ActionRequest, Authority, CustomerSession, State
from approvals.sessions import Voice, lock_session, verify
from conversations.operations import start_conversation
from eval.books import check
from orders.models import Customer, Line, Order, Payment
from policy.actions import ACTIONS
from policy.limits import Limits
from policy.operations import publish
from policy.queries import get_active
from tests.writes import BACKPACK, DELIVERED, HONEST, LAMP, NORA, RETURN, VISA

BOTH: dict[str, Any] = {"order_id": DELIVERED, "item_ids": [LAMP, BACKPACK], "payment_method_id": VISA}


def price(amount: int, *, item: str, number: str = DELIVERED) -> None:
    """Give one line of an order this price, and let the order be paid in full."""
    lines = Line.objects.filter(order__number=number)
    assert lines.filter(variant_id=item).update(price=amount, price_wire="") == 1
    paid = sum(lines.values_list("price", flat=True))
    Payment.objects.filter(order__number=number).update(amount=paid, amount_wire="")


def make_card(name: str, *, known_by: str = "lookup", **changed: Any) -> ActionRequest:
    """Nora's card for this write, in a chat of its own."""
    conversation, _ = start_conversation()
    with transaction.atomic():
        session = lock_session(conversation.pk)
        strength = CustomerSession.Strength(known_by)
        verify(session=session, customer=Customer.objects.get(user_id=NORA), strength=strength)
        proposal = gate.propose(
            conversation=conversation.pk,
            action=ACTIONS[name].model_validate(HONEST.get(name, {}) | changed),
            key=uuid.uuid4().hex,
            voice=Voice(prompt_version="retail-1", model="scripted"),
        )
    assert proposal.request is not None, proposal.text
    return proposal.request


def say_yes(request: ActionRequest) -> ActionRequest:
    with transaction.atomic():
        return gate.confirm(conversation=request.session.conversation, request_id=request.pk, by="button")


def make_waiting(name: str = RETURN, **changed: Any) -> ActionRequest:
    """Confirmed by the customer and above the limit, so that it waits for staff."""
    request = say_yes(make_card(name, **changed))
    assert request.state == State.AWAITING_STAFF, (request.state, request.result)
    return request


def make_waiting_return(lamp: int = 150_000, backpack: int = 20_000) -> ActionRequest:
    """Two items of one order, together above the limit."""
    price(lamp, item=LAMP)
    price(backpack, item=BACKPACK)
    return make_waiting(RETURN, **BOTH)


def make_approver(name: str, *limits: tuple[int, str], email: str = "") -> User:
    """Staff who may decide; each limit comes with a group of its own."""
    user = User.objects.create_user(name, email, is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="decide_actionrequest"))
    for most, currency in limits:
        group = Group.objects.create(name=uuid.uuid4().hex)
        Authority.objects.create(group=group, most=most, currency=currency)
        user.groups.add(group)
    return User.objects.get(pk=user.pk)


def publish_policy(**approvals: Any) -> None:
    """The active policy with other numbers for approvals."""
    limits = get_active().limits
    merged = limits.as_data() | {"approvals": limits.approvals.model_dump(mode="json") | approvals}
    publish(source="test", limits=Limits.model_validate(merged), author="test")


def status_of(number: str) -> str:
    return str(Order.objects.values_list("status", flat=True).get(number=number))


def list_faults() -> list[str]:
    """What the ten invariants say of the rows as they are."""
    return [str(line) for line in check(now=timezone.now()) if line.faults]
