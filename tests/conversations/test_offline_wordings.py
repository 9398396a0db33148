"""Ordinary ways to say the same wish, none of them written for a rule: each leads to exactly this action."""

import pytest

from conversations.agent.offline_words import QUESTIONS, Slot
from tests.conversations.offline_chat import (
    ADDRESS,
    BACKPACK,
    BIG,
    CANCEL,
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
    PAYMENT,
    SAND,
    SLATE,
    TWO,
    VISA,
    back,
    last_text,
    swap,
    talk,
)

PRIYA_CARD, BOOTS_CARD, ROBERT_PAYPAL = "credit_card_2981164", "credit_card_2738819", "paypal_9604412"
CARD_0049 = "credit_card_3057715"


def paid(order, method):
    return PAYMENT, {"order_id": order, "payment_method_id": method}


def dropped(order, reason="no longer needed"):
    return CANCEL, {"order_id": order, "reason": reason}


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
    ("nora", ["hello! hope you are well. please could i return my desk lamp? thanks so much", "visa"], back([LAMP], VISA)),
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
    ("nora", ["in #W5918442 i picked the wrong kettle, want the matt black"], swap([KETTLE], [MATT], order=TWO, tool=MODIFY)),
    ("nora", ["make the mugs in W5918442 slate please"], swap([MUGS], [SLATE], order=TWO, tool=MODIFY)),
    ("nora", ["can the mug set in W5918442 be the 4 piece one instead?"], swap([MUGS], [FOUR], order=TWO, tool=MODIFY)),
    ("nora", ["i chose brushed steel for the kettle by mistake, need matt black, order W5918442"],
     swap([KETTLE], [MATT], order=TWO, tool=MODIFY)),
    ("nora", ["before you ship W5918442: slate mugs instead of chalk please"], swap([MUGS], [SLATE], order=TWO, tool=MODIFY)),
    ("nora", ["W5918442 - can i get the kettle in matt black instead"], swap([KETTLE], [MATT], order=TWO, tool=MODIFY)),
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
LAKE = {"address1": "88 Lake Drive", "address2": "", "city": "Madison", "state": "WI", "zip": "53704"}
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
    ("gideon", ["hi there, could you please cancel order W 3057214 for me? no longer needed, thanks!"], dropped("#W3057214")),
    ("gideon", ["i want to cancel", "number is 3057214", "dont need it"], dropped("#W3057214")),
    ("gideon", ["i ordered this by accident, please stop order W3057214"], dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["get rid of order W3057214, bought it by mistake"], dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["dont want w3057214 anymore, cancel pls"], dropped("#W3057214")),
    ("gideon", ["i'd like order #W3057214 cancelled because i found it cheaper somewhere else"], dropped("#W3057214")),
    ("gideon", ["i need to cancel the headphones order, its not needed any more"], dropped("#W3057214")),
    ("gideon", ["please cancel #W3057214. i bought the wrong ones"], dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["cancel order W3057214", "i changed my mind"], dropped("#W3057214")),
    ("gideon", ["cancel order W3057214", "accident"], dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["cancel order W3057214", "my kid ordered it without asking"], dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["cancel order W3057214", "i just dont want it any longer"], dropped("#W3057214")),
    ("gideon", ["cancel order W3057214", "it takes too long"], dropped("#W3057214")),
    ("gideon", ["cancelation of W3057214 please, ordered twice by accident"], dropped("#W3057214", "ordered by mistake")),
    ("gideon", ["can i still cancel w3057214? dont need it"], dropped("#W3057214")),
    ("siobhan", ["cancel #W3113725, no wait i mean #W1482513, no longer needed"], dropped("#W1482513")),
    ("nora", ["cancel W6120933 not needed anymore", ], dropped("#W6120933")),
    ("nora", ["cancel the order with the kettle, i dont need it"], dropped(TWO)),
    ("nora", ["i want to cancel an order", "the one with the mugs", "not needed"], dropped(TWO)),
]  # fmt: skip


SEVERAL = [
    ("nora", ["return the lamp to my visa. also cancel W6120933, dont need it"], [back([LAMP], VISA), dropped("#W6120933")]),
    ("nora", ["where is W4402817? and cancel W5918442 please, no longer needed"], [dropped(TWO)]),
    ("nora", ["1. cancel order W6120933 (ordered by mistake)\n2. change the kettle in W5918442 to matt black, visa"],
     [dropped("#W6120933", "ordered by mistake"), swap([KETTLE], [MATT], order=TWO, tool=MODIFY)]),
    ("nora", ["how much is the wool throw? and then return the backpack, gift card"], [back([BACKPACK], GIFT)]),
    ("nora", ["cancel both pending orders, i dont need them"], [dropped(TWO), dropped("#W6120933")]),
    ("nora", ["i want to return the lamp", "and actually the backpack as well", "visa"], [back([LAMP, BACKPACK], VISA)]),
    ("nora", ["return the lamp and the backpack from W4402817 please, both to my gift card"], [back([LAMP, BACKPACK], GIFT)]),
    ("nora", ["swap the lamp for sand and the backpack for navy, visa", "thanks! also cancel W6120933", "not needed"],
     [swap([LAMP, BACKPACK], [SAND, NAVY]), dropped("#W6120933")]),
    ("nora", ["cancel W6120933 and W5918442, both no longer needed"], [dropped("#W6120933"), dropped(TWO)]),
    ("oleksii", ["where is W3170391?", "ok. i also want to return the headphones from #W4801603", "put it back on the gift card"],
     [back(["9391655846"], "gift_card_4472196", "#W4801603")]),
    ("hanna", ["put W9264071 on paypal and return the keyboard from W5476109 to my mastercard"],
     [paid("#W9264071", "paypal_3392870"), back(["5539018059"], "credit_card_8605519", "#W5476109")]),
    ("hanna", ["i want to return the headphones from W5476109, put the refund on my gift card"],
     [back(["9391658633"], "gift_card_4518296", "#W5476109")]),
    ("hanna", ["exchange the keyboard in order W5476109 for the 80 percent linear, put the difference on my paypal"],
     [swap(["5539018059"], ["5539010278"], "paypal_3392870", "#W5476109")]),
    ("hanna", ["exchange the keyboard in order W5476109 for the 80 percent linear, i get the difference back on my gift card right?"],
     [swap(["5539018059"], ["5539010278"], "gift_card_4518296", "#W5476109")]),
    ("lucas", ["W8234025 the rain jacket is too small, want my money back", "ok ill send it back, original payment is fine"],
     [back(["4817733675"], "credit_card_7713394", "#W8234025")]),
    ("gideon", ["cancel W3057214, not needed", "yes please cancel it, i dont need it", "thanks"], [dropped("#W3057214")]),
    ("nora", ["cancel W5918442, not needed", "yes cancel my order please, no longer needed"], [dropped(TWO)]),
    ("nora", ["pay W5918442 with my gift card", "yes, the gift card please"], [paid(TWO, GIFT)]),
    ("siobhan", ["cancel #W3113725", "wait wrong number, i mean #W1482513. its no longer needed"], [dropped("#W1482513")]),
]  # fmt: skip

# No write may come of these words, whatever is asked or told.
NONE = [
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
    ("nora", ["hey quick question, im thinking about the standing desk in walnut 160 cm, whats the price?"], ["1,189"]),
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


@pytest.mark.parametrize(
    ("turns", "tools"),
    [
        (["i moved to 88 Lake Drive, Madison, WI 53704. pls change it on my account", "and ship order W5918442 there too"],
         [HOME, ADDRESS]),
        (["ship W5918442 to 88 Lake Drive, Madison, WI 53704", "change it on my account too please"], [ADDRESS, HOME]),
        (["ship W5918442 to 88 Lake Drive, Madison, WI 53704", "same address for order W6120933"], [ADDRESS, ADDRESS]),
        (["update my profile address: 88 Lake Drive, Madison, WI 53704", "use that address for W5918442 as well"],
         [HOME, ADDRESS]),
        (["send W5918442 to 88 Lake Drive, Madison, WI 53704 and update my account address as well"], [ADDRESS, HOME]),
        (["ship W5918442 to 88 Lake Drive, Madison, WI 53704", "yes, ship it there please"], [ADDRESS]),
        (["change my account address to 88 Lake Drive, Madison, WI 53704", "yes save it in my account"], [HOME]),
    ],
)  # fmt: skip
def test_an_address_said_once_serves_twice(turns, tools):
    actions = talk("nora", *turns).actions()
    assert [name for name, _ in actions] == tools
    assert all(LAKE.items() <= given.items() for _, given in actions)


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
