"""The chat's HTTP door: bodies of any shape, keys of other people, and events that come while somebody waits."""

import json
import threading
import time
import uuid

import pytest
from django.db import connections
from django.test import Client

from approvals.models import ActionRequest
from audit.models import Entry
from audit.queries import list_entries
from conversations.models import Conversation, Message, Turn
from tests.conversations.helpers import at_once, twin
from tests.factories import NORA_EMAIL, SMALL, Chat, run_turns, start_chat

pytestmark = pytest.mark.usefixtures("desk")

START = "/api/v1/conversations/"
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"
# Every call that a conversation's token opens, with a body it would accept.
DOORS = [
    ("GET", "", None),
    ("GET", "events/", None),
    ("GET", "events/?after=0&wait=5", None),
    ("POST", "messages/", {"client_id": "m1", "text": "Cancel it."}),
    ("POST", "answers/", {"request_id": "card", "answer": "yes"}),
    ("POST", "handoff/", {}),
]


def send_raw(chat: Chat, path: str, body: bytes, content_type: str = "application/json"):
    url = f"{START}{chat.id}/{path}/"
    return chat.client.generic("POST", url, body, content_type, headers={"Authorization": f"Bearer {chat.token}"})


def assert_refused(answer, status: int, code: str) -> None:
    assert answer.status_code == status, answer.content
    assert set(answer.json()) == {"code", "detail"}
    assert answer.json()["code"] == code
    assert isinstance(answer.json()["detail"], str) and answer.json()["detail"]


def chat_with_card() -> Chat:
    chat = start_chat()
    chat.say(f"Please cancel order {SMALL}, I don't need it anymore. My e-mail is {NORA_EMAIL}")
    assert chat.state() == "awaiting_customer"
    return chat


def test_a_new_conversation_gets_a_token_that_is_never_shown_again() -> None:
    answer = Client().post(START, {}, content_type="application/json")
    assert answer.status_code == 201
    started = answer.json()
    assert set(started) == {"id", "token", "state"}
    assert started["state"] == "open"
    chat = Chat(id=started["id"], token=started["token"])
    chat.say("Hello")
    later = json.dumps([chat.get().json(), chat.get("events/").json()])
    stored = [str(row) for model in (Conversation, Entry) for row in model.objects.values()]
    assert started["token"] not in later + "".join(stored)


@pytest.mark.parametrize(
    "body",
    [
        b'{"identity": "x"}',
        b'{"nope": 1}',
        b'{"locale": 5}',
        b'{"locale": null}',
        b"[]",
        b'"x"',
        b"null",
        b"{",
        b"\xff",
    ],
)
def test_a_start_that_holds_anything_unknown_is_refused(body: bytes) -> None:
    assert_refused(Client().generic("POST", START, body, "application/json"), 400, "invalid")
    assert Conversation.objects.count() == 0


def test_the_detail_says_where_a_conversation_stands() -> None:
    chat = start_chat()
    assert chat.get().json() == {
        "id": chat.id,
        "state": "open",
        "owner": "agent",
        "verified": None,
        "identity_needed": None,
        "rating": None,
        "open_request": None,
        "last_seq": 0,
    }

    chat.say(f"Please cancel order {SMALL}, I don't need it anymore. My e-mail is {NORA_EMAIL}")

    assert chat.get().json() == {
        "id": chat.id,
        "state": "awaiting_customer",
        "owner": "agent",
        "verified": "lookup",
        "identity_needed": None,
        "rating": None,
        "open_request": chat.card()["request_id"],
        "last_seq": chat.events()[-1]["seq"],
    }


def test_a_repeated_client_id_is_the_same_message_and_one_turn() -> None:
    chat = start_chat()
    first = chat.send("Hello", client_id="same")
    again = chat.send("Hello", client_id="same")
    other_words = chat.send("Cancel everything", client_id="same")
    assert (first.status_code, again.status_code, other_words.status_code) == (202, 200, 200)
    assert first.json() == again.json() == other_words.json() == {"seq": 1}
    assert run_turns() == 1
    assert chat.send("Hello", client_id="same").json() == {"seq": 1}
    assert run_turns() == 0
    assert chat.texts("customer") == ["Hello"]


def test_a_client_id_belongs_to_its_conversation() -> None:
    chat, other = start_chat(), start_chat()
    assert chat.send("Hello", client_id="same").status_code == 202
    assert other.send("Hello", client_id="same").status_code == 202


@pytest.mark.parametrize("copies", [2, 6])
def test_the_same_message_at_once_from_several_tabs_is_stored_once(copies: int) -> None:
    chat = start_chat()
    tabs = [twin(chat) for _ in range(copies)]
    answers = at_once(*[lambda tab=tab: tab.send("Hello", client_id="same") for tab in tabs])
    assert sorted(answer.status_code for answer in answers) == [200] * (copies - 1) + [202]
    assert {answer.json()["seq"] for answer in answers} == {1}
    assert Message.objects.filter(conversation=chat.id).count() == 1
    assert Turn.objects.filter(conversation=chat.id).count() == 1
    assert run_turns() == 1
    assert len(chat.texts()) == 1


def test_events_keep_their_numbers_when_many_write_at_once() -> None:
    chat = start_chat()
    tabs = [twin(chat) for _ in range(6)]
    answers = at_once(*[lambda tab=tab, n=n: tab.send(f"part {n}", client_id=f"p{n}") for n, tab in enumerate(tabs)])
    assert [answer.status_code for answer in answers] == [202] * 6
    assert sorted(answer.json()["seq"] for answer in answers) == list(range(1, 7))
    assert run_turns() == 1
    assert len(chat.events("message")) == 7


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"5",
        b'"text"',
        b'{"client_id": "a"}',
        b'{"text": "a"}',
        b'{"client_id": "a", "text": 5}',
        b'{"client_id": "a", "text": true}',
        b'{"client_id": "a", "text": null}',
        b'{"client_id": "a", "text": ["x"]}',
        b'{"client_id": "a", "text": {"x": 1}}',
        b'{"client_id": "a", "text": NaN}',
        b'{"client_id": 5, "text": "a"}',
        b'{"client_id": null, "text": "a"}',
        b'{"client_id": {}, "text": "a"}',
        b'{"client_id": "a", "text": "a", "role": "staff"}',
        b'{"client_id": "a", "text": ""}',
        b'{"client_id": "a", "text": " \\n\\t  "}',
        json.dumps({"client_id": "a", "text": ZERO_WIDTH}).encode(),
        json.dumps({"client_id": "a", "text": f" {ZERO_WIDTH}\u00a0\u3000\u202e"}).encode(),
    ],
)
def test_a_message_that_says_nothing_or_has_another_shape_is_refused(body: bytes) -> None:
    chat = start_chat()
    assert_refused(send_raw(chat, "messages", body), 400, "invalid")
    assert (chat.events(), Turn.objects.count()) == ([], 0)


@pytest.mark.parametrize(
    "client_id",
    ["", " ", "a b", "a\n", "x" * 65, "../../x", "<b>", "a'--", "é", "\u200b", "a\x00", "\ud800", "😀"],
)
def test_a_client_id_is_plain_and_short(client_id: str) -> None:
    chat = start_chat()
    answer = send_raw(chat, "messages", json.dumps({"client_id": client_id, "text": "Hello"}).encode())
    assert_refused(answer, 400, "invalid")
    assert chat.events() == []


@pytest.mark.parametrize("letter", ["x", "é", "😀"])
def test_four_thousand_characters_fit_and_one_more_does_not(letter: str) -> None:
    chat = start_chat()
    assert chat.send(letter * 4_000).status_code == 202
    assert_refused(chat.send(letter * 4_001), 413, "too_long")
    assert [len(text) for text in chat.texts("customer")] == [4_000]


@pytest.mark.parametrize(
    ("escaped", "shown"),
    [
        ("\\u0000", "\ufffd"),
        ("a\\u0000b", "a\ufffdb"),
        ("\\ud800", "\ufffd"),
        ("\\udc00 tail", "\ufffd tail"),
        ("cut emoji \\ud83d", "cut emoji \ufffd"),
        ("\\ude00 is its other half", "\ufffd is its other half"),
        ("whole \\ud83d\\ude00", "whole \U0001f600"),
        ("bell \\u0007 escape \\u001b[31m", "bell \ufffd escape \ufffd[31m"),
        ("\\ud800\\u0000\\udfff", "\ufffd\ufffd\ufffd"),
    ],
)
def test_a_poisoned_character_is_shown_readable_and_the_next_message_is_answered(escaped: str, shown: str) -> None:
    chat = start_chat()
    body = f'{{"client_id": "poison", "text": "{escaped}"}}'.encode()
    assert send_raw(chat, "messages", body).status_code == 202
    run_turns()
    before = len(chat.texts())
    assert before == 1
    chat.say("Hello, can you help me?")
    assert chat.texts("customer") == [shown, "Hello, can you help me?"]
    assert len(chat.texts()) == before + 1
    assert chat.state() == "open"


@pytest.mark.parametrize(("method", "path", "body"), DOORS)
def test_mallory_gets_the_same_404_at_every_door(method: str, path: str, body: dict[str, str] | None) -> None:
    alice, mallory = chat_with_card(), start_chat()
    if body and "request_id" in body:
        body = {**body, "request_id": alice.card()["request_id"]}
    before = alice.events()
    keys = {
        "unknown id": (str(uuid.uuid4()), f"Bearer {alice.token}"),
        "another's token": (alice.id, f"Bearer {mallory.token}"),
        "cut token": (alice.id, f"Bearer {alice.token[:-1]}"),
        "longer token": (alice.id, f"Bearer {alice.token} x"),
        "empty token": (alice.id, "Bearer "),
        "the stored hash": (alice.id, f"Bearer {Conversation.objects.get(pk=alice.id).token_hash}"),
        "bare token": (alice.id, alice.token),
        "another scheme": (alice.id, f"Token {alice.token}"),
        "odd bytes": (alice.id, "Bearer \xff\xfe"),
        "no header": (alice.id, None),
    }
    answers = {}
    for name, (conversation, authorization) in keys.items():
        headers = {"Authorization": authorization} if authorization is not None else {}
        raw = json.dumps(body).encode() if body is not None else b""
        url = f"{START}{conversation}/{path}"
        answers[name] = Client().generic(method, url, raw, "application/json", headers=headers)
    assert {answer.status_code for answer in answers.values()} == {404}
    assert len({answer.content for answer in answers.values()}) == 1
    assert_refused(answers["no header"], 404, "not_found")
    assert alice.events() == before


@pytest.mark.parametrize("path", ["", "events/", "messages/", "answers/", "handoff/"])
@pytest.mark.parametrize("name", ["1", "not-a-uuid", "00000000-0000-0000-0000-00000000000g", "..%2F", "%00"])
def test_a_path_that_names_no_conversation_is_a_404(name: str, path: str) -> None:
    assert_refused(Client().post(f"{START}{name}/{path}", {}, content_type="application/json"), 404, "not_found")


@pytest.mark.parametrize(("method", "path"), [("GET", "messages/"), ("DELETE", ""), ("POST", "events/"), ("PUT", "")])
def test_another_method_is_refused_in_the_same_form(method: str, path: str) -> None:
    chat = start_chat()
    headers = {"Authorization": f"Bearer {chat.token}"}
    answer = chat.client.generic(method, f"{START}{chat.id}/{path}", b"{}", "application/json", headers=headers)
    assert_refused(answer, 405, "method_not_allowed")


def test_a_message_in_another_format_is_refused_in_the_same_form() -> None:
    chat = start_chat()
    answer = send_raw(chat, "messages", b"client_id=a&text=Hello", "application/x-www-form-urlencoded")
    assert_refused(answer, 415, "invalid")


def test_another_conversations_card_cannot_be_answered() -> None:
    alice, mallory = chat_with_card(), start_chat()
    for answer in ("yes", "no"):
        assert_refused(mallory.answer(answer, alice.card()["request_id"]), 409, "not_open")
    assert ActionRequest.objects.get().state == "awaiting_customer"
    attempts = list_entries(subject=mallory.id).filter(event="consent_denied")
    assert attempts.count() == 2
    assert not list_entries(subject=alice.id).filter(event__startswith="consent").exists()


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b"[]",
        b'{"request_id": "card", "answer": "yes"}',
        b'{"request_id": null, "answer": "yes"}',
        b'{"request_id": ["a"], "answer": "yes"}',
    ],
)
def test_an_answer_without_a_request_is_refused(body: bytes) -> None:
    assert_refused(send_raw(start_chat(), "answers", body), 400, "invalid")


@pytest.mark.parametrize("answer", ["", "YES", "maybe", "yes\n", True, 1, None, ["yes"], {"yes": 1}])
def test_an_answer_is_yes_or_no_and_nothing_else(answer: object) -> None:
    chat = chat_with_card()
    body = {"request_id": chat.card()["request_id"], "answer": answer}
    assert_refused(send_raw(chat, "answers", json.dumps(body).encode()), 400, "invalid")
    assert ActionRequest.objects.get().state == "awaiting_customer"


@pytest.mark.parametrize(
    "query",
    [
        *("after=-1", "after=x", "after=", "after=1e3", "after=%D9%A3", "after=9999999999", "after=1%00", "after=+1"),
        *("wait=-1", "wait=x", "wait=NaN", "wait=inf", "wait=", "wait=1e9"),
    ],
)
def test_a_number_that_is_none_is_refused(query: str) -> None:
    assert_refused(start_chat().get(f"events/?{query}"), 400, "invalid")


def test_events_come_in_order_from_where_the_customer_left_off() -> None:
    chat = start_chat()
    assert chat.get("events/").json() == {"events": [], "last_seq": 0}
    chat.say("Hello")
    chat.say("And again")
    every = chat.get("events/").json()
    assert every["last_seq"] == chat.get().json()["last_seq"] == 4
    for after in range(5):
        rest = chat.get(f"events/?after={after}").json()
        assert rest == {"events": every["events"][after:], "last_seq": 4}
    assert all({"seq", "at", "kind"} < set(event) for event in every["events"])


def test_a_waiting_customer_hears_of_an_event_at_once() -> None:
    chat = start_chat()
    tab = twin(chat)

    def post_later() -> None:
        time.sleep(0.4)
        tab.send("Hello")
        connections.close_all()

    thread = threading.Thread(target=post_later)
    started = time.monotonic()
    thread.start()
    answer = chat.get("events/?after=0&wait=10").json()
    took = time.monotonic() - started
    thread.join()
    assert [event["text"] for event in answer["events"]] == ["Hello"]
    assert answer["last_seq"] == 1
    assert 0.4 <= took < 1.5


def test_a_customer_who_waits_in_vain_is_told_so_when_the_time_is_over() -> None:
    chat = start_chat()
    chat.say("Hello")
    started = time.monotonic()
    answer = chat.get("events/?after=2&wait=0.6").json()
    assert answer == {"events": [], "last_seq": 2}
    assert 0.6 <= time.monotonic() - started < 1.5


def test_the_schema_names_every_call_of_the_chat() -> None:
    answer = Client().get("/api/v1/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    assert answer.status_code == 200
    paths = json.loads(answer.content)["paths"]
    for call in ("", "{conversation_id}/", "{conversation_id}/messages/", "{conversation_id}/answers/"):
        assert f"{START}{call}" in paths
