import uuid

from django.conf import settings
from django.contrib.auth.models import Group
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from orders.fields import JSONTextField
from orders.models import Customer, Effect
from orders.packed import PackedJSONField


class CustomerSession(models.Model):
    """What the gate knows of one conversation: who the customer is, how surely, and who holds the chat."""

    class Strength(models.TextChoices):
        NONE = ""
        LOOKUP = "lookup"
        CODE = "code"
        SIGNED = "signed"

    class Holder(models.TextChoices):
        AGENT = "agent"
        PERSON = "person"
        NOBODY = "nobody"

    class Guard(models.TextChoices):
        ENFORCE = "enforce"
        AUDIT = "audit"

    conversation = models.UUIDField(unique=True)
    customer = models.ForeignKey(Customer, models.SET_NULL, null=True, blank=True, related_name="+")
    strength = models.CharField(max_length=10, choices=Strength, blank=True)
    verified_at = models.DateTimeField(null=True, blank=True)
    failed_lookups = models.PositiveSmallIntegerField(default=0)
    holder = models.CharField(max_length=10, choices=Holder, default=Holder.AGENT)
    guard = models.CharField(max_length=10, choices=Guard)
    intent = models.CharField(max_length=40, blank=True)
    # The pseudonym of the address that opened it; empty where no customer did.
    address = models.CharField(max_length=40, blank=True)

    def __str__(self) -> str:
        return str(self.conversation)


class FailedLookup(models.Model):
    """Somebody at this address named a customer who does not exist; kept while it counts."""

    address = models.CharField(max_length=40)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["address", "at"]), models.Index(fields=["at"])]

    def __str__(self) -> str:
        return f"{self.address} {self.at}"


class OneTimeCode(models.Model):
    """A code that a conversation asked for, kept while it counts. Made alike where nobody has the address."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(CustomerSession, models.CASCADE, related_name="codes")
    customer = models.ForeignKey(Customer, models.SET_NULL, null=True, blank=True, related_name="+")
    # Keyed pseudonyms of the e-mail address that was named, and of the visitor's network.
    email = models.CharField(max_length=40)
    address = models.CharField(max_length=40, blank=True)
    digest = models.CharField(max_length=64)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    # Given, used up, or replaced by a newer one.
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["email", "asked_at"]),
            models.Index(fields=["address", "asked_at"]),
            models.Index(fields=["asked_at"]),
        ]

    def __str__(self) -> str:
        return f"code of {self.asked_at}"


class ActionRequest(models.Model):
    """May we? One exact action, its card, and what customer and staff said to it."""

    class State(models.TextChoices):
        AWAITING_CUSTOMER = "awaiting_customer"
        AWAITING_STAFF = "awaiting_staff"
        GRANTED = "granted"
        DECLINED_BY_CUSTOMER = "declined_by_customer"
        DECLINED_BY_STAFF = "declined_by_staff"
        REPLACED = "replaced"
        REFUSED = "refused"
        STALE = "stale"
        EXPIRED = "expired"
        WITHDRAWN = "withdrawn"
        # The customer said yes; by the action's level a person does it, and a ticket holds it.
        SHADOWED = "shadowed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(CustomerSession, models.PROTECT, related_name="requests")
    # Who asked: the session may forget its customer while the request still waits.
    customer = models.ForeignKey(Customer, models.SET_NULL, null=True, blank=True, related_name="+")
    key = models.CharField(max_length=64, unique=True)
    action = models.CharField(max_length=60)
    arguments = JSONTextField()
    digest = models.CharField(max_length=64)
    order_number = models.CharField(max_length=40)
    card = PackedJSONField()
    amount = models.BigIntegerField()
    # What the autonomy level was chosen by, in minor units.
    level_amount = models.BigIntegerField(default=0)
    currency = models.CharField(max_length=3)
    destination = models.CharField(max_length=1_000, blank=True)
    # What the rules saw when it was proposed, shown to staff beside what is true now.
    facts = JSONTextField()
    state = models.CharField(max_length=24, choices=State)
    rule = models.CharField(max_length=8, blank=True)
    reason = models.TextField(blank=True)
    policy_version = models.PositiveIntegerField()
    prompt_version = models.CharField(max_length=40)
    model = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.CharField(max_length=10, blank=True)
    # Spoken consent: the agent's message that the customer's yes answered.
    spoken_to = models.BigIntegerField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="decided_requests"
    )
    note = models.TextField(blank=True)
    # A member of staff asked for less: the request this one stands in for, and who that was.
    corrects = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="correction"
    )
    corrected_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    reminded_at = models.DateTimeField(null=True, blank=True)
    effect = models.OneToOneField(Effect, models.PROTECT, null=True, blank=True, related_name="request")
    # What the model is told once the request has ended, replayed for a repeat of the same call.
    result = models.TextField(blank=True)
    result_is_error = models.BooleanField(default=False)

    class Meta:
        permissions = [("decide_actionrequest", "Can approve and decline waiting requests")]
        constraints = [
            models.UniqueConstraint(
                fields=["session"], condition=Q(state="awaiting_customer"), name="approvals_one_open_card"
            ),
            models.UniqueConstraint(
                fields=["session"], condition=Q(state="awaiting_staff"), name="approvals_one_under_review"
            ),
            models.UniqueConstraint(fields=["session", "spoken_to"], name="approvals_one_action_a_yes"),
        ]
        indexes = [models.Index(fields=["state", "expires_at"])]

    def __str__(self) -> str:
        return f"{self.action} {self.order_number} {self.state}"


class FirstApproval(models.Model):
    """One of two people said yes; the request still waits for the other."""

    request = models.OneToOneField(ActionRequest, models.CASCADE, related_name="first_approval")
    staff = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    note = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.staff} {self.at}"


class Authority(models.Model):
    """The largest amount that a member of a group may approve, in minor units."""

    group = models.OneToOneField(Group, models.CASCADE, related_name="authority")
    most = models.PositiveBigIntegerField()
    currency = models.CharField(max_length=3, default="USD", validators=[RegexValidator("^[A-Z]{3}$")])

    class Meta:
        verbose_name_plural = "authorities"

    def __str__(self) -> str:
        return f"{self.group}: {self.most} {self.currency}"


class Harm(models.Model):
    """Something went wrong with an action, found by a person or by the desk: what the ladder counts against it."""

    class Kind(models.TextChoices):
        WRONG = "wrong", "Not what was due"
        CUSTOMER = "customer", "The customer lost by it"
        MONEY = "money", "The shop lost money"
        OTHER = "other", "Something else"
        # Found by the desk itself.
        IN_DOUBT = "gateway_in_doubt", "The payment gateway left it in doubt"
        ERRORS = "error_rate", "Too many writes failed"
        BOOKS = "books_broken", "An invariant of the books is broken"

    action = models.CharField(max_length=60)
    level_amount = models.BigIntegerField(default=0)
    # Empty where the write path failed and no single request did.
    request = models.ForeignKey(ActionRequest, models.PROTECT, null=True, blank=True, related_name="harms")
    kind = models.CharField(max_length=20, choices=Kind)
    note = models.TextField(blank=True)
    found_by = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        permissions = [("override_ladder", "Can raise a level before its evidence is there")]
        constraints = [models.UniqueConstraint(fields=["request", "kind"], name="approvals_one_harm_of_a_kind")]
        indexes = [models.Index(fields=["action", "at"])]

    def __str__(self) -> str:
        return f"{self.action}: {self.kind}"


# What staff may enter by hand.
FOUND_BY_STAFF = (Harm.Kind.WRONG, Harm.Kind.CUSTOMER, Harm.Kind.MONEY, Harm.Kind.OTHER)
State = ActionRequest.State
WAITING = (State.AWAITING_CUSTOMER, State.AWAITING_STAFF)
# A refused second decision ends as REFUSED, one that no longer fits the facts as STALE.
MOVES: dict[State, set[State]] = {
    State.AWAITING_CUSTOMER: {
        State.AWAITING_STAFF,
        State.GRANTED,
        State.DECLINED_BY_CUSTOMER,
        State.REPLACED,
        State.REFUSED,
        State.STALE,
        State.EXPIRED,
        State.SHADOWED,
    },
    State.AWAITING_STAFF: {
        State.GRANTED,
        State.DECLINED_BY_STAFF,
        State.REFUSED,
        State.STALE,
        State.EXPIRED,
        State.WITHDRAWN,
    },
}
