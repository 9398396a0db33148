"""What the model costs, as rows that never pass their cap, and as one row a call."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal

from django.conf import settings
from django.db.models import F, Q, QuerySet

from approvals.queries import get_session
from approvals.sessions import AGENT
from audit.operations import Details, record
from audit.redaction import pseudonym
from audit.statements import Change, Slot, insert_once, save
from conversations.models import Conversation, ModelCall, Spend, Suggestion, Turn

UNSEEN = "unseen"
# Conversations that no address opened share one account.
UNKNOWN_ADDRESS = "address:unknown"
# Larger than any sum the rows will ever hold: what stands for "no cap".
BOUNDLESS = 2**62
Scope = Spend.Scope
CAPS = {
    Scope.CONVERSATION: "DESKAGENT_SPEND_CAP_CONVERSATION_USD",
    Scope.VISITOR: "DESKAGENT_SPEND_CAP_VISITOR_USD",
    Scope.SHOP: "DESKAGENT_SPEND_CAP_USD",
    Scope.TOTAL: "DESKAGENT_SPEND_CAP_TOTAL_USD",
}


class CapReached(Exception):
    """The call would pass the cap of `scope`: do not make it, a person takes the conversation."""

    def __init__(self, scope: Spend.Scope) -> None:
        super().__init__(f"the spend cap of the {scope.value} is reached")
        self.scope = scope


def cap_of(scope: Spend.Scope) -> int:
    """The cap in billionths of a dollar."""
    dollars: Decimal | None = getattr(settings, CAPS[scope])
    return BOUNDLESS if dollars is None else int(dollars * 1_000_000_000)


def today() -> str:
    """The day that daily caps count by, the same everywhere: the UTC date."""
    return datetime.now(UTC).date().isoformat()


def book(scope: Spend.Scope, nano: int, *, subject: str = "", day: str = "") -> None:
    """Add to an account unless that passes its cap (`CapReached`); its row stays locked until commit.

    Take accounts in the order of `Scope`, after the turn and before the audit log.
    """
    account = {"scope": scope, "subject": subject, "day": day}
    if _BOOK.run(**account, room=cap_of(scope) - nano, more=nano):
        return
    insert_once(Spend(**account))
    if not _BOOK.run(**account, room=cap_of(scope) - nano, more=nano):
        raise CapReached(scope)


def unbook(scope: Spend.Scope, nano: int, *, subject: str = "", day: str = "") -> None:
    """Give back what was not spent; less than nothing, where a call cost more than it could, is added whatever the
    cap says."""
    if nano:
        Spend.objects.filter(scope=scope, subject=subject, day=day).update(nano=F("nano") - nano)


def shift(*, conversation: str, visitor: str, day: str, booked: int = 0, freed: int = 0) -> None:
    """Return what was `freed` to the accounts of a conversation and its visitor, and book anew, in one statement.

    `CapReached` where a cap has no room for what is booked: nothing is booked then, and nothing returned.
    """
    more = booked - freed
    rooms = [cap_of(scope) - more if booked else BOUNDLESS for scope in (Scope.CONVERSATION, Scope.VISITOR)]
    named = {"conversation": conversation, "visitor": visitor, "day": day}
    done = _SHIFT.run_and_list(more=more, room=rooms[0], room_of_visitor=rooms[1], **named)
    if len(done) == 2 or not booked:
        return
    accounts = {Scope.CONVERSATION: (conversation, ""), Scope.VISITOR: (visitor, day)}
    for scope, (subject, on) in accounts.items():
        if scope in done:
            continue
        try:
            book(scope, more, subject=subject, day=on)
        except CapReached:
            for other in done:
                unbook(Scope(other), more, subject=accounts[Scope(other)][0], day=accounts[Scope(other)][1])
            raise
        done.append(scope)


def _select_accounts() -> "QuerySet[Spend]":
    own = Q(scope=Scope.CONVERSATION, subject=_slot("conversation", "subject"), day="")
    visitors = Q(scope=Scope.VISITOR, subject=_slot("visitor", "subject"), day=_slot("day", "day"))
    room = own & Q(nano__lte=_slot("room", "nano")) | visitors & Q(nano__lte=_slot("room_of_visitor", "nano"))
    return Spend.objects.filter(room)


def _slot(name: str, column: str) -> Slot:
    return Slot(name, Spend._meta.get_field(column))


_BOOK = Change(
    lambda: Spend.objects.filter(
        scope=_slot("scope", "scope"),
        subject=_slot("subject", "subject"),
        day=_slot("day", "day"),
        nano__lte=_slot("room", "nano"),
    ),
    nano=F("nano") + _slot("more", "nano"),
)
_SHIFT = Change(_select_accounts, returning="scope", nano=F("nano") + _slot("more", "nano"))


def visitor_of(conversation: Conversation) -> str:
    """Whom a call is charged to: the verified customer, else the address the conversation was started from."""
    session = conversation.session or get_session(conversation=conversation.pk)
    return pseudonym(session.customer.user_id) if session.customer else session.address or UNKNOWN_ADDRESS


def close_unseen(turn: Turn) -> None:
    """The turn's open calls have no end that anybody will see: they cost what was reserved for them."""
    for call in turn.model_calls.filter(open=True):
        call.open, call.stop_reason = False, UNSEEN
        save(call, "open", "stop_reason")
        record_call(call, turn.conversation)


def record_call(call: ModelCall, conversation: Conversation, *, wrong: Mapping[str, int] | None = None) -> None:
    """Its line in the audit log; a figure that is nought is left out. `wrong`: faults of a reply that was held back."""
    figures = {
        "input_tokens": call.input_tokens,
        "output_tokens": call.output_tokens,
        "cache_read_tokens": call.cache_read_tokens,
        "cache_write_tokens": call.cache_write_tokens,
        "latency_ms": call.latency_ms,
        "cost_nano": call.cost_nano,
        **{f"held_back_{kind}": count for kind, count in (wrong or {}).items()},
        "draft": call.turn.cause == Suggestion.CAUSE,
    }
    details = Details(
        model=call.model,
        prompt_version=call.prompt_version,
        policy_version=conversation.policy_version,
        verdict=call.stop_reason or "none",
        facts={name: figure for name, figure in figures.items() if figure},
    )
    record(event="model_call", subject=str(conversation.pk), actor=AGENT, details=details)
