"""What a lost task, a dead worker or a silent gateway left open: asked by key, sent again only while safe."""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from orders.executor import attempt, carry_out, send
from orders.models import Refund
from orders.payments import Answer, Unreachable, get_gateway
from orders.refunds import hold_on, take

IN_DOUBT = (Refund.State.CALLED, Refund.State.UNKNOWN)
# Clocks differ, and a call takes its time: a key counts as forgotten a little early.
MARGIN = timedelta(minutes=5)
# Longer than this nobody waits for a gateway to remember; the person who has it knows more by then.
LOOK_FOR = timedelta(days=30)
# While the gateway is away each call takes its time; what is left over is the next pass's, so that turns get workers.
PASS_SECONDS = 10


@dataclass(frozen=True, kw_only=True)
class Reconciled:
    sent: int
    asked: int

    def __str__(self) -> str:
        return f"{self.sent} effects carried out, {self.asked} refunds looked up"


def reconcile(*, now: datetime, seconds: float = PASS_SECONDS) -> Reconciled:
    """One pass over what is overdue. Two at once do no harm: each refund is taken by one of them."""
    due = Refund.objects.filter(next_try_at__lte=now, effect__created_at__gt=now - LOOK_FOR).order_by("next_try_at")
    until = time.monotonic() + seconds
    sent = asked = 0
    lost = due.filter(state=Refund.State.CLAIMED).values_list("effect", flat=True)
    for effect_id in dict.fromkeys(lost):
        if time.monotonic() < until:
            carry_out(effect_id=effect_id)
            sent += 1
    for refund_id in list(due.filter(state__in=IN_DOUBT).values_list("pk", flat=True)):
        refund = take(refund_id=refund_id, states=IN_DOUBT, now=now, due=True) if time.monotonic() < until else None
        if refund is not None:
            attempt(refund, lambda one: _find_or_send(one, now), now)
            asked += 1
    return Reconciled(sent=sent, asked=asked)


def _find_or_send(refund: Refund, now: datetime) -> Answer | None:
    """What the gateway has under the key; sent again where it has nothing and still knows the key as used."""
    gateway = get_gateway()
    promised = gateway.description
    found = gateway.find(key=refund.key) if promised.look_up else None
    if found is not None:
        return found
    called = refund.first_called_at or now
    fresh = promised.keys and now - called < promised.key_lifetime - MARGIN
    if not fresh or refund.effect.with_person_at is not None:
        return None
    if not hold_on(refund):
        raise Unreachable("another worker asks about it")
    return send(refund)
