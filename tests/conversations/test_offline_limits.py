"""What the offline model cannot or must not do, what it says then, and how long it takes."""

import itertools
import json
import random
import time

import pytest

from conversations.agent.offline_dialogue import Dialogue
from policy.actions import ACTIONS
from tests.conversations.offline_chat import (
    ADDRESS,
    ALL_TOOLS,
    EXCHANGE,
    EXPIRED,
    GIFT,
    HOME,
    LAMP,
    LATE,
    MODIFY,
    NO,
    PAYMENT,
    RETURN,
    STALE,
    Chat,
    DemoShop,
    back,
    fence,
    last_text,
    signed_in,
    talk,
)


@pytest.mark.parametrize(
    ("user", "turns", "part"),
    [
        ("nora", ["return the grinder"], "Nothing of order #W6120933 can be returned, because it is still pending."),
        ("nora", ["return #W5918442"], "While an order is pending, it can be cancelled or changed."),
        (
            "nora",
            ["change the address of #W4402817 to 1 Main St, Reno, NV 89501"],
            "can’t be changed, because it is delivered",
        ),
        (
            "nora",
            ["pay #W4402817 with my gift card"],
            "The payment of order #W4402817 can’t be changed, because it is delivered.",
        ),
        (
            "nora",
            ["return the lamp, gift card", "exchange the backpack for navy"],
            "can be returned or exchanged only once.",
        ),
        ("nora", ["return the lamp from #W7777777"], "I can’t find order #W7777777 in your account."),
        ("nora", ["return the mugs from #W1649037"], "I can’t find order #W1649037 in your account."),
        ("ibrahim", ["exchange the lamp in #W2185560 for sand"], "can’t be exchanged, because it is processed."),
        ("ibrahim", ["pay with paypal for #W7730125"], "I see no other method."),
        ("ibrahim", ["I want to return something"], "I see no delivered order in your account"),
        ("zoe", ["return the backpack"], "because it is cancelled."),
        ("zoe", ["pay #W8810356 with my gift card"], "there is not enough money on the gift card."),
    ],
)
def test_what_the_order_does_not_allow_is_said_with_the_reason(user, turns, part):
    chat = talk(user, *turns)
    assert part in last_text(chat)
    assert "Nothing was changed." in last_text(chat)


@pytest.mark.parametrize(
    ("result", "parts"),
    [
        (NO, ["Okay, I did not exchange items"]),
        (EXPIRED, ["The card has expired", "Tell me if I should still do it."]),
        (STALE, ["changed in the meantime"]),
        (LATE, ["Nobody decided in time"]),
        (
            "Not run: declined by a member of staff. Nothing was changed. Note: too late {x}",
            ["declined", "“too late {x}”"],
        ),
        ("Policy: R5 more than was paid.", ["more than was paid."]),
        (
            "Error: insufficient gift card balance to pay for the price difference",
            ["not enough money on the gift card"],
        ),
        ("Error: new item 1 not found or available", ["not available"]),
        ("Error: non-delivered order cannot be exchanged", ["not delivered, or was returned or exchanged before"]),
        ("Not run: a person took over. Nothing was changed.", ["A person took over"]),
        ("Not run: one action at a time. Nothing was changed.", ["one thing at a time"]),
    ],
)
def test_action_that_did_not_run_is_told_as_such(result, parts):
    reply = signed_in("nora").say("exchange the lamp for sand, on my visa", result)
    assert [part for part in [*parts, "Nothing was changed."] if part not in reply] == []
    assert "requested" not in reply


ONE_OF_EACH = [
    ("return the lamp, gift card", RETURN),
    ("exchange the lamp for sand, on my visa", EXCHANGE),
    ("change the kettle to matt black, on my visa", MODIFY),
    ("pay #W5918442 with my gift card", PAYMENT),
    ("ship #W5918442 to 1 Main St, Reno, NV 89501", ADDRESS),
    ("change my default address to 1 Main St, Reno, NV 89501", HOME),
]


@pytest.mark.parametrize(("words", "tool"), ONE_OF_EACH)
@pytest.mark.parametrize(
    "result", ["{}", "[1]", "null", "", '{"status": "delivered", "items": 3}', "Error: time-out", "Done"]
)
def test_result_that_does_not_show_the_change_is_never_told_as_done(words, tool, result):
    chat = signed_in("nora")
    reply = chat.say(words, result)
    assert [name for name, _ in chat.actions()] == [tool]
    assert reply.startswith("I have no confirmation that I could ")


@pytest.mark.parametrize(("words", "tool"), ONE_OF_EACH)
def test_absent_tool_is_not_called_and_said(words, tool):
    chat = signed_in("nora", tools=[name for name in ALL_TOOLS if name != tool])
    assert "I can’t" in chat.say(words)
    assert chat.actions() == []


@pytest.mark.parametrize(
    ("words", "can_not"),
    [
        ("any chance of 10% off?", "give discounts or match prices"),
        ("do you price match?", "give discounts or match prices"),
        ("do you have a coupon for me", "give discounts or match prices"),
        ("order a new kettle for me", "place new orders"),
        ("add a kettle to my order", "place new orders"),
        ("cancel just the mug set in #W5918442", "cancel single items"),
        ("remove the kettle from my order", "cancel single items"),
    ],
)
def test_what_it_cannot_do_is_said_with_the_offer_of_a_person(words, can_not):
    chat = signed_in("nora")
    reply = chat.say(words)
    assert reply.startswith(f"I can’t {can_not} in this chat; ")
    assert reply.endswith("or fetch a person for you.")
    assert chat.calls == []
    chat.say("yes please")
    assert chat.names() == ["transfer_to_human_agents"]


@pytest.mark.parametrize(
    ("turns", "parts"),
    [
        (
            ["what colours does the lamp come in?"],
            ["size small, color sand, $96.00", "size large, color brass, $127.00, not available"],
        ),
        (
            ["how much is the kettle in matt black, 1.2 l?"],
            ["capacity 1.2 l, finish matt black, $101.50, not available right now"],
        ),
        (["do you have toasters?", "the backpack"], ["volume 18 l, color navy, $118.00"]),
        (["what do you sell?"], ["Burr Coffee Grinder", "Steel Bottle", "Which product do you mean?"]),
        (["is the desk lamp available in sand?", "and what is the cheapest one?"], ["The cheapest Desk Lamp is"]),
        (["do you have the desk lamp in sand?"], ["size small, color sand"]),
    ],
)
def test_product_questions_are_answered_without_an_account(turns, parts):
    chat = Chat(DemoShop(), ALL_TOOLS)
    reply = [chat.say(words) for words in turns][-1]
    assert [part for part in parts if part not in reply] == []
    assert {"list_all_product_types", "get_product_details"} >= set(chat.names())


def test_account_is_asked_for_first_and_the_wish_is_kept():
    chat = Chat(DemoShop(), ALL_TOOLS)
    assert "e-mail address" in chat.say("ship my order #W5918442 to 12 Main Street, Denver, CO 80279")
    assert "ZIP code" in chat.say("Nora Lindahl")
    chat.say("55406")
    assert chat.actions()[0][1]["city"] == "Denver"


@pytest.mark.parametrize("words", ["never mind", "stop", "no", "no thanks", "forget it", "I'll keep it"])
def test_customer_can_leave_a_question_unanswered(words):
    chat = talk("nora", "return the lamp", words)
    assert last_text(chat) == "Okay. Nothing was changed."
    assert chat.actions() == []


def test_question_beside_an_open_change_is_answered_and_the_change_goes_on():
    chat = signed_in("nora")
    chat.say("return the lamp")
    reply = chat.say("what is your return policy?")
    assert chat.names()[-1] == "search_help_center"
    assert "[1]." in reply
    assert reply.endswith("Where should the money go?")
    chat.say("gift card")
    assert chat.actions() == [back([LAMP], GIFT)]


def test_person_is_fetched_in_the_middle_of_a_change():
    chat = talk("nora", "return the lamp", "a person please")
    assert chat.names()[-1] == "transfer_to_human_agents"
    assert chat.actions() == []


WORDS = [
    "return", "exchange", "change", "cancel", "the", "lamp", "kettle", "mugs", "backpack", "keyboard", "grinder",
    "bottle", "sand", "black", "navy", "steel", "54", "mm", "for", "to", "and", "not", "instead", "both",
    "everything", "except", "no", "yes", "other", "one", "second", "1", "2", "visa", "paypal", "gift", "card",
    "original", "payment", "address", "#W5918442", "#W4402817", "#W9999999", "12", "Main", "Street", "Reno", "NV",
    "89501", "default", "account", "order", "items", "it", "also", "how", "much", "is", "what", "refund", "never",
    "mind", "too", "zip", "should", "be", "97302", "apt", "5", ";", ",", ".", "?",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_whatever_is_said_it_only_uses_what_the_tools_returned(seed):
    rnd = random.Random(seed)
    chat = signed_in(rnd.choice(["nora", "priya", "hanna", "zoe", "gideon", "ibrahim"]))
    for _ in range(5):
        chat.say(" ".join(rnd.choice(WORDS) for _ in range(rnd.randint(1, 9))))
    for at, message in enumerate(chat.messages):
        seen = json.dumps(chat.messages[:at])
        for block in message["content"] if message["role"] == "assistant" else []:
            if block["type"] == "tool_use" and block["name"] in ACTIONS:
                given = block["input"]
                ids = [given.get("payment_method_id", ""), *given.get("item_ids", []), *given.get("new_item_ids", [])]
                assert all(one in seen for one in [*ids, given.get("order_id", "")])
                assert not set(given.get("item_ids", [])) & set(given.get("new_item_ids", []))


UNITS = [
    "a",
    "a ",
    "a-",
    "no ",
    "1 ",
    "lamp for ",
    "12 Main St, ",
    "CO 80279 ",
    "1 CO 80279 ",
    "change the a to ",
    "not the ",
    "pay with ",
    "; ",
    "return ",
    "one ",
]
OPENINGS = [None, "return the lamp", "exchange the lamp", "i wanna return sth", "change the address of #W5918442"]


@pytest.mark.parametrize(("opening", "unit"), list(itertools.product(OPENINGS, UNITS)))
def test_hostile_length_is_read_in_time(opening, unit):
    chat = talk("nora", *([opening] if opening else []))
    chat.messages.append({"role": "user", "content": [fence("customer", (unit * 4000)[:4000])]})
    taken = []
    for _ in range(3):
        start = time.process_time()
        Dialogue(chat.request()).next_move()
        taken.append(time.process_time() - start)
    assert min(taken) < 0.05
