"""The outbox: one row for each mail that has to go out."""

from django.db import models


class Mail(models.Model):
    """One mail: committed as CLAIMED with what it tells of, as CALLED before each try, and settled after it."""

    class State(models.TextChoices):
        CLAIMED = "claimed"
        CALLED = "called"
        SENT = "sent"
        FAILED = "failed"

    # From what it tells of: the same mail asked for twice is one.
    key = models.CharField(max_length=80, unique=True)
    purpose = models.CharField(max_length=20)
    # Empty: an address that nobody has. Such a row is settled without a mail, so that asking for one tells nothing.
    to = models.CharField(max_length=254, blank=True)
    subject = models.CharField(max_length=200)
    text = models.TextField()
    # What the one-time code of the text is derived from; the code itself is in no row.
    seed = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.CLAIMED)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField()
    # After this it is of no use to anybody.
    good_until = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    # The mail server's words where it refused or did not answer.
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [models.Index(fields=["state", "next_try_at"]), models.Index(fields=["settled_at"])]

    def __str__(self) -> str:
        return f"{self.purpose} {self.state}"
