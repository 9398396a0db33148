"""Invariant 9: an order only ever moved as the shop allows.

The table is this checker's own. Its source are the statuses of the public τ-bench retail domain: a pending order is
cancelled, or gets other items and is then "pending (item modified)" for good; a delivered one is to be returned or
exchanged; another address or payment method leaves it pending. A refund without a return leaves it where it is.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from eval.books.evidence import Evidence
from eval.books.lines import Line, make_line
from orders.models import Effect, Order

ALLOWED: dict[str, tuple[str, str]] = {
    "cancel_pending_order": ("pending", "cancelled"),
    "modify_pending_order_items": ("pending", "pending (item modified)"),
    "modify_pending_order_address": ("pending", "pending"),
    "modify_pending_order_payment": ("pending", "pending"),
    "return_delivered_order_items": ("delivered", "return requested"),
    "exchange_delivered_order_items": ("delivered", "exchange requested"),
}
# Leave the order as it is, which is one of these; the states that R6's table of reasons knows.
KEEPS: dict[str, set[str]] = {"issue_refund": {"processed", "delivered"}}
# Touch no order, or none of its columns.
BESIDE = {"modify_user_address", "resend_receipt", "update_preference"}


def check_statuses(evidence: Evidence) -> Line:
    by_order: dict[str, list[Effect]] = defaultdict(list)
    faults: list[str] = []
    for effect in evidence.effects:
        if effect.action in BESIDE or effect.state != Effect.State.DONE:
            continue
        if effect.action not in ALLOWED and effect.action not in KEEPS:
            faults.append(f"effect {effect.pk} is {effect.action}, which the table does not know")
        else:
            by_order[effect.order_number].append(effect)
    now = dict(Order.objects.filter(number__in=list(by_order)).values_list("number", "status"))
    for number, effects in by_order.items():
        faults += _walk(evidence, number, effects, now.get(number, ""))
    n = sum(len(effects) for effects in by_order.values())
    return make_line(9, "states", n, faults)


def _walk(evidence: Evidence, number: str, effects: list[Effect], now: str) -> Iterator[str]:
    """The order's way from effect to effect: what it was when asked, what the answer says it became, what it is."""
    status = ""
    for effect in effects:
        request = evidence.requests.get(str(effect.request_id))
        told = str(request.facts.get("order_status", "")) if request else ""
        before, after = _find_move(effect.action, told)
        if before != told or (status and status != before):
            yield f"order {number} was {status or told} when {effect.action} ran"
        became = _status_in(effect.result)
        if became != after:
            yield f"order {number} became {became or 'nothing'} by {effect.action}"
        status = after
    # The shop's data may have been replaced since; then there is nothing to hold the last effect against.
    if now and effects[-1].order_id is not None and now != status:
        yield f"order {number} is {now}, its effects end in {status}"


def _find_move(action: str, told: str) -> tuple[str, str]:
    if action in ALLOWED:
        return ALLOWED[action]
    return (told, told) if told in KEEPS[action] else ("", "")


def _status_in(result: str) -> str:
    try:
        answer: Any = json.loads(result)
    except ValueError:
        return ""
    return str(answer.get("status", "")) if isinstance(answer, dict) else ""
