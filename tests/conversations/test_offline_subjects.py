"""Several wishes at once, questions that ask for no change, and what no tool can do, as customers put it."""

import pytest

from tests.conversations.offline_chat import (
    ADDRESS,
    BACKPACK,
    BIG,
    FOUR,
    GIFT,
    HOME,
    KETTLE,
    LAKE,
    LAMP,
    MATT,
    MODIFY,
    NAVY,
    SAND,
    SLATE,
    TWO,
    VISA,
    back,
    dropped,
    last_text,
    paid,
    swap,
    talk,
)

SEVERAL = [
    ("nora", ["where is W5918442", "pay it with my gift card instead"], [paid(TWO, GIFT)]),
    ("nora", ["exchange lamp and backpack in W4402817", "lamp sand, backpack navy", "visa"],
     [swap([LAMP, BACKPACK], [SAND, NAVY])]),
    ("nora", ["return the lamp from W4402817", "i paid with visa but i want it on my gift card"], [back([LAMP], GIFT)]),
    ("siobhan", ["i love the kettle from W8851300 but the mugs are going back, visa"],
     [back([FOUR], "credit_card_7741260", "#W8851300")]),
    ("siobhan", ["return the kettle from W8851300, the mugs are great", "visa"],
     [back(["2604417206"], "credit_card_7741260", "#W8851300")]),
    ("siobhan", ["swap the mugs from W8851300 for the slate set with 2 pieces", "visa ending 3316"],
     [swap([FOUR], [SLATE], "credit_card_7741260", "#W8851300")]),
    ("grace", ["i bought a backpack and a sampler in W9808571, the backpack goes back", "visa"],
     [back([BACKPACK], "credit_card_3946058", "#W9808571")]),
    ("amara", ["i wanna return the kettle from W3340389, not the grinder", "paypal"],
     [back(["2604417206"], "paypal_1664925", "#W3340389")]),
    ("grace", ["my backpack (W9808571) is too small, i need the bigger one", "visa"],
     [swap([BACKPACK], [BIG], "credit_card_3946058", "#W9808571")]),
    ("nora", ["return the lamp to my visa. also cancel W6120933, dont need it"], [back([LAMP],
     VISA), dropped("#W6120933")]),
    ("nora", ["where is W4402817? and cancel W5918442 please, no longer needed"], [dropped(TWO)]),
    ("nora", ["1. cancel order W6120933 (ordered by mistake)\n2. change the kettle in W5918442 to matt black, visa"],
     [dropped("#W6120933", "ordered by mistake"), swap([KETTLE], [MATT], order=TWO, tool=MODIFY)]),
    ("nora", ["how much is the wool throw? and then return the backpack, gift card"], [back([BACKPACK], GIFT)]),
    ("nora", ["cancel both pending orders, i dont need them"], [dropped(TWO), dropped("#W6120933")]),
    ("nora", ["i want to return the lamp", "and actually the backpack as well", "visa"], [back([LAMP, BACKPACK],
     VISA)]),
    ("nora", ["return the lamp and the backpack from W4402817 please, both to my gift card"],
     [back([LAMP, BACKPACK], GIFT)]),
    ("nora", ["swap the lamp for sand and the backpack for navy, visa", "thanks! also cancel W6120933", "not needed"],
     [swap([LAMP, BACKPACK], [SAND, NAVY]), dropped("#W6120933")]),
    ("nora", ["cancel W6120933 and W5918442, both no longer needed"], [dropped("#W6120933"), dropped(TWO)]),
    ("oleksii", ["where is W3170391?", "ok. i also want to return the headphones from #W4801603",
      "put it back on the gift card"],
     [back(["9391655846"], "gift_card_4472196", "#W4801603")]),
    ("hanna", ["put W9264071 on paypal and return the keyboard from W5476109 to my mastercard"],
     [paid("#W9264071", "paypal_3392870"), back(["5539018059"], "credit_card_8605519", "#W5476109")]),
    ("hanna", ["i want to return the headphones from W5476109, put the refund on my gift card"],
     [back(["9391658633"], "gift_card_4518296", "#W5476109")]),
    ("hanna", ["exchange the keyboard in order W5476109 for the 80 percent linear, put the difference on my paypal"],
     [swap(["5539018059"], ["5539010278"], "paypal_3392870", "#W5476109")]),
    ("hanna", ["exchange the keyboard in order W5476109 for the 80 percent linear, difference on my gift card right?"],
     [swap(["5539018059"], ["5539010278"], "gift_card_4518296", "#W5476109")]),
    ("lucas", ["W8234025 the rain jacket is too small, want my money back",
      "ok ill send it back, original payment is fine"],
     [back(["4817733675"], "credit_card_7713394", "#W8234025")]),
    ("gideon", ["cancel W3057214, not needed", "yes please cancel it, i dont need it", "thanks"],
     [dropped("#W3057214")]),
    ("nora", ["cancel W5918442, not needed", "yes cancel my order please, no longer needed"], [dropped(TWO)]),
    ("nora", ["pay W5918442 with my gift card", "yes, the gift card please"], [paid(TWO, GIFT)]),
    ("siobhan", ["cancel #W3113725", "wait wrong number, i mean #W1482513. its no longer needed"],
     [dropped("#W1482513")]),
]  # fmt: skip

# No write may come of these words, whatever is asked or told.
NONE = [
    ("nora", ["pay W5918442 with gift card. no wait, leave it"]),
    ("nora", ["should i return or exchange the lamp from W4402817?"]),
    ("nora", ["i returned the lamp from W4402817 last week, did you get it?"]),
    ("nora", ["the lamp from W4402817 was supposed to be black and it is"]),
    ("nora", ["can i cancel W5918442 later if i dont need it?"]),
    ("nora", ["dont send W5918442 to my old address"]),
    ("devon", ["return the throw W7894029, put it on my visa"]),
    ("amara", ["the refund of W1709177 should go to my paypal instead"]),
    ("nora", ["if i return the lamp from W4402817, when do i get my money?"]),
    ("nora", ["has my refund for W4402817 been booked?"]),
    ("nora", ["can you put the refund for order W4402817 on my gift card instead of the visa"]),
    ("nora", ["put the difference for order W5918442 on my gift card"]),
    ("nora", ["did you charge my gift card or my visa for W5918442?"]),
    ("nora", ["which card did i use to pay for order W5918442?"]),
    ("nora", ["did my order W5918442 get cancelled?"]),
    ("nora", ["was order W6120933 cancelled already or not"]),
    ("nora", ["please dont cancel W5918442, i just want to know where it is"]),
    ("nora", ["what would it cost to exchange the lamp for the large one?"]),
    ("nora", ["how do i cancel an order"]),
    ("nora", ["the lamp is too small"]),
    ("nora", ["the backpack doesnt fit"]),
    ("nora", ["remove the kettle from W5918442"]),
    ("nora", ["add another kettle to W5918442"]),
    ("nora", ["cancel only the mugs in W5918442, keep the rest"]),
    ("nora", ["exchange the lamp for a kettle"]),
    ("nora", ["which address does W5918442 ship to?"]),
    ("nora", ["is W5918442 going to my home address?"]),
    ("nora", ["i never got W4402817 but it says delivered"]),
    ("nora", ["i want to return the lamp", "actually ill keep it"]),
    ("nora", ["cancel W5918442", "no wait, keep it"]),
    ("nora", ["exchange the lamp", "hmm let me think about it"]),
    ("nora", ["do you have the lamp in sand? mine is black"]),
    ("nora", ["why was my visa charged 122 dollars"]),
    ("nora", ["i paid W5918442 with my visa, is that ok?"]),
    ("tomasz", ["i want to pay W2943727 with visa or paypal"]),
    ("hanna", ["W5476109 should be refunded to my paypal"]),
    ("mara_quist_1188", ["exchange both mug sets in W1425847 for slate"]),
    ("zoe", ["return the keyboard from W8810356"]),
]  # fmt: skip

PERSON = [
    ("nora", ["delete my account please"]),
    ("nora", ["i want you to erase all my data"]),
    ("nora", ["can you close my account"]),
    ("nora", ["change my email to nora.l@example.org"]),
    ("nora", ["i have a new email, please update it: nora.l@example.org"]),
    ("nora", ["my last name changed, please update my name to Berg"]),
    ("nora", ["update my phone number pls"]),
    ("nora", ["add my new visa ending 1111 to my account"]),
    ("nora", ["please remove my visa card from my account"]),
    ("nora", ["can you save a new credit card for me?"]),
    ("nora", ["the lamp has a scratch, i dont want to return it, just give me 20 dollars back"]),
    ("nora", ["refund me half of the lamp, ill keep it"]),
    ("nora", ["can you refund the lamp without me sending it back?"]),
    ("nora", ["i want my money back for the backpack but id like to keep it"]),
    ("nora", ["i want a partial refund for the scratched lamp"]),
    ("mara_quist_1188", ["id like to return both pairs of headphones in #W8794634"]),
    ("nora", ["let me speak to someone"]),
    ("nora", ["real person pls"]),
]

TOLD = [
    ("nora", ["How much did I pay for #W4402817, and has it arrived?"], ["214", "delivered"]),
    ("nora", ["what was the total of order W5918442"], ["122"]),
    ("nora", ["did my order W5918442 get cancelled??"], ["pending"]),
    ("nora", ["any update on w 5918442"], ["pending"]),
    ("nora", ["whats happening with my lamp order, number 4402817"], ["delivered"]),
    ("nora", ["has W4402817 shipped yet"], ["delivered"]),
    ("nora", ["tracking for order 4402817 please"], ["604417820953"]),
    ("nora", ["where does W5918442 ship to?"], ["Tannery Row"]),
    ("nora", ["show me everything i ordered"], ["W5918442", "W6120933", "W4402817"]),
    ("nora", ["i havent received W6120933 yet, whats up"], ["pending"]),
    ("nora", ["hi :) looking for headphones", "which one is the cheapest u have in stock?"], ["149"]),
    ("nora", ["do you have wool throws?", "cheapest?"], ["99.99"]),
    ("nora", ["do you have wool throws?", "and the most expensive one?"], ["131"]),
    ("nora", ["what does the 120 cm standing desk in ash cost"], ["999.99"]),
    ("nora", ["hey quick question, im thinking about the standing desk in walnut 160 cm, whats the price?"],
     ["1,189"]),
    ("nora", ["is the rain jacket available in L?"], ["not available"]),
    ("nora", ["which sizes do the boots come in"], ["38", "40", "42"]),
    ("nora", ["price of the steel bottle?"], ["31", "36"]),
    ("nora", ["got any keyboards"], ["tactile", "linear"]),
    ("nora", ["is there a bigger steel bottle than 0.5?"], ["0.75"]),
    ("nora", ["any chance of 10% off my next order? ive been a customer for years"], ["can't", "person"]),
    ("nora", ["can you do the desk for a better price"], ["can't", "person"]),
    ("nora", ["do you have a discount code for me"], ["can't", "person"]),
    ("nora", ["the kettle is cheaper elsewhere, can you match that price?"], ["can't", "person"]),
    ("nora", ["swap the kettle in W5918442 for a standing desk"], ["only"]),
    ("nora", ["exchange the lamp in W4402817 for a backpack"], ["only"]),
    ("nora", ["exchange the lamp for brass please"], ["not available"]),
    ("nora", ["hello"], ["Hello"]),
    ("nora", ["thank you so much!!"], ["welcome"]),
    ("nora", ["how are you today?"], ["can"]),
    ("nora", ["remove the kettle from W5918442"], ["can't"]),
    ("nora", ["cancel W4402817, not needed"], ["can't", "delivered"]),
    ("nora", ["send back the kettle from W5918442"], ["can", "pending"]),
    ("nora", ["where is W9999999"], ["can't find"]),
    ("siobhan", ["change the jacket in W3113725 to size S"], ["can't", "changed"]),
    ("ibrahim", ["send W2185560 to 12 Main Street, Denver, CO 80203 instead"], ["can't", "processed"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("turns", "tools"),
    [
        (["i moved to 88 Lake Drive, Madison, WI 53704. pls change it on my account",
          "and ship order W5918442 there too"],
         [HOME, ADDRESS]),
        (["ship W5918442 to 88 Lake Drive, Madison, WI 53704", "change it on my account too please"], [ADDRESS, HOME]),
        (["ship W5918442 to 88 Lake Drive, Madison, WI 53704", "same address for order W6120933"], [ADDRESS, ADDRESS]),
        (["update my profile address: 88 Lake Drive, Madison, WI 53704", "use that address for W5918442 as well"],
         [HOME, ADDRESS]),
        (["send W5918442 to 88 Lake Drive, Madison, WI 53704 and update my account address as well"], [ADDRESS, HOME]),
        (["change the address of W5918442", "send it to 88 Lake Drive, Madison, WI 53704 instead"], [ADDRESS]),
        (["W5918442 has the wrong address", "it should go to a different one: 88 Lake Drive, Madison, WI 53704"],
         [ADDRESS]),
        (["ship W5918442 to 88 Lake Drive, Madison, WI 53704", "yes, ship it there please"], [ADDRESS]),
        (["change my account address to 88 Lake Drive, Madison, WI 53704", "yes save it in my account"], [HOME]),
    ],
)  # fmt: skip
def test_an_address_said_once_serves_twice(turns, tools):
    actions = talk("nora", *turns).actions()
    assert [name for name, _ in actions] == tools
    assert all(LAKE.items() <= given.items() for _, given in actions)
    assert actions[0][1].get("order_id", TWO) == TWO


@pytest.mark.parametrize(("user", "turns", "actions"), SEVERAL)
def test_several_wishes_are_done_one_after_the_other(user, turns, actions):
    assert talk(user, *turns).actions() == actions


@pytest.mark.parametrize(("user", "turns"), NONE)
def test_words_that_ask_for_no_change_change_nothing(user, turns):
    assert talk(user, *turns).actions() == []


@pytest.mark.parametrize(("user", "turns"), PERSON)
def test_what_no_tool_can_do_goes_to_a_person(user, turns):
    chat = talk(user, *turns)
    assert chat.actions() == []
    assert chat.names()[-1] == "transfer_to_human_agents"


@pytest.mark.parametrize(("user", "turns", "parts"), TOLD)
def test_questions_are_answered_and_limits_are_told(user, turns, parts):
    chat = talk(user, *turns)
    assert chat.actions() == []
    assert [part for part in parts if part not in last_text(chat).replace("’", "'")] == []
