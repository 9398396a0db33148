"""Invariants 3, 4 and 8: what happened was meant before, allowed, written down after, and told."""

import json
from collections import Counter
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
    remote = set(Refund.objects.values_list("effect", flat=True))
    for effect in evidence.effects:
        if effect.state != Effect.State.DONE and effect.pk not in remote:
            yield f"effect {effect.pk} is {effect.state} and has no refund"
        said = evidence.writes.get(effect.key, [])
        # Committed with the change itself, whatever becomes of the money.
        if len(said) != 1:
            yield f"effect {effect.pk} is {effect.state} and has {len(said)} write_ok"
        for one in said:
            yield from _differences(effect, one)
    known = {effect.key for effect in evidence.effects}
    for key, entries in evidence.writes.items():
        if key not in known:
            yield f"{entries[0].chain} entry {entries[0].position} tells of an effect that is not there"
    yield from _settled(evidence)


def _settled(evidence: Evidence) -> Iterator[str]:
    """The gateway's last word on each refund is written down once, and none before it came."""
    events = {Refund.State.DONE.value: "refund_settled", Refund.State.FAILED.value: "write_failed"}
    for key, state in Refund.objects.order_by("pk").values_list("key", "state"):
        written = [said.event for said in evidence.settlings.get(key, [])]
        expected = [events[state]] if state in events else []
        if written != expected:
            yield f"refund {key[:16]} is {state} and has {', '.join(written) or 'no entry'}"


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
    if request.confirmed_at is None and request.session.guard != "audit":
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
    on_the_way = {_name_way(effect): effect for effect in evidence.effects}
    for receipt in receipts:
        name, about = f"receipt {receipt.seq} of {receipt.conversation_id}", str(receipt.about)
        effect = effects.get(about) or on_the_way.get(about)
        if effect is None or effect.conversation != receipt.conversation_id:
            yield f"{name} tells of nothing that was done here"
            continue
        status = receipt.body.get("status")
        if (about in on_the_way) != (status == "processing"):
            yield f"{name} says {status} of another stage"
        elif status not in ("processing", effect.state):
            yield f"{name} says {status}, effect {effect.pk} is {effect.state}"
        yield from (f"{name} tells another {what}" for what in _wrong_words(evidence, effect, receipt.body))


def _name_way(effect: Effect) -> str:
    """What the receipt of a refund that is being made is about; the one of its end is about the request."""
    return str(uuid5(effect.request_id, "processing"))


def _wrong_words(evidence: Evidence, effect: Effect, body: dict[str, Any]) -> Iterator[str]:
    request = evidence.requests.get(str(effect.request_id))
    facts = {"action": effect.action, "order_id": effect.order_number, "currency": effect.currency}
    facts["destination"] = effect.destination
    if request is not None:
        facts["amount"] = amount(request.amount)
    yield from (what for what, value in facts.items() if body.get(what) != value)


def _untold(evidence: Evidence, receipts: list[Event]) -> Iterator[str]:
    told = Counter(str(receipt.about) for receipt in receipts)
    for effect in evidence.effects:
        if (count := told[_name_way(effect)]) > 1:
            yield f"effect {effect.pk} was told {count} times to be processing"
        count = told[str(effect.request_id)]
        open_ = effect.state not in (Effect.State.DONE, Effect.State.FAILED)
        if open_ or (count == 0 and _was_just_now(effect, evidence.now)):
            continue
        if count != 1:
            yield f"effect {effect.pk} was told {count} times"


def _was_just_now(effect: Effect, now: datetime) -> bool:
    return (effect.settled_at or effect.created_at) > now - TELLING_TIME
