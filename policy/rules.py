"""The rules, one idea each: pure functions over an action, facts and limits. None means "no objection"."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from policy.actions import (
    Action,
    CancelPendingOrder,
    ExchangeDeliveredOrderItems,
    IssueRefund,
    ModifyPendingOrderAddress,
    ModifyPendingOrderItems,
    ModifyPendingOrderPayment,
    ModifyUserAddress,
    ResendReceipt,
    ReturnDeliveredOrderItems,
    UpdatePreference,
)
from policy.facts import Facts
from policy.levels import Level, Strength
from policy.limits import Limits
from policy.money import spoken, to_minor
from policy.reasons import AFTER_DELIVERY, Fit, fit


class Outcome(IntEnum):
    """Ordered by strictness: the largest verdict wins."""

    ALLOW = 0
    ASK_STAFF = 1
    # Nothing runs: a ticket holds the exact action, and a person does it.
    SHADOW = 2
    ASK_CUSTOMER = 3
    REFUSE = 4


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One rule's objection: its number and a reason in words that customer and staff may read."""

    outcome: Outcome
    rule: str
    reason: str


Rule = Callable[[Action, Facts, Limits], Verdict | None]


STRONGER = {
    Strength.LOOKUP: "Look them up by e-mail, or by name and zip code.",
    Strength.CODE: "They have to enter the one-time code that the chat sends to the e-mail address on file.",
    Strength.SIGNED: "They have to be signed in at the shop.",
}


def reads_need_a_verified_customer(facts: Facts, limits: Limits) -> Verdict | None:
    """R1 for reads of an account: as surely as the policy wants for reading."""
    return _need_strength(facts, limits.identity.reads)


def action_needs_a_verified_customer(action: Action, facts: Facts, limits: Limits) -> Verdict | None:
    return _need_strength(facts, limits.identity.needed_for(action.name))


def _need_strength(facts: Facts, needed: Strength) -> Verdict | None:
    if facts.verified and facts.strength.covers(needed):
        return None
    known = "The customer is not verified in this conversation yet."
    if facts.verified:
        known = "The customer is not verified surely enough for this."
    return Verdict(outcome=Outcome.REFUSE, rule="R1", reason=f"{known} {STRONGER[needed]}")


def only_the_customers_own_rows(_: object, facts: Facts, __: object) -> Verdict | None:
    if facts.own:
        return None
    return Verdict(outcome=Outcome.REFUSE, rule="R2", reason="This conversation can only touch one customer's data.")


def customer_said_yes_to_exactly_this(_: Action, facts: Facts, __: Limits) -> Verdict | None:
    if facts.confirmed:
        return None
    return Verdict(outcome=Outcome.ASK_CUSTOMER, rule="R3", reason="The customer has to say yes to this exact action.")


def large_refunds_need_a_person(action: Action, facts: Facts, limits: Limits) -> Verdict | None:
    """Counts what was granted without a person, settled or not, so splitting a refund does not avoid the limit."""
    asked = money_asked(facts, limits)
    if facts.approved or not asked:
        return None
    together = facts.granted_alone + asked
    # The band of the whole: many small parts would each stand in the lowest one.
    if together <= limits.person_above_minor or limits.autonomy.level_of(action.name, together) is Level.AUTO:
        return None
    limit = spoken(limits.person_above_minor, limits.currency)
    reason = f"Refunds above {limit} are checked by a person."
    if facts.granted_alone:
        reason += f" {spoken(facts.granted_alone, limits.currency)} granted before counts along."
    return Verdict(outcome=Outcome.ASK_STAFF, rule="R4", reason=reason)


def money_asked(facts: Facts, limits: Limits) -> int:
    """What limits and levels measure an action by."""
    return facts.money_back + (facts.money_moved if limits.payment_change_counts else 0)


def never_refund_more_than_was_paid(_: Action, facts: Facts, limits: Limits) -> Verdict | None:
    if facts.money_back <= facts.refundable and facts.fits_payments:
        return None
    left = spoken(facts.refundable, limits.currency)
    reason = f"The refund would be larger than what was paid and not yet refunded, which is {left}."
    return Verdict(outcome=Outcome.REFUSE, rule="R5", reason=reason)


def many_refunds_need_a_person(_: Action, facts: Facts, limits: Limits) -> Verdict | None:
    """A refund made exactly as many days ago as the window is long still counts."""
    if facts.approved or not money_asked(facts, limits) or limits.refunds.most is None:
        return None
    days = limits.refunds.window_days
    if _count_within(facts.refund_ages, days) < limits.refunds.most:
        return None
    reason = f"After {limits.refunds.most} refunds in {days} days, the next one is checked by a person."
    return Verdict(outcome=Outcome.ASK_STAFF, rule="R5", reason=reason)


def refunds_without_a_return_stay_small_and_few(_: Action, facts: Facts, limits: Limits) -> Verdict | None:
    if facts.approved:
        return None
    above = to_minor(limits.refunds.no_return_person_above)
    if facts.money_back > above:
        reason = f"Refunds without a return above {spoken(above, limits.currency)} are checked by a person."
        return Verdict(outcome=Outcome.ASK_STAFF, rule="R5", reason=reason)
    days, from_ = limits.refunds.window_days, limits.refunds.no_return_person_from
    if _count_within(facts.no_return_ages, days) + 1 < from_:
        return None
    reason = f"Refund number {from_} without a return in {days} days, and each after it, is checked by a person."
    return Verdict(outcome=Outcome.ASK_STAFF, rule="R5", reason=reason)


def _count_within(ages: tuple[int, ...], days: int) -> int:
    return sum(age <= days for age in ages)


def many_returns_need_a_person(_: Action, facts: Facts, limits: Limits) -> Verdict | None:
    most = limits.refunds.returned_share
    if facts.approved or most is None or facts.arrived_orders < limits.refunds.returned_share_orders:
        return None
    # Compared as whole numbers: returned / arrived > most.
    if facts.returned_orders <= most * facts.arrived_orders:
        return None
    reason = f"When more than {most:.0%} of a customer's orders go back, a person looks at the return."
    return Verdict(outcome=Outcome.ASK_STAFF, rule="R5", reason=reason)


def reason_fits_the_state(action: Action, facts: Facts, limits: Limits) -> Verdict | None:
    """A refund without a return needs a reason that the order's state bears out, while its window is open."""
    reason = getattr(action, "reason_code", "")
    found = fit(reason=reason, order_status=facts.order_status, shipment_status=facts.shipment_status)
    if found is Fit.NO:
        told = f"The reason {reason} does not fit an order that is {facts.order_status or 'unknown'}."
        return Verdict(outcome=Outcome.REFUSE, rule="R6", reason=told)
    if facts.approved:
        return None
    if found is Fit.PERSON:
        told = f"A refund for the reason {reason} is checked by a person in this state of the order."
        return Verdict(outcome=Outcome.ASK_STAFF, rule="R6", reason=told)
    return _inside_window(facts, limits.windows.reasons_days) if reason in AFTER_DELIVERY else None


def returns_stay_inside_their_window(_: Action, facts: Facts, limits: Limits) -> Verdict | None:
    return _inside_window(facts, limits.windows.returns_days)


def _inside_window(facts: Facts, days: int | None) -> Verdict | None:
    """The last day counts. A date that nobody kept is no proof of either, so a person looks."""
    if days is None:
        return None
    if facts.days_since_delivery is None:
        if facts.approved:
            return None
        told = "The shop has no delivery date for this order, so a person checks the window."
        return Verdict(outcome=Outcome.ASK_STAFF, rule="R6", reason=told)
    if facts.days_since_delivery <= days:
        return None
    told = f"This is possible within {days} days after delivery, and that is over."
    return Verdict(outcome=Outcome.REFUSE, rule="R6", reason=told)


def only_what_is_switched_on(action: Action, facts: Facts, limits: Limits) -> Verdict | None:
    """Holds for approvals too: a switch stops what is waiting."""
    switches = limits.switches
    if not switches.agent:
        return Verdict(outcome=Outcome.REFUSE, rule="R7", reason="The shop has switched the agent off for now.")
    if action.name in switches.actions_off:
        return Verdict(outcome=Outcome.REFUSE, rule="R7", reason="The shop has switched this action off for now.")
    if facts.intent in switches.intents_off:
        return Verdict(outcome=Outcome.REFUSE, rule="R7", reason="The shop has switched this kind of request off.")
    if not facts.in_scope:
        told = "This action does not belong to what the conversation is about."
        return Verdict(outcome=Outcome.REFUSE, rule="R7", reason=told)
    return None


def as_far_as_the_level_goes(action: Action, facts: Facts, limits: Limits) -> Verdict | None:
    """The autonomy ladder. What a person approved runs at every level but `off` and `shadow`."""
    level = limits.autonomy.level_of(action.name, money_asked(facts, limits))
    if level is Level.OFF:
        return Verdict(outcome=Outcome.REFUSE, rule="R8", reason="The desk does not do this; a person can.")
    if level is Level.SHADOW:
        return Verdict(outcome=Outcome.SHADOW, rule="R8", reason="A person will do exactly this.")
    if level is Level.SUGGEST and not facts.approved:
        return Verdict(outcome=Outcome.ASK_STAFF, rule="R8", reason="A person checks every request of this kind.")
    return None


def what_the_gateway_cannot_do_needs_a_person(_: Action, facts: Facts, __: Limits) -> Verdict | None:
    """A gateway that promises too little caps every refund at the level `suggest`."""
    if facts.approved or not facts.by_hand:
        return None
    return Verdict(outcome=Outcome.ASK_STAFF, rule="R8", reason=facts.by_hand)


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


# Who may act at all.
ACCESS: tuple[Rule, ...] = (action_needs_a_verified_customer, only_the_customers_own_rows)

CONSEQUENTIAL: tuple[Rule, ...] = (
    *ACCESS,
    customer_said_yes_to_exactly_this,
    large_refunds_need_a_person,
    never_refund_more_than_was_paid,
    many_refunds_need_a_person,
    only_what_is_switched_on,
    as_far_as_the_level_goes,
    what_the_gateway_cannot_do_needs_a_person,
    only_who_holds_the_chat_acts,
    one_open_card,
)
RETURNING: tuple[Rule, ...] = (*CONSEQUENTIAL, many_returns_need_a_person, returns_stay_inside_their_window)
NO_RETURN: tuple[Rule, ...] = (*CONSEQUENTIAL, refunds_without_a_return_stay_small_and_few, reason_fits_the_state)
# Without a card: nothing that these change is worth one.
LOW_RISK: tuple[Rule, ...] = (
    *ACCESS,
    only_what_is_switched_on,
    as_far_as_the_level_goes,
    only_who_holds_the_chat_acts,
    one_open_card,
)

# A kind that is not listed is refused.
RULES: dict[type[Action], tuple[Rule, ...]] = {
    CancelPendingOrder: CONSEQUENTIAL,
    ModifyPendingOrderAddress: CONSEQUENTIAL,
    ModifyPendingOrderItems: CONSEQUENTIAL,
    ModifyPendingOrderPayment: CONSEQUENTIAL,
    ModifyUserAddress: CONSEQUENTIAL,
    ReturnDeliveredOrderItems: RETURNING,
    ExchangeDeliveredOrderItems: RETURNING,
    IssueRefund: NO_RETURN,
    ResendReceipt: LOW_RISK,
    UpdatePreference: LOW_RISK,
}
