"""Every action from the customer's words to the shop's rows: the offline model at the real desk, on the demo shop."""

import pytest

from orders.models import Customer, Order
from tests.factories import NORA_EMAIL, start_chat

pytestmark = pytest.mark.usefixtures("desk")
PRIYA, HANNA = "priya.raman@example.com", "hanna.bui@example.com"
DELIVERED, PENDING = "#W4402817", "#W5918442"
# How a chat goes on after the first words: an answer in words, or the card's button.
YES, NO = "press yes", "press no"


def talk(*words):
    chat = start_chat()
    for said in words:
        if said in {YES, NO}:
            chat.press(said.removeprefix("press "))
        else:
            chat.say(said)
    return chat


def order(number):
    return Order.objects.get(number=number)


def items_of(number):
    return sorted(order(number).lines.values_list("variant_id", flat=True))


def test_items_are_returned():
    chat = talk("I want to return the lamp", NORA_EMAIL, "on my gift card", YES)
    assert chat.card()["title"] == f"Return 1 item of order {DELIVERED}"
    assert chat.card()["amount"] == "96.00"
    assert order(DELIVERED).status == "return requested"
    assert (order(DELIVERED).return_items, order(DELIVERED).return_method) == (["3175521189"], "gift_card_3108820")
    assert chat.texts()[-1].startswith(f"The return of Desk Lamp from order {DELIVERED} is requested. $96.00 goes to")


def test_items_are_exchanged():
    chat = talk("exchange the lamp for the large black one on my visa, I am at 55406, Nora Lindahl", NORA_EMAIL, YES)
    assert order(DELIVERED).status == "exchange requested"
    assert order(DELIVERED).exchange_new_items == ["3175526032"]
    assert "The difference of $18.50 is paid with your Visa ending in 4417." in chat.texts()[-1]


def test_items_of_a_pending_order_are_changed():
    chat = talk(NORA_EMAIL, f"please change the kettle in {PENDING} to matt black, on my visa", YES)
    assert items_of(PENDING) == ["2604412845", "8846121605"]
    assert f"Order {PENDING} is changed: it now holds Gooseneck Kettle" in chat.texts()[-1]


def test_payment_method_is_changed():
    chat = talk(NORA_EMAIL, f"pay {PENDING} with my gift card", YES)
    assert [p.method_id for p in order(PENDING).payments.all()] == [
        "credit_card_4417208",
        "gift_card_3108820",
        "credit_card_4417208",
    ]
    assert f"Order {PENDING} is now paid with your gift card." in chat.texts()[-1]


def test_gift_card_that_does_not_cover_the_order_is_told_and_changes_nothing():
    chat = talk(NORA_EMAIL, "pay #W6120933 with my gift card")
    assert chat.events("request") == []
    assert order("#W6120933").payments.count() == 1
    assert "there is not enough money on the gift card. Nothing was changed." in chat.texts()[-1]


def test_address_of_an_order_is_changed():
    chat = talk(NORA_EMAIL, f"ship {PENDING} to 12 Main Street, Suite 3, Denver, CO 80279", YES)
    assert chat.card()["lines"][0]["detail"] == "12 Main Street, Suite 3, Denver, CO 80279, USA"
    changed = order(PENDING)
    assert (changed.address1, changed.address2, changed.city, changed.state, changed.country, changed.zip) == (
        "12 Main Street",
        "Suite 3",
        "Denver",
        "CO",
        "USA",
        "80279",
    )
    assert f"Order {PENDING} now goes to 12 Main Street" in chat.texts()[-1]


def test_default_address_is_changed_part_by_part():
    chat = talk(NORA_EMAIL, "change my address", "the default one", "99 Elm Road", "Boulder", "Colorado", "80301", YES)
    nora = Customer.objects.get(email=NORA_EMAIL)
    assert (nora.address1, nora.address2, nora.city, nora.state, nora.zip) == (
        "99 Elm Road",
        "",
        "Boulder",
        "CO",
        "80301",
    )
    assert "The default address of your account is now 99 Elm Road" in chat.texts()[-1]


def test_order_is_cancelled():
    chat = talk(NORA_EMAIL, f"cancel {PENDING}, ordered by mistake", YES)
    assert order(PENDING).status == "cancelled"
    assert f"Order {PENDING} is cancelled." in chat.texts()[-1]


def test_no_to_the_card_leaves_everything_as_it_was():
    chat = talk(NORA_EMAIL, "exchange the lamp for the sand one, on my visa", NO)
    assert order(DELIVERED).status == "delivered"
    assert chat.texts()[-1] == f"Okay, I did not exchange items of order {DELIVERED}. Nothing was changed."


def test_correction_to_the_card_makes_another_card():
    chat = talk(NORA_EMAIL, "exchange the lamp for the sand one, on my visa", "actually the large black one", YES)
    assert [event["outcome"] for event in chat.events("request_closed")] == ["replaced", "granted"]
    assert order(DELIVERED).exchange_new_items == ["3175526032"]


def test_return_instead_of_the_exchange_on_the_card():
    talk(
        NORA_EMAIL,
        "exchange the lamp for the sand one, on my visa",
        "wait, return instead of exchange",
        "original payment",
        YES,
    )
    assert order(DELIVERED).status == "return requested"
    assert order(DELIVERED).return_items == ["3175521189"]


def test_two_subjects_in_one_message_are_two_cards_one_after_the_other():
    chat = talk(
        f"{NORA_EMAIL} here. Return the lamp to my gift card and cancel {PENDING}, no longer needed. "
        "Then update my default address to 7 Pine Street, Apt 2, Salem, OR 97301",
        YES,
        YES,
        YES,
    )
    assert len(chat.events("request")) == 3
    assert (order(DELIVERED).status, order(PENDING).status) == ("return requested", "cancelled")
    assert Customer.objects.get(email=NORA_EMAIL).city == "Salem"


def test_second_return_of_the_same_order_is_refused_in_words():
    chat = talk(NORA_EMAIL, "return the lamp, gift card", YES, "return the backpack too")
    assert "can be returned or exchanged only once" in chat.texts()[-1]
    assert len(chat.events("request")) == 1


def test_cancelling_after_the_items_were_changed_is_refused_in_words():
    chat = talk(
        NORA_EMAIL,
        f"change the mugs in {PENDING} to slate, on my visa",
        YES,
        f"cancel {PENDING}, no longer needed",
        "thanks",
    )
    assert "can’t be cancelled" in chat.texts()[-2]
    assert order(PENDING).status == "pending (item modified)"


def test_product_question_needs_no_account():
    chat = talk("what finishes does the gooseneck kettle come in?")
    assert "capacity 1.2 l, finish matt black, $101.50, not available right now" in chat.texts()[-1]
    assert chat.get().json()["verified"] is None


def test_priya_returns_two_of_three_items_to_the_card_that_paid():
    talk(PRIYA, "return everything except the bottle from #W1649037, to my visa", YES)
    assert order("#W1649037").return_items == ["2604412845", "8846124298"]
    assert order("#W1649037").return_method == "credit_card_2981164"


def test_priya_changes_one_of_two_keyboards():
    talk(PRIYA, "swap the linear keyboard in #W7730418 for a tactile one, with paypal", YES)
    assert items_of("#W7730418") == ["5539013641", "5539018059", "7018369350"]


def test_hanna_pays_the_difference_with_paypal():
    talk(HANNA, "exchange the headphones in #W5476109 for closed ones with coiled cable, use paypal", YES)
    changed = order("#W5476109")
    assert (changed.exchange_new_items, changed.exchange_method) == (["9391655846"], "paypal_3392870")


def test_return_above_the_limit_waits_for_staff():
    chat = talk(HANNA, "return everything from #W5476109", "mastercard", YES)
    assert chat.state() == "under_review"
    assert order("#W5476109").status == "delivered"


def test_somebody_elses_order_looks_missing():
    chat = talk(NORA_EMAIL, "return the keyboard from #W5476109")
    assert "I can’t find order #W5476109 in your account." in chat.texts()[-1]
    assert chat.events("request") == []
