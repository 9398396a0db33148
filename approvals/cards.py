"""The card: what, how much, to where, until when. Rendered from a plan, never from the model's words."""

from typing import Any

from orders.changes import LineText, Plan
from policy.money import major


def render_card(planned: Plan) -> dict[str, Any]:
    """The card as the `request` event carries it: amounts as decimal text, below zero where the customer pays."""
    return {
        "title": planned.title,
        "lines": [_render_line(line) for line in planned.lines],
        "amount": major(planned.total),
        "currency": planned.currency,
        "destination": planned.destination,
        "irreversible": planned.irreversible,
    }


def _render_line(line: LineText) -> dict[str, str]:
    rendered = {"label": line.label, "detail": line.detail}
    return rendered if line.amount is None else rendered | {"amount": major(line.amount)}
