"""What the shop knows of its customers and a desk may note."""

from orders.models import Customer


def mark_vip(customer: Customer, *, vip: bool) -> None:
    """Whether people alone serve this customer, from their next message on."""
    customer.vip = vip
    customer.save(update_fields=["vip"])
