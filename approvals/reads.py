"""Account reads: answered at once, always for the verified customer, each with its line in the audit log."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from approvals.answers import policy_refusal
from approvals.models import CustomerSession
from approvals.queries import get_session
from approvals.sessions import AGENT, USER_NOT_FOUND, Answer, Voice, strength_of
from audit.operations import Details, record
from orders.models import Customer, Order
from orders.parcels import Parcel, ShipmentNotFound, export_order_notes, export_parcel, find_parcel
from orders.queries import (
    CustomerNotFound,
    OrderNotFound,
    export_customer,
    export_order,
    get_customer,
    get_order,
    get_order_for_customer,
    personal_words,
    to_tool_text,
)
from policy.decisions import AUDIT_MODE_SUSPENDS
from policy.facts import Facts
from policy.queries import PolicyMissing, get_active
from policy.rules import Outcome, Verdict, reads_need_a_verified_customer

ORDER_NOT_FOUND = "Error: order not found"
NOT_FOUND = {
    OrderNotFound: ORDER_NOT_FOUND,
    CustomerNotFound: USER_NOT_FOUND,
    ShipmentNotFound: "Error: shipment not found",
}
NO_POLICY = Verdict(
    outcome=Outcome.REFUSE, rule="R0", reason="The shop's policy cannot be read, so no account may be shown."
)


def read_customer(*, conversation: UUID, user_id: str, voice: Voice, session: CustomerSession | None = None) -> Answer:
    """The profile as the tool answers it; another customer's looks like one that does not exist.

    `session`, here and below: where the caller holds it already.
    """

    def fetch(session: CustomerSession) -> Customer:
        customer = get_customer(user_id=user_id)
        if session.guard == CustomerSession.Guard.ENFORCE and customer.pk != session.customer_id:
            raise CustomerNotFound(user_id)
        return customer

    held = session or get_session(conversation=conversation)
    return _read(held, voice, "get_user_details", {"user_id": user_id}, fetch, export_customer)


def read_order(*, conversation: UUID, order_id: str, voice: Voice, session: CustomerSession | None = None) -> Answer:
    """The order as the tool answers it; another customer's looks like one that does not exist."""

    def fetch(session: CustomerSession) -> Any:
        if session.guard == CustomerSession.Guard.AUDIT or session.customer is None:
            return get_order(number=order_id)
        return get_order_for_customer(customer=session.customer, number=order_id)

    def export(order: Order) -> dict[str, Any]:
        return export_order(order) | export_order_notes(order)

    held = session or get_session(conversation=conversation)
    return _read(held, voice, "get_order_details", {"order_id": order_id}, fetch, export)


def read_shipment(
    *, conversation: UUID, tracking_id: str, voice: Voice, session: CustomerSession | None = None
) -> Answer:
    """Where a parcel is; another customer's looks like one that does not exist."""

    def fetch(session: CustomerSession) -> Parcel:
        customer = session.customer if session.guard == CustomerSession.Guard.ENFORCE else None
        return find_parcel(customer=customer, tracking_id=tracking_id)

    held = session or get_session(conversation=conversation)
    return _read(held, voice, "get_shipment_status", {"tracking_id": tracking_id}, fetch, export_parcel)


def read_public(
    *,
    conversation: UUID,
    tool: str,
    arguments: dict[str, Any],
    answer: Answer,
    voice: Voice,
    session: CustomerSession | None = None,
    facts: dict[str, Any] | None = None,
) -> Answer:
    """A read of nobody's data (products, arithmetic, articles): answered to everybody, and recorded like the others.

    `facts`: what the answer rests on, for the record.
    """
    session = session or get_session(conversation=conversation)
    event, result = ("read_error", answer.text) if answer.is_error else ("read_ok", "")
    _record(session, voice, event, tool, arguments, result=result, facts=facts)
    return answer


def refuse_read(*, conversation: UUID, tool: str, arguments: dict[str, Any], reason: str, voice: Voice) -> Answer:
    """A read whose arguments are malformed: the model may mend them and try again."""
    session = get_session(conversation=conversation)
    _record(session, voice, "read_error", tool, arguments, verdict="malformed", result=reason)
    return Answer(text=reason, is_error=True)


def _read(
    session: CustomerSession,
    voice: Voice,
    tool: str,
    arguments: dict[str, Any],
    fetch: Callable[[CustomerSession], Any],
    export: Callable[[Any], dict[str, Any]],
) -> Answer:
    audited = session.guard == CustomerSession.Guard.AUDIT
    objection = _object(session)
    if objection and not (audited and objection.rule in AUDIT_MODE_SUSPENDS):
        text = policy_refusal(objection.rule, objection.reason)
        _record(session, voice, "read_error", tool, arguments, rule=objection.rule, verdict="refused", result=text)
        return Answer(text=text, is_error=True)
    try:
        row = fetch(session)
    except (OrderNotFound, CustomerNotFound, ShipmentNotFound) as error:
        text = NOT_FOUND[type(error)]
        _record(session, voice, "read_error", tool, arguments, verdict="not_found", result=text)
        return Answer(text=text, is_error=True)
    owner = row.customer if hasattr(row, "customer") else row
    rule = "" if not audited else objection.rule if objection else "R2" if owner != session.customer else ""
    _record(session, voice, "read_ok", tool, arguments, rule=rule, verdict="would_refuse" if rule else "")
    return Answer(text=to_tool_text(export(row)))


def _object(session: CustomerSession) -> Verdict | None:
    """R1's objection under the active policy; without one nobody knows how surely a customer must be known."""
    try:
        limits = get_active().limits
    except PolicyMissing:
        return NO_POLICY
    facts = Facts(verified=session.customer is not None, strength=strength_of(session))
    return reads_need_a_verified_customer(facts, limits)


def _record(
    session: CustomerSession,
    voice: Voice,
    event: str,
    tool: str,
    arguments: dict[str, Any],
    *,
    facts: dict[str, Any] | None = None,
    **outcome: Any,
) -> None:
    details = Details(
        action=tool,
        arguments=arguments,
        prompt_version=voice.prompt_version,
        model=voice.model,
        facts=({"draft": True} if voice.draft else {}) | (facts or {}),
        **outcome,
    )
    record(
        event=event,
        subject=str(session.conversation),
        actor=AGENT,
        details=details,
        known=personal_words(session.customer),
    )
