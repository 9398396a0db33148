from datetime import timedelta

from django.utils import timezone

from orders.changes.plans import (
    CannotBeDone,
    Letter,
    LineText,
    Plan,
    Subject,
    describe_method,
    describe_options,
    require_order,
)
from orders.mail import is_address
from orders.models import Effect, Order, Payment
from policy.actions import ResendReceipt
from policy.money import spoken

ON_FILE = "the e-mail address on file"
# Nobody's letter box is filled by asking again and again.
AGAIN_AFTER = timedelta(minutes=10)


def plan_receipt(action: ResendReceipt, subject: Subject) -> Plan:
    """A letter made of the rows, to the customer's own address; the address itself is not told."""
    order = require_order(subject)
    if not is_address(subject.customer.email):
        raise CannotBeDone("Error: there is no e-mail address on file that a receipt can go to")
    lately = Effect.objects.filter(order=order, action=action.name, created_at__gt=timezone.now() - AGAIN_AFTER)
    if lately.exists():
        raise CannotBeDone("Error: the receipt of this order was sent just now")
    return Plan(
        subject=subject,
        title=f"Send the receipt of order {order.number} again",
        lines=(LineText(label="Receipt", detail=f"to {ON_FILE}"),),
        total=0,
        destination=ON_FILE,
        currency=order.currency,
        letter=Letter(to=subject.customer.email, subject=f"Receipt for order {order.number}", text=_write(order)),
        answer={"order_id": order.number, "receipt": f"on its way to {ON_FILE}"},
    )


def _write(order: Order) -> str:
    lines = [
        f"{line.name} ({describe_options(line.options)}): {spoken(line.price, order.currency)}"
        for line in order.lines.all()
    ]
    payments = [_tell(entry) for entry in order.payments.select_related("method").all()]
    return "\n".join([f"Order {order.number}, {order.status}", "", *lines, "", *payments, ""])


def _tell(entry: Payment) -> str:
    what = "Paid with" if entry.kind == Payment.Kind.PAYMENT else "Refunded to"
    standing = "" if entry.state == Payment.State.SETTLED else f" ({entry.state})"
    return f"{what} {describe_method(entry.method)}: {spoken(entry.amount, entry.currency)}{standing}"
