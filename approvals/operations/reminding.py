"""A waiting request that nobody decided on: told once, before its time is over."""

from datetime import datetime, timedelta

from django.conf import settings

from approvals.models import ActionRequest, State
from policy.limits import Approvals
from policy.queries import PolicyMissing, get_active


def remind_waiting(*, now: datetime) -> int:
    """Mark each request that expires soon, once; how many. Two sweeps at once mark each of them once."""
    unreminded = ActionRequest.objects.filter(state=State.AWAITING_STAFF, reminded_at=None, expires_at__gt=now)
    # Asked first, so that a sweep with nothing to do reads no policy and takes no write lock.
    waiting = list(unreminded.values_list("pk", "expires_at"))
    if not waiting:
        return 0
    latest = now + _read_notice()
    return sum(unreminded.filter(pk=pk).update(reminded_at=now) for pk, end in waiting if end <= latest)


def _read_notice() -> timedelta:
    """How long before the end; never more than half of the time there is, or every request would be late at once."""
    try:
        approvals = get_active().limits.approvals
    except PolicyMissing:
        approvals = Approvals()
    half = timedelta(seconds=settings.DESKAGENT_REQUEST_EXPIRY_SECONDS / 2)
    return min(timedelta(hours=approvals.remind_before_hours), half)
