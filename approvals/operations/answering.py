"""The customer's answer to a card, and what happens when none comes."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from approvals import answers
from approvals.gathering import Asked, record_request
from approvals.models import MOVES, ActionRequest, CustomerSession, State
from approvals.operations.errors import NotOpen, Unreadable
from approvals.operations.moving import (
    SecondLook,
    asked_again,
    deadline,
    end,
    find_and_lock_request,
    grant,
    lock_request,
    look_again,
    move,
    require_transaction,
)
from approvals.operations.proposing import NO_POLICY
from approvals.operations.shadowing import shadow
from approvals.sessions import AGENT, actor_of, lock_session
from audit.crash_points import reach
from audit.operations import Details, record
from audit.statements import save
from policy.decisions import Decision
from policy.queries import PolicyMissing
from policy.rules import Outcome


def confirm(*, conversation: UUID, request_id: UUID, by: str, session: CustomerSession | None = None) -> ActionRequest:
    """The customer's yes to the open card: decide again on fresh facts, then run it or hold it for staff.

    Inside the caller's transaction, which also holds the yes itself. `by` is `button` or `typed`. Raises `NotOpen`
    after recording the attempt; catch it inside that transaction. `session`, here and below: locked already.
    """
    require_transaction()
    request = _open_card(session or lock_session(conversation), request_id)
    request.confirmed_at, request.confirmed_by = timezone.now(), by
    save(request, "confirmed_at", "confirmed_by")
    record_request("consent_given", request, verdict=by)
    try:
        asked = asked_again(request)
    except PolicyMissing:
        return _refuse(request, rule="R0", text=NO_POLICY, reason="")
    except Unreadable as error:
        record_request("write_refused", request, actor=AGENT, verdict="stale", result=str(error))
        return end(request, State.STALE, answers.STALE, reason=str(error))
    look = look_again(asked, request, approved=False)
    if look.decision is None or look.subject is None:
        record_request("write_refused", request, actor=AGENT, verdict="stale", result=look.changed)
        return end(request, State.STALE, answers.STALE, reason=look.changed)
    return _carry_on(asked, request, look, look.decision)


def refuse_by_customer(
    *, conversation: UUID, request_id: UUID, by: str, session: CustomerSession | None = None
) -> ActionRequest:
    """The customer's no. Raises `NotOpen` as `confirm` does."""
    require_transaction()
    request = _open_card(session or lock_session(conversation), request_id)
    record_request("consent_denied", request, verdict=by)
    return end(request, State.DECLINED_BY_CUSTOMER, answers.CUSTOMER_SAID_NO)


def replace(
    *, conversation: UUID, request_id: UUID, text: str, why: str, session: CustomerSession | None = None
) -> ActionRequest:
    """Close the open card because something else happened; `text` is what the model hears."""
    require_transaction()
    request = _open_card(session or lock_session(conversation), request_id)
    record_request("consent_denied", request, verdict=why)
    return end(request, State.REPLACED, text)


def expire_overdue(*, now: datetime) -> int:
    """Close what nobody answered in time; one transaction a request, so that two sweeps do no harm."""
    overdue = ActionRequest.objects.filter(state__in=list(MOVES), expires_at__lte=now)
    waiting = list(overdue.values_list("pk", "session__conversation"))
    return sum(expire(conversation=conversation, request_id=pk, now=now) for pk, conversation in waiting)


def expire(*, conversation: UUID, request_id: UUID, now: datetime) -> bool:
    """Close one request if its time is over; False where it is not."""
    with transaction.atomic():
        lock_session(conversation)
        request = lock_request(request_id)
        if request.state not in MOVES or request.expires_at > now:
            return False
        if request.state == State.AWAITING_STAFF:
            record_request("approval_declined", request, actor="system", verdict="expired")
            end(request, State.EXPIRED, answers.REVIEW_EXPIRED)
        else:
            record_request("consent_denied", request, actor="system", verdict="expired")
            end(request, State.EXPIRED, answers.EXPIRED)
    return True


def _carry_on(asked: Asked, request: ActionRequest, look: SecondLook, decision: Decision) -> ActionRequest:
    if decision.outcome is Outcome.ALLOW and look.subject is not None:
        grant(asked, request, look.subject)
        return request
    if decision.outcome is Outcome.SHADOW:
        return shadow(request, decision, policy_version=asked.policy.version)
    if decision.outcome is not Outcome.ASK_STAFF:
        text = answers.policy_refusal(decision.rule, decision.reason)
        return _refuse(request, rule=decision.rule, text=text, reason=decision.reason)
    request.rule, request.reason = decision.rule, decision.reason
    request.policy_version = asked.policy.version
    request.expires_at = deadline(for_staff=True)
    save(request, "rule", "reason", "policy_version", "expires_at")
    record_request("approval_requested", request, actor=AGENT, verdict="ask_staff")
    reach("approval requested")
    return move(request, State.AWAITING_STAFF)


def _refuse(request: ActionRequest, *, rule: str, text: str, reason: str) -> ActionRequest:
    record_request("write_refused", request, actor=AGENT, rule=rule, verdict="refused", result=text)
    return end(request, State.REFUSED, text, is_error=True, rule=rule, reason=reason)


def _open_card(session: CustomerSession, request_id: UUID) -> ActionRequest:
    """The conversation's own card, locked, if it still waits for the customer; the attempt is recorded otherwise."""
    request = find_and_lock_request(session, request_id)
    overdue = request is not None and request.expires_at <= timezone.now()
    if request is None or request.state != State.AWAITING_CUSTOMER or overdue:
        details = Details(
            action=request.action if request else "", verdict="not_open", facts={"request": str(request_id)}
        )
        record(event="consent_denied", subject=str(session.conversation), actor=actor_of(session), details=details)
        raise NotOpen("this card is no longer open")
    return request
