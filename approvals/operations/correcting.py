"""An approver asks for less: fewer lines of the same action, which the customer confirms again."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.contrib.auth.models import User

from approvals import answers
from approvals.cards import render_card
from approvals.gathering import Asked, describe_facts, gather, record_request
from approvals.keys import make_corrected_key, make_digest
from approvals.models import ActionRequest, CustomerSession, State
from approvals.operations.deciding import NOTHING_RAN, check_authority, deciding, end_stale
from approvals.operations.errors import NotCorrectable, Stale, Unreadable
from approvals.operations.moving import (
    asked_again,
    deadline,
    describe_obstacle,
    end,
    find_subject,
    lock_subject,
    sign,
    weigh,
)
from orders import changes
from orders.executor import describe_gateway
from policy.actions import ACTIONS, Action
from policy.decisions import Decision, decide
from policy.queries import PolicyMissing
from policy.rules import Outcome, money_asked


def correct(*, request_id: UUID, staff: User, item_ids: Sequence[str], note: str = "") -> ActionRequest:
    """The request that stands in for a waiting one: the same action for these of its items, with a card of its own.

    The old one ends as withdrawn. The new one runs on the customer's yes without another approval, while the person
    who corrected it may still approve its amount. Raises `NotCorrectable`, and what `approve` raises.
    """
    made: list[ActionRequest] = []
    deciding(request_id, staff, lambda request: _correct(request, staff, list(item_ids), note, made))
    [corrected] = made
    return corrected


def reduce(action: Action, item_ids: list[str]) -> Action:
    """The same action for these items alone, in the order it had; more than it had cannot be asked for."""
    arguments = action.arguments()
    held: list[str] = arguments.get("item_ids", [])
    if not held:
        raise NotCorrectable("Only an action with a list of items can be reduced.")
    kept = set(item_ids)
    if not kept or not kept < set(held) or len(kept) != len(item_ids):
        raise NotCorrectable("Keep at least one of the items, and leave at least one out.")
    places = [place for place, item_id in enumerate(held) if item_id in kept]
    for name in ("item_ids", "new_item_ids"):
        if name in arguments:
            arguments[name] = [arguments[name][place] for place in places]
    return ACTIONS[action.name].model_validate(arguments)


def _correct(
    request: ActionRequest, staff: User, item_ids: list[str], note: str, made: list[ActionRequest]
) -> Exception | None:
    try:
        asked = asked_again(request)
        action = reduce(asked.action, item_ids)
    except PolicyMissing:
        return Stale(f"The shop's policy cannot be read. {NOTHING_RAN}")
    except Unreadable as error:
        return end_stale(request, str(error))
    except NotCorrectable as error:
        return error
    unseen = _why_no_card(request)
    if unseen:
        return NotCorrectable(unseen)
    asked = replace(asked, action=action)
    subject = find_subject(asked.session, asked.customer, action)
    if subject is None:
        return Stale(f"{request.order_number} is no longer there, or no longer this customer's. {NOTHING_RAN}")
    subject = lock_subject(subject)
    try:
        planned = changes.plan(action=action, subject=subject)
    except changes.CannotBeDone as error:
        return Stale(f"Facts changed: {describe_obstacle(request, subject, str(error))}. {NOTHING_RAN}")
    if not _is_less(request.amount, planned.total) or planned.currency != request.currency:
        return NotCorrectable("A correction may only move less money, the same way.")
    over = check_authority(staff, weigh(planned), planned.currency)
    if over is not None:
        return over
    return _replace(request, asked, planned, staff, note, made)


def _why_no_card(request: ActionRequest) -> str:
    if request.session.holder != CustomerSession.Holder.AGENT:
        return "A person holds this chat, so the customer can be shown no card."
    if request.session.customer_id != request.customer_id:
        return "The chat was closed meanwhile: the customer is not verified in it any more."
    return ""


def _replace(
    request: ActionRequest, asked: Asked, planned: changes.Plan, staff: User, note: str, made: list[ActionRequest]
) -> Exception | None:
    facts = gather(asked, planned, by_hand=describe_gateway(planned), approved=True, besides=request.pk)
    decision = decide(action=asked.action, facts=facts, limits=asked.policy.limits, suspended=asked.suspended)
    if not _may_be_asked(decision):
        return Stale(f"{decision.rule} refuses this now: {decision.reason} {NOTHING_RAN}")
    sign(request, staff, note)
    actor = f"staff:{staff.get_username()}"
    record_request("approval_declined", request, actor=actor, verdict="corrected", result=note)
    end(request, State.WITHDRAWN, answers.CORRECTED)
    corrected = ActionRequest.objects.create(
        session=request.session,
        customer=request.customer,
        key=make_corrected_key(corrects=request.key, action=asked.action),
        action=request.action,
        arguments=asked.action.arguments(),
        digest=make_digest(action=asked.action, planned=planned),
        order_number=planned.subject.number,
        card=render_card(planned),
        amount=planned.total,
        level_amount=money_asked(facts, asked.policy.limits),
        currency=planned.currency,
        destination=planned.destination,
        facts=describe_facts(facts, planned.subject.order),
        state=State.AWAITING_CUSTOMER,
        # Why a person was asked stays the reason of what that person changed.
        rule=request.rule,
        reason=request.reason,
        policy_version=asked.policy.version,
        prompt_version=request.prompt_version,
        model=request.model,
        # As long as staff had: the customer may have left while they waited.
        expires_at=deadline(for_staff=True),
        note=note,
        corrects=request,
        corrected_by=staff,
    )
    facts_of_it = {"corrects": str(request.pk)}
    record_request("request_proposed", corrected, actor=actor, verdict="corrected", facts=facts_of_it)
    made.append(corrected)
    return None


def _may_be_asked(decision: Decision) -> bool:
    """The measuring mode would run it at once; what a person changed is confirmed in either mode."""
    return decision.outcome in (Outcome.ASK_CUSTOMER, Outcome.ALLOW)


def _is_less(before: int, after: int) -> bool:
    return 0 <= after <= before or before <= after <= 0
