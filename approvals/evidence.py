"""What speaks for and against the level of an action: read from the requests and harms since the level began."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Exists, OuterRef, QuerySet

from approvals.bounds import find_upper_bound
from approvals.models import ActionRequest, Harm, State
from policy.actions import ACTIONS
from policy.levels import Level
from policy.limits import Autonomy, Band, Limits
from policy.money import LARGEST, to_minor
from policy.queries import find_level_since

LADDER = tuple(Level)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """One action in one band of amounts, since its level began."""

    action: str
    up_to: Decimal | None
    # The band's amounts in minor units: above `low`, up to `high`.
    low: int
    high: int
    level: Level
    since: datetime
    # Whole days and cases since the level began, or since the last harm: what a step up is measured by.
    days: int
    clean_cases: int
    cases: int
    harms: int
    # Nothing was done yet: no rate to bound.
    bound: float | None
    # Of what customers asked for, how much ended with money going back.
    refund_rate: float | None
    shadowed: int
    agreed: int

    @property
    def above(self) -> Level | None:
        return LADDER[at] if (at := LADDER.index(self.level) + 1) < len(LADDER) else None

    @property
    def below(self) -> Level | None:
        return LADDER[at - 1] if (at := LADDER.index(self.level)) else None


def list_evidence(*, limits: Limits, now: datetime) -> list[Evidence]:
    """Every action and band of the active policy."""
    return [
        get_evidence(action=action, up_to=band.up_to, limits=limits, now=now)
        for action in ACTIONS
        for band in limits.autonomy.bands_of(action)
    ]


def get_evidence(*, action: str, up_to: Decimal | None, limits: Limits, now: datetime) -> Evidence:
    """Raises `LookupError` where the action has no band that ends there."""
    band, low, high = _find_band(limits.autonomy, action, up_to)
    since = find_level_since(action=action, low=low, high=high)
    asked = ActionRequest.objects.filter(
        action=action, level_amount__gt=low, level_amount__lte=high, created_at__gte=since
    )
    found = Harm.objects.filter(action=action, level_amount__gt=low, level_amount__lte=high, at__gte=since)
    last = found.order_by("-at").values_list("at", flat=True).first()
    done = list_cases(asked, band.level)
    clean_from = max(since, last) if last else since
    cases, harms, wanted = done.count(), found.count(), asked.count()
    paid_back = asked.filter(effect__isnull=False, level_amount__gt=0).count()
    shadowed = asked.filter(state=State.SHADOWED)
    return Evidence(
        action=action,
        up_to=up_to,
        low=low,
        high=high,
        level=band.level,
        since=since,
        days=(now - clean_from).days,
        clean_cases=done.filter(created_at__gte=clean_from).count(),
        cases=cases,
        harms=harms,
        bound=find_upper_bound(cases=max(cases, harms), harms=harms) if cases or harms else None,
        refund_rate=paid_back / wanted if wanted else None,
        shadowed=shadowed.count(),
        agreed=list_agreed(shadowed).count(),
    )


def list_cases(asked: QuerySet[ActionRequest], level: Level) -> QuerySet[ActionRequest]:
    """What counts as a case: what was granted; at `shadow`, where nothing is, what staff did exactly so."""
    if level is Level.SHADOW:
        return list_agreed(asked.filter(state=State.SHADOWED))
    return asked.filter(effect__isnull=False)


def list_agreed(shadowed: QuerySet[ActionRequest]) -> QuerySet[ActionRequest]:
    """Shadowed requests whose very action was carried out afterwards: the same digest for the same customer."""
    done = ActionRequest.objects.filter(
        digest=OuterRef("digest"),
        customer=OuterRef("customer"),
        effect__isnull=False,
        created_at__gt=OuterRef("created_at"),
    )
    return shadowed.filter(Exists(done))


def list_missing(evidence: Evidence, autonomy: Autonomy) -> list[str]:
    """What a step up still lacks, in words; empty where it may be taken."""
    missing = []
    if evidence.days < autonomy.least_days:
        missing.append(f"{evidence.days} of {autonomy.least_days} days without harm on this level")
    if evidence.clean_cases < autonomy.least_cases:
        missing.append(f"{evidence.clean_cases} of {autonomy.least_cases} cases without harm")
    return missing


def _find_band(autonomy: Autonomy, action: str, up_to: Decimal | None) -> tuple[Band, int, int]:
    """The band, and its amounts. The lowest one takes nothing and less than nothing along."""
    low = -1
    for band in autonomy.bands_of(action):
        high = LARGEST if band.up_to is None else to_minor(band.up_to)
        if band.up_to == up_to:
            return band, low, high
        low = high
    raise LookupError(f"{action} has no band up to {up_to}")
