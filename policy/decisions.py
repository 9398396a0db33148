"""One decision from many rules: the strictest verdict wins, and whatever no rule knows is refused."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from policy.actions import Action
from policy.facts import Facts
from policy.limits import Limits
from policy.rules import ACCESS, RULES, Outcome, Rule, Verdict

logger = logging.getLogger(__name__)

NOTHING_SUSPENDED: frozenset[str] = frozenset()
# What the measuring mode records instead of enforcing.
AUDIT_MODE_SUSPENDS = frozenset({"R1", "R2", "R3"})
FAIL_CLOSED = Verdict(outcome=Outcome.REFUSE, rule="R0", reason="This could not be checked, so it is not done.")


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What may happen. `would_refuse` is the strictest verdict that only the measuring mode let pass."""

    outcome: Outcome
    rule: str
    reason: str
    would_refuse: Verdict | None = None


def decide(*, action: Action, facts: Facts, limits: Limits, suspended: frozenset[str] = NOTHING_SUSPENDED) -> Decision:
    """The decision over every rule of this action's kind."""
    return _strictest(action, facts, limits, RULES.get(type(action)), suspended)


def decide_access(
    *, action: Action, facts: Facts, limits: Limits, suspended: frozenset[str] = NOTHING_SUSPENDED
) -> Decision:
    """R1 and R2 alone, asked before a dry run so that a stranger learns nothing from its errors."""
    return _strictest(action, facts, limits, ACCESS if type(action) in RULES else None, suspended)


def _strictest(
    action: Action, facts: Facts, limits: Limits, rules: Iterable[Rule] | None, suspended: frozenset[str]
) -> Decision:
    verdicts = (
        [FAIL_CLOSED]
        if rules is None
        else [verdict for rule in rules if (verdict := _ask(rule, action, facts, limits))]
    )
    held = [verdict for verdict in verdicts if verdict.rule not in suspended]
    passed = [verdict for verdict in verdicts if verdict.rule in suspended]
    # max() keeps the first of equals, so the reason shown is the one of the lowest rule.
    strictest = max(held, key=lambda verdict: verdict.outcome, default=None)
    would_refuse = max(passed, key=lambda verdict: verdict.outcome, default=None)
    if strictest is None:
        return Decision(outcome=Outcome.ALLOW, rule="", reason="", would_refuse=would_refuse)
    return Decision(outcome=strictest.outcome, rule=strictest.rule, reason=strictest.reason, would_refuse=would_refuse)


def _ask(rule: Rule, action: Action, facts: Facts, limits: Limits) -> Verdict | None:
    try:
        return rule(action, facts, limits)
    except Exception:
        logger.exception("rule %s failed on %s", rule.__name__, action.name)
        return FAIL_CLOSED
