"""The level `shadow`: the customer said yes, nothing runs, and a person does exactly this, here or in the shop."""

import hashlib
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone

from approvals import answers
from approvals.authority import needs_second_person
from approvals.gathering import Asked, record_request
from approvals.models import ActionRequest, State
from approvals.operations.deciding import NOTHING_RAN, check_authority, deciding
from approvals.operations.errors import (
    AlreadyDecided,
    OverAuthority,
    Stale,
    Unreadable,
)
from approvals.operations.moving import asked_again, deadline, end, grant, look_again
from approvals.queries import find_same_done
from approvals.sessions import AGENT
from policy.decisions import Decision
from policy.queries import PolicyMissing
from policy.rules import Outcome


def shadow(request: ActionRequest, decision: Decision, *, policy_version: int) -> ActionRequest:
    """End an agreed request without running it. The chat opens the ticket that holds it."""
    record_request(
        "write_refused",
        request,
        actor=AGENT,
        rule=decision.rule,
        verdict="shadowed",
        policy_version=policy_version,
        result=answers.SHADOWED,
    )
    return end(request, State.SHADOWED, answers.SHADOWED, rule=decision.rule, reason=decision.reason)


def do_shadowed(*, request_id: UUID, staff: User, note: str = "") -> ActionRequest:
    """Staff do what a shadowed request holds: the same action on facts read now, granted in their name, once.

    Every rule but the level itself still decides. Returns the new request. Raises `RequestNotFound`, or
    `NotPermitted`, `OverAuthority`, `AlreadyDecided` and `Stale`, each of them recorded and committed.
    """
    made: list[ActionRequest] = []
    deciding(request_id, staff, lambda request: _do(request, staff, note, made), is_due=_is_left_to_do)
    [again] = made
    return again


def _is_left_to_do(request: ActionRequest) -> Exception | None:
    if request.state != State.SHADOWED:
        return AlreadyDecided(f"This request is {request.state}: there is nothing to do by hand. {NOTHING_RAN}")
    before = find_same_done(request)
    if before is not None:
        who = before.decided_by.get_username() if before.decided_by else "the desk"
        return AlreadyDecided(f"This was done before, by {who}. {NOTHING_RAN}")
    if request.session.requests.filter(state=State.AWAITING_STAFF).exists():
        return AlreadyDecided(f"Another request of this chat waits for a decision first. {NOTHING_RAN}")
    return None


def _do(request: ActionRequest, staff: User, note: str, made: list[ActionRequest]) -> Exception | None:
    try:
        asked = asked_again(request)
    except PolicyMissing:
        return Stale(f"The shop's policy cannot be read. {NOTHING_RAN}")
    except Unreadable as error:
        return Stale(f"Facts changed since the customer agreed: {error}. {NOTHING_RAN}")
    look = look_again(asked, request, approved=True)
    amount = max(abs(request.amount), look.amount)
    over = check_authority(staff, amount, request.currency)
    if over is not None:
        return over
    if needs_second_person(amount, asked.policy.limits):
        return OverAuthority(f"So large an amount takes two people, and this is one press. {NOTHING_RAN}")
    if look.decision is None or look.subject is None:
        return Stale(f"Facts changed since the customer agreed: {look.changed}. {NOTHING_RAN}")
    decision = look.decision
    # A person does it here, so the level that leaves it to a person is no objection.
    if decision.outcome not in (Outcome.ALLOW, Outcome.SHADOW):
        return Stale(f"{decision.rule} refuses this now: {decision.reason} {NOTHING_RAN}")
    again = _copy(asked, request, staff, note)
    actor = f"staff:{staff.get_username()}"
    record_request("approval_granted", again, actor=actor, verdict="approved", result=note)
    grant(asked, again, look.subject, approved_by=staff.get_username(), actor=actor)
    made.append(again)
    return None


def _copy(asked: Asked, request: ActionRequest, staff: User, note: str) -> ActionRequest:
    """The same action as a request of its own: what was shadowed stays what it was."""
    return ActionRequest.objects.create(
        session=request.session,
        customer=request.customer,
        key=hashlib.sha256(f"shadow\0{request.key}".encode()).hexdigest(),
        action=request.action,
        arguments=request.arguments,
        digest=request.digest,
        order_number=request.order_number,
        card=request.card,
        amount=request.amount,
        level_amount=request.level_amount,
        currency=request.currency,
        destination=request.destination,
        facts=request.facts,
        state=State.AWAITING_STAFF,
        rule=request.rule,
        reason=request.reason,
        policy_version=asked.policy.version,
        prompt_version=request.prompt_version,
        model=request.model,
        confirmed_at=request.confirmed_at,
        confirmed_by=request.confirmed_by,
        expires_at=deadline(for_staff=True),
        decided_at=timezone.now(),
        decided_by=staff,
        note=note,
    )
