"""The one way a change reaches the shop's rows; only the gate may call it, and the import contracts keep it so."""

from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from audit.crash_points import reach
from audit.operations import Details, record
from audit.redaction import pseudonym
from orders import changes
from orders.changes import CannotBeDone, Subject
from orders.models import Effect
from orders.payments.ledger import book
from orders.queries import export_customer, export_order, personal_words, to_tool_text
from policy.actions import Action
from policy.money import major

__all__ = ["CannotBeDone", "Execution", "Grant", "Subject", "execute", "replay"]


@dataclass(frozen=True, kw_only=True)
class Grant:
    """On what authority a change runs: the request, whose conversation, and who let it pass."""

    key: str
    request_id: UUID
    conversation: UUID
    actor: str
    # The approving member of staff, or empty where no person was asked.
    approved_by: str
    policy_version: int
    rule: str


@dataclass(frozen=True, kw_only=True)
class Execution:
    effect: Effect
    result: str


def execute(*, action: Action, subject: changes.Subject, grant: Grant) -> Execution:
    """The rows' change, its Effect, its payments and the audit entry, committed together or not at all.

    Call it inside a transaction that holds the subject's rows. Raises `changes.CannotBeDone` where they no longer
    allow it. The key is unique: a second execution of the same consent fails in the database.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("execute must run inside the transaction that decided")
    planned = changes.plan(action=action, subject=subject)
    transaction.on_commit(lambda: reach("intent committed"))
    effect = _claim(action, planned, grant)
    effect.result = _carry(planned, effect)
    # The local ledger books in this transaction, so the effect is done with it.
    effect.state = Effect.State.DONE
    effect.settled_at = timezone.now()
    effect.save(update_fields=["result", "state", "settled_at"])
    _record_write(action, effect, planned, grant)
    return Execution(effect=effect, result=effect.result)


def replay(*, action: Action, subject: changes.Subject) -> str:
    """The raw door of the parity run: what the public tool would do and answer, below gate, models, effect and audit.

    `action` may hold values that its model would refuse. Raises `changes.CannotBeDone` with the tool's own text, or
    whatever the odd value causes.
    """
    return _carry(changes.plan(action=action, subject=subject), None)


def _carry(planned: changes.Plan, effect: Effect | None) -> str:
    """Write the plan and answer as the tool does."""
    order, customer = planned.subject.order, planned.subject.customer
    changes.apply(planned)
    if order is None:
        return to_tool_text(export_customer(customer))
    for entry in planned.bookings:
        book(
            order=order,
            effect=effect,
            kind=entry.kind,
            method=entry.method,
            amount=entry.amount,
            wire=entry.wire,
            undoes=entry.undoes,
        )
    return to_tool_text(export_order(order))


def _claim(action: Action, planned: changes.Plan, grant: Grant) -> Effect:
    subject = planned.subject
    return Effect.objects.create(
        key=grant.key,
        request_id=grant.request_id,
        conversation=grant.conversation,
        order=subject.order,
        order_number=subject.number,
        customer=subject.customer,
        user_id=subject.customer.user_id,
        action=action.name,
        arguments=action.arguments(),
        amount=planned.money_back,
        currency=planned.currency,
        destination=planned.destination,
        state=Effect.State.CLAIMED,
        approved_by=grant.approved_by,
    )


def _record_write(action: Action, effect: Effect, planned: changes.Plan, grant: Grant) -> None:
    details = Details(
        action=action.name,
        arguments=action.arguments(),
        rule=grant.rule,
        verdict="done",
        policy_version=grant.policy_version,
        facts={
            "customer": pseudonym(effect.user_id),
            "order": effect.order_number,
            "amount": major(effect.amount),
            "currency": effect.currency,
            "request": str(grant.request_id),
            "effect_key": grant.key,
            "approved_by": grant.approved_by,
        },
    )
    known = personal_words(planned.subject.customer)
    record(event="write_ok", subject=str(grant.conversation), actor=grant.actor, details=details, known=known)
