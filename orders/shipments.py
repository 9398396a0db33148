"""Where an order's parcels are, and what was written to the order or to a parcel."""

from django.db import models


class Shipment(models.Model):
    """What a carrier says of one parcel. A tracking number of a fulfilment without such a row is known by its order."""

    class State(models.TextChoices):
        IN_TRANSIT = "in_transit"
        DELIVERED = "delivered"
        LOST = "lost"
        RETURNED = "returned_to_sender"

    order = models.ForeignKey("orders.Order", models.CASCADE, related_name="shipments")
    tracking_id = models.CharField(max_length=60, unique=True)
    carrier = models.CharField(max_length=60, blank=True)
    status = models.CharField(max_length=20, choices=State)
    shipped_at = models.DateTimeField(null=True, blank=True)
    expected_at = models.DateTimeField(null=True, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.tracking_id} {self.status}"


class Note(models.Model):
    """What customer or merchant wrote to an order, or to one of its shipments: text from outside, shown as data."""

    class Author(models.TextChoices):
        CUSTOMER = "customer"
        MERCHANT = "merchant"

    order = models.ForeignKey("orders.Order", models.CASCADE, related_name="notes")
    shipment = models.ForeignKey(Shipment, models.CASCADE, null=True, blank=True, related_name="notes")
    author = models.CharField(max_length=10, choices=Author)
    text = models.TextField(max_length=2_000)
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.author} {self.at:%Y-%m-%d}"
