"""What the tests of refunds without a return share: Nora's lamp came damaged, and an order made for the case."""

from typing import Any

from django.db import transaction

from orders.changes import Subject
from orders.executor import Execution, Grant, execute
from orders.models import Customer, Line, Order, Payment, PaymentMethod, Product, Variant
from policy.actions import IssueRefund
from tests.factories import Chat, start_chat
from tests.orders.remote import make_grant
from tests.scripted import Move, Scripted, call
from tests.writes import BACKPACK, DELIVERED, LAMP, NORA, REFUND, VERIFY

# The lamp costs 96.00, which nobody has to look at; the backpack 118.00, which a person has to.
ALONE = {"order_id": DELIVERED, "item_ids": [LAMP], "reason_code": "damaged"}
BY_PERSON = {"order_id": DELIVERED, "item_ids": [BACKPACK], "reason_code": "damaged"}
LAMP_PRICE, BACKPACK_PRICE = 9_600, 11_800


def refund(**changed: Any) -> Move:
    return call(REFUND, **(ALONE | changed))


def open_card(model: Scripted, **changed: Any) -> Chat:
    """Nora, verified, in front of the card of this refund; `settings.DESKAGENT_PROFILE` has to be `scoped`."""
    model.plays(VERIFY, refund(**changed))
    chat = start_chat()
    chat.say("It came broken.")
    assert chat.state() == "awaiting_customer", model.last_results()
    return chat


def make_order(
    number: str, prices: list[int], paid: list[tuple[str, int]], *, customer: Customer | None = None
) -> Order:
    """A delivered order with one line for each price, paid by these sources in this order; items are `<number>-<n>`."""
    owner = customer or Customer.objects.get(user_id=NORA)
    product, _ = Product.objects.get_or_create(product_id="p-refunds", defaults={"name": "Tile"})
    place = owner.orders.count()
    order = Order.objects.create(number=number, customer=owner, position=place, status="delivered", country="USA")
    variants = [
        Variant(product=product, position=at, item_id=f"{number}-{at}", options={}, available=True, price=price)
        for at, price in enumerate(prices)
    ]
    Variant.objects.bulk_create(variants)
    Line.objects.bulk_create(
        Line(order=order, position=at, variant=one, product=product, name="Tile", options={}, price=one.price)
        for at, one in enumerate(variants)
    )
    methods = {source: _get_method(owner, source) for source, _ in paid}
    Payment.objects.bulk_create(
        Payment(order=order, position=at, kind="payment", method=methods[source], amount=amount)
        for at, (source, amount) in enumerate(paid)
    )
    return order


def run(number: str, *places: int, reason: str = "damaged", grant: Grant | None = None) -> Execution:
    """Refund lines of an order of `make_order` as the gate runs it, past the gate."""
    action = IssueRefund(order_id=number, item_ids=[f"{number}-{place}" for place in places], reason_code=reason)  # type: ignore[arg-type]
    with transaction.atomic():
        order = Order.objects.select_for_update().select_related("customer").get(number=number)
        subject = Subject(customer=order.customer, order=order)
        return execute(action=action, subject=subject, grant=grant or make_grant())


def _get_method(owner: Customer, source: str) -> PaymentMethod:
    balance = 0 if source == "gift_card" else None
    method, _ = PaymentMethod.objects.get_or_create(
        method_id=f"{source}_of_{owner.pk}",
        defaults={"customer": owner, "position": 9, "source": source, "balance": balance},
    )
    return method
