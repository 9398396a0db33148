"""The rows of what goes back through a remote gateway: opened with the change, taken by one caller, and settled.

Every door needs the caller's transaction but `take` and `hold_on`, which are one each.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from audit.plain import make_text
from orders.changes import Booking
from orders.changes.plans import describe_method
from orders.models import Effect, Payment, PaymentMethod, Refund
from orders.queries import export_order, to_tool_text

# A caller that died holds its refund this long; longer than a call may take.
LEASE = timedelta(seconds=30)
# When to look again after a call whose end nobody saw. After the last a person gets it.
DELAYS = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 120, 300, 600, 1800))
TRIES = len(DELAYS) + 1
# With a person it is still looked up, in case the gateway comes back, and never sent again.
DELAY_WITH_PERSON = timedelta(hours=1)
OVER = (Refund.State.DONE, Refund.State.FAILED)


@dataclass(frozen=True, kw_only=True)
class News:
    """What one call or look-up brought. `for_person`: looking again will not help."""

    state: Refund.State
    gateway_id: str = ""
    reason: str = ""
    for_person: bool = False


class Fresh(Enum):
    """What a refund's news changes for the effect as a whole."""

    NOTHING = "nothing"
    FIRST_DOUBT = "first_doubt"
    WITH_PERSON = "with_person"
    SETTLED = "settled"


def list_remote(booking: Booking) -> list[tuple[Payment, int]]:
    """What of a booking a gateway can do: give back to a card or account what that one paid."""
    if booking.kind != Payment.Kind.REFUND or _is_local(booking.method):
        return []
    return [(paid, share) for paid, share in booking.undoes if paid.method_id == booking.method.method_id and share > 0]


def find_rest(booking: Booking) -> int:
    """Minor units of a booking that are neither the shop's own balance nor the gateway's to give back."""
    if _is_local(booking.method):
        return 0
    return booking.amount - sum(share for _, share in list_remote(booking))


def open_refunds(effect: Effect, entries: list[tuple[Payment, Booking]]) -> list[Refund]:
    """One claimed refund for each payment given back. With one alone its key is the effect's."""
    shares = [(row, *share) for row, booking in entries for share in list_remote(booking)]
    return [
        Refund.objects.create(
            effect=effect,
            booking=row,
            paid=paid,
            key=effect.key if len(shares) == 1 else f"{effect.key}-{number}",
            charge_id=_name_charge(paid),
            amount=amount,
            currency=paid.currency,
            destination=describe_method(paid.method),
            next_try_at=timezone.now() + LEASE,
        )
        for number, (row, paid, amount) in enumerate(shares, start=1)
    ]


def take(*, refund_id: int, states: tuple[Refund.State, ...], now: datetime, due: bool) -> Refund | None:
    """The right to call for one refund until the lease ends, committed before the call; None where another has it.

    `due`: only where its time has come.
    """
    rows = Refund.objects.filter(pk=refund_id, state__in=states)
    rows = rows.filter(next_try_at__lte=now) if due else rows
    taken = rows.update(
        state=Refund.State.CALLED,
        tries=F("tries") + 1,
        first_called_at=Coalesce("first_called_at", now),
        next_try_at=now + LEASE,
    )
    return Refund.objects.select_related("effect").get(pk=refund_id) if taken else None


def hold_on(refund: Refund) -> bool:
    """Renew the lease before a second call; False where another caller has the refund by now."""
    mine = Refund.objects.filter(pk=refund.pk, state=Refund.State.CALLED, tries=refund.tries)
    return mine.update(next_try_at=timezone.now() + LEASE) == 1


def write(refund: Refund, news: News, now: datetime) -> Fresh:
    """Store what became of a refund in its row, its payments and its effect; hold the order's and effect's rows."""
    # The gateway's words may hold what a database cannot.
    refund.state, refund.reason = news.state, make_text(news.reason)[:200]
    refund.gateway_id = news.gateway_id or refund.gateway_id
    if news.state in OVER:
        refund.settled_at = timezone.now()
        refund.save(update_fields=["state", "reason", "gateway_id", "settled_at"])
        _settle_books(refund)
        _settle_effect(refund.effect)
        return Fresh.SETTLED
    return _doubt(refund, news, now)


def _doubt(refund: Refund, news: News, now: datetime) -> Fresh:
    effect, first = refund.effect, refund.unknown_since is None
    gives_up = (news.for_person or refund.tries >= TRIES) and effect.with_person_at is None
    if gives_up:
        effect.with_person_at = now
    # Looking again stays worth while for the other refunds of an effect that a person has.
    last = news.for_person or refund.tries >= TRIES
    refund.next_try_at = now + (DELAY_WITH_PERSON if last else DELAYS[refund.tries - 1])
    refund.unknown_since = refund.unknown_since or now
    refund.save(update_fields=["state", "reason", "gateway_id", "next_try_at", "unknown_since"])
    effect.state = Effect.State.UNKNOWN
    effect.save(update_fields=["state", "with_person_at"])
    if gives_up:
        return Fresh.WITH_PERSON
    return Fresh.FIRST_DOUBT if first else Fresh.NOTHING


def _settle_books(refund: Refund) -> None:
    """The history's entry stands or fails; what failed can be given back by another decision."""
    if refund.state == Refund.State.FAILED and refund.paid_id is not None:
        Payment.objects.filter(pk=refund.paid_id).update(refunded=F("refunded") - refund.amount)
    if refund.booking_id is None:
        return
    states = set(Refund.objects.filter(booking=refund.booking_id).values_list("state", flat=True))
    if Refund.State.FAILED in states:
        state = Payment.State.FAILED
    else:
        state = Payment.State.SETTLED if states == {Refund.State.DONE} else Payment.State.PENDING
    Payment.objects.filter(pk=refund.booking_id).update(state=state)


def _settle_effect(effect: Effect) -> None:
    """Done once all of it is; failed once nothing of it is open and a part was refused."""
    states = set(effect.refunds.values_list("state", flat=True))
    if not states <= set(OVER):
        return
    effect.state = Effect.State.FAILED if Refund.State.FAILED in states else Effect.State.DONE
    effect.settled_at = timezone.now()
    if effect.state == Effect.State.FAILED and not _gave_anything(effect):
        effect.lines.update(released=True)
    if effect.order is not None:
        effect.result = to_tool_text(export_order(effect.order))
    effect.save(update_fields=["state", "settled_at", "result"])


def _gave_anything(effect: Effect) -> bool:
    """Whether a part of it went back: by the gateway, or to a gift card in the first commit."""
    if effect.refunds.filter(state=Refund.State.DONE).exists():
        return True
    return effect.payments.filter(kind=Payment.Kind.REFUND, state=Payment.State.SETTLED).exists()


def _is_local(method: PaymentMethod) -> bool:
    return method.source == PaymentMethod.Source.GIFT_CARD


def _name_charge(paid: Payment) -> str:
    """How shop and gateway both call a payment: the order's number and the payment's place in its history."""
    return f"{paid.order.number.removeprefix('#')}-{paid.position}"
