from typing import Any, cast

from django.db import models
from django.db.models import F, Q
from django.utils.functional import cached_property

from audit.forms import EMPTY, Unreadable, read_fields


class Entry(models.Model):
    """One line of evidence. Never changed, never deleted: triggers on both engines refuse it, and every column
    is checked against `canonical`, the exact text that was hashed. All that it says stands there alone."""

    chain = models.CharField(max_length=64)
    position = models.PositiveIntegerField()
    event = models.CharField(max_length=40)
    hash = models.CharField(max_length=64)
    canonical = models.TextField()

    class Meta:
        db_table = "audit_entry"
        verbose_name_plural = "entries"
        constraints = [models.UniqueConstraint(fields=["chain", "position"], name="audit_one_entry_a_position")]

    def __str__(self) -> str:
        return f"{self.chain} {self.position} {self.event}"

    @cached_property
    def fields(self) -> dict[str, Any]:
        """What the entry says, under the same names in both forms; empty where the text is no entry's any more."""
        try:
            return EMPTY | read_fields(self.canonical)
        except Unreadable:
            return dict(EMPTY)

    @property
    def at(self) -> str:
        return str(self.fields["at"])

    @property
    def actor(self) -> str:
        return str(self.fields["actor"])

    @property
    def action(self) -> str:
        return str(self.fields["action"])

    @property
    def rule(self) -> str:
        return str(self.fields["rule"])

    @property
    def verdict(self) -> str:
        return str(self.fields["verdict"])

    @property
    def policy_version(self) -> int | None:
        return cast(int | None, self.fields["policy_version"])


class Head(models.Model):
    """The end of one chain: locked by whoever appends, so that a chain cannot fork."""

    chain = models.CharField(max_length=64, unique=True)
    count = models.PositiveIntegerField()
    hash = models.CharField(max_length=64)
    # The count that the newest anchor holds. Only anchoring writes it, so that appending costs nothing more.
    anchored = models.PositiveIntegerField(default=0)

    class Meta:
        # What an anchor has to record, found without a look at the other chains.
        indexes = [models.Index(fields=["chain"], condition=Q(count__gt=F("anchored")), name="audit_not_anchored")]

    def __str__(self) -> str:
        return f"{self.chain} {self.count}"


class Shop(models.Model):
    """Which log this is: anchors carry the identity, and those of another one prove nothing here.

    `mark` is the identity under the audit key, so that nobody without it can make this another shop.
    """

    identity = models.CharField(max_length=32)
    mark = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.identity


class Anchor(models.Model):
    """The heads that changed since the last anchor, signed and chained; the file outside the database has a copy."""

    number = models.PositiveIntegerField(unique=True)
    at = models.DateTimeField()
    # The line of the file, byte for byte.
    line = models.TextField()

    def __str__(self) -> str:
        return f"anchor {self.number}"
