"""A waiting request that nobody decided on: told once, before its time is over."""

from datetime import datetime, timedelta
from itertools import islice
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse

from approvals.authority import PERMISSION, covers, is_own
from approvals.models import ActionRequest, State
from orders import mail
from policy.limits import Approvals
from policy.money import spoken
from policy.queries import PolicyMissing, get_active

BACKEND = "django.contrib.auth.backends.ModelBackend"
# Of a large team not everybody is woken.
MOST_MAILS = 20
TEXT = "{title}, {amount}. {reason}\n\nIt expires at {expires}; then nothing is done.\n\n{page}\n"


def remind_waiting(*, now: datetime) -> int:
    """Mark each request that expires soon, once, and write to who may decide it; how many.

    Two sweeps at once remind of each request once.
    """
    unreminded = ActionRequest.objects.filter(state=State.AWAITING_STAFF, reminded_at=None, expires_at__gt=now)
    # Asked first, so that a sweep with nothing to do reads no policy and takes no write lock.
    waiting = list(unreminded.values_list("pk", "expires_at"))
    if not waiting:
        return 0
    latest = now + _read_notice()
    return sum(_remind(pk, now) for pk, end in waiting if end <= latest)


def _remind(request_id: UUID, now: datetime) -> bool:
    waiting = ActionRequest.objects.filter(pk=request_id, state=State.AWAITING_STAFF, reminded_at=None)
    with transaction.atomic():
        if not waiting.update(reminded_at=now):
            return False
        request = ActionRequest.objects.select_related("session__customer", "customer").get(pk=request_id)
        text = _write_text(request)
        for staff in _list_deciders(request):
            mail.post(
                key=f"reminder:{request.pk}:{staff.pk}",
                purpose="reminder",
                to=staff.email,
                subject="A request waits for a decision and expires soon",
                text=text,
                good_until=request.expires_at,
            )
    return True


def _list_deciders(request: ActionRequest) -> list[User]:
    """Staff with an address who may approve it, as far as groups and limits say now."""
    permitted = User.objects.with_perm(PERMISSION, backend=BACKEND).filter(is_staff=True).order_by("pk")
    amount = abs(request.amount)
    fit = (one for one in permitted if mail.is_address(one.email) and not is_own(request, one))
    return list(islice((one for one in fit if covers(one, amount, request.currency)), MOST_MAILS))


def _write_text(request: ActionRequest) -> str:
    page = reverse("admin:approvals_actionrequest_change", args=[request.pk])
    return TEXT.format(
        title=request.card["title"],
        amount=spoken(request.amount, request.currency),
        reason=request.reason,
        expires=f"{request.expires_at:%d %b %H:%M} UTC",
        page=f"{settings.DESKAGENT_PUBLIC_URL.rstrip('/')}{page}",
    )


def _read_notice() -> timedelta:
    """How long before the end; never more than half of the time there is, or every request would be late at once."""
    try:
        approvals = get_active().limits.approvals
    except PolicyMissing:
        approvals = Approvals()
    half = timedelta(seconds=settings.DESKAGENT_REQUEST_EXPIRY_SECONDS / 2)
    return min(timedelta(hours=approvals.remind_before_hours), half)
