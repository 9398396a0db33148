"""Long JSON is stored deflated and comes back as it went in, whatever somebody wrote into it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.models import Event, Step
from orders.packed import LONG, MARK, PackedJSONField, PackedTextField, pack, unpack
from tests.factories import NORA_EMAIL, SMALL, start_chat
from tests.scripted import Scripted, call, say

# Packed by the first version of this code: whatever changes here, rows like this one stay readable.
STORED = "~1q0ZKj4lJo3AUUh+Cah9oreicX1AATJEBiXlKtQA="
TEXTS: dict[str, Any] = {
    "short": {"text": "Hello."},
    "long": {"text": "Where is my lamp? " * 60},
    "all letters": {"text": "".join(map(chr, range(32, 0x2FF))) * 2},
    "half a character": {"text": "\ud800" * LONG},
    "emoji": {"text": "\U0001f600" * LONG},
    "begins like a packed one": MARK * LONG,
    "what cannot be deflated": {"text": "".join(chr(33 + (7 * n * n + n // 3) % 90) for n in range(LONG + 9))},
    "a list": [{"type": "text", "text": "x" * LONG}, {"type": "tool_use", "input": {"a": [1.5, None, True]}}],
}


@pytest.mark.parametrize("value", TEXTS.values(), ids=TEXTS)
def test_a_value_comes_back_as_it_went_in(value: Any) -> None:
    field = PackedJSONField()
    stored = field.get_prep_value(value)
    assert stored is not None
    assert field.from_db_value(stored, None, None) == value
    assert field.to_python(stored) == value
    assert len(stored) <= len(json.dumps(value, separators=(",", ":")))


@given(st.text(min_size=LONG, max_size=4 * LONG))
def test_any_text_comes_back_as_it_went_in(text: str) -> None:
    plain = json.dumps(text)
    assert unpack(pack(plain)) == plain


@pytest.mark.parametrize(
    "text", ["", "Done.", MARK, f"{MARK}short", MARK * LONG, json.dumps(TEXTS["long"]), "ü漢🙂" * LONG]
)
def test_text_of_any_kind_comes_back_as_it_went_in(text: str) -> None:
    field = PackedTextField()
    stored = field.get_prep_value(text)
    assert field.from_db_value(stored, None, None) == text
    assert (field.get_prep_value(None), field.from_db_value(None, None, None)) == (None, None)


def test_what_an_earlier_version_packed_is_still_read() -> None:
    assert json.loads(unpack(STORED)) == {"content": "ab" * 300, "label": "Copper Pan"}


def test_none_stays_none() -> None:
    field = PackedJSONField()
    assert (field.get_prep_value(None), field.from_db_value(None, None, None)) == (None, None)


@pytest.mark.usefixtures("desk")
def test_a_chat_stores_an_order_packed_and_shows_it_whole(model: Scripted) -> None:
    model.plays(call("find_user_id_by_email", email=NORA_EMAIL), say("Hello Nora."))
    chat = start_chat()
    chat.say(f"Hi, I am {NORA_EMAIL}.")
    model.plays(call("get_order_details", order_id=SMALL), say("It is on its way."))
    chat.say("Where is it?")

    [answer] = model.last_results()
    step = Step.objects.filter(conversation=chat.id, kind="result").latest("pk")
    assert step.body["content"] == answer
    assert Step.objects.filter(pk=step.pk, body__startswith=MARK).exists()
    assert not Event.objects.filter(conversation=chat.id, body__contains="on its way").exists()
    assert chat.texts()[-1] == "It is on its way."
