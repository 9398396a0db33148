"""The staff's decision on a request that waits."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from approvals import answers
from approvals.gathering import record_request
from approvals.models import ActionRequest, State
from approvals.operations.errors import AlreadyDecided, NotPermitted, RequestNotFound, Stale
from approvals.operations.moving import asked_again, end, grant, lock_request, look_again
from approvals.sessions import lock_session
from audit.crash_points import reach
from policy.queries import PolicyMissing
from policy.rules import Outcome

PERMISSION = "approvals.decide_actionrequest"
NOTHING_RAN = "Nothing ran."


def approve(*, request_id: UUID, staff: User, note: str = "") -> ActionRequest:
    """Grant a waiting request and run it. Exactly one of many calls returns; the others raise.

    Raises `RequestNotFound`, or `NotPermitted`, `AlreadyDecided` and `Stale`, each of them recorded and committed.
    """
    return _decide(request_id, staff, note, granted=True)


def decline(*, request_id: UUID, staff: User, note: str = "") -> ActionRequest:
    """End a waiting request without a change; the agent gets the note. Raises as `approve` does."""
    return _decide(request_id, staff, note, granted=False)


def _decide(request_id: UUID, staff: User, note: str, *, granted: bool) -> ActionRequest:
    with transaction.atomic():
        conversation = (
            ActionRequest.objects.filter(pk=request_id).values_list("session__conversation", flat=True).first()
        )
        if conversation is None:
            raise RequestNotFound(request_id)
        lock_session(conversation)
        request = lock_request(request_id)
        refusal = _why_not(request, staff) or _apply(request, staff, note, granted=granted)
        if refusal is not None:
            record_request(
                "approval_refused",
                request,
                actor=f"staff:{staff.get_username()}",
                verdict=type(refusal).__name__,
                result=str(refusal),
            )
    if refusal is not None:
        raise refusal
    return request


def _why_not(request: ActionRequest, staff: User) -> Exception | None:
    if not (staff.is_active and staff.is_staff and staff.has_perm(PERMISSION)):
        return NotPermitted("You may not decide requests.")
    if request.state == State.AWAITING_STAFF and request.expires_at > timezone.now():
        return None
    who = request.decided_by.get_username() if request.decided_by else ""
    if who and request.decided_at:
        verb = "declined" if request.state == State.DECLINED_BY_STAFF else "decided"
        verb = "approved" if request.state == State.GRANTED else verb
        return AlreadyDecided(f"{who} {verb} this at {request.decided_at:%H:%M} UTC. {NOTHING_RAN}")
    return AlreadyDecided(f"This request does not wait for a decision: it is {request.state}. {NOTHING_RAN}")


def _apply(request: ActionRequest, staff: User, note: str, *, granted: bool) -> Exception | None:
    actor = f"staff:{staff.get_username()}"
    if not granted:
        _sign(request, staff, note)
        record_request("approval_declined", request, actor=actor, verdict="declined", result=note)
        end(request, State.DECLINED_BY_STAFF, answers.declined_by_staff(note))
        return None
    try:
        asked = asked_again(request)
    except PolicyMissing:
        return Stale(f"The shop's policy cannot be read. {NOTHING_RAN}")
    look = look_again(asked, request, approved=True)
    if look.decision is None or look.subject is None:
        end(request, State.STALE, answers.STALE, reason=look.changed)
        return Stale(f"Facts changed since this was proposed: {look.changed}. {NOTHING_RAN}")
    decision = look.decision
    if decision.outcome is not Outcome.ALLOW:
        text = answers.policy_refusal(decision.rule, decision.reason)
        end(request, State.REFUSED, text, is_error=True, rule=decision.rule, reason=decision.reason)
        return Stale(f"{decision.rule} refuses this now: {decision.reason} {NOTHING_RAN}")
    transaction.on_commit(lambda: reach("approval stored"))
    _sign(request, staff, note)
    record_request("approval_granted", request, actor=actor, verdict="approved", result=note)
    grant(asked, request, look.subject, approved_by=staff.get_username(), actor=actor)
    return None


def _sign(request: ActionRequest, staff: User, note: str) -> None:
    request.decided_at, request.decided_by, request.note = timezone.now(), staff, note
    request.save(update_fields=["decided_at", "decided_by", "note"])
