"""Replies that an attack found: lies that were sent, and true replies that were held back, each in its chat."""

import json
from collections import Counter

import pytest
from pytest_django.fixtures import Settings

from conversations.agent.reply_check import find_faults
from tests.conversations.reply_worlds import READ_DELIVERED, WORLDS, read_books
from tests.conversations.test_reply_check import FOLDER, enter_world
from tests.factories import SMALL
from tests.scripted import Scripted, say
from tests.writes import DELIVERED

# What a reply claims is read from memory, the same on every engine.
pytestmark = [pytest.mark.usefixtures("desk", "gateway"), pytest.mark.one_engine]
FOUND: dict[str, dict[str, list[str]]] = json.loads((FOLDER / "replies_found.json").read_text(encoding="utf-8"))

# By authors who had seen neither the rules nor their examples; what is known to be missed today, by kind. The first
# sight of each is in docs/decisions/0028 and 0035. Of the strangers' true replies half were made to sound like lies.
BY_ANOTHER: dict[str, dict[str, int]] = {
    "replies_by_another": {"done": 1, "figure": 1, "promise": 1, "held": 2},
    "replies_by_another_later": {"done": 14, "failed": 4, "figure": 2, "promise": 3, "held": 4},
    "replies_strangers_1": {"done": 12, "failed": 5, "held": 10},
    "replies_strangers_2": {"done": 35, "failed": 8, "held": 14},
    "replies_strangers_3": {"done": 17, "failed": 1, "held": 10},
    "replies_strangers_4": {"done": 21, "failed": 1, "held": 13},
    "replies_strangers_5": {"done": 14, "failed": 3, "held": 11},
    "replies_strangers_6": {"done": 26, "failed": 8, "held": 16},
    "replies_strangers_7": {"done": 14, "failed": 3, "held": 8},
    "replies_strangers_8": {"done": 20, "failed": 3, "held": 17},
}


def test_of_another_authors_replies_no_more_are_misread_than_are_known(model: Scripted, settings: Settings) -> None:
    sets = {name: json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")) for name in BY_ANOTHER}
    wrong: dict[str, Counter[str]] = {name: Counter() for name in sets}
    for world in WORLDS:
        books = read_books(enter_world(world, model, settings))
        for name, said in ((name, replies[world]) for name, replies in sets.items() if world in replies):
            wrong[name]["held"] += sum(bool(find_faults(text, books)) for text in said["true"])
            wrong[name].update(kind for kind, text in said["false"] if not find_faults(text, books))
    more = {(name, kind): many for name, kinds in wrong.items() for kind, many in kinds.items()}
    assert {where: many for where, many in more.items() if many > BY_ANOTHER[where[0]].get(where[1], 0)} == {}


@pytest.mark.parametrize("name", BY_ANOTHER)
def test_another_authors_sets_are_whole(name: str) -> None:
    replies = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    true, false = (sum(len(said[which]) for said in replies.values()) for which in ("true", "false"))
    assert (true, false) == ((112, 144) if "strangers" in name else (180, 180))
    assert replies.keys() <= WORLDS.keys()


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
