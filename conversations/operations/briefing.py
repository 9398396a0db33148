"""What a person needs to start on a ticket: facts collected by code, what was tried, and what to do next.

Never empty. The model's own words come last and are labelled as such: they are text from outside, not facts.
"""

from typing import Any

from django.utils import timezone

from approvals.models import MOVES, ActionRequest, CustomerSession, State
from approvals.queries import is_left_to_do
from conversations import history
from conversations.attempts import Attempt, Outcome, list_attempts
from conversations.models import Conversation, Message
from conversations.operations.reasons import REASONS, name_reason
from conversations.operations.receipts import find_reason
from conversations.timeline import session_of
from orders.models import Customer
from orders.queries import describe_refunds, get_refundable, list_orders, list_refund_ages
from policy.money import spoken
from policy.queries import PolicyMissing, get_active

LAST_WORDS = 6
MOST_ORDERS = 5
MOST_ATTEMPTS = 20
LONGEST_LINE = 300
REFUND_DAYS = 90
NOT_KNOWN = "not known yet"
# Whose rule says why they stand where they stand.
EXPLAINED = (State.AWAITING_STAFF, State.REFUSED, State.STALE, State.SHADOWED)
OUTCOMES = {Outcome.FAILED: "failed", Outcome.REFUSED: "refused"}


def summarise(
    conversation: Conversation, *, reason: str, words: str, closed_card: ActionRequest | None = None
) -> dict[str, Any]:
    """The ticket's summary, under the conversation's lock. `closed_card`: one that the handoff itself closed."""
    session = session_of(conversation)
    customer = session.customer
    requests = list(ActionRequest.objects.filter(session=session).select_related("effect").order_by("created_at"))
    calls = list_attempts(history.list_newer(conversation, 0))
    said = conversation.messages.filter(role=Message.Role.CUSTOMER).order_by("-seq")[:LAST_WORDS]
    agent = conversation.messages.filter(role=Message.Role.AGENT).order_by("-seq").first()
    open_ones = [row for row in requests if row.state in MOVES]
    to_do = [describe_exactly(row) for row in requests if is_left_to_do(row)]
    return {
        "reason": reason,
        "why": name_reason(reason),
        "intent": session.intent.replace("_", " ") or NOT_KNOWN,
        "triage": _describe_triage(conversation.label),
        "customer": f"{customer} ({customer.user_id})" if customer else "not verified",
        "orders": _describe_orders(customer, requests, calls),
        "open": [_describe_open(row) for row in open_ones]
        + ([f"{_title(closed_card)}: the card was open and is closed now"] if closed_card else []),
        "refunds": _describe_refunds(session, requests),
        "attempts": [_describe_request(row) for row in requests] + _describe_calls(calls),
        "to_do": to_do,
        "draft": draft(reason=reason, to_do=to_do, waiting=open_ones, closed_card=closed_card, calls=calls),
        "last_words": [message.text for message in reversed(said)],
        "agent_words": agent.text if agent else "",
        "model_summary": words,
    }


def draft(
    *,
    reason: str,
    to_do: list[str],
    waiting: list[ActionRequest],
    closed_card: ActionRequest | None,
    calls: list[Attempt],
) -> list[str]:
    """What a person would do next, composed from rows alone. At least one line."""
    lines = [f"Do exactly this: {line}." for line in to_do]
    lines += [
        f"Decide on the request that waits: {_title(row)}." for row in waiting if row.state == State.AWAITING_STAFF
    ]
    if closed_card is not None:
        asked = f"The customer had not answered the card for {_title(closed_card)}"
        lines.append(f"{asked}. If they still want it, hand back: the agent shows it again.")
    refused = next((call for call in reversed(calls) if call.outcome is Outcome.REFUSED and call.recent), None)
    if refused is not None:
        lines.append(f"{_name(refused)} is blocked by {refused.rule}: {refused.reason}")
    known = REASONS.get(reason)
    lines.append(known.advice if known else "Read the last words and answer them.")
    return lines


def describe_exactly(request: ActionRequest) -> str:
    """What a person has to do, as the customer agreed to it."""
    lines = "; ".join(
        ": ".join(filter(None, [line["label"], line.get("detail", "")])) for line in request.card["lines"]
    )
    money = f", {spoken(request.amount, request.currency)} to {request.destination}" if request.amount else ""
    return f"{request.card['title']} ({lines}){money}. Request {request.pk}"


def _describe_triage(label: dict[str, Any]) -> str:
    """How sure the desk is of what the customer wants, and what it heard besides."""
    if not label:
        return ""
    sure = label.get("confidence")
    share = f"{sure:.0%} sure" if isinstance(sure, int | float) else ""
    read = [share, label.get("sentiment"), label.get("risk"), label.get("reason")]
    # The reason of a risk is the risk itself.
    return ", ".join(dict.fromkeys(str(one) for one in read if one)) + f" (by {label.get('by', 'nobody')})"


def _describe_orders(customer: Customer | None, requests: list[ActionRequest], calls: list[Attempt]) -> list[str]:
    """The customer's own orders that this chat touched, as they stand now; nobody else's, whatever was named."""
    if customer is None:
        return []
    touched = {row.order_number for row in requests} | {call.subject for call in calls}
    own = [order for order in list_orders(customer=customer) if order.number in touched]
    return [
        f"{order.number}: {order.get_status_display().lower()}, {spoken(get_refundable(order), order.currency)} paid "
        "and not given back"
        for order in own[-MOST_ORDERS:]
    ]


def _describe_open(row: ActionRequest) -> str:
    who = "waits for a decision of staff" if row.state == State.AWAITING_STAFF else "waits for the customer's answer"
    return f"{_title(row)}: {who}, until {row.expires_at:%d %b %H:%M} UTC" + (f" ({row.rule})" if row.rule else "")


def _describe_refunds(session: CustomerSession, requests: list[ActionRequest]) -> list[str]:
    """What went back in this chat, and how often this customer got something back lately."""
    lines = [
        f"{_title(row)}: {row.effect.get_state_display().lower()}"
        + (f", {told}" if (told := describe_refunds(row.effect)) else "")
        for row in requests
        if row.effect is not None and row.effect.amount > 0
    ]
    if session.customer is None:
        return lines
    days = _refund_window()
    ages = [age for age in list_refund_ages(customer=session.customer, days=days, now=timezone.now()) if age <= days]
    return [*lines, f"{len(ages)} in {days} days, over all chats"]


def _refund_window() -> int:
    try:
        return get_active().limits.refunds.window_days
    except PolicyMissing:
        return REFUND_DAYS


def _describe_request(row: ActionRequest) -> str:
    # R3 only says that the customer was asked, which the state says better.
    rule = f" ({row.rule})" if row.rule not in ("", "R3") else ""
    reason = f": {told}" if row.state in EXPLAINED and (told := find_reason(row)) else ""
    return f"{_title(row)}: {row.get_state_display()}{rule}{reason}"


def _describe_calls(calls: list[Attempt]) -> list[str]:
    """Calls that were refused or failed, with the verdict; what a card stands for is told by its request."""
    told = [f"{_name(call)}: {OUTCOMES[call.outcome]}, {call.text}" for call in calls if call.outcome in OUTCOMES]
    return [line[:LONGEST_LINE] for line in told[-MOST_ATTEMPTS:]]


def _name(call: Attempt) -> str:
    phrase = call.name.replace("_", " ").capitalize() or "A call"
    return f"{phrase} {call.subject}".strip()[:LONGEST_LINE]


def _title(row: ActionRequest) -> str:
    return f"{row.card['title']}, {spoken(row.amount, row.currency)}"
