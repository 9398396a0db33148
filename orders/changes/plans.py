"""What a plan is made of. Amounts in minor units; a `wire` is the JSON number as the public tools write it."""

from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model

from orders.models import Customer, Line, Order, Payment, PaymentMethod

METHOD_WORDS = {
    PaymentMethod.Source.GIFT_CARD: "gift card",
    PaymentMethod.Source.PAYPAL: "PayPal account",
    PaymentMethod.Source.CREDIT_CARD: "credit card",
}


class CannotBeDone(Exception):
    """The shop's state does not allow it; the message is the tool's own answer. Pass it to the model."""


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Whose and which rows an action is about; an action on the account has no order."""

    customer: Customer
    order: Order | None = None

    @property
    def number(self) -> str:
        return self.order.number if self.order else ""

    def methods(self) -> dict[str, PaymentMethod]:
        """The customer's own payment methods by id."""
        return {method.method_id: method for method in self.customer.payment_methods.all()}


@dataclass(frozen=True, kw_only=True)
class LineText:
    """One item as the card and the receipt show it."""

    label: str
    detail: str
    amount: int | None = None


@dataclass(frozen=True, kw_only=True)
class Booking:
    """One new entry of the payment history. `undoes`: the payments that a refund gives back, and how much of each."""

    kind: Payment.Kind
    method: PaymentMethod
    amount: int
    wire: str = ""
    undoes: tuple[tuple[Payment, int], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A mail to the customer that goes out once the change is committed."""

    to: str
    subject: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything an action would do, computed from rows read now."""

    subject: Subject
    title: str
    lines: tuple[LineText, ...]
    # What the customer gets back (above zero) or pays (below), as the card says it.
    total: int
    # What rule R4 looks at: money that leaves the shop, and money that changes its method.
    money_back: int = 0
    money_moved: int = 0
    destination: str = ""
    currency: str = "USD"
    irreversible: bool = False
    bookings: tuple[Booking, ...] = ()
    writes: tuple[tuple[Model, dict[str, Any]], ...] = field(default=())
    # Lines that are given back without coming back, each for what it cost.
    refunded: tuple[Line, ...] = ()
    letter: Letter | None = None
    # What the tool answers where it is neither the order nor the profile.
    answer: dict[str, Any] | None = None

    @property
    def fits_payments(self) -> bool:
        """Whether every payment that is given back, or a part of it, still has that much to give."""
        return all(share <= paid.amount - paid.refunded for entry in self.bookings for paid, share in entry.undoes)

    def fingerprint(self) -> dict[str, object]:
        """What the customer's yes covers beside the arguments; another value means another action."""
        return {
            "user": self.subject.customer.user_id,
            "order": self.subject.number,
            "status": self.subject.order.status if self.subject.order else "",
            "title": self.title,
            "lines": [[line.label, line.detail, line.amount] for line in self.lines],
            "total": self.total,
            "bookings": [[entry.kind, entry.method.method_id, entry.amount] for entry in self.bookings],
            "destination": self.destination,
            "currency": self.currency,
        }


def require_order(subject: Subject) -> Order:
    if subject.order is None:
        raise CannotBeDone("Error: order not found")
    return subject.order


def list_open_lines(order: Order) -> list[Line]:
    """The order's lines but those that were given back without a return: each goes back once, in one way."""
    return list(order.lines.exclude(refunds__released=False))


def explain_missing(order: Order, item_id: str, text: str) -> CannotBeDone:
    """`text` for an item that the order does not hold; another one where all of it was given back."""
    # Compared here and not in the database: a measuring run names items by values of any type.
    if item_id in [line.variant_id for line in order.lines.filter(refunds__released=False)]:
        return CannotBeDone(f"Error: item {item_id} was refunded already")
    return CannotBeDone(text)


def describe_method(method: PaymentMethod) -> str:
    """A payment method in words that its owner recognises: "Visa ending 4417"."""
    if method.source == PaymentMethod.Source.CREDIT_CARD and method.last_four:
        return f"{(method.brand or 'card').capitalize()} ending {method.last_four}"
    return METHOD_WORDS[PaymentMethod.Source(method.source)]


def describe_options(options: dict[str, str]) -> str:
    return ", ".join(f"{key} {value}" for key, value in options.items())


def describe_line(line: Line) -> LineText:
    return LineText(label=line.name, detail=describe_options(line.options), amount=line.price)


def attribute(history: list[Payment], method: PaymentMethod, amount: int) -> tuple[tuple[Payment, int], ...]:
    """Which payments a refund gives back: of the same method first, then the oldest, each what is left of it.

    What no payment covers is put on the first one, so that the database refuses a refund of more than was paid.
    """
    paid = [entry for entry in history if entry.kind == Payment.Kind.PAYMENT]
    paid.sort(key=lambda entry: entry.method_id != method.method_id)
    shares: dict[int, int] = {}
    for place, payment in enumerate(paid):
        shares[place] = min(amount, payment.amount - payment.refunded)
        amount -= shares[place]
    if paid:
        shares[0] += amount
    return tuple((paid[place], share) for place, share in shares.items() if share)
