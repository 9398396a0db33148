"""A waiting request that nobody decided on: told once, before its time is over."""

from datetime import datetime, timedelta

from django.conf import settings

from approvals.models import ActionRequest, State
from policy.limits import Approvals
from policy.queries import PolicyMissing, get_active


def remind_waiting(*, now: datetime) -> int:
    """Mark each request that expires soon, once; how many. Two sweeps at once mark each of them once."""
    soon = ActionRequest.objects.filter(
        state=State.AWAITING_STAFF, reminded_at=None, expires_at__gt=now, expires_at__lte=now + _read_notice()
    )
    # Asked first, so that a sweep with nothing to do takes no write lock.
    waiting = list(soon.values_list("pk", flat=True))
    return sum(soon.filter(pk=pk).update(reminded_at=now) for pk in waiting)


def _read_notice() -> timedelta:
    """How long before the end; never more than half of the time there is, or every request would be late at once."""
    try:
        approvals = get_active().limits.approvals
    except PolicyMissing:
        approvals = Approvals()
    half = timedelta(seconds=settings.DESKAGENT_REQUEST_EXPIRY_SECONDS / 2)
    return min(timedelta(hours=approvals.remind_before_hours), half)
