"""Which messages of the agent name an action, and which replies agree to it: spoken consent without a database."""

from typing import ClassVar

import pytest

from policy.actions import (
    ACTIONS,
    Action,
    ActionBase,
    CancelPendingOrder,
    ExchangeDeliveredOrderItems,
    ModifyPendingOrderAddress,
    ModifyPendingOrderItems,
    ModifyPendingOrderPayment,
    ModifyUserAddress,
    ReturnDeliveredOrderItems,
)
from policy.spoken import NAMINGS, Exchange, describe, is_yes_to, names

ORDER = "#W4410087"
PLACE = {"address1": "9 Mill Lane", "address2": "", "city": "Leeds", "state": "LS", "country": "UK", "zip": "LS1"}
CANCEL = CancelPendingOrder(order_id=ORDER, reason="no longer needed")
RETURN = ReturnDeliveredOrderItems(order_id=ORDER, item_ids=["1"], payment_method_id="gift_card_1")
SWAP = ExchangeDeliveredOrderItems(order_id=ORDER, item_ids=["1"], new_item_ids=["2"], payment_method_id="paypal_1")
ITEMS = ModifyPendingOrderItems(order_id=ORDER, item_ids=["1"], new_item_ids=["2"], payment_method_id="paypal_1")
PAYMENT = ModifyPendingOrderPayment(order_id=ORDER, payment_method_id="paypal_1")
ADDRESS = ModifyPendingOrderAddress(order_id=ORDER, **PLACE)
PROFILE = ModifyUserAddress(user_id="alice_1", **PLACE)
ALL = [CANCEL, RETURN, SWAP, ITEMS, PAYMENT, ADDRESS, PROFILE]

ASKS = [
    (CANCEL, "I can cancel order #W4410087 for you. Shall I go ahead?"),
    (CANCEL, "Cancellation of W4410087, reason: no longer needed. $138.50 goes back to your gift card. OK?"),
    (CANCEL, "Order #W4410087 has two items.\nI will cancel it and refund $138.50. Do you confirm?"),
    (CANCEL, "So I am cancelling #w4410087?"),
    (RETURN, "You would like to return the lamp of order #W4410087. The refund goes to your gift card. Is that right?"),
    (RETURN, "Returning from #W4410087: Oak Desk Lamp. Do you confirm?"),
    (SWAP, "I will exchange the lamp of order #W4410087 for the brass one. Proceed?"),
    (SWAP, "Exchanging in #W4410087: oak lamp for brass lamp, you pay $15.00. Yes or no?"),
    (ITEMS, "I will change the items of #W4410087: oak lamp to brass lamp. Proceed?"),
    (ITEMS, "Order #W4410087: swap the oak lamp for the brass lamp, difference with your PayPal account. Go ahead?"),
    (PAYMENT, "I will change the payment method of #W4410087 to PayPal. Proceed?"),
    (PAYMENT, "Use your gift card for order #W4410087 instead. Is that right?"),
    (ADDRESS, "I will update the shipping address of #W4410087 to 9 Mill Lane. Proceed?"),
    (PROFILE, "I will change your default address to 9 Mill Lane, Leeds. Proceed?"),
    (PROFILE, "Updating the address of your account: 9 Mill Lane. Is that right?"),
]

NAMES_NOTHING = [
    (CANCEL, ""),
    (CANCEL, "Shall I go ahead?"),
    (CANCEL, "Shall I cancel it?"),
    (CANCEL, "Shall I cancel order #W4410088?"),
    (CANCEL, "Shall I cancel order #W44100871?"),
    (CANCEL, "Shall I cancel order #XW4410087?"),
    (CANCEL, "Order #W4410087 is pending. Is that right?"),
    (CANCEL, "I cannot cancel order #W4410087. Is that clear?"),
    (CANCEL, "I can't cancel order #W4410087, sorry."),
    (CANCEL, "I can’t cancel order #W4410087, sorry."),
    (CANCEL, "Order #W4410087 was cancelled."),
    (CANCEL, "Order #W4410087 is cancelled. Anything else?"),
    (CANCEL, "Are you unable to cancel order #W4410087?"),
    (CANCEL, "I will return the items of order #W4410087. Proceed?"),
    (RETURN, "I will cancel order #W4410087. Proceed?"),
    (RETURN, "The items of #W4410087 were returned."),
    (SWAP, "I will return the lamp of #W4410087. Proceed?"),
    (ITEMS, "I will change the address of #W4410087. Proceed?"),
    (ITEMS, "I will change the payment method of #W4410087. Proceed?"),
    (ITEMS, "Order #W4410087 has two items. Proceed?"),
    (PAYMENT, "I will change the address of #W4410087. Proceed?"),
    (PAYMENT, "I will change the items of #W4410087. Proceed?"),
    (ADDRESS, "The address of #W4410087 is 9 Mill Lane. Right?"),
    (ADDRESS, "I will change your default address to 9 Mill Lane. Proceed?"),
    (PROFILE, "I will change the address of order #W4410087. Proceed?"),
    (PROFILE, "Your default address is 9 Mill Lane. Right?"),
    (PROFILE, "I will not change your default address. Proceed?"),
]


@pytest.mark.parametrize(("action", "asked"), ASKS)
def test_a_message_that_names_action_and_order_can_be_agreed_to(action: Action, asked: str) -> None:
    assert names(action, asked)
    assert is_yes_to(action, Exchange(asked=asked, reply="Yes, please go ahead.", number=1))


@pytest.mark.parametrize(("action", "asked"), NAMES_NOTHING)
def test_a_yes_to_a_message_that_names_something_else_is_no_consent(action: Action, asked: str) -> None:
    assert not names(action, asked)
    assert not is_yes_to(action, Exchange(asked=asked, reply="yes", number=1))


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "no",
        "yes?",
        "yes, but not the rug",
        "maybe",
        "wait\nyes",
        "yes\nno",
        "thanks",
        "which one",
        "yes to the other one",
    ],
)
@pytest.mark.parametrize(("action", "asked"), ASKS)
def test_without_a_plain_yes_there_is_no_consent(action: Action, asked: str, reply: str) -> None:
    assert not is_yes_to(action, Exchange(asked=asked, reply=reply, number=1))


@pytest.mark.parametrize("action", ALL)
def test_what_the_model_is_told_to_name_would_name_it(action: Action) -> None:
    assert names(action, f"I suggest {describe(action)}. Proceed?")


def test_every_action_can_be_named() -> None:
    assert set(NAMINGS) >= set(ACTIONS)


def test_a_long_message_is_read_in_one_go() -> None:
    assert not names(CANCEL, "cancel " * 20_000 + "#" * 20_000)


class Unlisted(ActionBase):
    name: ClassVar[str] = "paint_the_order"
    description: ClassVar[str] = "An action that no list of namings has."
    order_id: str


def test_an_action_is_described_with_its_order_where_it_has_one() -> None:
    assert describe(CANCEL) == f"the cancellation of order {ORDER}"
    assert describe(ModifyUserAddress(user_id="nora_1", **PLACE)) == "the change of the default address"
    assert describe(Unlisted(order_id="#W1")) == "paint_the_order of order #W1"  # type: ignore[arg-type]
    assert not names(Unlisted(order_id="#W1"), "I paint_the_order #W1, the cancellation. Proceed?")  # type: ignore[arg-type]
    assert names(CancelPendingOrder(order_id="X123", reason="no longer needed"), "Shall I cancel order X123?")
