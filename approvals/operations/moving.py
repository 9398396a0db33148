"""The steps that every path through the gate shares: locks, the second decision, the grant, and the end."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone
from pydantic import ValidationError

from approvals.authority import find_corrector
from approvals.cards import render_card
from approvals.differences import describe_differences
from approvals.gathering import Asked, gather, record_request
from approvals.keys import make_digest
from approvals.models import MOVES, ActionRequest, CustomerSession, State
from approvals.operations.errors import Unreadable
from approvals.sessions import AGENT, Voice
from approvals.signals import announce
from audit.statements import Change, Rows, Slot, save
from orders import changes
from orders.executor import Grant, describe_gateway, execute
from orders.models import Customer, Order
from orders.queries import CustomerNotFound, OrderNotFound, get_customer, get_order, get_order_for_customer
from policy.actions import ACTIONS, Action, ModifyUserAddress, UpdatePreference
from policy.decisions import Decision, decide
from policy.levels import Strength
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
    """What the facts say now; no decision where they no longer fit what was agreed, and `changed` says how.

    `amount`: what authority is measured by, in minor units.
    """

    subject: changes.Subject | None
    decision: Decision | None
    changed: str = ""
    amount: int = 0


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
        if isinstance(action, UpdatePreference):
            return changes.Subject(customer=customer) if customer is not None else None
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
    """The request's action under the policy of now. Raises `PolicyMissing` and `Unreadable`."""
    try:
        action = ACTIONS[request.action].model_validate(request.arguments)
    except (KeyError, ValidationError) as error:
        raise Unreadable(f"{request.action} with these arguments is no action any more") from error
    return Asked(
        session=request.session,
        customer=request.customer,
        action=action,
        policy=get_active(),
        voice=Voice(prompt_version=request.prompt_version, model=request.model),
        known_by=_recall_strength(request),
    )


def _recall_strength(request: ActionRequest) -> Strength | None:
    """A chat that was closed since forgot its customer; what they agreed to was agreed to by whoever they had proved
    to be. None where the session still knows."""
    if request.session.customer_id == request.customer_id:
        return None
    return Strength(request.facts.get("known_by") or Strength.LOOKUP)


def look_again(asked: Asked, request: ActionRequest, *, approved: bool) -> SecondLook:
    """Decide again on rows locked now. Same digest or nothing."""
    subject = find_subject(asked.session, asked.customer, asked.action)
    if subject is None:
        gone = f"{request.order_number or 'the account'} is no longer there, or no longer this customer's"
        return SecondLook(subject=None, decision=None, changed=gone)
    subject = lock_subject(subject)
    try:
        planned = changes.plan(action=asked.action, subject=subject)
    except changes.CannotBeDone as error:
        return SecondLook(subject=subject, decision=None, changed=describe_obstacle(request, subject, str(error)))
    amount = weigh(planned)
    if not _is_what_was_shown(asked, request, planned):
        changed = _describe_change(request, subject, planned)
        return SecondLook(subject=subject, decision=None, changed=changed, amount=amount)
    approved = approved or find_corrector(request, asked.policy.limits) is not None
    by_hand = describe_gateway(planned)
    facts = gather(asked, planned, by_hand=by_hand, confirmed=True, approved=approved, besides=request.pk)
    decision = decide(action=asked.action, facts=facts, limits=asked.policy.limits, suspended=asked.suspended)
    return SecondLook(subject=subject, decision=decision, amount=amount)


def weigh(planned: changes.Plan) -> int:
    """The money an action moves, whichever way: that is what a member of staff needs the authority for."""
    return max(abs(planned.total), planned.money_back, planned.money_moved)


def _is_what_was_shown(asked: Asked, request: ActionRequest, planned: changes.Plan) -> bool:
    """The digest covers the arguments and the card; the columns beside it are what lists and limits were read from."""
    columns = (request.action, request.order_number, request.amount, request.currency, request.destination)
    fresh = (asked.action.name, planned.subject.number, planned.total, planned.currency, planned.destination)
    return columns == fresh and make_digest(action=asked.action, planned=planned) == request.digest


def _describe_change(request: ActionRequest, subject: changes.Subject, planned: changes.Plan) -> str:
    found = [_describe_status(request, subject), describe_differences(request.card, render_card(planned))]
    what = "; ".join(filter(None, found)) or "it would be booked otherwise than the card showed"
    return f"{subject.number or 'the account'}: {what}"


def describe_obstacle(request: ActionRequest, subject: changes.Subject, error: str) -> str:
    reason = error.removeprefix("Error: ")
    status = _describe_status(request, subject)
    if status:
        return f"order {subject.number} {status} ({reason})"
    return f"{f'order {subject.number}' if subject.order else 'the account'}: {reason}"


def _describe_status(request: ActionRequest, subject: changes.Subject) -> str:
    before, now = request.facts.get("order_status", ""), subject.order.status if subject.order else ""
    return f"is now {now}, it was {before}" if before != now else ""


def grant(
    asked: Asked, request: ActionRequest, subject: changes.Subject, *, approved_by: str = "", actor: str = AGENT
) -> None:
    """Run it: the change, its effect and the end of the request in this transaction.

    The customer's yes to a card that staff corrected is the one that was missing: the correction is the approval.
    """
    corrector = None if approved_by else find_corrector(request, asked.policy.limits)
    if corrector is not None:
        approved_by = corrector.get_username()
        sign(request, corrector, request.note)
        record_request("approval_granted", request, actor=f"staff:{approved_by}", verdict="corrected")
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


def sign(request: ActionRequest, staff: User, note: str) -> None:
    """Who decided, when, and what they noted."""
    request.decided_at, request.decided_by, request.note = timezone.now(), staff, note
    save(request, "decided_at", "decided_by", "note")


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
