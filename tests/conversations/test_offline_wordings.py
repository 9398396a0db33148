"""Ordinary ways to say the same wish, none of them written for a rule: each leads to exactly this action."""

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
    LAKE,
    LAMP,
    LARGE,
    MATT,
    MODIFY,
    MUGS,
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

PRIYA_CARD, BOOTS_CARD, ROBERT_PAYPAL = "credit_card_2981164", "credit_card_2738819", "paypal_9604412"
CARD_0049 = "credit_card_3057715"


RETURNS = [
    ("nora", ["i need to send back the lamp from W4402817, put the money on my visa"], back([LAMP], VISA)),
    ("nora", ["the lamp is too small, want my money back", "my visa"], back([LAMP], VISA)),
    ("nora", ["can i get a refund for the desk lamp in #W4402817? to the original card please"], back([LAMP], VISA)),
    ("nora", ["id like to give the lamp back pls", "onto my gift card"], back([LAMP], GIFT)),
    ("nora", ["retrun the bakpack from w4402817", "same card"], back([BACKPACK], VISA)),
    ("nora", ["i dont like the backpack i got, how do i return it?", "gift card"], back([BACKPACK], GIFT)),
    ("nora", ["sending back both things from order 4402817, refund to my gift card"], back([LAMP, BACKPACK], GIFT)),
    ("nora", ["I want to return all of it. Order #W4402817.", "visa"], back([LAMP, BACKPACK], VISA)),
    ("nora", ["return the backpack, no wait, the lamp", "visa"], back([LAMP], VISA)),
    ("nora", ["i want to return the lamp. sorry, i mean the backpack", "visa"], back([BACKPACK], VISA)),
    ("nora", ["the backpack isnt what i expected, i want to send it back", "visa"], back([BACKPACK], VISA)),
    ("nora", ["hello! hope you are well. please could i return my desk lamp? thanks so much", "visa"], back([LAMP],
     VISA)),
    ("nora", ["return everything except the lamp from W4402817, gift card"], back([BACKPACK], GIFT)),
    ("nora", ["i wanna refnd the lamp", "back to my visa"], back([LAMP], VISA)),
    ("nora", ["lamp from W4402817 arrived but its ugly, sending it back. refund to visa"], back([LAMP], VISA)),
    ("nora", ["id like my money back for the backpack in #W4402817", "the card i paid with"], back([BACKPACK], VISA)),
    ("priya", ["hi, need to send back kettle and bottle from order W1649037", "card ending 7752"],
     back([MATT, "6270840124"], PRIYA_CARD, "#W1649037")),
    ("priya", ["W1649037: everything but the mugs goes back, money to my visa please"],
     back([MATT, "6270840124"], PRIYA_CARD, "#W1649037")),
    ("lucas", ["the boots from #W8234025 dont fit, i want a refund"],
     back(["6329906901"], "credit_card_7713394", "#W8234025")),
    ("lucas", ["jacket in W8234025 too big. id like to bring it back and get my money"],
     back(["4817733675"], "credit_card_7713394", "#W8234025")),
    ("oleksii", ["the keyboard in w4801603 has to go back. refund it onto the gift card"],
     back(["5539018059"], "gift_card_4472196", "#W4801603")),
    ("eleni", ["can you take back the boots from W9695239? they are too tight", "same card i used"],
     back(["6329900587"], "credit_card_2614479", "#W9695239")),
    ("grace", ["i no longer want the backpack i received in W9808571, please take it back", "visa"],
     back(["4482901538"], "credit_card_3946058", "#W9808571")),
    ("grace", ["please refund the coffee sampler from #W9808571, ill ship it back to you", "visa"],
     back(["5108847281"], "credit_card_3946058", "#W9808571")),
]  # fmt: skip

SWAPS = [
    ("nora", ["got the olive backpack but id like the navy one"], swap([BACKPACK], [NAVY])),
    ("nora", ["the backpack i received is too small, can i have the 26 l one instead?"], swap([BACKPACK], [BIG])),
    ("nora", ["i ordered the black lamp but want the sand one"], swap([LAMP], [SAND])),
    ("nora", ["my lamp is too small, id prefer the large black one"], swap([LAMP], [LARGE])),
    ("nora", ["exhange the lamp in w4402817 for the sand one"], swap([LAMP], [SAND])),
    ("nora", ["can i trade my backpack for the navy version?"], swap([BACKPACK], [NAVY])),
    ("nora", ["i'd rather have the lamp in sand, order W4402817"], swap([LAMP], [SAND])),
    ("nora", ["exchange the lamp please", "large black.. no sorry, small sand"], swap([LAMP], [SAND])),
    ("nora", ["exchange the lamp for the large black one, actually no, the small sand one"], swap([LAMP], [SAND])),
    ("nora", ["the lamp should have been sand not black, can we swap it"], swap([LAMP], [SAND])),
    ("nora", ["exchange lamp from W4402817 to sand and use my gift card for any difference"],
     swap([LAMP], [SAND], GIFT)),
    ("nora", ["wrong colour backpack in W4402817, i need navy"], swap([BACKPACK], [NAVY])),
    ("nora", ["in #W5918442 i picked the wrong kettle, want the matt black"], swap([KETTLE], [MATT],
     order=TWO, tool=MODIFY)),
    ("nora", ["make the mugs in W5918442 slate please"], swap([MUGS], [SLATE], order=TWO, tool=MODIFY)),
    ("nora", ["can the mug set in W5918442 be the 4 piece one instead?"], swap([MUGS], [FOUR],
     order=TWO, tool=MODIFY)),
    ("nora", ["i chose brushed steel for the kettle by mistake, need matt black, order W5918442"],
     swap([KETTLE], [MATT], order=TWO, tool=MODIFY)),
    ("nora", ["before you ship W5918442: slate mugs instead of chalk please"], swap([MUGS], [SLATE],
     order=TWO, tool=MODIFY)),
    ("nora", ["W5918442 - can i get the kettle in matt black instead"], swap([KETTLE], [MATT],
     order=TWO, tool=MODIFY)),
    ("nora", ["pls chnage the kettle in W5918442 to matt black"], swap([KETTLE], [MATT], order=TWO, tool=MODIFY)),
    ("nora", ["change the kettle to matt black and the mugs to slate in W5918442"],
     swap([KETTLE, MUGS], [MATT, SLATE], order=TWO, tool=MODIFY)),
    ("noor", ["the boots from W1652511 dont fit, i need size 38 instead of 40, soft sole"],
     swap(["6329902216"], ["6329900587"], BOOTS_CARD, "#W1652511")),
    ("noor", ["my boots (W1652511) are too big. need a 38"],
     swap(["6329902216"], ["6329900587"], BOOTS_CARD, "#W1652511")),
    ("noor", ["boots don't fit me, do you have them in 38? if so please swap, order #W1652511"],
     swap(["6329902216"], ["6329900587"], BOOTS_CARD, "#W1652511")),
    ("robert", ["got the olive backpack in order W6489481 but id like the navy one, same size"],
     swap([BACKPACK], [NAVY], ROBERT_PAYPAL, "#W6489481")),
    ("amara", ["hey in W9468575 i picked the wrong notebook, want the lined one in ink not dotted"],
     swap(["1406672947"], ["1406674081"], "credit_card_8520173", "#W9468575", MODIFY)),
    ("amara", ["for order W9468575 i meant to get the lined notebook, not the dotted one"],
     swap(["1406672947"], ["1406674081"], "credit_card_8520173", "#W9468575", MODIFY)),
    ("gideon", ["W3057214: open headphones rather than closed please, visa for the difference"],
     swap(["9391652017"], ["9391658633"], "credit_card_1736628", "#W3057214", MODIFY)),
    ("zoe", ["can you update my order #W8810356 so the bottle is 0.75 l"],
     swap(["6270840124"], ["6270846937"], "paypal_8440617", "#W8810356", MODIFY)),
    ("zoe", ["i want the bigger bottle in #W8810356, the 0.75 l"],
     swap(["6270840124"], ["6270846937"], "paypal_8440617", "#W8810356", MODIFY)),
    ("ingrid", ["jacket in W5475544 needs to be an S not M", "gift card with 1000.01"],
     swap(["4817731846"], ["4817730253"], "gift_card_3791640", "#W5475544", MODIFY)),
    ("tomasz", ["W2099788 upgrade the notebook to the lined ink one", "card i paid with"],
     swap(["1406670316"], ["1406674081"], "credit_card_9460317", "#W2099788", MODIFY)),
]  # fmt: skip

PAYMENTS = [
    ("nora", ["please put order #W5918442 on my gift card instead of the visa"], paid(TWO, GIFT)),
    ("nora", ["W5918442 should be paid with my gift card"], paid(TWO, GIFT)),
    ("nora", ["can i use my gift card to pay for W5918442"], paid(TWO, GIFT)),
    ("nora", ["i want to pay for order 5918442 by gift card rather than card"], paid(TWO, GIFT)),
    ("nora", ["charge #W5918442 to my gift card not the visa pls"], paid(TWO, GIFT)),
    ("nora", ["change how i pay for W5918442", "gift card"], paid(TWO, GIFT)),
    ("nora", ["id like W5918442 to be charged to my gift card"], paid(TWO, GIFT)),
    ("nora", ["switch the payment on W5918442 to gift card"], paid(TWO, GIFT)),
    ("nora", ["move order W5918442 from my visa to my gift card"], paid(TWO, GIFT)),
    ("tomasz", ["W2943727 should be paid with my card ending 0049 not 8120"], paid("#W2943727", CARD_0049)),
    ("tomasz", ["bill #W2943727 to the visa instead"], paid("#W2943727", CARD_0049)),
    ("tomasz", ["wrong card on W2943727, use my paypal"], paid("#W2943727", "paypal_5126648")),
    ("tomasz", ["i used the wrong card for order w2943727. it should be paypal"], paid("#W2943727", "paypal_5126648")),
    ("tomasz", ["take the money for W2943727 from my paypal please"], paid("#W2943727", "paypal_5126648")),
    ("tomasz", ["pay W2943727 with paypal, no wait, with the visa"], paid("#W2943727", CARD_0049)),
    ("tomasz", ["different payment for W2943727 pls", "paypal"], paid("#W2943727", "paypal_5126648")),
    ("hanna", ["W9264071 paypal instead of mastercard please"], paid("#W9264071", "paypal_3392870")),
    ("eleni", ["my order #W2326452 is on paypal, i want it on my visa"], paid("#W2326452", "credit_card_2614479")),
]

ELM = {"address1": "12 Elm Street", "address2": "Apt 4", "city": "Boston", "state": "MA", "zip": "02118"}
ADDRESSES = [
    (["need to change where #W5918442 gets shipped", "88 Lake Drive", "Madison, WI 53704", "usa"], ADDRESS, LAKE),
    (["need to change where #W5918442 gets shipped", "88 Lake Drive\nMadison, WI 53704\nUSA"], ADDRESS, LAKE),
    (["W5918442 needs to go somewhere else", "88 Lake Drive, Madison, WI 53704"], ADDRESS, LAKE),
    (["change the adress of W5918442 to\n12 Elm Street\nApt 4\nBoston, MA 02118"], ADDRESS, ELM),
    (["please deliver W5918442 to 12 Elm Street Apt 4, Boston MA 02118"], ADDRESS, ELM),
    (["i put the wrong address on W5918442, it should be 12 Elm Street, Apt 4, Boston, MA 02118"], ADDRESS, ELM),
    (["can W5918442 be sent to 12 elm street, apt 4, boston, ma 02118 instead"], ADDRESS,
     {"zip": "02118", "state": "MA"}),
    (["can you reroute my order #W5918442 please", "12 Elm Street, Apt 4, Boston, MA 02118"], ADDRESS, ELM),
    (["ship W5918442 to 14 Elm Street, Apt 4, Boston, MA 02118, sorry i mean 12 Elm Street"], ADDRESS, ELM),
    (["W5918442 is going to my old place. new one: 88 Lake Drive, Madison, WI 53704"], ADDRESS, LAKE),
    (["wrong shipping address for order #W5918442", "88 Lake Drive, Madison WI 53704"], ADDRESS, LAKE),
    (["the delivery address on W5918442 is wrong", "88 lake drive", "madison", "wisconsin", "53704"], ADDRESS, LAKE),
    (["update my account address to 88 Lake Drive, Madison, WI 53704"], HOME, LAKE),
    (["i moved, my new home address is 88 Lake Drive, Madison, WI 53704, please save it in my profile"], HOME, LAKE),
    (["change the address in my account", "88 Lake Drive\nMadison\nWI 53704"], HOME, LAKE),
    (["can you update the address you have on file for me", "88 Lake Drive, Madison, WI 53704"], HOME, LAKE),
    (["my address on my profile is out of date. its 88 Lake Drive, Madison, WI 53704 now"], HOME, LAKE),
    (["i want future orders to go to 88 Lake Drive, Madison, WI 53704"], HOME, LAKE),
    (["ive moved house! please change my adress", "on my account", "88 Lake Drive, Madison, WI 53704"], HOME, LAKE),
]  # fmt: skip

CANCELS = [
    ("gideon", ["cancle my order w3057214 i dont need it anymore"], dropped("#W3057214")),
    ("gideon", ["hi there, could you please cancel order W 3057214 for me? no longer needed, thanks!"],
     dropped("#W3057214")),
    ("gideon", ["i want to cancel", "number is 3057214", "dont need it"], dropped("#W3057214")),
    ("gideon", ["i ordered this by accident, please stop order W3057214"],
     dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["get rid of order W3057214, bought it by mistake"], dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["dont want w3057214 anymore, cancel pls"], dropped("#W3057214")),
    ("gideon", ["i'd like order #W3057214 cancelled because i found it cheaper somewhere else"],
     dropped("#W3057214")),
    ("gideon", ["i need to cancel the headphones order, its not needed any more"], dropped("#W3057214")),
    ("gideon", ["please cancel #W3057214. i bought the wrong ones"], dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["cancel order W3057214", "i changed my mind"], dropped("#W3057214")),
    ("gideon", ["cancel order W3057214", "accident"], dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["cancel order W3057214", "my kid ordered it without asking"],
     dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["cancel order W3057214", "i just dont want it any longer"], dropped("#W3057214")),
    ("gideon", ["cancel order W3057214", "it takes too long"], dropped("#W3057214")),
    ("gideon", ["cancelation of W3057214 please, ordered twice by accident"],
     dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["can i still cancel w3057214? dont need it"], dropped("#W3057214")),
    ("siobhan", ["cancel #W3113725, no wait i mean #W1482513, no longer needed"], dropped("#W1482513")),
    ("nora", ["cancel W6120933 not needed anymore", ], dropped("#W6120933")),
    ("nora", ["cancel the order with the kettle, i dont need it"], dropped(TWO)),
    ("nora", ["i want to cancel an order", "the one with the mugs", "not needed"], dropped(TWO)),
]  # fmt: skip


@pytest.mark.parametrize(("user", "turns", "action"), [*RETURNS, *SWAPS, *PAYMENTS, *CANCELS])
def test_the_wish_is_heard_however_it_is_said(user, turns, action):
    chat = talk(user, *turns)
    if last_text(chat).endswith(QUESTIONS[Slot.DIFFERENCE]):
        chat.say("the way i paid")
    assert chat.actions() == [action]


@pytest.mark.parametrize(("turns", "tool", "parts"), ADDRESSES)
def test_an_address_is_heard_however_it_is_said(turns, tool, parts):
    [(name, given)] = talk("nora", *turns).actions()
    assert name == tool
    assert parts.items() <= given.items()
