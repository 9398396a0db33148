from orders.changes.plans import (
    CannotBeDone,
    Plan,
    Subject,
    describe_line,
    describe_method,
    explain_missing,
    list_open_lines,
    require_order,
)
from orders.models import Line, Order, PaymentMethod
from policy.actions import ReturnDeliveredOrderItems


def plan_return(action: ReturnDeliveredOrderItems, subject: Subject) -> Plan:
    """The order waits for its items; the refund follows when they are back, so nothing is booked yet."""
    order = require_order(subject)
    if order.status != Order.Status.DELIVERED:
        raise CannotBeDone("Error: non-delivered order cannot be returned")
    method = subject.methods().get(action.payment_method_id)
    if method is None:
        raise CannotBeDone("Error: payment method not found")
    first = order.payments.first()
    original = first is not None and first.method_id == action.payment_method_id
    if not original and method.source != PaymentMethod.Source.GIFT_CARD:
        raise CannotBeDone("Error: payment method should be either the original payment method or a gift card")
    lines = list_open_lines(order)
    held = [line.variant_id for line in lines]
    for item_id in action.item_ids:
        if action.item_ids.count(item_id) > held.count(item_id):
            raise explain_missing(order, item_id, "Error: some item not found")
    returned = pick_lines(lines, action.item_ids)
    total = sum(line.price for line in returned)
    return Plan(
        subject=subject,
        title=f"Return {count_items(len(returned))} of order {order.number}",
        lines=tuple(describe_line(line) for line in returned),
        total=total,
        money_back=total,
        destination=describe_method(method),
        currency=order.currency,
        irreversible=True,
        writes=(
            (
                order,
                {
                    "status": Order.Status.RETURN_REQUESTED,
                    "return_items": sorted(action.item_ids),
                    "return_method": action.payment_method_id,
                },
            ),
        ),
    )


def pick_lines(lines: list[Line], item_ids: list[str]) -> list[Line]:
    """One line for each listed item, in the order of the list."""
    left = list(lines)
    picked = []
    for item_id in item_ids:
        line = next(line for line in left if line.variant_id == item_id)
        left.remove(line)
        picked.append(line)
    return picked


def count_items(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"
