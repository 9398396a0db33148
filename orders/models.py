"""The shop's rows. Money is integer minor units with its currency.

A `*_wire` column beside an amount holds the JSON number as the shop's export writes it where that is not the plain
two-decimal float of the minor units (an int, or a float with noise); empty otherwise. Books never read it.
"""

from django.db import models
from django.db.models import F, Q

from orders.fields import JSONTextField
from orders.mail_rows import Mail as Mail  # noqa: PLC0414 - a table of this app
from orders.packed import PackedTextField


class Address(models.Model):
    address1 = models.CharField(max_length=200)
    address2 = models.CharField(max_length=200, blank=True)
    city = models.CharField(max_length=120)
    country = models.CharField(max_length=60)
    state = models.CharField(max_length=60)
    zip = models.CharField(max_length=20)
    # The address as a tool wrote it, where its keys or types differ from the shop's export.
    address_wire = JSONTextField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True


class Customer(Address):
    user_id = models.CharField(max_length=120, unique=True)
    first_name = models.CharField(max_length=120)
    last_name = models.CharField(max_length=120)
    email = models.CharField(max_length=254)
    # Lower case as Python sees it: the two engines disagree on letters beyond ASCII.
    email_key = models.CharField(max_length=254, editable=False)
    # Served by people: set in the console, by the import or by the storefront's signature.
    vip = models.BooleanField("VIP", default=False)

    class Meta(Address.Meta):
        abstract = False
        indexes = [models.Index(fields=["zip"]), models.Index(fields=["email_key"])]

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}"


class PaymentMethod(models.Model):
    class Source(models.TextChoices):
        CREDIT_CARD = "credit_card"
        PAYPAL = "paypal"
        GIFT_CARD = "gift_card"

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="payment_methods")
    position = models.PositiveSmallIntegerField()
    method_id = models.CharField(max_length=60, unique=True)
    source = models.CharField(max_length=20, choices=Source)
    brand = models.CharField(max_length=40, blank=True)
    last_four = models.CharField(max_length=4, blank=True)
    balance = models.BigIntegerField(null=True, blank=True)
    balance_wire = models.CharField(max_length=40, blank=True)
    currency = models.CharField(max_length=3, default="USD")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.CheckConstraint(
                # A comparison with NULL is not false, and a check refuses only what is false.
                condition=Q(source="gift_card", balance__isnull=False, balance__gte=0)
                | (~Q(source="gift_card") & Q(balance__isnull=True)),
                name="orders_only_gift_cards_have_a_balance",
            ),
        ]

    def __str__(self) -> str:
        return self.method_id


class Product(models.Model):
    product_id = models.CharField(max_length=40, unique=True)
    name = models.CharField(max_length=200)

    def __str__(self) -> str:
        return self.name


class Variant(models.Model):
    product = models.ForeignKey(Product, models.CASCADE, related_name="variants")
    position = models.PositiveSmallIntegerField()
    item_id = models.CharField(max_length=40, unique=True)
    options = JSONTextField()
    available = models.BooleanField()
    price = models.BigIntegerField()
    price_wire = models.CharField(max_length=40, blank=True)
    currency = models.CharField(max_length=3, default="USD")

    class Meta:
        ordering = ["position"]
        constraints = [models.CheckConstraint(condition=Q(price__gte=0), name="orders_variant_price_not_negative")]

    def __str__(self) -> str:
        return self.item_id


class Order(Address):
    class Status(models.TextChoices):
        PENDING = "pending"
        PROCESSED = "processed"
        DELIVERED = "delivered"
        CANCELLED = "cancelled"
        ITEMS_MODIFIED = "pending (item modified)"
        RETURN_REQUESTED = "return requested"
        EXCHANGE_REQUESTED = "exchange requested"

    number = models.CharField(max_length=40, unique=True)
    customer = models.ForeignKey(Customer, models.PROTECT, related_name="orders")
    position = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=30, choices=Status)
    cancel_reason = models.CharField(max_length=60, blank=True)
    return_items = JSONTextField(null=True, blank=True)
    return_method = models.CharField(max_length=60, blank=True)
    exchange_items = JSONTextField(null=True, blank=True)
    exchange_new_items = JSONTextField(null=True, blank=True)
    exchange_method = models.CharField(max_length=60, blank=True)
    # What the customer pays (above zero) or gets back (below) once the exchange is done.
    exchange_difference = models.BigIntegerField(null=True, blank=True)
    exchange_difference_wire = models.CharField(max_length=40, blank=True)
    currency = models.CharField(max_length=3, default="USD")
    # When the last of it arrived; unknown where the shop keeps no date.
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta(Address.Meta):
        abstract = False
        ordering = ["position"]

    # What a decision has read of it, kept with this object alone.
    seen_lines: "list[Line] | None" = None
    seen_payments: "list[Payment] | None" = None

    def __str__(self) -> str:
        return self.number


class Line(models.Model):
    """One item of an order, with name, options and price as they were when it was bought."""

    order = models.ForeignKey(Order, models.CASCADE, related_name="lines")
    position = models.PositiveSmallIntegerField()
    variant = models.ForeignKey(Variant, models.PROTECT, to_field="item_id", db_column="item_id", related_name="+")
    product = models.ForeignKey(
        Product, models.PROTECT, to_field="product_id", db_column="product_id", related_name="+"
    )
    name = models.CharField(max_length=200)
    options = JSONTextField()
    price = models.BigIntegerField()
    price_wire = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [models.CheckConstraint(condition=Q(price__gte=0), name="orders_line_price_not_negative")]

    def __str__(self) -> str:
        return f"{self.name} ({self.variant_id})"


class Payment(models.Model):
    """One entry of an order's payment history. `refunded`: how much of a payment went back, or is on its way."""

    class Kind(models.TextChoices):
        PAYMENT = "payment"
        REFUND = "refund"

    class State(models.TextChoices):
        SETTLED = "settled"
        # A refund that the gateway has not confirmed yet.
        PENDING = "pending"
        FAILED = "failed"

    order = models.ForeignKey(Order, models.CASCADE, related_name="payments")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    method = models.ForeignKey(
        PaymentMethod, models.PROTECT, to_field="method_id", db_column="method_id", related_name="+"
    )
    amount = models.BigIntegerField()
    amount_wire = models.CharField(max_length=40, blank=True)
    currency = models.CharField(max_length=3, default="USD")
    refunded = models.BigIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.SETTLED)
    effect = models.ForeignKey("Effect", models.PROTECT, null=True, blank=True, related_name="payments")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["order", "position"], name="orders_one_payment_a_position"),
            models.CheckConstraint(condition=Q(amount__gte=0), name="orders_payment_amount_not_negative"),
            models.CheckConstraint(
                condition=Q(refunded__gte=0, refunded__lte=F("amount")), name="orders_refunded_at_most_paid"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"


class Fulfilment(models.Model):
    order = models.ForeignKey(Order, models.CASCADE, related_name="fulfilments")
    position = models.PositiveSmallIntegerField()
    tracking_ids = JSONTextField()
    item_ids = JSONTextField()

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return ", ".join(self.tracking_ids)


class Preference(models.Model):
    """One wish of a customer about messages; what has no row was never said."""

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="preferences")
    name = models.CharField(max_length=40)
    value = models.CharField(max_length=10)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["customer", "name"], name="orders_one_preference_a_name")]

    def __str__(self) -> str:
        return f"{self.name} {self.value}"


class Effect(models.Model):
    """The write-ahead record of one change: did it happen? Its key comes from what the customer agreed to."""

    class State(models.TextChoices):
        CLAIMED = "claimed"
        DONE = "done"
        FAILED = "failed"
        UNKNOWN = "unknown"

    key = models.CharField(max_length=64, unique=True)
    request_id = models.UUIDField(unique=True)
    conversation = models.UUIDField()
    # The shop's data can be replaced; what was done stays, with the numbers it was done to.
    order = models.ForeignKey(Order, models.SET_NULL, null=True, related_name="effects")
    order_number = models.CharField(max_length=40, blank=True)
    customer = models.ForeignKey(Customer, models.SET_NULL, null=True, related_name="effects")
    user_id = models.CharField(max_length=120)
    action = models.CharField(max_length=60)
    arguments = JSONTextField()
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    destination = models.CharField(max_length=1_000, blank=True)
    state = models.CharField(max_length=10, choices=State)
    # Who approved it, or empty where it was granted without a person; counted by rule R4.
    approved_by = models.CharField(max_length=150, blank=True)
    result = PackedTextField()
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    # Since when a person has to find out what the gateway did.
    with_person_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["customer", "created_at"]), models.Index(fields=["conversation"])]

    def __str__(self) -> str:
        return f"{self.action} {self.order_number} {self.state}"


class Refund(models.Model):
    """One sum that an effect gives back through a remote gateway: its key, and what is known of the call.

    Committed as CLAIMED with the order's change, as CALLED before each call, and settled after it.
    """

    class State(models.TextChoices):
        CLAIMED = "claimed"
        CALLED = "called"
        UNKNOWN = "unknown"
        DONE = "done"
        FAILED = "failed"

    effect = models.ForeignKey(Effect, models.PROTECT, related_name="refunds")
    # The entry in the order's history, and the payment it gives back; the shop's data can be replaced.
    booking = models.ForeignKey(Payment, models.SET_NULL, null=True, related_name="refunds")
    paid = models.ForeignKey(Payment, models.SET_NULL, null=True, related_name="+")
    key = models.CharField(max_length=80, unique=True)
    charge_id = models.CharField(max_length=80)
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    destination = models.CharField(max_length=200)
    state = models.CharField(max_length=10, choices=State, default=State.CLAIMED)
    # Calls and look-ups so far, when the first call went out (a key lives from then on), and when to look again.
    tries = models.PositiveSmallIntegerField(default=0)
    first_called_at = models.DateTimeField(null=True, blank=True)
    next_try_at = models.DateTimeField()
    unknown_since = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    # The gateway's own number of the refund, and its words where it refused or did not answer.
    gateway_id = models.CharField(max_length=80, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="orders_refund_of_something"),
        ]
        indexes = [models.Index(fields=["state", "next_try_at"])]

    def __str__(self) -> str:
        return f"{self.key} {self.state}"


class RefundedLine(models.Model):
    """An item that was given back without coming back: once, unless nothing of it could be paid."""

    line = models.ForeignKey(Line, models.CASCADE, related_name="refunds")
    effect = models.ForeignKey(Effect, models.PROTECT, related_name="lines")
    amount = models.BigIntegerField()
    # The gateway refused all of it, so another decision may give it back.
    released = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["line"], condition=Q(released=False), name="orders_line_refunded_once"),
            models.CheckConstraint(condition=Q(amount__gte=0), name="orders_refunded_line_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.line_id} {self.amount}"


# Django reads an app's models from here; the rows of parcels stand in a file of their own.
from orders.shipments import Note, Shipment  # noqa: E402, F401
