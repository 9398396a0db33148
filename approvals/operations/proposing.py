"""A write call comes in: check it, compute its effect, open the card."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any
from uuid import UUID

from approvals import answers
from approvals.cards import render_card
from approvals.gathering import Asked, describe_facts, gather, gather_access, record_gate, record_request
from approvals.keys import make_digest
from approvals.models import ActionRequest, CustomerSession, State
from approvals.operations.moving import deadline, find_subject, grant, lock_subject, require_transaction
from approvals.operations.shadowing import shadow
from approvals.queries import get_result
from approvals.reads import ORDER_NOT_FOUND
from approvals.sessions import AGENT, USER_NOT_FOUND, Voice, lock_session
from approvals.signals import announce
from audit.crash_points import reach
from audit.operations import Details, record
from audit.statements import Rows, Slot, insert
from orders import changes
from orders.executor import describe_gateway
from orders.queries import personal_words
from policy.actions import Action, ModifyUserAddress, UpdatePreference
from policy.decisions import Decision, decide, decide_access
from policy.queries import PolicyMissing, get_active
from policy.rules import Outcome, money_asked
from policy.spoken import Exchange, is_yes_to

NO_POLICY = answers.policy_refusal("R0", "The shop's policy cannot be read, so nothing may be changed.")


_BEFORE = Rows(
    lambda: ActionRequest.objects.select_related("session__customer", "effect").filter(
        key=Slot("key", ActionRequest._meta.get_field("key"))
    )
)


class Standing(Enum):
    """Where a proposed action stands."""

    REFUSED = auto()
    CARD = auto()
    REVIEW = auto()
    ENDED = auto()


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What became of a write call. `text` is for the model; a card and a review have none yet."""

    standing: Standing
    text: str = ""
    is_error: bool = False
    request: ActionRequest | None = None


def propose(
    *,
    conversation: UUID,
    action: Action,
    key: str,
    voice: Voice,
    exchange: Exchange | None = None,
    session: CustomerSession | None = None,
) -> Proposal:
    """Check everything, compute the effect by dry run and open the card. Nothing of the shop changes.

    Inside the caller's transaction. A repeat of the same call under the same key gets what the first one got. With an
    `exchange` only what the customer agreed to in it gets a card; `speaking.propose_spoken` answers that card.
    `session`: where it is locked already.
    """
    require_transaction()
    session = session or lock_session(conversation)
    before = _BEFORE.first(key=key)
    if before is not None:
        return _repeat(before)
    try:
        asked = Asked(session=session, customer=session.customer, action=action, policy=get_active(), voice=voice)
    except PolicyMissing:
        return _refuse_without_policy(conversation, action)
    subject = find_subject(session, session.customer, action)
    access = decide_access(
        action=action, facts=gather_access(asked, subject), limits=asked.policy.limits, suspended=asked.suspended
    )
    if access.outcome is Outcome.REFUSE and access.rule != "R2":
        return _refuse(asked, access, answers.policy_refusal(access.rule, access.reason))
    if subject is None or access.outcome is Outcome.REFUSE:
        # Missing and not theirs look the same: the tool's own words.
        missing = USER_NOT_FOUND if isinstance(action, ModifyUserAddress | UpdatePreference) else ORDER_NOT_FOUND
        return _refuse(asked, access, missing, verdict="not_found")
    return _propose_on(asked, lock_subject(subject), key, exchange)


def refuse_malformed(*, conversation: UUID, tool: str, arguments: dict[str, Any], reason: str, voice: Voice) -> None:
    """Record a write that never was one: an unknown tool, or arguments its schema refuses."""
    session = CustomerSession.objects.select_related("customer").get(conversation=conversation)
    details = Details(
        action=tool,
        arguments=arguments,
        verdict="malformed",
        prompt_version=voice.prompt_version,
        model=voice.model,
        result=reason,
    )
    words = personal_words(session.customer)
    record(event="write_refused", subject=str(conversation), actor=AGENT, details=details, known=words)


def _propose_on(asked: Asked, subject: changes.Subject, key: str, exchange: Exchange | None) -> Proposal:
    try:
        planned = changes.plan(action=asked.action, subject=subject)
    except changes.CannotBeDone as error:
        record_gate("write_refused", asked, known=subject.customer, verdict="cannot_be_done", result=str(error))
        return Proposal(standing=Standing.REFUSED, text=str(error), is_error=True)
    facts = gather(asked, planned, by_hand=describe_gateway(planned))
    decision = decide(action=asked.action, facts=facts, limits=asked.policy.limits, suspended=asked.suspended)
    reach("policy decided")
    if decision.outcome is Outcome.REFUSE:
        return _refuse(asked, decision, answers.policy_refusal(decision.rule, decision.reason))
    if exchange is not None and decision.outcome is Outcome.ASK_CUSTOMER and not _agreed(asked, exchange):
        return _refuse(asked, decision, answers.policy_refusal(decision.rule, answers.ask_first(asked.action)))
    waits_for_staff = decision.outcome is Outcome.ASK_STAFF
    request = ActionRequest(
        session=asked.session,
        customer=asked.customer,
        key=key,
        action=asked.action.name,
        arguments=asked.action.arguments(),
        digest=make_digest(action=asked.action, planned=planned),
        order_number=subject.number,
        card=render_card(planned),
        amount=planned.total,
        level_amount=money_asked(facts, asked.policy.limits),
        currency=planned.currency,
        destination=planned.destination,
        facts=describe_facts(facts, subject.order),
        state=State.AWAITING_STAFF if waits_for_staff else State.AWAITING_CUSTOMER,
        rule=decision.rule,
        reason=decision.reason,
        policy_version=asked.policy.version,
        prompt_version=asked.voice.prompt_version,
        model=asked.voice.model,
        expires_at=deadline(for_staff=waits_for_staff),
        spoken_to=exchange.number if exchange is not None and decision.outcome is Outcome.ASK_CUSTOMER else None,
    )
    insert(request)
    return _after_proposal(asked, request, subject, decision)


def _agreed(asked: Asked, exchange: Exchange) -> bool:
    """The customer said yes to exactly this, and nothing came of that yes before."""
    used = asked.session.requests.filter(spoken_to=exchange.number).exists()
    return not used and is_yes_to(asked.action, exchange)


def _after_proposal(asked: Asked, request: ActionRequest, subject: changes.Subject, decision: Decision) -> Proposal:
    if decision.would_refuse is not None:
        rule = decision.would_refuse.rule
        record_request("write_would_refuse", request, actor=AGENT, rule=rule, verdict="would_refuse")
    if decision.outcome is Outcome.ASK_CUSTOMER:
        record_request("request_proposed", request, actor=AGENT, verdict="ask_customer")
        return Proposal(standing=Standing.CARD, request=request)
    if decision.outcome is Outcome.ASK_STAFF:
        record_request("approval_requested", request, actor=AGENT, verdict="ask_staff")
        reach("approval requested")
        announce(request.pk, request.state)
        return Proposal(standing=Standing.REVIEW, request=request)
    if decision.outcome is Outcome.SHADOW:
        shadow(request, decision, policy_version=asked.policy.version)
        return Proposal(standing=Standing.ENDED, text=request.result, request=request)
    # Of low risk, which needs no card; or the measuring mode, whose suspended R3 lets every write run without one.
    grant(asked, request, subject)
    return Proposal(standing=Standing.ENDED, text=get_result(request), request=request)


def _repeat(request: ActionRequest) -> Proposal:
    if request.state == State.AWAITING_CUSTOMER:
        return Proposal(standing=Standing.CARD, request=request)
    if request.state == State.AWAITING_STAFF:
        return Proposal(standing=Standing.REVIEW, request=request)
    record_request("write_replayed", request, actor=AGENT, verdict=request.state)
    text = get_result(request)
    return Proposal(standing=Standing.ENDED, text=text, is_error=request.result_is_error, request=request)


def _refuse(asked: Asked, decision: Decision, text: str, *, verdict: str = "refused") -> Proposal:
    record_gate(
        "write_refused",
        asked,
        rule=decision.rule,
        verdict=verdict,
        policy_version=asked.policy.version,
        result=text,
    )
    return Proposal(standing=Standing.REFUSED, text=text, is_error=True)


def _refuse_without_policy(conversation: UUID, action: Action) -> Proposal:
    details = Details(action=action.name, arguments=action.arguments(), rule="R0", verdict="refused", result=NO_POLICY)
    record(event="write_refused", subject=str(conversation), actor=AGENT, details=details)
    return Proposal(standing=Standing.REFUSED, text=NO_POLICY, is_error=True)
