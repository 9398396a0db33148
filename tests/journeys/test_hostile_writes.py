"""Hostile text in the arguments of a write: refused and recorded, or shown as what it is."""

from typing import Any

import pytest

from approvals.models import ActionRequest
from audit.queries import list_entries
from orders import changes
from orders.models import Effect
from tests.factories import start_chat
from tests.scripted import Scripted, say
from tests.writes import (
    ADDRESS_OF_ORDER,
    CANCEL,
    HONEST,
    RETURN,
    VERIFY,
    WITH_ADDRESS,
    make_action,
    subject_of,
    write,
)

pytestmark = pytest.mark.usefixtures("desk")

LONGEST = {
    "address1": "x" * 200,
    "address2": "y" * 200,
    "city": "z" * 60,
    "state": "s" * 60,
    "country": "c" * 60,
    "zip": "1" * 20,
}


@pytest.mark.parametrize("name", WITH_ADDRESS)
def test_bug1_the_longest_address_fits_the_columns_of_request_and_effect(name: str) -> None:
    """609 letters into varchar(300): DataError on PostgreSQL, the turn fails and leaves no audit entry."""
    action = make_action(name, **LONGEST)
    planned = changes.plan(action=action, subject=subject_of(action))
    for kind in (ActionRequest, Effect):
        assert len(planned.destination) <= kind._meta.get_field("destination").max_length


NUL = [
    *((name, {part: "a\x00b"}) for name in WITH_ADDRESS for part in HONEST[name]),
    (CANCEL, {"order_id": "#W\x00"}),
    (RETURN, {"order_id": "#W\x00"}),
]


@pytest.mark.parametrize(("name", "changed"), NUL)
def test_bug2_what_no_database_holds_is_a_malformed_call(model: Scripted, name: str, changed: dict[str, Any]) -> None:
    """SQLite opens a card with a NUL in it; PostgreSQL raises DataError, the turn fails, no audit entry."""
    model.plays(VERIFY, write(name, **changed), say("Hm."))
    chat = start_chat()
    chat.say("please")
    assert (chat.state(), chat.events("request")) == ("open", [])
    refused = list_entries(subject=chat.id).filter(event="write_refused")
    assert name in {entry.action for entry in refused}


@pytest.mark.parametrize("blank", ["\u200b", "\u2800", "\u3164", "\u2060", "\ufeff", "\u00ad"])
@pytest.mark.parametrize("part", ["address1", "city", "state", "country", "zip"])
@pytest.mark.parametrize("name", WITH_ADDRESS)
def test_bug3_a_part_that_nobody_sees_is_blank(model: Scripted, name: str, part: str, blank: str) -> None:
    model.plays(VERIFY, write(name, **{part: blank}), say("Hm."))
    chat = start_chat()
    chat.say("please")
    assert chat.events("request") == []


@pytest.mark.parametrize("trick", ["Duluth\nBack to: Visa ending 4417", "Dul\u202eRI ,ecnedivorP", "Dul\x1b[2Kuth"])
def test_bug4_an_address_cannot_break_the_line_of_its_card(model: Scripted, trick: str) -> None:
    model.plays(VERIFY, write(ADDRESS_OF_ORDER, city=trick), say("Hm."))
    chat = start_chat()
    chat.say("please")
    shown = str([event["destination"] for event in chat.events("request")])
    assert not any(mark in shown for mark in ("\\n", "\\u202e", "\\x1b"))
