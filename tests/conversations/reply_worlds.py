"""The states of a chat that scripted replies are judged in, each reached through the real loop and gate."""

from collections.abc import Callable
from typing import Any

from conversations import history
from conversations.agent import prompt
from conversations.agent.reply_books import Books
from conversations.models import Conversation
from tests.factories import OTHER_EMAIL, SMALL, Chat, start_chat
from tests.scripted import Move, Scripted, call, say
from tests.writes import (
    ADDRESS,
    ADDRESS_OF_ORDER,
    CANCEL,
    DELIVERED,
    EXCHANGE,
    GIFT_CARD,
    ITEMS,
    KETTLE,
    KETTLE_BLACK,
    LAMP,
    LAMP_LARGE,
    NORA,
    PAYMENT,
    PREFERENCE,
    RECEIPT,
    REFUND,
    RETURN,
    VERIFY,
    VISA,
)

PROFILE = call("get_user_details", user_id=NORA)
READ_SMALL, READ_DELIVERED = call("get_order_details", order_id=SMALL), call("get_order_details", order_id=DELIVERED)
CANCELLED = "#W8037752"
BRAG = f"Order {SMALL} was refunded 500 dollars on May 3, the tracking number is 771100229933. Isn't that so?"
OKAY = say("Okay.")


LAMPS = call("get_product_details", product_id="3175520644")
KETTLES = call("get_product_details", product_id="2604418837")


def _talk(model: Scripted, chat: Chat, text: str, *moves: Move, answer: str = "") -> None:
    model.plays(*moves, *([OKAY] if not answer else []))
    chat.say(text)
    if answer:
        model.plays(OKAY)
        chat.press(answer)


def _write(tool: str, *reads: Move, **arguments: Any) -> Callable[[Scripted, Chat], None]:
    def enter(model: Scripted, chat: Chat) -> None:
        _talk(
            model,
            chat,
            "Hello, I need help.",
            VERIFY,
            PROFILE,
            *reads,
            {"tool_calls": [{"name": tool, "input": arguments}]},
            answer="yes",
        )

    return enter


def _low(tool: str, **arguments: Any) -> Callable[[Scripted, Chat], None]:
    def enter(model: Scripted, chat: Chat) -> None:
        _talk(
            model,
            chat,
            "Hello, I need help.",
            VERIFY,
            PROFILE,
            READ_DELIVERED,
            {"tool_calls": [{"name": tool, "input": arguments}]},
        )

    return enter


def _read(text: str, *moves: Move) -> Callable[[Scripted, Chat], None]:
    return lambda model, chat: _talk(model, chat, text, *moves)


def _say_no(model: Scripted, chat: Chat) -> None:
    _talk(model, chat, "Cancel it.", VERIFY, PROFILE, READ_SMALL, call(CANCEL, **SMALL_CANCEL), answer="no")


def _wait_for_money(model: Scripted, chat: Chat) -> None:
    """The payment is claimed and nobody has called the gateway; the customer writes meanwhile."""
    _talk(model, chat, "Cancel it.", VERIFY, PROFILE, READ_SMALL, call(CANCEL, **SMALL_CANCEL), answer="yes")
    model.moves.clear()
    _talk(model, chat, "And my money?")


def _partly(model: Scripted, chat: Chat) -> None:
    _talk(model, chat, "Cancel both.", VERIFY, PROFILE, READ_SMALL, call(CANCEL, **SMALL_CANCEL), answer="yes")
    refused = call(CANCEL, order_id=DELIVERED, reason="no longer needed")
    _talk(model, chat, f"And {DELIVERED}? And what about {SMALL}?", READ_DELIVERED, refused)


SMALL_CANCEL = {"order_id": SMALL, "reason": "no longer needed"}
OLD = (call("find_user_id_by_email", email=OTHER_EMAIL), call("get_order_details", order_id=CANCELLED))
WORLDS: dict[str, Callable[[Scripted, Chat], None]] = {
    "stranger": _read("Hello."),
    "known": _read(f"What about {SMALL}? I may want to cancel.", VERIFY, PROFILE, READ_SMALL),
    "said_no": _say_no,
    "cancelled": _write(CANCEL, READ_SMALL, **SMALL_CANCEL),
    "refused": _read(
        f"Cancel {DELIVERED}.",
        VERIFY,
        PROFILE,
        READ_DELIVERED,
        call(CANCEL, order_id=DELIVERED, reason="no longer needed"),
    ),
    "delivered": _read("Where is my lamp?", VERIFY, PROFILE, READ_DELIVERED),
    "returned": _write(RETURN, READ_DELIVERED, order_id=DELIVERED, item_ids=[LAMP], payment_method_id=VISA),
    "exchanged": _write(
        EXCHANGE,
        READ_DELIVERED,
        LAMPS,
        order_id=DELIVERED,
        item_ids=[LAMP],
        new_item_ids=[LAMP_LARGE],
        payment_method_id=VISA,
    ),
    "moved": _write(ADDRESS_OF_ORDER, READ_SMALL, order_id=SMALL, **ADDRESS),
    "swapped": _write(
        ITEMS,
        READ_SMALL,
        KETTLES,
        order_id=SMALL,
        item_ids=[KETTLE],
        new_item_ids=[KETTLE_BLACK],
        payment_method_id=VISA,
    ),
    "repaid": _write(PAYMENT, READ_SMALL, order_id=SMALL, payment_method_id=GIFT_CARD),
    "processing": _wait_for_money,
    "refunded": _write(REFUND, READ_DELIVERED, order_id=DELIVERED, item_ids=[LAMP], reason_code="damaged"),
    "mailed": _low(RECEIPT, order_id=DELIVERED),
    "preferred": _low(PREFERENCE, name="newsletter", value="off"),
    "old": _read(f"What happened to {CANCELLED}?", *OLD),
    "bragged": _read(BRAG, VERIFY, PROFILE, READ_SMALL),
    "partly": _partly,
}
# These need tools beyond the public benchmark, or a payment that nobody has confirmed.
SCOPED = {"refunded", "mailed", "preferred"}
REMOTE = {"processing"}


def enter(world: str, model: Scripted) -> Chat:
    chat = start_chat()
    WORLDS[world](model, chat)
    assert chat.state() == "open", (world, chat.events()[-3:])
    return chat


def read_books(chat: Chat) -> Books:
    """What the next turn of this chat would have at hand."""
    conversation = Conversation.objects.get(pk=chat.id)
    request, steps = prompt.build(conversation)
    assert [row.pk for row in steps] == [row.pk for row in history.list_steps(conversation)]
    return Books(steps, request.system)
