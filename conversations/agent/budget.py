"""Money for the model: reserved before each call, settled after it, so that no cap is ever passed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction

from audit.statements import Change, Slot, insert
from conversations.agent import prices
from conversations.agent.protocol import ModelReply, ModelRequest
from conversations.models import Conversation, ModelCall, Turn
from conversations.operations.blocks import purse
from conversations.operations.spending import (
    UNSEEN,
    CapReached,
    record_call,
    shift,
    today,
    visitor_of,
)

SEEN = (
    *("model", "stop_reason", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"),
    *("first_token_ms", "latency_ms", "cost_nano", "open"),
)
# Only an open call is closed: one that another worker charged in full stays so.
_SLOTS: dict[str, Any] = {name: Slot(name, ModelCall._meta.get_field(name)) for name in SEEN}
_CLOSE = Change(lambda: ModelCall.objects.filter(pk=Slot("pk", ModelCall._meta.pk), open=True), **_SLOTS)
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


@dataclass(frozen=True, kw_only=True)
class Freed:
    """What a settled call did not cost, still to be returned to its accounts: alone, or with the next reservation."""

    nano: int
    day: str
    visitor: str


def reserve(
    *,
    conversation: Conversation,
    turn: Turn,
    model: str,
    request: ModelRequest,
    freed: Freed | None = None,
    prompt: str = "",
) -> Reservation:
    """Book the most that this call can cost, in the turn's transaction, and return what an earlier one `freed`.

    `prompt`: its version where it is not the segment's. Raises `CapReached`, with nothing booked and nothing returned.
    """
    nano, day = prices.most(model, request), today()
    call = ModelCall(
        turn=turn,
        model=model[:80],
        prompt_version=prompt or conversation.prompt_version,
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
        _book(held, conversation, freed)
        try:
            purse.take(nano, day)
        except CapReached:
            _unbook(held, conversation, freed)
            raise
        insert(call)
    elif freed is not None:
        free(freed, conversation=conversation)
    return held


def free(freed: Freed | None, *, conversation: Conversation) -> None:
    if freed is not None:
        shift(conversation=str(conversation.pk), visitor=freed.visitor, day=freed.day, freed=freed.nano)


def retry(held: Reservation, *, conversation: Conversation) -> bool:
    """Book one more try of a call, outside any transaction, before the provider is asked again.

    False where a cap has no room for it or another worker has the turn: do not ask.
    """
    if not held.nano:
        return True
    purse.stock_up(held.nano)
    try:
        with transaction.atomic():
            _book(held, conversation, None)
            if not ModelCall.objects.filter(pk=held.call.pk, open=True).update(cost_nano=held.nano * (held.tries + 1)):
                transaction.set_rollback(True)
                return False
            purse.take(held.nano, held.day)
    except CapReached:
        return False
    held.tries += 1
    return True


def settle(held: Reservation, *, conversation: Conversation, reply: ModelReply | None, lost: int = 0) -> None:
    """Record a call that is over at what it cost, in a transaction, and free the rest: see `close`."""
    free(close(held, conversation=conversation, reply=reply, lost=lost), conversation=conversation)


def close(
    held: Reservation,
    *,
    conversation: Conversation,
    reply: ModelReply | None,
    lost: int = 0,
    wrong: Mapping[str, int] | None = None,
) -> Freed | None:
    """Record a call that is over at what it cost, in a transaction whose commit gives the shop's share back; the
    caller returns the rest to the accounts.

    `lost` tries ended unseen and may have been billed: each costs its reservation, and so does a reply that was cut
    off, because it has counted no more than its beginning. Does nothing where the turn was claimed again meanwhile:
    the call was charged in full then. `wrong`: what the reply check found, by kind.
    """
    seen = _describe(held, reply, lost)
    call = held.call
    if held.nano and not _CLOSE.run(pk=call.pk, **seen):
        return None
    for name, value in seen.items():
        setattr(call, name, value)
    if not held.nano:
        insert(call)
    record_call(call, conversation, wrong=wrong)
    freed = held.nano * held.tries - call.cost_nano
    if not freed:
        return None
    # Only a commit makes it true; a rollback keeps the whole reservation spent.
    transaction.on_commit(partial(purse.put_back, freed, held.day), robust=True)
    return Freed(nano=freed, day=held.day, visitor=held.visitor)


def _book(held: Reservation, conversation: Conversation, freed: Freed | None) -> None:
    subject = str(conversation.pk)
    if freed is None or (freed.visitor, freed.day) == (held.visitor, held.day):
        back = freed.nano if freed else 0
        shift(conversation=subject, visitor=held.visitor, day=held.day, booked=held.nano, freed=back)
        return
    # Verified meanwhile, or past midnight: another account of the visitor's pays from now on.
    shift(conversation=subject, visitor=held.visitor, day=held.day, booked=held.nano)
    free(freed, conversation=conversation)


def _unbook(held: Reservation, conversation: Conversation, freed: Freed | None) -> None:
    shift(conversation=str(conversation.pk), visitor=held.visitor, day=held.day, freed=held.nano)
    if freed is not None:
        subject = str(conversation.pk)
        shift(conversation=subject, visitor=freed.visitor, day=freed.day, freed=-freed.nano)


def _describe(held: Reservation, reply: ModelReply | None, lost: int) -> dict[str, str | int | bool]:
    """The columns of a call that is over: `SEEN`."""
    cost = lost * held.nano
    if reply is None:
        nothing: dict[str, str | int | bool] = dict.fromkeys(SEEN, 0)
        reason = UNSEEN if lost else REFUSED
        return nothing | {"model": held.call.model, "stop_reason": reason, "cost_nano": cost, "open": False}
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
