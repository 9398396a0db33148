"""A text that states another number than the policy for the same rule is found; a text about something else is not."""

import pytest

from policy.limits import Limits
from policy.one_source import find_contradictions
from policy.operations import read_preset

# 30 days for returns, 14 for damaged goods, a person above $250.00, above $50.00 without a return and from the third
# of those, at most two refunds in 90 days.
LIMITS = Limits.model_validate(
    {
        "currency": "USD",
        "person_above": "250.00",
        "refunds": {"window_days": 90, "most": 2, "no_return_person_above": "50.00", "no_return_person_from": 3},
        "windows": {"returns_days": 30, "reasons_days": 14},
    }
)
RETURNS, REASONS, ABOVE = "windows.returns_days", "windows.reasons_days", "person_above"
NO_RETURN, MOST, OVER = "refunds.no_return_person_above", "refunds.most", "refunds.window_days"

WRONG = [
    ("You can return anything within 60 days of delivery.", [(RETURNS, "60 days")]),
    ("Our 14-day return policy covers every lamp.", [(RETURNS, "14-day")]),
    ("Returns are accepted up to two weeks after delivery.", [(RETURNS, "two weeks")]),
    ("You have ninety days to send it back.", [(RETURNS, "ninety days")]),
    ("We accept returns for a year.", [(RETURNS, "a year")]),
    ("Exchanges are possible within 45 days.", [(RETURNS, "45 days")]),
    ("The return window is 28 days", [(RETURNS, "28 days")]),
    ("Items may be returned no later than 31 days after they reached you.", [(RETURNS, "31 days")]),
    ("Is a mug damaged? Tell us within 30 days about damaged goods.", [(REASONS, "30 days")]),
    ("Report a defective item within a week and we refund it.", [(REASONS, "a week")]),
    ("For faulty goods you have 90 days.", [(REASONS, "90 days")]),
    ("You got the wrong item? We need to hear of a wrong item within 7 days.", [(REASONS, "7 days")]),
    ("Refunds above $1,000 are checked by a person.", [(ABOVE, "$1,000")]),
    ("Refunds over $100.00 need approval.", [(ABOVE, "$100.00")]),
    ("A colleague reviews refunds of more than 500 dollars.", [(ABOVE, "500 dollars")]),
    ("Refunds up to $300 are paid automatically.", [(ABOVE, "$300")]),
    ("Cancellations that exceed 1000 USD are looked at by our team.", [(ABOVE, "1000 USD")]),
    ("Refunds up to $250 go out at once, and refunds above $400 wait for a person.", [(ABOVE, "$400")]),
    ("Refunds without a return above $100 are checked by a person.", [(NO_RETURN, "$100")]),
    ("You may keep the item: refunds up to $75 where you keep it are instant.", [(NO_RETURN, "$75")]),
    ("We grant three refunds in 90 days before somebody looks.", [(MOST, "three")]),
    ("At most 2 refunds in 30 days are made without a person.", [(OVER, "30 days")]),
    ("After 5 refunds in 60 days a person looks.", [(MOST, "5"), (OVER, "60 days")]),
    ("Up to 3 refunds without a return in 90 days pass.", [("refunds.no_return_person_from", "3")]),
    ("# Returns\n\n* return within 10 days\n* damaged goods: within 14 days", [(RETURNS, "10 days")]),
    ("Return it within 30 days, but report damaged items within 3 days.", [(REASONS, "3 days")]),
    ("Return within 20 days. Return within 25 days.", [(RETURNS, "20 days"), (RETURNS, "25 days")]),
]
RIGHT = [
    "You can return anything within 30 days of delivery.",
    "Our 30-day return policy covers every lamp.",
    "You have thirty days to send it back.",
    "Returns are accepted for a month.",
    "Damaged goods are refunded when you tell us within 14 days.",
    "Report a defective item within two weeks.",
    "Refunds above $250 are checked by a person.",
    "Refunds over $250.00 need approval.",
    "Refunds up to 250 dollars are paid automatically.",
    "Refunds without a return above $50 are checked by a person.",
    "We make two refunds in 90 days; the next one is checked by a person.",
    "Two refunds without a return in 90 days pass.",
    "You can return anything within {{ policy.windows.returns_days }} days of delivery.",
    "Refunds above {{ policy.person_above }} are checked by a person.",
    "A refund arrives on your card within 5 to 7 business days.",
    "It takes 3 days for a return to reach us.",
    "Your bank needs up to 10 days to show the refund.",
    "Orders ship within 2 days.",
    "Delivery takes 3-5 days.",
    "Returned parcels are processed within 4 days.",
    "Shipping is free above $50.",
    "This lamp costs $249.00 and can be returned.",
    "Returns cost $4.95 for postage.",
    "Gift cards expire after 365 days and cannot be returned.",
    "The kettle has a warranty of two years; a return is not needed for it.",
    "We answer every message about returns within 2 days.",
    "Open 5 days a week, also for returns.",
    "Our shop is 10 years old.",
    "A sale ends in 3 days.",
    "Refunds are made to the card that paid.",
    "In 2024 we made 12 products.",
    "",
]


@pytest.mark.parametrize(("text", "found"), WRONG, ids=[text[:50] for text, _ in WRONG])
def test_another_number_for_the_same_rule_is_found(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.path, one.stated) for one in find_contradictions(text, LIMITS)] == found


@pytest.mark.parametrize("text", RIGHT, ids=[text[:50] for text in RIGHT])
def test_the_policys_own_numbers_and_other_matters_are_left_alone(text: str) -> None:
    assert find_contradictions(text, LIMITS) == []


def test_it_says_what_the_policy_says_instead_and_where() -> None:
    [one] = find_contradictions("Hello. Refunds above $1,000 need approval. Bye.", LIMITS)
    assert (one.policy, one.sentence) == ("$250.00", "Refunds above $1,000 need approval.")
    [one] = find_contradictions("Return it within 30 days.", read_preset("retail"))
    assert (one.path, one.policy) == (RETURNS, "not set")


@pytest.mark.parametrize("preset", ["retail", "cautious"])
def test_what_a_rule_tells_a_customer_does_not_contradict_its_own_policy(preset: str) -> None:
    limits = read_preset(preset)
    spoken = [
        f"Refunds above ${limits.person_above} are checked by a person.",
        f"Refunds without a return above ${limits.refunds.no_return_person_above} are checked by a person.",
        f"This is about damaged goods: possible within {limits.windows.reasons_days} days.",
    ]
    assert find_contradictions("\n".join(spoken), limits) == []


def test_a_huge_or_hostile_text_is_read_in_reasonable_time() -> None:
    text = "return within 60 days " + "9" * 50_000 + " days $" + "1," * 20_000 + " refund above person"
    assert find_contradictions(text, LIMITS)
