"""The chat's rows: what was said, what was shown, what the agent did, and who has to answer."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from approvals.models import CustomerSession
from conversations.stages import Stages
from orders.fields import JSONTextField
from orders.packed import PackedJSONField


class Conversation(models.Model):
    class Channel(models.TextChoices):
        CHAT = "chat"
        EMAIL = "email"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    token_hash = models.CharField(max_length=64)
    locale = models.CharField(max_length=20, blank=True)
    # How the customer reads the answers, and so how long one may take.
    channel = models.CharField(max_length=8, choices=Channel, default=Channel.CHAT)
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    # The number of the newest event; counted under the row's lock, so there are no holes.
    last_seq = models.PositiveIntegerField(default=0)
    # The prompt of this conversation's segment, pinned when the agent first answers.
    prompt_version = models.CharField(max_length=40, blank=True)
    policy_version = models.PositiveIntegerField(null=True, blank=True)
    triaged_at = models.DateTimeField(null=True, blank=True)
    # What triage found of this segment: intent, confidence, sentiment, risk, the reason, and who says so.
    label = JSONTextField(default=dict)
    # The step that begins the window the model sees, once a long chat has one.
    window_note = models.BigIntegerField(null=True, blank=True)
    # The event that said "this chat closes soon": while it is the newest, nothing has happened since.
    idle_seq = models.PositiveIntegerField(null=True, blank=True)
    # How often it was opened again within seven days of its end.
    reopenings = models.PositiveSmallIntegerField(default=0)

    class Meta:
        permissions = [("answer_conversation", "Can take over, reply, hand back and close")]
        # What a sweep looks through: the few that are open among all that ever were.
        indexes = [
            models.Index(fields=["created_at"], condition=Q(closed_at__isnull=True), name="conversations_open_ones")
        ]

    # Set while this transaction holds the row: the gate's session, which nobody else can change meanwhile.
    session: CustomerSession | None = None
    # Events of this transaction, which go to the sockets together once it is committed.
    unsent: list[dict[str, Any]] | None = None

    def __str__(self) -> str:
        return str(self.pk)


class Turn(models.Model):
    """One piece of the agent's work. A row is made by whatever needs an answer, and is the to-do itself."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        # Its card or request is open: the model's call waits for a person's word.
        WAITING = "waiting"
        DONE = "done"
        WITH_PERSON = "with_person"
        FAILED = "failed"

    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="turns")
    # The message that opened it; a turn that continues an open call inherits the one of that call.
    origin = models.ForeignKey("Message", models.PROTECT, null=True, related_name="+")
    cause = models.CharField(max_length=20)
    state = models.CharField(max_length=12, choices=State, default=State.QUEUED)
    # While waiting: the model's open call, and the request it waits for.
    call_id = models.CharField(max_length=80, blank=True)
    request_id = models.UUIDField(null=True, blank=True)
    # Who may write for it: raised at each claim, checked in every transaction of the turn.
    fence = models.PositiveIntegerField(default=0)
    # The worker's heartbeat moves it; once it is past, anybody may claim the turn.
    lease_until = models.DateTimeField(null=True, blank=True)
    # When a sweep last sent it to a worker: two beats at once do not send it twice.
    nudged_at = models.DateTimeField(null=True, blank=True)
    stage_ms = JSONTextField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"], condition=Q(state__in=["queued", "running"]), name="conversations_one_turn"
            ),
            models.UniqueConstraint(
                fields=["conversation"], condition=Q(state="waiting"), name="conversations_one_open_call"
            ),
        ]
        indexes = [models.Index(fields=["state", "lease_until"])]

    # Set while a worker holds the turn; stored as `stage_ms` when it ends.
    stages: Stages | None = None

    def __str__(self) -> str:
        return f"turn {self.pk} {self.state}"


class Message(models.Model):
    class Role(models.TextChoices):
        CUSTOMER = "customer"
        AGENT = "agent"
        STAFF = "staff"
        SYSTEM = "system"

    # Found by the unique keys, which begin with it.
    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="messages", db_index=False)
    role = models.CharField(max_length=10, choices=Role)
    text = models.TextField()
    client_id = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 - only customers have one
    seq = models.PositiveIntegerField()
    turn = models.ForeignKey(Turn, models.PROTECT, null=True, blank=True, related_name="messages")
    author = models.CharField(max_length=150, blank=True)
    # Reads like a message of the desk itself; changes no verdict.
    imitation = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "client_id"], name="conversations_message_once"),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.seq}"


class Event(models.Model):
    """What customer and staff see, numbered without holes. `about`: the request or effect it tells of, told once."""

    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="events", db_index=False)
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    about = models.UUIDField(null=True, blank=True)
    body = PackedJSONField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["conversation", "seq"], name="conversations_event_numbers"),
            models.UniqueConstraint(
                fields=["about", "kind"], condition=Q(about__isnull=False), name="conversations_told_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class Step(models.Model):
    """One stored piece of the model's history, in the provider's form; a prompt is their concatenation."""

    class Kind(models.TextChoices):
        # What the customer, staff or desk said to the model; a model's reply; the result of one tool call.
        INPUT = "input"
        REPLY = "reply"
        RESULT = "result"
        # A draft that a newer message overtook; kept, but not part of the history.
        DISCARDED = "discarded"

    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="steps")
    turn = models.ForeignKey(Turn, models.PROTECT, null=True, related_name="steps")
    kind = models.CharField(max_length=10, choices=Kind)
    call_id = models.CharField(max_length=80, blank=True)
    # For a reply: the newest step its request held. What arrived while the model spoke comes after the reply.
    # For the note at the start of a window: the first step that the window keeps.
    after = models.BigIntegerField(null=True, blank=True)
    body = PackedJSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "call_id"], condition=Q(kind="result"), name="conversations_one_result_a_call"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class ModelCall(models.Model):
    """What one call of the model took: kept for good, unlike its bodies.

    A paid call's row is made before the call, open and at the most it can cost; whoever sees the end lowers it. So a
    call whose end nobody saw costs its reservation.
    """

    turn = models.ForeignKey(Turn, models.PROTECT, related_name="model_calls")
    model = models.CharField(max_length=80)
    prompt_version = models.CharField(max_length=40)
    stop_reason = models.CharField(max_length=40, blank=True)
    input_tokens = models.PositiveIntegerField()
    output_tokens = models.PositiveIntegerField()
    cache_read_tokens = models.PositiveIntegerField()
    cache_write_tokens = models.PositiveIntegerField()
    first_token_ms = models.PositiveIntegerField()
    latency_ms = models.PositiveIntegerField()
    # Billionths of a dollar.
    cost_nano = models.BigIntegerField(default=0)
    open = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.model} {self.latency_ms} ms"


class Spend(models.Model):
    """What one account spent on the model or holds for running calls; never above its cap.

    `shop` and `total` count what processes took in blocks; `day` is a UTC date, or empty where a cap is for good.
    """

    class Scope(models.TextChoices):
        CONVERSATION = "conversation"
        VISITOR = "visitor"
        SHOP = "shop"
        TOTAL = "total"

    scope = models.CharField(max_length=12, choices=Scope)
    subject = models.CharField(max_length=40, blank=True)
    day = models.CharField(max_length=10, blank=True)
    nano = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["scope", "subject", "day"], name="conversations_one_account"),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.subject} {self.day}: {self.nano}"


class Ticket(models.Model):
    """A person must reply. `summary`: facts collected by code and what was tried, never empty."""

    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="tickets")
    reason = models.CharField(max_length=40)
    summary = JSONTextField()
    opened_at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True, blank=True)
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    first_reply_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    # Whether it needed a person, as whoever closed it says; None where nobody was asked or answered.
    needed_person = models.BooleanField(null=True, blank=True)
    needed_why = models.CharField(max_length=300, blank=True)
    judged_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["opened_at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"], condition=Q(closed_at__isnull=True), name="conversations_one_open_ticket"
            ),
        ]

    def __str__(self) -> str:
        return f"ticket {self.pk}"


class Rating(models.Model):
    """What the customer thought of the chat, in their words: hostile text, shown to staff alone."""

    conversation = models.OneToOneField(Conversation, models.PROTECT, related_name="rating")
    score = models.PositiveSmallIntegerField()
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    # When the customer last thought otherwise; the newest score is the one that counts.
    changed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(score__gte=1, score__lte=5), name="conversations_score_of_five"),
        ]

    WORDS = ("Bad", "Poor", "Okay", "Good", "Great")

    def __str__(self) -> str:
        return f"{self.word}, {self.score} of 5"

    @property
    def word(self) -> str:
        """What stood beneath the score that the customer chose."""
        return self.WORDS[self.score - 1]


class Suggestion(models.Model):
    """A reply that the agent drafted for the person who holds the chat. Sending it is theirs."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        READY = "ready"
        FAILED = "failed"

    # The cause of the turn that carries its calls of the model, by which they are told apart.
    CAUSE = "suggestion"

    conversation = models.ForeignKey(Conversation, models.PROTECT, related_name="suggestions")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    turn = models.OneToOneField(Turn, models.PROTECT, null=True, blank=True, related_name="suggestion")
    # The newest event it knew of.
    seq = models.PositiveIntegerField(default=0)
    text = models.TextField(blank=True)
    # What the reply check finds in it; shown beside it.
    faults = JSONTextField(default=list)
    # Why there is none.
    why = models.CharField(max_length=200, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    nudged_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # The reply that was sent from it, by whom, and whether with other words.
    message = models.OneToOneField(Message, models.PROTECT, null=True, blank=True, related_name="suggestion")
    used_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    edited = models.BooleanField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"],
                condition=Q(state__in=["queued", "running"]),
                name="conversations_one_suggestion_asked",
            ),
        ]

    def __str__(self) -> str:
        return f"suggestion {self.pk} {self.state}"
