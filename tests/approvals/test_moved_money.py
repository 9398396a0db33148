"""Money that changed its method counts along where the policy says that it does, so that splitting does not help."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from approvals import operations as gate
from approvals.comparing import compare_facts
from approvals.models import CustomerSession
from approvals.sessions import Voice, open_session, verify
from orders.models import Customer, Effect
from orders.queries import get_granted_alone
from policy.actions import ModifyPendingOrderPayment, ReturnDeliveredOrderItems
from policy.limits import Limits
from policy.operations import publish
from tests.factories import load_shop

DEVON, ORDER = "devon_whitaker_8055", "#W6206151"


@pytest.mark.django_db
@pytest.mark.parametrize(("counts", "expected"), [(True, 9_999), (False, 0)])
def test_a_changed_payment_counts_along_as_the_policy_says(counts: bool, expected: int) -> None:
    load_shop()
    policy: dict[str, Any] = {"currency": "USD", "person_above": "150.00", "payment_change_counts": counts}
    publish(source="test", limits=Limits.model_validate(policy), author="shop")
    session = open_session(conversation=uuid4())
    customer = Customer.objects.get(user_id=DEVON)
    verify(session=session, customer=customer, strength=CustomerSession.Strength.LOOKUP)
    action = ModifyPendingOrderPayment(order_id=ORDER, payment_method_id="credit_card_1402857")
    proposal = gate.propose(
        conversation=session.conversation, action=action, key="k", voice=Voice(prompt_version="t", model="t")
    )
    assert proposal.request is not None
    gate.confirm(conversation=session.conversation, request_id=proposal.request.pk, by="button")

    assert Effect.objects.get().amount == 0
    counted = get_granted_alone(
        customer=customer, order=None, conversation=uuid4(), now=timezone.now(), moved_counts=counts
    )
    assert counted == expected


@pytest.mark.django_db
@pytest.mark.parametrize(("counts", "expected"), [(True, "$99.99"), (False, "$0.00")])
def test_the_page_of_a_waiting_request_counts_as_the_decision_does(counts: bool, expected: str) -> None:
    load_shop()
    policy: dict[str, Any] = {"currency": "USD", "person_above": "150.00", "payment_change_counts": counts}
    publish(source="test", limits=Limits.model_validate(policy), author="shop")
    session = open_session(conversation=uuid4())
    verify(
        session=session,
        customer=Customer.objects.get(user_id=DEVON),
        strength=CustomerSession.Strength.LOOKUP,
    )
    voice = Voice(prompt_version="t", model="t")
    moved = ModifyPendingOrderPayment(order_id=ORDER, payment_method_id="credit_card_1402857")
    first = gate.propose(conversation=session.conversation, action=moved, key="k", voice=voice).request
    assert first is not None
    gate.confirm(conversation=session.conversation, request_id=first.pk, by="button")
    level = policy | {"autonomy": {"otherwise": "suggest"}}
    publish(source="test", limits=Limits.model_validate(level), author="shop")
    back = ReturnDeliveredOrderItems(order_id="#W7894029", item_ids=["2951403384"], payment_method_id="paypal_6931180")
    second = gate.propose(conversation=session.conversation, action=back, key="l", voice=voice).request
    assert second is not None
    gate.confirm(conversation=session.conversation, request_id=second.pk, by="button")
    second.refresh_from_db()
    [alone] = [fact for fact in compare_facts(second) if fact.label == "Granted without a person"]
    assert (alone.then, alone.now, alone.changed) == (expected, expected, False)
