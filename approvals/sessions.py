"""The gate's view of a conversation: opening it, who holds it, and the customer's verification."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from approvals.answers import policy_refusal
from approvals.models import CustomerSession, FailedLookup, OneTimeCode
from audit.operations import Details, record
from audit.redaction import pseudonym
from audit.statements import Rows, Slot, Tuples, insert, save
from orders.models import Customer
from orders.queries import CustomerNotFound, personal_words
from policy.levels import Strength

AGENT = "agent"
VISITOR = "visitor"
SECOND_IDENTITY = policy_refusal("R2", "This conversation can only be about the customer who was verified first.")
# The tool's own answer, byte for byte.
USER_NOT_FOUND = "Error: user not found"
# How long a failed look-up counts against its address.
LOOKUPS_WITHIN = timedelta(hours=1)


class TooManyLookups(Exception):
    """The conversation or its address used up the failed look-ups: a person has to take it."""


@dataclass(frozen=True, kw_only=True)
class Voice:
    """Which prompt and model asked; every decision records it."""

    prompt_version: str
    model: str
    # It only writes a draft for staff.
    draft: bool = False


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What a tool call gets back, as the model sees it."""

    text: str
    is_error: bool = False


_LOCKED = Rows(
    lambda: (
        CustomerSession.objects.select_for_update(of=("self",))
        .select_related("customer")
        .filter(conversation=Slot("conversation", CustomerSession._meta.get_field("conversation")))
    )
)

_FAILED = Tuples(
    lambda: FailedLookup.objects.filter(
        address=Slot("address", FailedLookup._meta.get_field("address")),
        at__gt=Slot("since", FailedLookup._meta.get_field("at")),
    ).values_list("pk")
)


def open_session(*, conversation: UUID, address: str = "") -> CustomerSession:
    """The session of a new conversation, in the guard mode of now. `address`: the visitor's, as a pseudonym."""
    session = CustomerSession(conversation=conversation, guard=settings.DESKAGENT_GUARD, address=address)
    insert(session)
    return session


def lock_session(conversation: UUID) -> CustomerSession:
    """The session with its customer, locked until commit: always the first lock of a change."""
    session = _LOCKED.get(conversation=conversation)
    if session.customer_id is not None and session.customer is None:
        # Verified while this waited for the lock; the customer was joined before that.
        session.customer = Customer.objects.get(pk=session.customer_id)
    return session


def strength_of(session: CustomerSession) -> Strength:
    """How surely the customer is known; the weakest step where nobody is."""
    return Strength(session.strength) if session.strength else Strength.LOOKUP


def actor_of(session: CustomerSession) -> str:
    """The customer as the audit log names them."""
    return pseudonym(session.customer.user_id) if session.customer else VISITOR


def set_holder(*, session: CustomerSession, holder: CustomerSession.Holder) -> None:
    session.holder = holder
    save(session, "holder")


def set_intent(*, session: CustomerSession, intent: str) -> None:
    session.intent = intent
    save(session, "intent")


def forget_customer(*, session: CustomerSession) -> None:
    """Verification holds until the conversation is closed."""
    session.customer, session.strength, session.verified_at, session.failed_lookups = None, "", None, 0
    save(session, "customer", "strength", "verified_at", "failed_lookups")
    due = OneTimeCode.objects.filter(session=session, ended_at=None)
    due.update(ended_at=timezone.now())


def look_up(
    *,
    conversation: UUID,
    tool: str,
    arguments: dict[str, Any],
    find: Callable[[], Customer],
    voice: Voice,
    session: CustomerSession | None = None,
) -> Answer:
    """Verify the customer by what they know, inside the caller's transaction. `session`: where it is locked already.

    A second identity gets one fixed refusal whether or not it exists. Raises `TooManyLookups` once the
    failed tries of the conversation or of its address are used up.
    """
    session = session or lock_session(conversation)
    if session.customer is None and _used_up_lookups(session):
        raise TooManyLookups
    try:
        found: Customer | None = find()
    except CustomerNotFound:
        found = None
    entry = _LookUp(session=session, tool=tool, arguments=arguments, voice=voice)
    if session.customer is not None:
        return _look_up_again(entry, found)
    if found is None:
        _count_failed_lookup(session)
        entry.record("verification_failed", actor=AGENT, result=USER_NOT_FOUND, verdict="not_found")
        return Answer(text=USER_NOT_FOUND, is_error=True)
    verify(session=session, customer=found, strength=CustomerSession.Strength.LOOKUP)
    entry.record("customer_verified", actor=pseudonym(found.user_id), known=personal_words(found), verdict="lookup")
    return Answer(text=found.user_id)


def verify(*, session: CustomerSession, customer: Customer, strength: CustomerSession.Strength) -> None:
    session.customer, session.strength, session.verified_at = customer, strength, timezone.now()
    save(session, "customer", "strength", "verified_at")


def forget_failed_lookups(*, now: datetime) -> None:
    """Drop what no longer counts against its address."""
    over = FailedLookup.objects.filter(at__lte=now - LOOKUPS_WITHIN)
    # Asked first, so that a sweep with nothing to do takes no write lock.
    if over.exists():
        over.delete()


def _used_up_lookups(session: CustomerSession) -> bool:
    if session.failed_lookups >= settings.DESKAGENT_FAILED_LOOKUPS_CONVERSATION:
        return True
    if not session.address:
        return False
    recent = _FAILED.list(address=session.address, since=timezone.now() - LOOKUPS_WITHIN)
    return len(recent) >= int(settings.DESKAGENT_FAILED_LOOKUPS_ADDRESS_HOUR)


def _count_failed_lookup(session: CustomerSession) -> None:
    """Rows, not a counter in Redis: guessing at customers must not begin anew when that is wiped."""
    session.failed_lookups += 1
    save(session, "failed_lookups")
    if session.address:
        FailedLookup.objects.create(address=session.address, at=timezone.now())


def _look_up_again(entry: "_LookUp", found: Customer | None) -> Answer:
    session = entry.session
    if found is not None and found.pk == session.customer_id:
        entry.record("read_ok", actor=AGENT, known=personal_words(found))
        return Answer(text=found.user_id)
    if session.guard == CustomerSession.Guard.AUDIT:
        entry.record("read_ok", actor=AGENT, rule="R2", verdict="would_refuse", known=personal_words(found))
        return Answer(text=found.user_id) if found else Answer(text=USER_NOT_FOUND, is_error=True)
    entry.record("verification_failed", actor=AGENT, rule="R2", verdict="refused", result=SECOND_IDENTITY)
    return Answer(text=SECOND_IDENTITY, is_error=True)


@dataclass(frozen=True, kw_only=True)
class _LookUp:
    session: CustomerSession
    tool: str
    arguments: dict[str, Any]
    voice: Voice

    def record(self, event: str, *, actor: str, known: list[str] | None = None, **outcome: str) -> None:
        details = Details(
            action=self.tool,
            arguments=self.arguments,
            prompt_version=self.voice.prompt_version,
            model=self.voice.model,
            **outcome,  # type: ignore[arg-type]
        )
        words = [*(known or []), *personal_words(self.session.customer)]
        record(event=event, subject=str(self.session.conversation), actor=actor, details=details, known=words)
