"""Returns, exchanges and changes by the offline model, on the demo shop made of dicts."""

import pytest

from conversations.agent.offline_words import QUESTIONS, Slot
from tests.conversations.offline_chat import (
    ADDRESS,
    BACKPACK,
    BIG,
    FOUR,
    GIFT,
    HOME,
    KETTLE,
    LAMP,
    LARGE,
    MATT,
    MODIFY,
    MUGS,
    NAVY,
    NO,
    PAYMENT,
    RENO,
    SAND,
    SLATE,
    TWO,
    VISA,
    back,
    last_text,
    swap,
    talk,
)


@pytest.mark.parametrize(
    ("user", "turns", "actions"),
    [
        ("nora", ["I want to return the lamp", "gift card"], [back([LAMP], GIFT)]),
        ("nora", ["return everything from #W4402817", "original payment"], [back([LAMP, BACKPACK], VISA)]),
        ("nora", ["RETURN BOTH!!!", "1"], [back([LAMP, BACKPACK], VISA)]),
        ("nora", ["i wanna return sth", "the last one", "2"], [back([BACKPACK], GIFT)]),
        ("nora", ["i wanna return sth", "1 and 2", "my visa"], [back([LAMP, BACKPACK], VISA)]),
        ("nora", ["return my desk lamp, money to the card ending 4417"], [back([LAMP], VISA)]),
        ("nora", ["send the backpack back please", "the way I paid"], [back([BACKPACK], VISA)]),
        ("nora", ["where is #W4402817?", "return the olive one", "same card"], [back([BACKPACK], VISA)]),
        ("nora", ["return the lamp", "hmm", "and the backpack too", "gift card"], [back([LAMP, BACKPACK], GIFT)]),
        (
            "nora",
            ["My order arrived broken. I want to return the lamp and get a refund to my gift card"],
            [back([LAMP], GIFT)],
        ),
        (
            "priya",
            ["return the mugs and the bottle to the visa I paid with"],
            [back([SLATE, "6270840124"], "credit_card_2981164", "#W1649037")],
        ),
        (
            "priya",
            ["return all but the kettle", "1"],
            [back([SLATE, "6270840124"], "credit_card_2981164", "#W1649037")],
        ),
        (
            "hanna",
            ["return the headphones", "paypal", "gift card"],
            [back(["9391658633"], "gift_card_4518296", "#W5476109")],
        ),
    ],
)
def test_items_are_returned(user, turns, actions):
    chat = talk(user, *turns)
    assert chat.actions() == actions
    assert "is requested." in last_text(chat)


@pytest.mark.parametrize(
    ("user", "turns", "actions"),
    [
        ("nora", ["exchange the lamp for a sand one"], [swap([LAMP], [SAND])]),
        ("nora", ["exchange my backpack please", "the 26 l one"], [swap([BACKPACK], [BIG])]),
        ("nora", ["exchange my backpack please", "26l"], [swap([BACKPACK], [BIG])]),
        ("nora", ["exchange the lamp for brass", "the second one"], [swap([LAMP], [LARGE])]),
        ("nora", ["exchange the lamp", "colour?", "sand, and use my gift card"], [swap([LAMP], [SAND], GIFT)]),
        ("nora", ["swap both items in #W4402817", "1", "2"], [swap([LAMP, BACKPACK], [SAND, BIG])]),
        (
            "nora",
            ["exchange the lamp for the large black one and the backpack for navy, use my gift card"],
            [swap([LAMP, BACKPACK], [LARGE, NAVY], GIFT)],
        ),
        ("nora", ["I'd like a sand lamp instead of the black one, please exchange it"], [swap([LAMP], [SAND])]),
        ("nora", ["exchange the lamp", "how much is the large one?", "ok the large one then"], [swap([LAMP], [LARGE])]),
        ("nora", ["change the kettle in #W5918442 to matt black"], [swap([KETTLE], [MATT], order=TWO, tool=MODIFY)]),
        ("nora", ["exchange", "the kettle", "matt black"], [swap([KETTLE], [MATT], order=TWO, tool=MODIFY)]),
        (
            "nora",
            ["I want to modify my order #W5918442", "items", "the mugs", "4 pieces"],
            [swap([MUGS], [FOUR], order=TWO, tool=MODIFY)],
        ),
        (
            "nora",
            ["I want to modify my order #W5918442", "the set of mugs to slate please"],
            [swap([MUGS], [SLATE], order=TWO, tool=MODIFY)],
        ),
        (
            "nora",
            ["change one of my grinders", "the black one", "54 mm steel, yes"],
            [swap(["7018364771"], ["7018369350"], order="#W6120933", tool=MODIFY)],
        ),
        (
            "priya",
            ["I need to exchange a keyboard in #W7730418 to something tactile", "the linear one"],
            [swap(["5539010278"], ["5539013641"], "paypal_6173305", "#W7730418", MODIFY)],
        ),
        (
            "hanna",
            ["exchange the keyboard for the 80 percent linear and pay with paypal"],
            [swap(["5539018059"], ["5539010278"], "paypal_3392870", "#W5476109")],
        ),
        (
            "hanna",
            ["exchange the keyboard in W5476109 for one with white backlight", "the tactile one"],
            [swap(["5539018059"], ["5539013641"], "credit_card_8605519", "#W5476109")],
        ),
        (
            "gideon",
            ["change the headphones to open ones, use the visa"],
            [swap(["9391652017"], ["9391658633"], "credit_card_1736628", "#W3057214", MODIFY)],
        ),
    ],
)
def test_items_are_exchanged_or_changed(user, turns, actions):
    chat = talk(user, *turns)
    if last_text(chat).endswith(QUESTIONS[Slot.DIFFERENCE]):
        chat.say("the way I paid")
    assert chat.actions() == actions
    assert chat.messages[-1]["role"] == "assistant"


@pytest.mark.parametrize(
    ("user", "turns", "order", "method"),
    [
        ("nora", ["pay #W5918442 with my gift card"], TWO, GIFT),
        ("nora", ["change the payment method of my order", "#W5918442", "gift card"], TWO, GIFT),
        ("nora", ["change the payment method of #W5918442", "yes"], TWO, GIFT),
        ("hanna", ["switch #W9264071 to paypal"], "#W9264071", "paypal_3392870"),
        ("hanna", ["change the payment of #W9264071 from my mastercard to paypal"], "#W9264071", "paypal_3392870"),
        ("hanna", ["use a different card for #W9264071", "visa", "2"], "#W9264071", "gift_card_4518296"),
        ("gideon", ["change the payment of my order to card ending 2080"], "#W3057214", "credit_card_1736628"),
    ],
)
def test_payment_method_is_changed(user, turns, order, method):
    chat = talk(user, *turns)
    assert chat.actions() == [(PAYMENT, {"order_id": order, "payment_method_id": method})]
    assert f"Order {order} is now paid with" in last_text(chat)


@pytest.mark.parametrize(
    ("turns", "tool", "parts"),
    [
        (
            ["ship #W5918442 to 12 Main Street, Suite 3, Denver, CO 80279"],
            ADDRESS,
            {"address1": "12 Main Street", "address2": "Suite 3", "city": "Denver", "zip": "80279", "country": "USA"},
        ),
        (["change the address of #W5918442", "1 Main St, Reno, NV 89501"], ADDRESS, RENO),
        (["what's in #W5918442?", "change it to go to 1 Main St, Reno, NV 89501 please"], ADDRESS, RENO),
        (["where are #W6120933 and #W5918442?", "send the second one to 1 Main St, Reno, NV 89501"], ADDRESS, RENO),
        (["change my order", "the address", "#W5918442", "1 Main St, Reno NV 89501"], ADDRESS, RENO),
        (["change the address of #W5918442", "1 Main St", "Reno", "nevada", "the zip is 89501"], ADDRESS, RENO),
        (["change my default address to 5 Oak Lane; Reno; NV; 89501"], HOME, {"address1": "5 Oak Lane", "state": "NV"}),
        (
            ["change my address", "the default one", "5 Oak Lane; Apt 9; Reno; NV; 89501; USA"],
            HOME,
            {"address2": "Apt 9", "country": "USA"},
        ),
        (
            ["I moved. new default address is 44 Birch Court Reno Nevada 89501"],
            HOME,
            {"address1": "44 Birch Court", "city": "Reno", "state": "NV"},
        ),
        (
            ["my apartment number is wrong on order #W5918442, it should be Apt 5. please update the apartment"],
            ADDRESS,
            {"address1": "18 Tannery Row", "address2": "Apt 5", "zip": "55406"},
        ),
        (["use my default address for #W5918442"], ADDRESS, {"address1": "18 Tannery Row", "address2": "Apt 3"}),
        (
            ["change shipping address for #W5918442", "10 Downing St", "London", "England", "SW1A 2AA", "UK"],
            ADDRESS,
            {"zip": "SW1A 2AA", "country": "UK", "state": "England"},
        ),
        (
            [
                ("change the address of #W5918442 to 7 Pine Street, Salem, OR 97301", NO),
                "sorry, the zip should be 97302",
            ],
            ADDRESS,
            {"address1": "7 Pine Street", "zip": "97302"},
        ),
    ],
)
def test_address_is_changed(turns, tool, parts):
    chat = talk("nora", *turns)
    name, given = chat.actions()[-1]
    assert name == tool
    assert parts.items() <= given.items()
