"""Money for the model: reserved before each call, settled after it, so that no cap is ever passed."""

from dataclasses import dataclass
from functools import partial

from django.db import transaction

from conversations.agent import prices
from conversations.agent.protocol import ModelReply, ModelRequest
from conversations.models import Conversation, ModelCall, Turn
from conversations.operations.blocks import purse
from conversations.operations.spending import (
    UNSEEN,
    CapReached,
    Scope,
    book,
    record_call,
    today,
    unbook,
    visitor_of,
)

# No try was billed: the provider said no, or was not reached.
REFUSED = "refused_unbilled"


@dataclass(kw_only=True)
class Reservation:
    """The most a call can cost, booked on its day and its visitor. Free calls have no row until they are settled.

    `nano`: the most that one try can cost; `tries` of them are booked.
    """

    call: ModelCall
    model: str
    nano: int
    day: str
    visitor: str
    tries: int = 1


def stock_up(*, model: str, request: ModelRequest) -> None:
    """Fetch the shop's money for this call ahead of the turn's transaction, so that it locks no row of the shop."""
    if not prices.is_free(model):
        purse.stock_up(prices.most(model, request))


def reserve(*, conversation: Conversation, turn: Turn, model: str, request: ModelRequest) -> Reservation:
    """Book the most that this call can cost, in the turn's transaction. Raises `CapReached`, with nothing booked."""
    nano, day = prices.most(model, request), today()
    call = ModelCall(
        turn=turn,
        model=model[:80],
        prompt_version=conversation.prompt_version,
        input_tokens=0,
        output_tokens=0,
        cache_read_tokens=0,
        cache_write_tokens=0,
        first_token_ms=0,
        latency_ms=0,
        cost_nano=nano,
    )
    held = Reservation(call=call, model=model, nano=nano, day=day, visitor=visitor_of(conversation) if nano else "")
    if nano:
        call.open = True
        with transaction.atomic():
            _book(held, conversation)
            call.save()
            purse.take(nano, day)
    return held


def retry(held: Reservation, *, conversation: Conversation) -> bool:
    """Book one more try of a call, outside any transaction, before the provider is asked again.

    False where a cap has no room for it or another worker has the turn: do not ask.
    """
    if not held.nano:
        return True
    purse.stock_up(held.nano)
    try:
        with transaction.atomic():
            _book(held, conversation)
            if not ModelCall.objects.filter(pk=held.call.pk, open=True).update(cost_nano=held.nano * (held.tries + 1)):
                transaction.set_rollback(True)
                return False
            purse.take(held.nano, held.day)
    except CapReached:
        return False
    held.tries += 1
    return True


def settle(held: Reservation, *, conversation: Conversation, reply: ModelReply | None, lost: int = 0) -> None:
    """Record a call that is over at what it cost, in a transaction, and free the rest once that commits.

    `lost` tries ended unseen and may have been billed: each costs its reservation, and so does a reply that was cut
    off, because it has counted no more than its beginning. Does nothing where the turn was claimed again meanwhile:
    the call was charged in full then.
    """
    seen = _describe(held, reply, lost)
    call = held.call
    if held.nano and not ModelCall.objects.filter(pk=call.pk, open=True).update(**seen):
        return
    for name, value in seen.items():
        setattr(call, name, value)
    if not held.nano:
        call.save()
    freed = held.nano * held.tries - call.cost_nano
    if freed:
        unbook(Scope.CONVERSATION, freed, subject=str(conversation.pk))
        unbook(Scope.VISITOR, freed, subject=held.visitor, day=held.day)
        # Only a commit makes it true; a rollback keeps the whole reservation spent.
        transaction.on_commit(partial(purse.put_back, freed, held.day), robust=True)
    record_call(call, conversation)


def _book(held: Reservation, conversation: Conversation) -> None:
    book(Scope.CONVERSATION, held.nano, subject=str(conversation.pk))
    book(Scope.VISITOR, held.nano, subject=held.visitor, day=held.day)


def _describe(held: Reservation, reply: ModelReply | None, lost: int) -> dict[str, str | int | bool]:
    """The columns of a call that is over."""
    cost = lost * held.nano
    if reply is None:
        return {"stop_reason": UNSEEN if lost else REFUSED, "cost_nano": cost, "open": False}
    usage = reply.usage
    return {
        "model": reply.model[:80],
        "stop_reason": (reply.stop_reason or "")[:40],
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cache_read_tokens": usage.cache_read_tokens,
        "cache_write_tokens": usage.cache_write_tokens,
        "first_token_ms": reply.first_token_ms,
        "latency_ms": reply.latency_ms,
        "cost_nano": cost + (held.nano if reply.stop_reason is None else prices.price(held.model, usage)),
        "open": False,
    }
