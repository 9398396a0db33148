"""What a lost task, a dead worker or a silent gateway left open: asked by key, sent again only while safe."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from orders.executor import attempt, carry_out, send
from orders.models import Refund
from orders.payments import Answer, get_gateway
from orders.refunds import take

IN_DOUBT = (Refund.State.CALLED, Refund.State.UNKNOWN)
# Clocks differ, and a call takes its time: a key counts as forgotten a little early.
MARGIN = timedelta(minutes=5)
# Longer than this nobody waits for a gateway to remember; the person who has it knows more by then.
LOOK_FOR = timedelta(days=30)
MOST_A_PASS = 200


@dataclass(frozen=True, kw_only=True)
class Reconciled:
    sent: int
    asked: int

    def __str__(self) -> str:
        return f"{self.sent} effects carried out, {self.asked} refunds looked up"


def reconcile(*, now: datetime) -> Reconciled:
    """One pass over what is overdue. Two at once do no harm: each refund is taken by one of them."""
    due = Refund.objects.filter(next_try_at__lte=now, effect__created_at__gt=now - LOOK_FOR).order_by("next_try_at")
    lost = list(due.filter(state=Refund.State.CLAIMED).values_list("effect", flat=True)[:MOST_A_PASS])
    effects = list(dict.fromkeys(lost))
    for effect_id in effects:
        carry_out(effect_id=effect_id)
    asked = 0
    for refund_id in list(due.filter(state__in=IN_DOUBT).values_list("pk", flat=True)[:MOST_A_PASS]):
        refund = take(refund_id=refund_id, states=IN_DOUBT, now=now, due=True)
        if refund is not None:
            attempt(refund, lambda one: _find_or_send(one, now), now)
            asked += 1
    return Reconciled(sent=len(effects), asked=asked)


def _find_or_send(refund: Refund, now: datetime) -> Answer | None:
    """What the gateway has under the key; sent again where it has nothing and still knows the key as used."""
    gateway = get_gateway()
    promised = gateway.description
    found = gateway.find(key=refund.key) if promised.look_up else None
    if found is not None:
        return found
    called = refund.first_called_at or now
    fresh = promised.keys and now - called < promised.key_lifetime - MARGIN
    return send(refund) if fresh and refund.effect.with_person_at is None else None
