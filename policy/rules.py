"""The rules, one idea each: pure functions over an action, facts and limits. None means "no objection"."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from policy.actions import (
    Action,
    CancelPendingOrder,
    ExchangeDeliveredOrderItems,
    ModifyPendingOrderAddress,
    ModifyPendingOrderItems,
    ModifyPendingOrderPayment,
    ModifyUserAddress,
    ReturnDeliveredOrderItems,
)
from policy.facts import Facts
from policy.limits import Limits
from policy.money import spoken


class Outcome(IntEnum):
    """Ordered by strictness: the largest verdict wins."""

    ALLOW = 0
    ASK_STAFF = 1
    ASK_CUSTOMER = 2
    REFUSE = 3


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One rule's objection: its number and a reason in words that customer and staff may read."""

    outcome: Outcome
    rule: str
    reason: str


Rule = Callable[[Action, Facts, Limits], Verdict | None]


def account_needs_a_verified_customer(_: object, facts: Facts, __: object) -> Verdict | None:
    if facts.verified:
        return None
    reason = "The customer is not verified in this conversation yet. Look them up by e-mail, or by name and zip code."
    return Verdict(outcome=Outcome.REFUSE, rule="R1", reason=reason)


def only_the_customers_own_rows(_: object, facts: Facts, __: object) -> Verdict | None:
    if facts.own:
        return None
    return Verdict(outcome=Outcome.REFUSE, rule="R2", reason="This conversation can only touch one customer's data.")


def customer_said_yes_to_exactly_this(_: Action, facts: Facts, __: Limits) -> Verdict | None:
    if facts.confirmed:
        return None
    return Verdict(outcome=Outcome.ASK_CUSTOMER, rule="R3", reason="The customer has to say yes to this exact action.")


def large_refunds_need_a_person(_: Action, facts: Facts, limits: Limits) -> Verdict | None:
    """Counts what was granted without a person, settled or not, so splitting a refund does not avoid the limit."""
    asked = facts.money_back + (facts.money_moved if limits.payment_change_counts else 0)
    if facts.approved or not asked:
        return None
    if facts.granted_alone + asked <= limits.person_above_minor:
        return None
    limit = spoken(limits.person_above_minor, limits.currency)
    reason = f"Refunds above {limit} are checked by a person."
    if facts.granted_alone:
        reason += f" {spoken(facts.granted_alone, limits.currency)} granted before counts along."
    return Verdict(outcome=Outcome.ASK_STAFF, rule="R4", reason=reason)


def what_the_gateway_cannot_do_needs_a_person(_: Action, facts: Facts, __: Limits) -> Verdict | None:
    """A gateway that promises too little caps every refund at the level `suggest`."""
    if facts.approved or not facts.by_hand:
        return None
    return Verdict(outcome=Outcome.ASK_STAFF, rule="R8", reason=facts.by_hand)


def never_refund_more_than_was_paid(_: Action, facts: Facts, limits: Limits) -> Verdict | None:
    if facts.money_back <= facts.refundable:
        return None
    left = spoken(facts.refundable, limits.currency)
    reason = f"The refund would be larger than what was paid and not yet refunded, which is {left}."
    return Verdict(outcome=Outcome.REFUSE, rule="R5", reason=reason)


def only_who_holds_the_chat_acts(_: Action, facts: Facts, __: Limits) -> Verdict | None:
    """A person's approval of a waiting request stays possible while a person holds the chat."""
    if facts.approved:
        return None
    if facts.holder != "agent":
        return Verdict(outcome=Outcome.REFUSE, rule="R9", reason="A person holds this chat.")
    if facts.under_review:
        return Verdict(outcome=Outcome.REFUSE, rule="R9", reason="Another request of this chat waits for a person.")
    return None


def one_open_card(_: Action, facts: Facts, __: Limits) -> Verdict | None:
    if not facts.card_open:
        return None
    return Verdict(outcome=Outcome.REFUSE, rule="R10", reason="One action at a time: another card is still open.")


# Who may look at all; reads of an account pass these two as well.
ACCESS: tuple[Rule, ...] = (account_needs_a_verified_customer, only_the_customers_own_rows)

CONSEQUENTIAL: tuple[Rule, ...] = (
    *ACCESS,
    customer_said_yes_to_exactly_this,
    large_refunds_need_a_person,
    what_the_gateway_cannot_do_needs_a_person,
    never_refund_more_than_was_paid,
    only_who_holds_the_chat_acts,
    one_open_card,
)

# Every change needs all of them; a kind that is not listed is refused.
RULES: dict[type[Action], tuple[Rule, ...]] = {
    CancelPendingOrder: CONSEQUENTIAL,
    ModifyPendingOrderAddress: CONSEQUENTIAL,
    ModifyPendingOrderItems: CONSEQUENTIAL,
    ModifyPendingOrderPayment: CONSEQUENTIAL,
    ModifyUserAddress: CONSEQUENTIAL,
    ReturnDeliveredOrderItems: CONSEQUENTIAL,
    ExchangeDeliveredOrderItems: CONSEQUENTIAL,
}
