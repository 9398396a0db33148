"""Over a limit: 429 or a person, never silence; nothing is lost, a neighbour is served, and a person stays in reach."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db.models import F
from django.test import Client
from pytest_django.fixtures import Settings

from approvals.models import CustomerSession, FailedLookup
from approvals.sessions import forget_failed_lookups
from conversations.models import Ticket
from tests.conversations.helpers import CANCEL_SMALL, PERSON, open_card
from tests.factories import Chat, now
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.usefixtures("desk")
ROUTER_SAYS = "HTTP_X_FORWARDED_FOR"


def own_address() -> str:
    """Of this test alone, so that tests side by side do not count for each other in one Redis."""
    return f"2001:db8:{uuid.uuid4().hex[:4]}:{uuid.uuid4().hex[:4]}::1"


def chat_from(address: str, **meta: Any) -> Chat:
    return Chat(client=Client(REMOTE_ADDR=address, **meta)).start()


def assert_slow_down(answer: Any, *words: str) -> None:
    assert answer.status_code == 429, answer.content
    body = answer.json()
    assert body["code"] == "slow_down"
    seconds = int(answer.headers["Retry-After"])
    assert 1 <= seconds <= 60
    assert f"in {seconds} s" in body["detail"]
    assert all(word in body["detail"] for word in words)


def test_a_chat_over_its_limit_is_told_when_to_come_back_and_its_neighbour_is_served(settings: Settings) -> None:
    settings.DESKAGENT_MESSAGES_CONVERSATION_MINUTE = 3
    address = own_address()
    chat, neighbour = chat_from(address), chat_from(address)
    assert [chat.send(f"Hello {number}").status_code for number in range(3)] == [202] * 3
    assert_slow_down(chat.send("one more"), "messages in this chat")
    assert chat.texts("customer") == ["Hello 0", "Hello 1", "Hello 2"]
    assert neighbour.send("Hello").status_code == 202


def test_a_message_that_was_taken_is_answered_as_such_at_any_pace(settings: Settings) -> None:
    settings.DESKAGENT_MESSAGES_CONVERSATION_MINUTE = 2
    chat = chat_from(own_address())
    first = chat.send("Hello", client_id="first").json()
    chat.send("Are you there?")
    assert_slow_down(chat.send("Hello?"))
    again = [chat.send("Hello", client_id="first") for _ in range(3)]
    assert [(one.status_code, one.json()) for one in again] == [(200, first)] * 3
    assert len(chat.texts("customer")) == 2


@pytest.mark.parametrize("proxies", [0, 1])
def test_only_the_shops_own_proxy_says_who_asks(settings: Settings, proxies: int) -> None:
    """Without a proxy forged headers change nothing; with one, its entry tells customers apart, theirs does not."""
    settings.DESKAGENT_TRUSTED_PROXIES, settings.DESKAGENT_MESSAGES_ADDRESS_MINUTE = proxies, 4
    peer, mallory = own_address(), own_address()
    codes = []
    for number in range(8):
        forged = f"198.51.100.{number}"
        chat = chat_from(peer, **{ROUTER_SAYS: f"{forged}, {mallory}" if proxies else forged})
        codes.append(chat.send("Hello").status_code)
    assert codes == [202] * 4 + [429] * 4
    other = chat_from(peer, **{ROUTER_SAYS: own_address()}) if proxies else chat_from(own_address())
    assert other.send("Hello").status_code == 202


def test_new_chats_of_an_address_are_limited(settings: Settings) -> None:
    settings.DESKAGENT_CONVERSATIONS_ADDRESS_MINUTE = 3
    client = Client(REMOTE_ADDR=own_address())
    answers = [client.post("/api/v1/conversations/", {}, content_type="application/json") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    assert_slow_down(answers[-1], "new chats")
    chat_from(own_address())


@pytest.mark.parametrize("how", ["button", "words"])
def test_a_full_chat_still_gets_a_person(settings: Settings, how: str) -> None:
    settings.DESKAGENT_MESSAGES_CONVERSATION_MINUTE = 1
    chat = chat_from(own_address())
    chat.send("Hello")
    assert_slow_down(chat.send("Hello?"))
    answer = chat.post("handoff") if how == "button" else chat.send(PERSON)
    assert answer.status_code == 202
    assert chat.state() == "with_person"
    # Who has a person cannot use the same words to go past the limit.
    assert_slow_down(chat.send(PERSON))
    assert Ticket.objects.count() == 1


@pytest.mark.parametrize("how", ["button", "words"])
def test_an_addresss_limit_holds_for_persons_too(settings: Settings, how: str) -> None:
    settings.DESKAGENT_MESSAGES_ADDRESS_MINUTE = 1
    address = own_address()
    chat_from(address).send("Hello")
    chat = chat_from(address)
    assert_slow_down(chat.post("handoff") if how == "button" else chat.send(PERSON), "your network")
    assert chat.state() == "open"


def test_a_full_chat_can_still_say_no_to_a_card(model: Scripted, settings: Settings) -> None:
    settings.DESKAGENT_MESSAGES_CONVERSATION_MINUTE = 1
    chat = open_card(model, CANCEL_SMALL)
    assert_slow_down(chat.send("no"))
    model.plays(say("Then nothing is changed."))
    chat.press("no")
    assert [event["outcome"] for event in chat.events("request_closed")] == ["declined_by_customer"]


LOOK_UP = call("find_user_id_by_email", email="nobody@example.com")


def guess(model: Scripted, chat: Chat) -> str:
    """One failed look-up and the state after it."""
    model.plays(LOOK_UP, say("I did not find you."))
    chat.say("I am nobody@example.com")
    model.moves.clear()
    return chat.state()


def test_guessing_at_customers_from_one_address_ends_at_a_person(model: Scripted, settings: Settings) -> None:
    settings.DESKAGENT_FAILED_LOOKUPS_ADDRESS_HOUR = 3
    address = own_address()
    chats = [chat_from(address) for _ in range(4)]
    assert [guess(model, chat) for chat in chats] == ["open", "open", "open", "with_person"]
    assert Ticket.objects.get().reason == "failed_lookups"
    assert guess(model, chat_from(own_address())) == "open"


def test_a_failed_look_up_counts_for_an_hour_and_is_then_dropped(model: Scripted, settings: Settings) -> None:
    settings.DESKAGENT_FAILED_LOOKUPS_ADDRESS_HOUR = 1
    address = own_address()
    guess(model, chat_from(address))
    FailedLookup.objects.update(at=F("at") - timedelta(minutes=59))
    forget_failed_lookups(now=now())
    assert guess(model, chat_from(address)) == "with_person"
    FailedLookup.objects.update(at=F("at") - timedelta(minutes=2))
    assert guess(model, chat_from(address)) == "open"
    forget_failed_lookups(now=now())
    assert FailedLookup.objects.count() == 1


def test_no_row_holds_an_address(model: Scripted) -> None:
    guess(model, chat_from(own_address()))
    assert CustomerSession.objects.get().address.startswith("address:")
    rows = [str(row) for kind in apps.get_models() for row in kind._base_manager.values()]
    assert len(rows) > 50
    assert [row for row in rows if "2001:db8:" in row] == []


SIGN_IN = {"username": "bob", "password": "a long pass phrase"}


@pytest.mark.usefixtures("bob")
def test_sign_ins_are_limited_by_name_and_address(settings: Settings) -> None:
    settings.DESKAGENT_SIGN_INS_USER_HOUR = 3
    address = own_address()
    client = Client(REMOTE_ADDR=address)
    for number in range(3):
        wrong = SIGN_IN | {"username": ["bob", "Bob", " bob "][number], "password": "wrong"}
        assert client.post("/admin/login/", wrong).status_code == 200
    refused = client.post("/admin/login/", SIGN_IN, headers={"X-Forwarded-For": "198.51.100.1"})
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 3600
    assert "Too many sign-ins" in refused.content.decode()
    assert client.get("/admin/login/").status_code == 200
    assert client.post("/admin/login/", SIGN_IN | {"username": "eve"}).status_code == 200
    assert Client(REMOTE_ADDR=own_address()).post("/admin/login/", SIGN_IN).status_code == 302


def test_sign_ins_of_one_address_are_limited_whatever_the_name(settings: Settings) -> None:
    settings.DESKAGENT_SIGN_INS_ADDRESS_MINUTE = 5
    client = Client(REMOTE_ADDR=own_address())
    tries = [{"username": f"name{number}", "password": "wrong"} for number in range(7)]
    codes = [client.post("/admin/login/", one).status_code for one in tries]
    assert codes == [200] * 5 + [429] * 2
