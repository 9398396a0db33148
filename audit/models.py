from django.db import models


class Entry(models.Model):
    """One line of evidence. Never changed, never deleted: triggers on both engines refuse it, and every column
    is checked against `canonical`, the exact text that was hashed."""

    chain = models.CharField(max_length=64)
    position = models.PositiveIntegerField()
    event = models.CharField(max_length=40)
    at = models.CharField(max_length=32)
    conversation = models.CharField(max_length=36, blank=True)
    actor = models.CharField(max_length=120)
    action = models.CharField(max_length=60, blank=True)
    rule = models.CharField(max_length=8, blank=True)
    verdict = models.CharField(max_length=40, blank=True)
    policy_version = models.PositiveIntegerField(null=True, blank=True)
    key_id = models.CharField(max_length=16)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64, unique=True)
    canonical = models.TextField()

    class Meta:
        db_table = "audit_entry"
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["chain", "position"], name="audit_one_entry_a_position"),
            models.UniqueConstraint(fields=["chain", "previous_hash"], name="audit_no_fork"),
        ]
        indexes = [models.Index(fields=["conversation"]), models.Index(fields=["event"])]

    def __str__(self) -> str:
        return f"{self.chain} {self.position} {self.event}"


class Head(models.Model):
    """The end of one chain: locked by whoever appends, so that a chain cannot fork."""

    chain = models.CharField(max_length=64, unique=True)
    count = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.chain} {self.count}"
