"""Whether a ticket needed a person: asked of whoever closes it, because nobody else can know."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from conversations.models import Ticket
from conversations.operations.errors import MessageTooLong, NotClosed
from conversations.readable import make_readable

LONGEST_WHY = 300


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """`needed` is None where it was not answered; then there is no reason either."""

    needed: bool | None = None
    why: str = ""


NO_VERDICT = Verdict()


def read_verdict(needed: str, why: str) -> Verdict:
    """The answer of a form or a call: `yes`, `no`, or nothing. Raises `MessageTooLong`."""
    readable = make_readable(why).strip()
    if len(readable) > LONGEST_WHY:
        raise MessageTooLong(f"{len(readable):,} of {LONGEST_WHY} characters")
    answer = {"yes": True, "no": False}.get(needed)
    return NO_VERDICT if answer is None else Verdict(needed=answer, why=readable)


def judge_ticket(*, ticket_id: int, staff: User, verdict: Verdict) -> Ticket:
    """The answer for a ticket that is closed already; the newest one counts. Raises `NotClosed`."""
    with transaction.atomic():
        ticket = Ticket.objects.select_for_update().get(pk=ticket_id)
        if ticket.closed_at is None:
            raise NotClosed("This ticket is still open; the question comes when it is closed.")
        store_verdict(ticket, staff, verdict)
    return ticket


def store_verdict(ticket: Ticket, staff: User, verdict: Verdict) -> None:
    """Inside the caller's transaction."""
    ticket.needed_person, ticket.needed_why, ticket.judged_by = verdict.needed, verdict.why, staff
    ticket.save(update_fields=["needed_person", "needed_why", "judged_by"])
