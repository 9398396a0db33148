"""The steps that every path through the gate shares: locks, the second decision, the grant, and the end."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from approvals.gathering import Asked, gather
from approvals.keys import make_digest
from approvals.models import MOVES, ActionRequest, CustomerSession, State
from approvals.sessions import AGENT, Voice
from approvals.signals import announce
from orders import changes
from orders.executor import Grant, execute
from orders.models import Customer, Order
from orders.queries import OrderNotFound, get_order, get_order_for_customer
from policy.actions import ACTIONS, Action
from policy.decisions import Decision, decide
from policy.queries import get_active


@dataclass(frozen=True, kw_only=True)
class SecondLook:
    """What the facts say now; no decision where they no longer fit what was agreed, and `changed` says how."""

    order: Order | None
    decision: Decision | None
    changed: str = ""


def require_transaction() -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("the gate must run inside the transaction that holds what was said")


def lock_request(request_id: UUID) -> ActionRequest:
    locked = ActionRequest.objects.select_for_update().get(pk=request_id)
    locked.session = CustomerSession.objects.select_related("customer").get(pk=locked.session_id)
    return locked


def find_order(session: CustomerSession, customer: Customer | None, action: Action) -> Order | None:
    """The order an action names, as this customer may see it; the measuring mode sees every order."""
    try:
        if session.guard == CustomerSession.Guard.AUDIT:
            return get_order(number=action.order_id)
        if customer is None:
            return None
        return get_order_for_customer(customer=customer, number=action.order_id)
    except OrderNotFound:
        return None


def lock_order(order: Order) -> Order:
    locked = Order.objects.select_for_update().get(pk=order.pk)
    locked.customer = order.customer
    return locked


def asked_again(request: ActionRequest) -> Asked:
    """The request's action under the policy of now. Raises `PolicyMissing`."""
    action = ACTIONS[request.action].model_validate(request.arguments)
    voice = Voice(prompt_version=request.prompt_version, model=request.model)
    return Asked(session=request.session, customer=request.customer, action=action, policy=get_active(), voice=voice)


def look_again(asked: Asked, request: ActionRequest, *, approved: bool) -> SecondLook:
    """Decide again on rows locked now. Same digest or nothing."""
    order = find_order(asked.session, asked.customer, asked.action)
    if order is None:
        return SecondLook(order=None, decision=None, changed="the order is no longer there")
    order = lock_order(order)
    try:
        planned = changes.plan(action=asked.action, order=order)
    except changes.CannotBeDone:
        return SecondLook(order=order, decision=None, changed=f"order {order.number} is now {order.status}")
    if make_digest(action=asked.action, planned=planned) != request.digest:
        return SecondLook(order=order, decision=None, changed=f"order {order.number} is no longer what the card showed")
    facts = gather(asked, planned, confirmed=True, approved=approved, besides=request.pk)
    decision = decide(action=asked.action, facts=facts, limits=asked.policy.limits, suspended=asked.suspended)
    return SecondLook(order=order, decision=decision)


def grant(asked: Asked, request: ActionRequest, order: Order, *, approved_by: str = "", actor: str = AGENT) -> None:
    """Run it: the change, its effect and the end of the request in this transaction."""
    authority = Grant(
        key=request.key,
        request_id=request.pk,
        conversation=request.session.conversation,
        actor=actor,
        approved_by=approved_by,
        policy_version=asked.policy.version,
        rule=request.rule,
    )
    execution = execute(action=asked.action, order=order, grant=authority)
    request.effect = execution.effect
    request.save(update_fields=["effect"])
    end(request, State.GRANTED, execution.result)


def end(
    request: ActionRequest, state: State, text: str, *, is_error: bool = False, rule: str = "", reason: str = ""
) -> ActionRequest:
    """Close the request; `text` is what the model hears of it."""
    request.result, request.result_is_error = text, is_error
    request.rule, request.reason = rule or request.rule, reason or request.reason
    request.save(update_fields=["result", "result_is_error", "rule", "reason"])
    return move(request, state)


def move(request: ActionRequest, state: State) -> ActionRequest:
    """The one place where a request changes its state; the database checks the state it comes from."""
    before = State(request.state)
    if state not in MOVES.get(before, set()):
        raise RuntimeError(f"a request cannot move from {before} to {state}")
    moved = ActionRequest.objects.filter(pk=request.pk, state=before).update(state=state)
    if moved != 1:
        raise RuntimeError(f"request {request.pk} moved meanwhile although it was locked")
    request.state = state
    announce(request.pk, state)
    return request


def deadline(*, for_staff: bool) -> datetime:
    seconds = settings.DESKAGENT_REQUEST_EXPIRY_SECONDS if for_staff else settings.DESKAGENT_CARD_EXPIRY_SECONDS
    return timezone.now() + timedelta(seconds=seconds)
