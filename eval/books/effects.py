"""Invariants 3, 4 and 8: what happened was meant before, allowed, written down after, and told."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid5

from django.db import connection

from approvals.models import ActionRequest, State
from audit.redaction import digest
from conversations.models import Event
from eval.books.evidence import Evidence, Said
from eval.books.gateway_ledger import find_intent
from eval.books.lines import Line, amount, make_line
from orders.models import Effect, Refund

DECIDE = "approvals.decide_actionrequest"
# Rights are not stored with a decision, so those of now are held against the decisions of the last day alone.
RIGHTS_AGE = timedelta(days=1)
# How long the chat may take to tell of an effect.
TELLING_TIME = timedelta(minutes=2)
WINDOW = timedelta(hours=24)
# The last receipt of an effect says how it ended; one on the way is about an id made from the request's.
ENDED = (Effect.State.DONE, Effect.State.FAILED)
ON_THE_WAY = "processing"
# Move nothing of the shop's and ask for no yes.
NO_YES = {"resend_receipt", "update_preference"}
WORDS = {Refund.State.DONE: "refund_settled", Refund.State.FAILED: "write_failed"}


def check_write_ahead(evidence: Evidence) -> Line:
    n = len(evidence.effects) + sum(len(said) for said in evidence.writes.values())
    return make_line(3, "write-ahead", n, [*_written(evidence), *_unmeant(evidence)])


def check_gate(evidence: Evidence) -> Line:
    limits = _limits()
    faults: list[str] = []
    for effect in evidence.effects:
        faults += _consent(evidence, effect)
        faults += _approval(evidence, effect) if effect.approved_by else _alone(evidence, effect, limits)
    return make_line(4, "gate", len(evidence.effects), faults)


def check_honesty(evidence: Evidence) -> Line:
    receipts = list(Event.objects.filter(kind="receipt").order_by("pk"))
    faults = [*_told(evidence, receipts), *_untold(evidence, receipts)]
    unchecked = "the sentences of replies, which carry no mark of what they claim"
    return make_line(8, "honesty", len(receipts), faults, unchecked=unchecked)


def _written(evidence: Evidence) -> Iterator[str]:
    for effect in evidence.effects:
        said = evidence.writes.get(effect.key, [])
        # Written with the intent, in whatever way its payments then end.
        if len(said) != 1:
            yield f"effect {effect.pk} is {effect.state} and has {len(said)} write_ok"
        for one in said:
            yield from _differences(effect, one)
        refunds = evidence.refunds.get(effect.pk, [])
        if (effect.state in ENDED) != all(refund.state in WORDS for refund in refunds):
            yield f"effect {effect.pk} is {effect.state} and its payments are not"
        for refund in refunds:
            yield from _ends(evidence, effect, refund)
    known = {effect.key for effect in evidence.effects}
    for key, entries in evidence.writes.items():
        if key not in known:
            yield f"{entries[0].chain} entry {entries[0].position} tells of an effect that is not there"


def _ends(evidence: Evidence, effect: Effect, refund: Refund) -> Iterator[str]:
    """What a remote gateway did was written down once, after the intent, and what is open was not."""
    entries = evidence.ends.get(refund.key, [])
    expected = [WORDS[Refund.State(refund.state)]] if refund.state in WORDS else []
    if [one.event for one in entries] != expected:
        told = ", ".join(one.event for one in entries) or "nothing"
        yield f"refund {refund.pk} of effect {effect.pk} is {refund.state}, the log says {told}"
    for one in entries:
        if one.facts.get("amount") != amount(refund.amount) or one.facts.get("currency") != refund.currency:
            yield f"refund {refund.pk} of effect {effect.pk} was written down with another amount"
        if any(write.position > one.position for write in evidence.writes.get(effect.key, [])):
            yield f"refund {refund.pk} is older than its intent in the log"


def _differences(effect: Effect, said: Said) -> Iterator[str]:
    name = f"effect {effect.pk}"
    if said.at < effect.created_at:
        yield f"{name} was written down at {said.at:%H:%M:%S.%f}, before it was meant"
    if said.chain != f"conversation:{effect.conversation}":
        yield f"{name} was written down in {said.chain}"
    facts = {"order": effect.order_number, "amount": amount(effect.amount), "currency": effect.currency}
    facts |= {"request": str(effect.request_id), "approved_by": effect.approved_by}
    wrong = [fact for fact, value in facts.items() if said.facts.get(fact) != value]
    if wrong:
        yield f"{name} was written down with another {', '.join(wrong)}"
    if effect.arguments and said.digest != digest(effect.arguments):
        yield f"{name} was written down with other arguments"


def _unmeant(evidence: Evidence) -> Iterator[str]:
    effects = {effect.key: effect for effect in evidence.effects}
    for one in evidence.ledger or ():
        effect = effects.get(one.key) or effects.get(find_intent(one.key, effects) or "")
        if effect is None:
            yield f"the gateway did {one.key[:16]}, which nobody meant"
        elif one.at is not None and one.at < effect.created_at:
            yield f"the gateway did effect {effect.pk} before it was meant"


def _consent(evidence: Evidence, effect: Effect) -> Iterator[str]:
    request = evidence.requests.get(str(effect.request_id))
    if request is None:
        yield f"effect {effect.pk} has no request"
        return
    if request.state != State.GRANTED or request.effect_id != effect.pk:
        yield f"effect {effect.pk} ran for a request that is {request.state}"
    if request.arguments != effect.arguments or request.action != effect.action:
        yield f"effect {effect.pk} ran with other arguments than its request"
    asks = effect.action not in NO_YES and request.session.guard != "audit"
    if request.confirmed_at is None and asks:
        yield f"effect {effect.pk} ran without the customer's yes"


def _approval(evidence: Evidence, effect: Effect) -> Iterator[str]:
    request = evidence.requests.get(str(effect.request_id))
    if request is None:
        return
    name, staff = f"effect {effect.pk}", request.decided_by
    if request.decided_at is None or request.decided_at > (effect.settled_at or effect.created_at):
        yield f"{name} ran before its approval"
    if staff is not None and staff.get_username() != effect.approved_by:
        yield f"{name} says {effect.approved_by}, its request {staff.get_username()}"
    lately = request.decided_at is not None and request.decided_at > evidence.now - RIGHTS_AGE
    if lately and (staff is None or not (staff.is_active and staff.is_staff and staff.has_perm(DECIDE))):
        yield f"{name} was approved by somebody who may not"
    yield from _approval_entry(evidence, effect, request)


def _approval_entry(evidence: Evidence, effect: Effect, request: ActionRequest) -> Iterator[str]:
    entries = evidence.approvals.get(str(request.pk), [])
    if len(entries) != 1:
        yield f"effect {effect.pk} has {len(entries)} approvals in the log"
        return
    [said] = entries
    if said.actor != f"staff:{effect.approved_by}":
        yield f"effect {effect.pk} was approved by {said.actor} in the log"
    if said.digest != digest(effect.arguments) and effect.arguments:
        yield f"effect {effect.pk} was approved with other arguments"
    if any(said.position > write.position for write in evidence.writes.get(effect.key, [])):
        yield f"effect {effect.pk} is older than its approval in the log"


def _alone(evidence: Evidence, effect: Effect, limits: dict[int, int]) -> Iterator[str]:
    """Granted without a person: with everything granted so before it, in the same place, it keeps the limit."""
    versions = [said.policy_version for said in evidence.writes.get(effect.key, [])[:1]]
    for version in versions:
        if version not in limits:
            yield f"effect {effect.pk} ran under policy version {version}, which is not there"
        elif effect.amount and (together := _granted_together(evidence, effect)) > limits[version]:
            limit = amount(limits[version])
            yield f"effect {effect.pk} ran without a person, with {amount(together)} together above {limit}"


def _granted_together(evidence: Evidence, effect: Effect) -> int:
    near = [
        *evidence.alone["conversation", str(effect.conversation)],
        *evidence.alone["order", effect.order_number],
        *(one for one in evidence.alone["user", effect.user_id] if one.created_at > effect.created_at - WINDOW),
    ]
    before = {one.pk: one for one in near if (one.created_at, one.pk) <= (effect.created_at, effect.pk)}
    return sum(one.amount for one in before.values())


def _limits() -> dict[int, int]:
    """Minor units by policy version, read from the rows and not by the code that is being checked."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT number, limits FROM policy_policyversion")
        rows: list[tuple[int, str]] = cursor.fetchall()
    return {number: int(Decimal(json.loads(limits)["person_above"]) * 100) for number, limits in rows}


def _told(evidence: Evidence, receipts: list[Event]) -> Iterator[str]:
    effects = {str(effect.request_id): effect for effect in evidence.effects}
    under_way = {str(uuid5(effect.request_id, ON_THE_WAY)): effect for effect in evidence.effects}
    for receipt in receipts:
        name = f"receipt {receipt.seq} of {receipt.conversation_id}"
        said = receipt.body.get("status")
        effect = (under_way if said == ON_THE_WAY else effects).get(str(receipt.about))
        if effect is None or effect.conversation != receipt.conversation_id:
            yield f"{name} tells of nothing that was done here"
            continue
        if said not in (ON_THE_WAY, effect.state):
            yield f"{name} says {said}, effect {effect.pk} is {effect.state}"
        yield from (f"{name} tells another {what}" for what in _wrong_words(evidence, effect, receipt.body))


def _wrong_words(evidence: Evidence, effect: Effect, body: dict[str, Any]) -> Iterator[str]:
    request = evidence.requests.get(str(effect.request_id))
    facts = {"action": effect.action, "order_id": effect.order_number, "currency": effect.currency}
    facts["destination"] = effect.destination
    if request is not None:
        facts["amount"] = amount(request.amount)
    yield from (what for what, value in facts.items() if body.get(what) != value)


def _untold(evidence: Evidence, receipts: list[Event]) -> Iterator[str]:
    told: dict[str, list[str]] = {}
    for receipt in receipts:
        told.setdefault(str(receipt.about), []).append(str(receipt.body.get("status")))
    for effect in evidence.effects:
        count = told.get(str(effect.request_id), []).count(effect.state)
        if effect.state not in ENDED or (count == 0 and _was_just_now(effect, evidence.now)):
            continue
        if count != 1:
            yield f"effect {effect.pk} was told {count} times"


def _was_just_now(effect: Effect, now: datetime) -> bool:
    return (effect.settled_at or effect.created_at) > now - TELLING_TIME
