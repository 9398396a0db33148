"""The seven write tools as a customer would rightly use them, once each, and the moves that attack them.

Everything is Nora's: two pending orders, a delivered one, a Visa and a gift card.
"""

import uuid
from typing import Any

from django.db import transaction

from audit.models import Entry
from audit.queries import list_entries
from orders.changes import Subject
from orders.executor import Execution, Grant, execute
from orders.hashing import store_hash
from orders.models import Customer, Effect, Line, Order, Payment
from policy.actions import ACTIONS, Action
from tests.factories import LARGE, NORA_EMAIL, SMALL, Chat, start_chat
from tests.scripted import Move, Scripted, call, say

Arguments = dict[str, Any]

NORA = "nora_lindahl_1042"
DELIVERED = "#W4402817"
VISA, GIFT_CARD = "credit_card_4417208", "gift_card_3108820"
# Items and what they can become; the last of each product is not available.
KETTLE, KETTLE_BLACK, KETTLE_GONE = "2604410917", "2604412845", "2604419563"
MUGS, MUGS_SLATE, MUGS_LARGE = "8846121605", "8846124298", "8846128874"
LAMP, LAMP_SAND, LAMP_LARGE, LAMP_GONE = "3175521189", "3175523470", "3175526032", "3175528891"
BACKPACK, BACKPACK_NAVY, BACKPACK_LARGE = "4482901538", "4482904416", "4482907763"
GRINDER, GRINDER_BLACK, GRINDER_LARGE = "7018360482", "7018364771", "7018369350"

ADDRESS = {
    "address1": "9 Ferry Lane",
    "address2": "",
    "city": "Duluth",
    "state": "MN",
    "country": "USA",
    "zip": "55802",
}
CANCEL, ADDRESS_OF_ORDER, ITEMS, PAYMENT, ADDRESS_OF_USER, RETURN, EXCHANGE, REFUND, RECEIPT, PREFERENCE = ACTIONS
HONEST: dict[str, Arguments] = {
    CANCEL: {"order_id": SMALL, "reason": "no longer needed"},
    ADDRESS_OF_ORDER: {"order_id": SMALL, **ADDRESS},
    ITEMS: {
        "order_id": SMALL,
        "item_ids": [KETTLE],
        "new_item_ids": [KETTLE_BLACK],
        "payment_method_id": VISA,
    },
    PAYMENT: {"order_id": SMALL, "payment_method_id": GIFT_CARD},
    ADDRESS_OF_USER: {"user_id": NORA, **ADDRESS},
    RETURN: {"order_id": DELIVERED, "item_ids": [LAMP], "payment_method_id": VISA},
    EXCHANGE: {
        "order_id": DELIVERED,
        "item_ids": [LAMP],
        "new_item_ids": [LAMP_LARGE],
        "payment_method_id": VISA,
    },
}
# Other arguments of the same customer, as valid as the first.
OTHERWISE: dict[str, Arguments] = {
    CANCEL: {"order_id": LARGE, "reason": "no longer needed"},
    ADDRESS_OF_ORDER: {"order_id": SMALL, **ADDRESS, "address1": "1 Thief Street"},
    ITEMS: {
        "order_id": LARGE,
        "item_ids": [GRINDER],
        "new_item_ids": [GRINDER_LARGE],
        "payment_method_id": VISA,
    },
    PAYMENT: {"order_id": LARGE, "payment_method_id": GIFT_CARD},
    ADDRESS_OF_USER: {"user_id": NORA, **ADDRESS, "address1": "1 Thief Street"},
    RETURN: {"order_id": DELIVERED, "item_ids": [LAMP, BACKPACK], "payment_method_id": GIFT_CARD},
    EXCHANGE: {
        "order_id": DELIVERED,
        "item_ids": [BACKPACK],
        "new_item_ids": [BACKPACK_NAVY],
        "payment_method_id": VISA,
    },
}
WRITES = list(HONEST)
WITH_ORDER = [name for name in WRITES if name != ADDRESS_OF_USER]
WITH_ITEMS = [ITEMS, RETURN, EXCHANGE]
WITH_NEW_ITEMS = [ITEMS, EXCHANGE]
WITH_METHOD = [ITEMS, PAYMENT, RETURN, EXCHANGE]
WITH_ADDRESS = [ADDRESS_OF_ORDER, ADDRESS_OF_USER]
GIVES_MONEY = [CANCEL, ITEMS, RETURN, EXCHANGE]

VERIFY = call("find_user_id_by_email", email=NORA_EMAIL)
# Which order each refund of `worth` is about.
ORDER_OF = {CANCEL: SMALL, ITEMS: SMALL, RETURN: DELIVERED, EXCHANGE: DELIVERED}


def write(name: str, **changed: Any) -> Move:
    """The honest call with some arguments changed."""
    return call(name, **(HONEST[name] | changed))


def open_card(model: Scripted, name: str, **changed: Any) -> Chat:
    """Nora, verified, in front of the card of this write."""
    model.plays(VERIFY, write(name, **changed))
    chat = start_chat()
    chat.say("please do it")
    assert chat.state() == "awaiting_customer", model.last_results()
    return chat


def press_yes(model: Scripted, chat: Chat, *moves: Move) -> None:
    model.plays(*moves, say("Understood."))
    chat.press("yes")


def make_worth(name: str, amount: int) -> None:
    """Raise the old prices and the payment so that the honest call gives back exactly `amount` minor units."""
    order = Order.objects.get(number=ORDER_OF[name])
    lines = order.lines.all()
    if name == CANCEL:
        lines.filter(variant_id=KETTLE).update(price=amount - lines.get(variant_id=MUGS).price)
    else:
        item = KETTLE if name == ITEMS else LAMP
        new_price = {ITEMS: 8_900, EXCHANGE: 11_450, RETURN: 0}[name]
        lines.filter(variant_id=item).update(price=amount + new_price)
    Payment.objects.filter(order=order).update(
        amount=sum(Line.objects.filter(order=order).values_list("price", flat=True))
    )


def state_of_shop() -> tuple[str, list[tuple[str, str, int]]]:
    """What an attack must not move: the shop's hash, and what was done to it."""
    effects = Effect.objects.order_by("pk").values_list("action", "order_number", "amount")
    return store_hash(), list(effects)


def assert_done_once(name: str) -> None:
    number = HONEST[name].get("order_id", "")
    assert list(Effect.objects.values_list("action", "order_number", "user_id")) == [(name, number, NORA)]
    assert [entry.action for entry in Entry.objects.filter(event="write_ok")].count(name) == 1


def events_of(chat: Chat, event: str) -> list[Entry]:
    return list(list_entries(subject=chat.id).filter(event=event).order_by("position"))


def make_action(name: str, **changed: Any) -> Action:
    """The honest action; unchecked, for values that its model refuses."""
    return ACTIONS[name].model_construct(**(HONEST[name] | changed))


def subject_of(action: Action) -> Subject:
    number = getattr(action, "order_id", None)
    if number is None:
        return Subject(customer=Customer.objects.get(user_id=NORA))
    order = Order.objects.select_related("customer").get(number=number)
    return Subject(customer=order.customer, order=order)


def run_action(action: Action) -> Execution:
    """As the gate runs it, past the gate."""
    grant = Grant(
        key=uuid.uuid4().hex,
        request_id=uuid.uuid4(),
        conversation=uuid.UUID(int=5),
        actor="agent",
        approved_by="",
        policy_version=1,
        rule="",
    )
    with transaction.atomic():
        return execute(action=action, subject=subject_of(action), grant=grant)
