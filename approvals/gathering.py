"""Facts for a decision, read now, and the audit lines of the gate."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from approvals.models import ActionRequest, CustomerSession, State
from approvals.sessions import AGENT, VISITOR, Voice, strength_of
from audit.operations import Details, record
from audit.redaction import pseudonym
from audit.statements import Slot, Tuples
from orders.changes import Plan, Subject
from orders.models import Customer, Order
from orders.parcels import find_items
from orders.queries import (
    count_returned_orders,
    get_granted_alone,
    list_refund_ages,
    personal_words,
    recall_payments,
    sum_refundable,
)
from policy.actions import Action, ExchangeDeliveredOrderItems, IssueRefund, ReturnDeliveredOrderItems
from policy.decisions import AUDIT_MODE_SUSPENDS, NOTHING_SUSPENDED
from policy.facts import Facts
from policy.levels import Strength
from policy.money import major
from policy.queries import ActivePolicy

SENT_BACK = (ReturnDeliveredOrderItems, ExchangeDeliveredOrderItems)
_OPEN = Tuples(
    lambda: ActionRequest.objects.filter(
        session_id=Slot("session", CustomerSession._meta.pk), state__in=[State.AWAITING_CUSTOMER, State.AWAITING_STAFF]
    ).values_list("pk", "state")
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One action asked for in one conversation, under one policy version."""

    session: CustomerSession
    customer: Customer | None
    action: Action
    policy: ActivePolicy
    voice: Voice
    # How surely they were known when they asked, where the chat knows them no more; None: as the session says now.
    known_by: Strength | None = None

    @property
    def suspended(self) -> frozenset[str]:
        audited = self.session.guard == CustomerSession.Guard.AUDIT
        return AUDIT_MODE_SUSPENDS if audited else NOTHING_SUSPENDED


def gather_access(asked: Asked, subject: Subject | None) -> Facts:
    """Who asks, and whether the rows are theirs; missing ones are nobody's."""
    customer = asked.customer
    own = subject is not None and customer is not None and subject.customer.pk == customer.pk
    return Facts(verified=customer is not None, strength=asked.known_by or strength_of(asked.session), own=own)


def gather(
    asked: Asked,
    planned: Plan,
    *,
    by_hand: str,
    confirmed: bool = False,
    approved: bool = False,
    besides: UUID | None = None,
) -> Facts:
    """Every fact of the rules. `besides`: the request being decided, which is no obstacle to itself."""
    open_states = {state for pk, state in _OPEN.list(session=asked.session.pk) if pk != besides}
    customer, order, now = planned.subject.customer, planned.subject.order, timezone.now()
    return replace(
        gather_access(asked, planned.subject),
        confirmed=confirmed,
        approved=approved,
        holder=asked.session.holder,  # type: ignore[arg-type]
        under_review=State.AWAITING_STAFF in open_states,
        card_open=State.AWAITING_CUSTOMER in open_states,
        intent=asked.session.intent,
        money_back=planned.money_back,
        money_moved=planned.money_moved,
        refundable=sum_refundable(recall_payments(order)) if order else 0,
        fits_payments=planned.fits_payments,
        granted_alone=get_granted_alone(
            customer=customer,
            order=order,
            conversation=asked.session.conversation,
            now=now,
            moved_counts=asked.policy.limits.payment_change_counts,
        ),
        order_status=order.status if order else "",
        by_hand=by_hand,
        **_gather_habits(asked, customer, order, now),
        **_gather_delivery(asked, order, now),
    )


def _gather_habits(asked: Asked, customer: Customer, order: Order | None, now: datetime) -> dict[str, Any]:
    """What R5 counts over the customer's other orders and conversations, read only where a rule looks at it."""
    refunds, habits = asked.policy.limits.refunds, dict[str, Any]()
    if isinstance(asked.action, IssueRefund):
        habits["no_return_ages"] = list_refund_ages(
            customer=customer, days=refunds.window_days, now=now, action=asked.action.name
        )
    if refunds.most is not None:
        habits["refund_ages"] = list_refund_ages(customer=customer, days=refunds.window_days, now=now)
    if refunds.returned_share is not None and isinstance(asked.action, SENT_BACK):
        arrived, returned = count_returned_orders(customer=customer, besides=order)
        habits["arrived_orders"], habits["returned_orders"] = arrived, returned + 1
    return habits


def _gather_delivery(asked: Asked, order: Order | None, now: datetime) -> dict[str, Any]:
    """What R6 asks of the parcels that hold the action's items."""
    action, window = asked.action, asked.policy.limits.windows.returns_days
    if order is None or not isinstance(action, (IssueRefund, *SENT_BACK)):
        return {}
    if window is None and not isinstance(action, IssueRefund):
        return {}
    where = find_items(order=order, item_ids=action.item_ids)
    since = (now - where.delivered_at).days if where.delivered_at else None
    return {"shipment_status": where.status, "days_since_delivery": since}


def describe_facts(facts: Facts, order: Order | None) -> dict[str, Any]:
    """The facts that staff compare then and now; amounts as decimal text."""
    days = "unknown" if facts.days_since_delivery is None else facts.days_since_delivery
    parcel = {"shipment_status": facts.shipment_status, "days_since_delivery": days} if facts.shipment_status else {}
    told: dict[str, Any] = parcel | {
        "order_status": order.status if order else "",
        "money_back": major(facts.money_back),
        "refundable": major(facts.refundable),
        "granted_alone": major(facts.granted_alone),
        "holder": facts.holder,
        "known_by": facts.strength if facts.verified else "",
    }
    if facts.refund_ages:
        # Counted only where the policy looks at it; a nought would say that there was none.
        told["refunds_before"] = len(facts.refund_ages)
    return told


def record_gate(event: str, asked: Asked, *, known: Customer | None = None, **outcome: Any) -> None:
    """One line about an action that has no request yet."""
    _record(event, asked.session, asked.action.name, asked.action.arguments(), asked.voice, AGENT, known, outcome)


def record_request(event: str, request: ActionRequest, *, actor: str = "", **outcome: Any) -> None:
    """One line about a request; `actor` is the customer unless named."""
    session = request.session
    outcome.setdefault("rule", request.rule)
    outcome.setdefault("policy_version", request.policy_version)
    outcome["facts"] = {
        "request": str(request.pk),
        "digest": request.digest,
        "order": request.order_number,
        "amount": major(request.amount),
        "currency": request.currency,
    } | outcome.get("facts", {})
    voice = Voice(prompt_version=request.prompt_version, model=request.model)
    speaker = actor or (pseudonym(request.customer.user_id) if request.customer else VISITOR)
    _record(event, session, request.action, request.arguments, voice, speaker, request.customer, outcome)


def _record(
    event: str,
    session: CustomerSession,
    action: str,
    arguments: dict[str, Any],
    voice: Voice,
    actor: str,
    known: Customer | None,
    outcome: dict[str, Any],
) -> None:
    details = Details(
        action=action, arguments=arguments, prompt_version=voice.prompt_version, model=voice.model, **outcome
    )
    words = [*personal_words(session.customer), *personal_words(known)]
    record(event=event, subject=str(session.conversation), actor=actor, details=details, known=words)
