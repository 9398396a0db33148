from django.db import models


class PolicyVersion(models.Model):
    """One set of numbers. Rows are only ever added (triggers refuse the rest); the newest one is active."""

    number = models.PositiveIntegerField(unique=True)
    limits = models.TextField()
    source = models.CharField(max_length=200)
    note = models.TextField(blank=True)
    author = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        permissions = [("publish_policyversion", "Can publish, roll back and switch off")]

    def __str__(self) -> str:
        return f"v{self.number}"
