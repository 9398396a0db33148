"""What each action does to the shop's rows: first as a plan, which is also the dry run, then as the rows' change.

The card, the digest, the rules' amounts and the execution all come from one plan of the same code, so what the
customer agreed to is what runs. Plans compute on what the rows hold now and write nothing.
"""

from typing import assert_never

from audit.statements import save
from orders.changes.addresses import plan_order_address, plan_user_address
from orders.changes.cancelling import plan_cancel
from orders.changes.items import plan_exchange, plan_modify_items
from orders.changes.paying import plan_payment_change
from orders.changes.plans import Booking, CannotBeDone, LineText, Plan, Subject
from orders.changes.preferences import plan_preference
from orders.changes.receipts import plan_receipt
from orders.changes.refunding import plan_refund
from orders.changes.returning import plan_return
from policy.actions import (
    Action,
    CancelPendingOrder,
    ExchangeDeliveredOrderItems,
    IssueRefund,
    ModifyPendingOrderAddress,
    ModifyPendingOrderItems,
    ModifyPendingOrderPayment,
    ModifyUserAddress,
    ResendReceipt,
    ReturnDeliveredOrderItems,
    UpdatePreference,
)

__all__ = ["Booking", "CannotBeDone", "LineText", "Plan", "Subject", "apply", "plan"]


def plan(*, action: Action, subject: Subject) -> Plan:
    """The dry run. Lock the subject first where the plan will be carried out."""
    match action:
        case CancelPendingOrder():
            planned = plan_cancel(action, subject)
        case ModifyPendingOrderAddress():
            planned = plan_order_address(action, subject)
        case ModifyPendingOrderItems():
            planned = plan_modify_items(action, subject)
        case ModifyPendingOrderPayment():
            planned = plan_payment_change(action, subject)
        case ModifyUserAddress():
            planned = plan_user_address(action, subject)
        case ReturnDeliveredOrderItems():
            planned = plan_return(action, subject)
        case ExchangeDeliveredOrderItems():
            planned = plan_exchange(action, subject)
        case IssueRefund():
            planned = plan_refund(action, subject)
        case ResendReceipt():
            planned = plan_receipt(action, subject)
        case UpdatePreference():
            planned = plan_preference(action, subject)
        case _:
            assert_never(action)
    return planned


def apply(done: Plan) -> None:
    """Write a plan's columns; its payments are booked by the gateway."""
    for row, columns in done.writes:
        for name, value in columns.items():
            setattr(row, name, value)
        if row.pk is None:
            row.save()
        else:
            save(row, *columns)
