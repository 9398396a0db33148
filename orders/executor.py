"""The one way a change reaches the shop's rows; only the gate may call it, and the import contracts keep it so."""

from dataclasses import dataclass
from uuid import UUID

from django.db import connection
from django.utils import timezone

from audit.operations import Details, record
from audit.redaction import pseudonym
from orders import changes
from orders.models import Effect, Order
from orders.payments.ledger import book_refund
from orders.queries import export_order, personal_words, to_tool_text
from policy.actions import Action
from policy.money import major


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


def execute(*, action: Action, order: Order, grant: Grant) -> Execution:
    """The order's change, its Effect, its payments and the audit entry, committed together or not at all.

    Call it inside a transaction that holds the order's row. Raises `changes.CannotBeDone` where the rows no longer
    allow it. The key is unique: a second execution of the same consent fails in the database.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("execute must run inside the transaction that decided")
    planned = changes.plan(action=action, order=order)
    effect = _claim(action, planned, grant)
    changes.apply_to_order(action=action, done=planned)
    position = order.payments.count()
    for offset, refund in enumerate(planned.refunds):
        book_refund(effect=effect, payment=refund.payment, amount=refund.amount, position=position + offset)
    effect.result = to_tool_text(export_order(order))
    # The local ledger books in this transaction, so the effect is done with it.
    effect.state = Effect.State.DONE
    effect.settled_at = timezone.now()
    effect.save(update_fields=["result", "state", "settled_at"])
    _record_write(action, effect, planned, grant)
    return Execution(effect=effect, result=effect.result)


def _claim(action: Action, planned: changes.Plan, grant: Grant) -> Effect:
    order = planned.order
    return Effect.objects.create(
        key=grant.key,
        request_id=grant.request_id,
        conversation=grant.conversation,
        order=order,
        order_number=order.number,
        customer=order.customer,
        user_id=order.customer.user_id,
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
    known = personal_words(planned.order.customer)
    record(event="write_ok", subject=str(grant.conversation), actor=grant.actor, details=details, known=known)
