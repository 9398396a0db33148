"""Who may decide a request, and up to which amount alone."""

from django.contrib.auth.models import User

from approvals.models import ActionRequest, Authority, FirstApproval
from policy.limits import Limits
from policy.money import to_minor

PERMISSION = "approvals.decide_actionrequest"


def may_decide(staff: User) -> bool:
    return staff.is_active and staff.is_staff and staff.has_perm(PERMISSION)


def is_own(request: ActionRequest, staff: User) -> bool:
    """Whether this member of staff is the customer who asked: the same e-mail address."""
    customer = request.customer or request.session.customer
    mine, theirs = staff.email.strip().casefold(), customer.email.strip().casefold() if customer else ""
    return bool(mine) and mine == theirs


def find_limit(staff: User, currency: str) -> int | None:
    """The most this member may approve, in minor units; None where nothing bounds it.

    Where no group has a limit the shop does not use them. Where one has, a member of none of those may approve what
    moves no money, so leaving a group never raises anybody.
    """
    if staff.is_superuser or not Authority.objects.exists():
        return None
    of_groups = Authority.objects.filter(group__in=staff.groups.all(), currency=currency)
    return max(of_groups.values_list("most", flat=True), default=0)


def covers(staff: User, amount: int, currency: str) -> bool:
    """Equal passes, as with every limit."""
    limit = find_limit(staff, currency)
    return limit is None or amount <= limit


def needs_second_person(amount: int, limits: Limits) -> bool:
    above = limits.approvals.second_person_above
    return above is not None and amount > to_minor(above)


def find_first_approval(request: ActionRequest, amount: int) -> FirstApproval | None:
    """The first of two approvals, if whoever gave it may still decide this amount."""
    first = FirstApproval.objects.select_related("staff").filter(request=request).first()
    if first is None or not isinstance(first.staff, User):
        return None
    return first if _stands(first.staff, request, amount) else None


def find_corrector(request: ActionRequest, limits: Limits) -> User | None:
    """The member of staff whose correction is the approval of this request, if one is enough and may still decide."""
    staff, amount = request.corrected_by, abs(request.amount)
    if request.corrects_id is None or not isinstance(staff, User) or needs_second_person(amount, limits):
        return None
    return staff if _stands(staff, request, amount) else None


def _stands(staff: User, request: ActionRequest, amount: int) -> bool:
    return may_decide(staff) and not is_own(request, staff) and covers(staff, amount, request.currency)
