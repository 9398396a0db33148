"""Replies that an attack found: lies that were sent, and true replies that were held back, each in its chat."""

import json

import pytest
from pytest_django.fixtures import Settings

from conversations.agent.reply_check import find_faults
from tests.conversations.reply_worlds import read_books
from tests.conversations.test_reply_check import FOLDER, enter_world
from tests.scripted import Scripted

pytestmark = pytest.mark.usefixtures("desk", "gateway")
FOUND: dict[str, dict[str, list[str]]] = json.loads((FOLDER / "replies_found.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("world", FOUND)
def test_what_was_found_stays_mended(world: str, model: Scripted, settings: Settings) -> None:
    books = read_books(enter_world(world, model, settings))
    held = [text for text in FOUND[world]["true"] if find_faults(text, books)]
    sent = [text for text in FOUND[world]["false"] if not find_faults(text, books)]
    assert (held, sent) == ([], [])
