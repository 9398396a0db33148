"""The steps that every path through the gate shares: locks, the second decision, the grant, and the end."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from approvals.gathering import Asked, gather
from approvals.keys import make_digest
from approvals.models import MOVES, ActionRequest, CustomerSession, State
from approvals.sessions import AGENT, Voice
from approvals.signals import announce
from audit.statements import Change, Rows, Slot
from orders import changes
from orders.executor import Grant, describe_gateway, execute
from orders.models import Customer, Order
from orders.queries import CustomerNotFound, OrderNotFound, get_customer, get_order, get_order_for_customer
from policy.actions import ACTIONS, Action, ModifyUserAddress
from policy.decisions import Decision, decide
from policy.queries import get_active

_PK, _STATE = ActionRequest._meta.pk, ActionRequest._meta.get_field("state")
_LOCKED = Rows(
    lambda: ActionRequest.objects.select_for_update().filter(
        pk=Slot("request_id", _PK), session_id=Slot("session", CustomerSession._meta.pk)
    )
)
_CUSTOMER = Rows(lambda: Customer.objects.select_for_update().filter(pk=Slot("pk", Customer._meta.pk)))
_ORDER = Rows(lambda: Order.objects.select_for_update().filter(pk=Slot("pk", Order._meta.pk)))
SAID = ("result", "result_is_error", "rule", "reason")
_SLOTS: dict[str, Any] = {name: Slot(name, ActionRequest._meta.get_field(name)) for name in (*SAID, "state", "effect")}
_MOVE = Change(lambda: ActionRequest.objects.filter(pk=Slot("pk", _PK), state=Slot("before", _STATE)), **_SLOTS)


@dataclass(frozen=True, kw_only=True)
class SecondLook:
    """What the facts say now; no decision where they no longer fit what was agreed, and `changed` says how."""

    subject: changes.Subject | None
    decision: Decision | None
    changed: str = ""


def require_transaction() -> None:
    if not connection.in_atomic_block:
        raise RuntimeError("the gate must run inside the transaction that holds what was said")


def lock_request(request_id: UUID) -> ActionRequest:
    locked = ActionRequest.objects.select_for_update().get(pk=request_id)
    locked.session = CustomerSession.objects.select_related("customer").get(pk=locked.session_id)
    return locked


def find_and_lock_request(session: CustomerSession, request_id: UUID) -> ActionRequest | None:
    """The session's own request of this id, under the session's lock; somebody else's is none."""
    locked = _LOCKED.first(request_id=request_id, session=session.pk)
    if locked is not None:
        locked.session = session
        if locked.customer_id == session.customer_id:
            locked.customer = session.customer
    return locked


def find_subject(session: CustomerSession, customer: Customer | None, action: Action) -> changes.Subject | None:
    """The rows an action names, as this customer may see them; the measuring mode sees all of them."""
    audited = session.guard == CustomerSession.Guard.AUDIT
    try:
        if isinstance(action, ModifyUserAddress):
            owner = get_customer(user_id=action.user_id)
            return changes.Subject(customer=owner) if audited or owner == customer else None
        if audited:
            order = get_order(number=action.order_id)
        elif customer is not None:
            order = get_order_for_customer(customer=customer, number=action.order_id)
        else:
            return None
    except (OrderNotFound, CustomerNotFound):
        return None
    return changes.Subject(customer=order.customer, order=order)


def lock_subject(subject: changes.Subject) -> changes.Subject:
    """The customer's row first, so that two orders cannot spend one gift card at once; then the order's."""
    if subject.order is None:
        return changes.Subject(customer=_CUSTOMER.get(pk=subject.customer.pk))
    customer = _CUSTOMER.get(pk=subject.customer.pk)
    order = _ORDER.get(pk=subject.order.pk)
    order.customer = customer
    return changes.Subject(customer=customer, order=order)


def asked_again(request: ActionRequest) -> Asked:
    """The request's action under the policy of now. Raises `PolicyMissing`."""
    action = ACTIONS[request.action].model_validate(request.arguments)
    voice = Voice(prompt_version=request.prompt_version, model=request.model)
    return Asked(session=request.session, customer=request.customer, action=action, policy=get_active(), voice=voice)


def look_again(asked: Asked, request: ActionRequest, *, approved: bool) -> SecondLook:
    """Decide again on rows locked now. Same digest or nothing."""
    subject = find_subject(asked.session, asked.customer, asked.action)
    if subject is None:
        return SecondLook(subject=None, decision=None, changed="what it was about is no longer there")
    subject = lock_subject(subject)
    try:
        planned = changes.plan(action=asked.action, subject=subject)
    except changes.CannotBeDone as error:
        return SecondLook(subject=subject, decision=None, changed=_describe_change(subject, str(error)))
    if make_digest(action=asked.action, planned=planned) != request.digest:
        changed = f"{subject.number or 'the account'} is no longer what the card showed"
        return SecondLook(subject=subject, decision=None, changed=changed)
    by_hand = describe_gateway(planned)
    facts = gather(asked, planned, by_hand=by_hand, confirmed=True, approved=approved, besides=request.pk)
    decision = decide(action=asked.action, facts=facts, limits=asked.policy.limits, suspended=asked.suspended)
    return SecondLook(subject=subject, decision=decision)


def _describe_change(subject: changes.Subject, error: str) -> str:
    if subject.order is None:
        return error.removeprefix("Error: ")
    return f"order {subject.number} is now {subject.order.status} ({error.removeprefix('Error: ')})"


def grant(
    asked: Asked, request: ActionRequest, subject: changes.Subject, *, approved_by: str = "", actor: str = AGENT
) -> None:
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
    execution = execute(action=asked.action, subject=subject, grant=authority)
    request.effect = execution.effect
    # What the model hears stands with the effect.
    end(request, State.GRANTED, "")


def end(
    request: ActionRequest, state: State, text: str, *, is_error: bool = False, rule: str = "", reason: str = ""
) -> ActionRequest:
    """Close the request; `text` is what the model hears of it."""
    request.result, request.result_is_error = text, is_error
    request.rule, request.reason = rule or request.rule, reason or request.reason
    return move(request, state)


def move(request: ActionRequest, state: State) -> ActionRequest:
    """The one place where a request changes its state, with what is said of it; the database checks the state it
    comes from."""
    before = State(request.state)
    if state not in MOVES.get(before, set()):
        raise RuntimeError(f"a request cannot move from {before} to {state}")
    said = {column: getattr(request, column) for column in SAID}
    moved = _MOVE.run(pk=request.pk, before=before, state=state, effect=request.effect_id, **said)
    if moved != 1:
        raise RuntimeError(f"request {request.pk} moved meanwhile although it was locked")
    request.state = state
    announce(request.pk, state)
    return request


def deadline(*, for_staff: bool) -> datetime:
    seconds = settings.DESKAGENT_REQUEST_EXPIRY_SECONDS if for_staff else settings.DESKAGENT_CARD_EXPIRY_SECONDS
    return timezone.now() + timedelta(seconds=seconds)
