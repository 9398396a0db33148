"""The staff's decision on a request that waits."""

from collections.abc import Callable
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from approvals import answers
from approvals.authority import covers, find_first_approval, find_limit, is_own, may_decide, needs_second_person
from approvals.gathering import Asked, record_request
from approvals.models import ActionRequest, FirstApproval, State
from approvals.operations.errors import (
    AlreadyDecided,
    NotPermitted,
    OverAuthority,
    RequestNotFound,
    Stale,
    Unreadable,
)
from approvals.operations.moving import SecondLook, asked_again, end, find_and_lock_request, grant, look_again, sign
from approvals.sessions import lock_session
from audit.crash_points import reach
from audit.statements import Slot, Tuples
from policy.money import spoken
from policy.queries import PolicyMissing
from policy.rules import Outcome

NOTHING_RAN = "Nothing ran."


def approve(*, request_id: UUID, staff: User, note: str = "") -> ActionRequest:
    """Grant a waiting request and run it. Exactly one of many calls returns; the others raise.

    Where the policy wants two people the first one's call returns the request still waiting. Raises
    `RequestNotFound`, or `NotPermitted`, `OverAuthority`, `AlreadyDecided` and `Stale`, each of them recorded and
    committed.
    """
    return deciding(request_id, staff, lambda request: _approve(request, staff, note))


def decline(*, request_id: UUID, staff: User, note: str = "") -> ActionRequest:
    """End a waiting request without a change; the agent gets the note. Raises as `approve` does.

    No amount is too large to decline: no money moves.
    """
    return deciding(request_id, staff, lambda request: _decline(request, staff, note))


_CONVERSATION = Tuples(
    lambda: ActionRequest.objects.filter(pk=Slot("request_id", ActionRequest._meta.pk)).values_list(
        "session__conversation"
    )
)
Decide = Callable[[ActionRequest], Exception | None]


def waits(request: ActionRequest) -> Exception | None:
    """Why there is nothing to decide, or nothing."""
    if request.state == State.AWAITING_STAFF and request.expires_at > timezone.now():
        return None
    who = request.decided_by.get_username() if request.decided_by else ""
    if who and request.decided_at:
        verb = {State.DECLINED_BY_STAFF: "declined", State.GRANTED: "approved", State.WITHDRAWN: "reduced"}
        done = verb.get(State(request.state), "decided")
        return AlreadyDecided(f"{who} {done} this at {request.decided_at:%H:%M} UTC. {NOTHING_RAN}")
    return AlreadyDecided(f"This request does not wait for a decision: it is {request.state}. {NOTHING_RAN}")


def deciding(request_id: UUID, staff: User, decide: Decide, *, is_due: Decide = waits) -> ActionRequest:
    """Let one person decide on a request under its locks. A refusal is recorded, committed and then raised."""
    with transaction.atomic():
        found = _CONVERSATION.first(request_id=request_id)
        if found is None:
            raise RequestNotFound(request_id)
        request = find_and_lock_request(lock_session(found[0]), request_id)
        if request is None:
            raise RequestNotFound(request_id)
        refusal = _may_not(request, staff) or is_due(request) or decide(request)
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


def check_authority(staff: User, amount: int, currency: str) -> OverAuthority | None:
    if covers(staff, amount, currency):
        return None
    limit = spoken(find_limit(staff, currency) or 0, currency)
    return OverAuthority(f"You may approve up to {limit}; this is {spoken(amount, currency)}. {NOTHING_RAN}")


def end_stale(request: ActionRequest, changed: str) -> Stale:
    end(request, State.STALE, answers.STALE, reason=changed)
    return Stale(f"Facts changed since this was proposed: {changed}. {NOTHING_RAN}")


def _may_not(request: ActionRequest, staff: User) -> Exception | None:
    if not may_decide(staff):
        return NotPermitted("You may not decide requests.")
    return NotPermitted("You may not decide your own request.") if is_own(request, staff) else None


def _decline(request: ActionRequest, staff: User, note: str) -> None:
    sign(request, staff, note)
    actor = f"staff:{staff.get_username()}"
    record_request("approval_declined", request, actor=actor, verdict="declined", result=note)
    end(request, State.DECLINED_BY_STAFF, answers.declined_by_staff(note))


def _approve(request: ActionRequest, staff: User, note: str) -> Exception | None:
    try:
        asked = asked_again(request)
    except PolicyMissing:
        return Stale(f"The shop's policy cannot be read. {NOTHING_RAN}")
    except Unreadable as error:
        return end_stale(request, str(error))
    look = look_again(asked, request, approved=True)
    amount = max(abs(request.amount), look.amount)
    # Before anything ends: whoever may not approve this may not end it by trying.
    over = check_authority(staff, amount, request.currency)
    if over is not None:
        return over
    if look.decision is None or look.subject is None:
        return end_stale(request, look.changed)
    decision = look.decision
    if decision.outcome is not Outcome.ALLOW:
        text = answers.policy_refusal(decision.rule, decision.reason)
        end(request, State.REFUSED, text, is_error=True, rule=decision.rule, reason=decision.reason)
        return Stale(f"{decision.rule} refuses this now: {decision.reason} {NOTHING_RAN}")
    if needs_second_person(amount, asked.policy.limits):
        first = find_first_approval(request, amount)
        if first is None:
            _keep_first(request, staff, note)
            return None
        if first.staff == staff:
            said = f"You approved this at {first.at:%H:%M} UTC; a second person has to approve it too."
            return AlreadyDecided(f"{said} {NOTHING_RAN}")
    _run(asked, request, look, staff, note)
    return None


def _keep_first(request: ActionRequest, staff: User, note: str) -> None:
    """One of two: in place of an approval whose giver may no longer decide this, if there is one."""
    FirstApproval.objects.update_or_create(
        request=request, defaults={"staff": staff, "at": timezone.now(), "note": note}
    )
    actor = f"staff:{staff.get_username()}"
    record_request("approval_requested", request, actor=actor, verdict="second_person", result=note)


def _run(asked: Asked, request: ActionRequest, look: SecondLook, staff: User, note: str) -> None:
    if look.subject is None:
        raise RuntimeError(f"request {request.pk} was allowed without its rows")
    transaction.on_commit(lambda: reach("approval stored"))
    sign(request, staff, note)
    actor = f"staff:{staff.get_username()}"
    record_request("approval_granted", request, actor=actor, verdict="approved", result=note)
    grant(asked, request, look.subject, approved_by=staff.get_username(), actor=actor)
