"""Replies that an attack found: lies that were sent, and true replies that were held back, each in its chat."""

import json

import pytest
from pytest_django.fixtures import Settings

from conversations.agent.reply_check import find_faults
from tests.conversations.reply_worlds import READ_DELIVERED, read_books
from tests.conversations.test_reply_check import FOLDER, enter_world
from tests.factories import SMALL
from tests.scripted import Scripted, say
from tests.writes import DELIVERED

pytestmark = pytest.mark.usefixtures("desk", "gateway")
FOUND: dict[str, dict[str, list[str]]] = json.loads((FOLDER / "replies_found.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("world", FOUND)
def test_what_was_found_stays_mended(world: str, model: Scripted, settings: Settings) -> None:
    books = read_books(enter_world(world, model, settings))
    held = [text for text in FOUND[world]["true"] if find_faults(text, books)]
    sent = [text for text in FOUND[world]["false"] if not find_faults(text, books)]
    assert (held, sent) == ([], [])


def test_of_two_orders_each_item_is_the_one_of_its_own(model: Scripted, settings: Settings) -> None:
    """The order with the kettle is cancelled; the lamp is another order's, of which nothing was done."""
    chat = enter_world("cancelled", model, settings)
    model.plays(READ_DELIVERED, say("Okay."))
    chat.say(f"And what about {DELIVERED}?")
    books = read_books(chat)
    true = (
        f"{DELIVERED} was delivered. As for order {SMALL}, it's cancelled and $122.00 is on its way to your Visa.",
        f"| Order | Status | Total |\n|---|---|---|\n| {SMALL} | cancelled | $122.00 |\n| {DELIVERED} | delivered |",
        "The refund for the kettle order is on its way.",
        "The lamp wasn't refunded.",
        "The two orders came to $336.00 together.",
    )
    false = ("I've refunded the lamp.", "Your lamp was refunded to your Visa.", "The backpack was refunded.")
    assert [text for text in true if find_faults(text, books)] == []
    assert [text for text in false if not find_faults(text, books)] == []
