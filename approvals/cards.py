"""The card: what, how much, to where, until when. Rendered from a plan, never from the model's words."""

from typing import Any

from orders.changes import Plan
from policy.money import major


def render_card(planned: Plan) -> dict[str, Any]:
    """The card's content as the `request` event carries it; amounts as decimal text."""
    return {
        "title": planned.title,
        "lines": [{"label": line.label, "detail": line.detail, "amount": major(line.amount)} for line in planned.lines],
        "amount": major(planned.money_back),
        "currency": planned.currency,
        "destination": planned.destination,
        "irreversible": planned.irreversible,
    }
