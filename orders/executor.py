"""The one way a change reaches the shop's rows; only the gate may call it, and the import contracts keep it so."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from audit.crash_points import reach
from audit.operations import Details, record
from audit.redaction import pseudonym
from audit.statements import insert, save
from orders import changes, mail, nudge, refunds
from orders.changes import Booking, CannotBeDone, Subject
from orders.models import Effect, Order, Payment, Refund, RefundedLine
from orders.payments import Answer, Declined, Unreachable, get_gateway
from orders.payments.ledger import book
from orders.queries import export_customer, export_order, personal_words, to_tool_text
from orders.refunds import Fresh, News
from orders.signals import announce
from policy.actions import Action
from policy.money import major

__all__ = ["CannotBeDone", "Execution", "Grant", "Subject", "carry_out", "describe_gateway", "execute", "replay"]

NO_PROMISE = "The payment gateway does not promise {what}, so a person checks every refund."
BY_HAND = "The payment gateway cannot do a part of this, so a person has to do that part by hand first."


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

    With a remote gateway the refunds are claimed and called for after the commit. Call it inside a transaction that
    holds the subject's rows. Raises `changes.CannotBeDone` where they no longer
    allow it. The key is unique: a second execution of the same consent fails in the database.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("execute must run inside the transaction that decided")
    planned = changes.plan(action=action, subject=subject)
    effect = _claim(action, planned, grant)
    effect.result = _carry(planned, effect)
    if not (get_gateway().description.remote and effect.refunds.exists()):
        # What the shop's own books hold is booked in this transaction, so the effect is done with it.
        effect.state = Effect.State.DONE
        effect.settled_at = timezone.now()
    save(effect, "result", "state", "settled_at")
    _record_write(action, effect, planned, grant)
    transaction.on_commit(lambda: reach("intent committed"))
    if effect.state == Effect.State.CLAIMED:
        nudge.carry_out(effect.pk)
    return Execution(effect=effect, result=effect.result)


def describe_gateway(planned: changes.Plan) -> str:
    """Why the gateway of the settings cannot carry this plan out unless a person looks at it, or nothing."""
    gateway = get_gateway().description
    if not gateway.remote:
        return ""
    if any(refunds.find_rest(entry) for entry in planned.bookings):
        return BY_HAND
    if not any(refunds.list_remote(entry) for entry in planned.bookings):
        return ""
    if not gateway.keys:
        return NO_PROMISE.format(what="that a repeated call acts once")
    return "" if gateway.look_up else NO_PROMISE.format(what="that a refund can be looked up")


def carry_out(*, effect_id: int) -> None:
    """Call the gateway for an effect's claimed refunds and settle each. Safe to call again, and by many at once."""
    claimed = (Refund.State.CLAIMED,)
    for refund_id in Refund.objects.filter(effect=effect_id, state__in=claimed).values_list("pk", flat=True):
        now = timezone.now()
        refund = refunds.take(refund_id=refund_id, states=claimed, now=now, due=False)
        if refund is not None:
            attempt(refund, send, now)


def send(refund: Refund) -> Answer:
    """The call that moves the money, with the key that moves it once."""
    return get_gateway().refund(
        key=refund.key, charge_id=refund.charge_id, amount=refund.amount, currency=refund.currency
    )


def attempt(refund: Refund, ask: Callable[[Refund], Answer | None], now: datetime) -> None:
    """Ask about a refund that was taken, outside any transaction, and settle what comes back.

    `ask` answers None where only a person can go on.
    """
    if connection.in_atomic_block:
        raise RuntimeError("the gateway is asked outside any transaction")
    reach("gateway called")
    try:
        news = _read(refund, ask(refund))
    except Declined as error:
        news = News(state=Refund.State.FAILED, reason=str(error))
    except Unreachable as error:
        news = News(state=Refund.State.UNKNOWN, reason=str(error))
    reach("gateway answered")
    settle(refund_id=refund.pk, news=news, now=now)


def settle(*, refund_id: int, news: News, now: datetime) -> None:
    """What became of a refund, in rows and audit, in a transaction of its own. The first certain news stays."""
    with transaction.atomic():
        # Locks in the house's order: order, effect, refund, and last the head of the audit chain.
        found = Refund.objects.select_related("effect").get(pk=refund_id)
        order_id = found.effect.order_id
        order = Order.objects.select_for_update().get(pk=order_id) if order_id is not None else None
        effect = Effect.objects.select_for_update().get(pk=found.effect_id)
        refund = Refund.objects.select_for_update().get(pk=refund_id)
        if refund.state in refunds.OVER:
            return
        effect.order, refund.effect = order, effect
        fresh = refunds.write(refund, news, now)
        # Passed before anybody is told: whoever dies here leaves the telling to the sweep.
        transaction.on_commit(lambda: reach("result stored"))
        if fresh is not Fresh.NOTHING:
            _record_news(refund, fresh)
            announce(effect.pk)


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
    if effect is not None:
        rows = [RefundedLine(line=line, effect=effect, amount=line.price) for line in planned.refunded]
        RefundedLine.objects.bulk_create(rows)
        if planned.letter is not None:
            letter = planned.letter
            key = f"receipt-{effect.key}"
            mail.post(key=key, purpose="receipt", to=letter.to, subject=letter.subject, text=letter.text)
    if planned.answer is not None:
        return to_tool_text(planned.answer)
    if order is None:
        return to_tool_text(export_customer(customer))
    remote = effect is not None and get_gateway().description.remote
    entries = [(_book(order, effect, entry, remote=remote), entry) for entry in planned.bookings]
    if effect is not None and remote:
        refunds.open_refunds(effect, entries)
    return to_tool_text(export_order(order))


def _book(order: Order, effect: Effect | None, entry: Booking, *, remote: bool) -> Payment:
    pending = remote and refunds.list_remote(entry)
    return book(
        order=order,
        effect=effect,
        kind=entry.kind,
        method=entry.method,
        amount=entry.amount,
        wire=entry.wire,
        undoes=entry.undoes,
        state=Payment.State.PENDING if pending else Payment.State.SETTLED,
    )


def _claim(action: Action, planned: changes.Plan, grant: Grant) -> Effect:
    subject = planned.subject
    effect = Effect(
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
    insert(effect)
    return effect


def _record_write(action: Action, effect: Effect, planned: changes.Plan, grant: Grant) -> None:
    details = Details(
        action=action.name,
        arguments=action.arguments(),
        rule=grant.rule,
        verdict=effect.state,
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


def _read(refund: Refund, answer: Answer | None) -> News:
    """What an answer proves: only exactly what was asked for is done."""
    if answer is None:
        reason = "the gateway knows no refund under this key, and it is not sent again"
        return News(state=Refund.State.UNKNOWN, reason=reason, for_person=True)
    asked = (refund.key, refund.charge_id, refund.amount, refund.currency)
    if (answer.key, answer.charge_id, answer.amount, answer.currency) != asked:
        return News(state=Refund.State.UNKNOWN, reason="the gateway has another refund under this key")
    if not answer.settled:
        reason = "the gateway has not finished it"
        return News(state=Refund.State.UNKNOWN, gateway_id=answer.gateway_id, reason=reason)
    return News(state=Refund.State.DONE, gateway_id=answer.gateway_id)


def _record_news(refund: Refund, fresh: Fresh) -> None:
    effect = refund.effect
    settled = "refund_settled" if refund.state == Refund.State.DONE else "write_failed"
    details = Details(
        action=effect.action,
        arguments=effect.arguments,
        verdict=fresh.value if fresh is not Fresh.SETTLED else refund.state,
        result=refund.reason,
        facts={
            "customer": pseudonym(effect.user_id),
            "order": effect.order_number,
            "amount": major(refund.amount),
            "currency": refund.currency,
            "request": str(effect.request_id),
            "effect_key": effect.key,
            "refund_key": refund.key,
            "gateway_id": refund.gateway_id,
            "tries": refund.tries,
        },
    )
    event = settled if fresh is Fresh.SETTLED else "refund_unknown"
    known = personal_words(effect.customer)
    record(event=event, subject=str(effect.conversation), actor="system", details=details, known=known)
