"""Tickets and chats in the console: who needs a person, and taking over, answering, handing back and closing."""

from html import escape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from conversations.models import Conversation, Message, Ticket
from orders.models import Customer
from tests.approvals.test_admin import (
    ITEM,
    NAME,
    NOTE,
    ask_to_cancel,
    check_page,
    make_staff_who_may,
    messages_of,
    read_page,
)
from tests.factories import LARGE, NORA_EMAIL, SMALL, Chat, run_turns, staff_client, start_chat

pytestmark = pytest.mark.usefixtures("desk")
CONVERSATIONS = reverse("admin:conversations_conversation_changelist")
TICKETS = reverse("admin:conversations_ticket_changelist")
CALLS = ("take-over", "reply", "hand-back", "close")


def page_of(chat: Chat) -> str:
    return reverse("admin:conversations_conversation_change", args=[chat.id])


def url_of(chat: Chat, call: str) -> str:
    return reverse(f"admin:conversations_{call}", args=[chat.id])


def press(client: Client, chat: Chat, call: str, text: str = "") -> str:
    """Press a button and follow to the page; its messages."""
    answer = client.post(url_of(chat, call), {"text": text}, follow=True)
    assert answer.status_code == 200, answer.content
    check_page(answer.content.decode())
    return messages_of(answer.content.decode())


def ask_for_person(words: str = "I want to speak to a person please") -> Chat:
    chat = start_chat()
    chat.say(words)
    return chat


def test_a_ticket_is_taken_answered_and_handed_back(bob: User) -> None:
    chat, client = start_chat(), staff_client(bob)
    chat.post("handoff")
    ticket = Ticket.objects.get()
    assert "waits for a person" in read_page(client, reverse("admin:conversations_ticket_change", args=[ticket.pk]))
    page = read_page(client, page_of(chat))
    assert url_of(chat, "take-over") in page
    assert "<textarea" not in page

    assert press(client, chat, "take-over") == "You hold this chat now. The assistant is silent."
    page = read_page(client, page_of(chat))
    assert [url_of(chat, call) in page for call in CALLS] == [False, True, True, True]

    assert press(client, chat, "reply", "Hello,\r\nBob here.") == "Sent."
    assert chat.texts("staff") == ["Hello,\nBob here."]
    assert "Hello,<br>Bob here." in read_page(client, page_of(chat))

    assert press(client, chat, "hand-back") == "Handed back. The assistant answers again."
    run_turns()
    assert chat.state() == "open"
    ticket.refresh_from_db()
    assert (ticket.taken_by, ticket.closed_at is not None, ticket.first_reply_at is not None) == (bob, True, True)


def test_a_chat_that_nobody_asked_for_can_be_taken_over_and_closed(bob: User) -> None:
    chat, client = ask_to_cancel(LARGE), staff_client(bob)
    press(client, chat, "take-over")
    assert chat.state() == "with_person"
    assert press(client, chat, "close").startswith("Closed.")
    assert chat.state() == "closed"
    page = read_page(client, page_of(chat))
    assert "This chat is closed." in page
    assert url_of(chat, "take-over") not in page


def test_a_reply_to_a_chat_somebody_else_holds_is_refused_and_the_words_are_kept(bob: User) -> None:
    chat = ask_for_person()
    eve = make_staff_who_may("conversations.view_conversation", "conversations.answer_conversation")
    press(staff_client(bob), chat, "take-over")
    words = f"My long answer\r\nwith {NOTE}"

    answer = staff_client(eve).post(url_of(chat, "reply"), {"text": words})

    html = answer.content.decode()
    check_page(html)
    assert answer.status_code == 409
    assert messages_of(html).startswith("Bob holds this chat since ")
    assert f"\n{escape(words)}</textarea>".replace("\r\n", "\n") in html
    assert chat.texts("staff") == []
    # The words survive the take-over that they needed.
    taken = staff_client(eve).post(url_of(chat, "take-over"), {"text": words}).content.decode()
    assert f"\n{escape(words)}</textarea>".replace("\r\n", "\n") in taken
    press(staff_client(eve), chat, "reply", "now")
    assert chat.texts("staff") == ["now"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The message is empty."),
        (" \u200b\n", "The message is empty."),
        ("x" * 4_001, "4,001 of 4,000 characters."),
    ],
)
def test_a_reply_that_cannot_be_sent_is_kept_in_the_box(bob: User, text: str, said: str) -> None:
    chat, client = ask_for_person(), staff_client(bob)
    press(client, chat, "take-over")
    answer = client.post(url_of(chat, "reply"), {"text": text})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert messages_of(html) == f"{said} Nothing was sent."
    assert f"\n{text}</textarea>" in html
    assert not Message.objects.filter(role=Message.Role.STAFF).exists()


@pytest.mark.parametrize("call", CALLS)
def test_staff_who_may_only_look_cannot_press_anything(call: str) -> None:
    chat = ask_for_person()
    client = staff_client(make_staff_who_may("conversations.view_conversation"))
    before = chat.events()
    page = read_page(client, page_of(chat))
    assert [url for url in CALLS if url_of(chat, url) in page] == []
    assert client.post(url_of(chat, call), {"text": "hello"}).status_code == 403
    assert chat.events() == before


@pytest.mark.parametrize("call", CALLS)
def test_a_button_needs_a_post_and_a_sign_in(bob: User, call: str) -> None:
    chat = ask_for_person()
    before = chat.events()
    assert staff_client(bob).get(url_of(chat, call)).status_code == 405
    stranger = Client().post(url_of(chat, call), {"text": "hello"})
    assert (stranger.status_code, stranger["Location"].split("?")[0]) == (302, reverse("admin:login"))
    forger = Client(enforce_csrf_checks=True)
    forger.force_login(bob)
    assert forger.post(url_of(chat, call), {"text": "hello"}).status_code == 403
    assert chat.events() == before


def test_staff_without_rights_see_no_chat_and_no_ticket() -> None:
    chat = ask_for_person()
    client = staff_client(make_staff_who_may("conversations.answer_conversation"))
    urls = [CONVERSATIONS, page_of(chat), TICKETS, reverse("admin:conversations_ticket_change", args=[1])]
    assert {client.get(url).status_code for url in urls} == {403}


def test_open_tickets_come_first_and_the_longest_waiting_on_top(bob: User) -> None:
    client = staff_client(bob)
    closed, first, second = (ask_for_person(f"I want a person please, number {number}") for number in range(3))
    press(client, closed, "take-over")
    press(client, closed, "close")
    html = read_page(client, TICKETS)
    places = [html.index(f"number {number}") for number in (1, 2, 0)]
    assert places == sorted(places)
    assert Ticket.objects.filter(closed_at=None).count() == 2
    assert f"number {0}" not in read_page(client, f"{TICKETS}?standing=open")
    assert page_of(first) in read_page(
        client, reverse("admin:conversations_ticket_change", args=[Ticket.objects.get(conversation=first.id).pk])
    )
    assert page_of(second) not in read_page(client, TICKETS)


def test_chats_that_wait_for_a_person_come_first(bob: User) -> None:
    needy, taken, newest = ask_for_person(), ask_for_person(), ask_to_cancel(SMALL)
    client = staff_client(bob)
    press(client, taken, "take-over")
    html = read_page(client, CONVERSATIONS)
    places = [html.index(page_of(chat)) for chat in (needy, taken, newest)]
    assert places == sorted(places)


@pytest.mark.parametrize("term", ["id", NORA_EMAIL, NORA_EMAIL.upper(), SMALL, SMALL[1:]])
def test_a_chat_is_found_by_id_e_mail_and_order_number(bob: User, term: str) -> None:
    wanted, other = ask_to_cancel(SMALL), ask_for_person()
    answer = staff_client(bob).get(CONVERSATIONS, {"q": wanted.id if term == "id" else term})
    html = answer.content.decode()
    assert page_of(wanted) in html
    assert page_of(other) not in html


def test_the_list_takes_as_many_queries_for_many_chats_as_for_one(bob: User, django_assert_num_queries) -> None:
    ask_to_cancel(SMALL)
    client = staff_client(bob)
    client.get(CONVERSATIONS)
    with django_assert_num_queries(5):
        client.get(CONVERSATIONS)
    ask_for_person()
    ask_for_person()
    with django_assert_num_queries(5):
        client.get(CONVERSATIONS)


def test_the_page_tells_the_card_the_receipt_and_what_was_recorded(bob: User) -> None:
    chat = ask_to_cancel(SMALL)
    waiting = ask_to_cancel(LARGE)
    chat.press("yes")
    waiting.press("yes")
    client = staff_client(bob)
    page = read_page(client, page_of(chat))
    for shown in (f"Card: Cancel order {SMALL}", "$122.00", f"Done: cancel pending order, order {SMALL}", "by lookup"):
        assert shown in page
    events = [page.index(event) for event in ("customer_verified", "request_proposed", "consent_given", "write_ok")]
    assert events == sorted(events)
    request_page = reverse("admin:approvals_actionrequest_change", args=[waiting.card()["request_id"]])
    assert request_page in read_page(client, page_of(waiting))


def test_hostile_text_is_text_on_every_page_about_a_chat(bob: User) -> None:
    Customer.objects.filter(email=NORA_EMAIL).update(first_name=NAME)
    client, chat = staff_client(bob), ask_to_cancel(SMALL)
    chat.say(f"{NOTE} {{{{ 7*7 }}}}")
    chat.say("I want to speak to a person please")
    ticket = Ticket.objects.get()
    ticket.summary |= {"model_summary": ITEM, ITEM: {NOTE: [NAME]}}
    ticket.save()
    press(client, chat, "take-over")
    press(client, chat, "reply", ITEM)
    pages = {
        CONVERSATIONS: [NAME],
        f"{CONVERSATIONS}?q=%3Csvg%20onload%3Dalert('item')%3E": [ITEM],
        page_of(chat): [NAME, NOTE, ITEM, "{{ 7*7 }}"],
        TICKETS: [NAME],
        reverse("admin:conversations_ticket_change", args=[ticket.pk]): [NAME, NOTE, ITEM, "{{ 7*7 }}"],
        reverse("admin:conversations_conversation_history", args=[chat.id]): [],
    }
    for url, texts in pages.items():
        html = read_page(client, url)
        assert [text for text in texts if escape(text) not in html] == [], url


def test_a_summary_of_another_shape_is_still_shown(bob: User) -> None:
    chat = ask_for_person()
    Ticket.objects.update(summary=[NAME])
    assert escape(str([NAME])) in read_page(staff_client(bob), page_of(chat))
    read_page(staff_client(bob), TICKETS)


def test_chats_and_tickets_are_never_added_changed_or_deleted_in_the_console(bob: User) -> None:
    chat, client = ask_for_person(), staff_client(bob)
    for listed in (CONVERSATIONS, TICKETS):
        assert client.get(f"{listed}add/").status_code == 403
        client.post(listed, {"action": "delete_selected", "_selected_action": [chat.id, "1"], "post": "yes"})
    assert client.get(page_of(chat).replace("change", "delete")).status_code == 403
    assert client.post(page_of(chat), {}).status_code == 405
    assert (Conversation.objects.count(), Ticket.objects.count()) == (1, 1)


@pytest.mark.parametrize("call", CALLS)
def test_an_unknown_chat_leads_back_to_the_list(bob: User, call: str) -> None:
    url = reverse(f"admin:conversations_{call}", args=["00000000-0000-0000-0000-000000000000"])
    answer = staff_client(bob).post(url, {"text": "hello"}, follow=True)
    assert answer.redirect_chain == [(CONVERSATIONS, 302)]
    assert messages_of(answer.content.decode()) == "There is no such conversation."
