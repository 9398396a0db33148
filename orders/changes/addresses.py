from typing import Any

from orders.changes.plans import CannotBeDone, LineText, Plan, Subject, require_order
from orders.models import Customer, Order
from policy.actions import ModifyPendingOrderAddress, ModifyUserAddress

# The order in which the public tools write an address, which is not the one of the shop's export.
PARTS = ("address1", "address2", "city", "state", "country", "zip")


def plan_order_address(action: ModifyPendingOrderAddress, subject: Subject) -> Plan:
    order = require_order(subject)
    if order.status != Order.Status.PENDING:
        raise CannotBeDone("Error: non-pending order cannot be modified")
    return _plan(action, subject, order, f"Send order {order.number} to another address")


def plan_user_address(action: ModifyUserAddress, subject: Subject) -> Plan:
    return _plan(action, subject, subject.customer, "Change your default address")


def _plan(
    action: ModifyPendingOrderAddress | ModifyUserAddress, subject: Subject, place: Order | Customer, title: str
) -> Plan:
    written: dict[str, Any] = {name: getattr(action, name) for name in PARTS}
    columns = {name: str(value) for name, value in written.items()}
    return Plan(
        subject=subject,
        title=title,
        lines=(
            LineText(label="New address", detail=describe_address(columns)),
            LineText(label="Address so far", detail=describe_address({name: getattr(place, name) for name in PARTS})),
        ),
        total=0,
        destination=describe_address(columns),
        writes=((place, columns | {"address_wire": written}),),
    )


def describe_address(parts: dict[str, str]) -> str:
    """One line: "12 Main Street, Suite 3, Denver, CO 80279, USA"."""
    streets = [parts["address1"], parts["address2"], parts["city"]]
    region = f"{parts['state']} {parts['zip']}".strip()
    return ", ".join(part for part in [*streets, region, parts["country"]] if part)
