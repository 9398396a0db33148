"""Did it need a person, and how long did that take: asked when a ticket closes, stored, and reported."""

from datetime import timedelta
from html import escape

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from conversations.escalation import Times, measure_handoffs
from conversations.models import Conversation, Ticket
from conversations.ticket_admin import say_time
from tests.approvals.test_admin import HOSTILE, NAME, check_page, make_staff_who_may, messages_of, read_page
from tests.conversations.helpers import staff_call
from tests.conversations.test_admin import TICKETS, ask_for_person, page_of, press, url_of
from tests.factories import Chat, now, run_turns, staff_client

pytestmark = pytest.mark.usefixtures("desk")
REPORT = reverse("admin:conversations_handoffs")
VIEW = "conversations.view_ticket"


def ticket_page(ticket: Ticket) -> str:
    return reverse("admin:conversations_ticket_change", args=[ticket.pk])


def judge_url(ticket: Ticket) -> str:
    return reverse("admin:conversations_judge", args=[ticket.pk])


def taken(bob: User) -> Chat:
    chat = ask_for_person()
    assert staff_call(staff_client(bob), chat, "take-over").status_code == 200
    return chat


@pytest.mark.parametrize("call", ["hand-back", "close"])
@pytest.mark.parametrize(
    ("body", "stored"),
    [
        ({}, (None, "", False)),
        ({"needed_person": "yes", "why": "A broken item."}, (True, "A broken item.", True)),
        ({"needed_person": "no"}, (False, "", True)),
        # A reason to no answer is none.
        ({"why": "Because."}, (None, "", False)),
        ({"needed_person": "no", "why": " the\0 agent knew "}, (False, "the\ufffd agent knew", True)),
    ],
)
def test_the_api_takes_the_answer_with_the_call_that_ends_a_ticket(
    bob: User, call: str, body: dict, stored: tuple
) -> None:
    chat = taken(bob)
    assert staff_call(staff_client(bob), chat, call, body).status_code == 200
    run_turns()
    ticket = Ticket.objects.get()
    assert ticket.closed_at is not None
    assert (ticket.needed_person, ticket.needed_why, ticket.judged_by == bob) == stored


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"needed_person": "maybe"}, 400),
        ({"needed_person": True}, 400),
        ({"needed_person": "no", "why": 5}, 400),
        ({"needed_person": "no", "why": "x" * 301}, 413),
    ],
)
def test_an_answer_that_is_none_closes_nothing(bob: User, body: dict, status: int) -> None:
    chat = taken(bob)
    assert staff_call(staff_client(bob), chat, "close", body).status_code == status
    assert (chat.state(), Ticket.objects.get().closed_at) == ("with_person", None)


def test_the_console_asks_whoever_closes_and_shows_the_answer(bob: User) -> None:
    chat, client = ask_for_person(), staff_client(bob)
    assert "Did this need a person?" not in read_page(client, page_of(chat))
    press(client, chat, "take-over")
    assert "Did this need a person?" in read_page(client, page_of(chat))
    answer = client.post(url_of(chat, "close"), {"needed_person": "no", "why": NAME}, follow=True)
    check_page(answer.content.decode())
    ticket = Ticket.objects.get()
    assert (ticket.needed_person, ticket.needed_why, ticket.judged_by) == (False, NAME, bob)
    page = read_page(client, ticket_page(ticket))
    assert f"<b>No</b>, says bob: {escape(NAME)}" in page
    assert ">no<" in read_page(client, TICKETS)


def test_a_reason_that_is_too_long_closes_nothing_and_says_so(bob: User) -> None:
    chat = taken(bob)
    answer = staff_client(bob).post(url_of(chat, "hand-back"), {"needed_person": "no", "why": "x" * 301})
    assert answer.status_code == 409
    assert messages_of(answer.content.decode()) == "301 of 300 characters. Nothing was changed."
    assert chat.state() == "with_person"


def test_the_question_can_be_answered_later_and_anew(bob: User) -> None:
    chat, client = taken(bob), staff_client(bob)
    ticket = Ticket.objects.get()
    refused = client.post(judge_url(ticket), {"needed_person": "yes"})
    assert (refused.status_code, Ticket.objects.get().needed_person) == (409, None)
    press(client, chat, "close")
    assert "Not answered yet." in read_page(client, ticket_page(ticket))
    for said, stored in (("yes", True), ("no", False)):
        client.post(judge_url(ticket), {"needed_person": said, "why": said})
        ticket.refresh_from_db()
        assert (ticket.needed_person, ticket.needed_why) == (stored, said)


def test_staff_who_may_only_look_cannot_answer_it(bob: User) -> None:
    chat = taken(bob)
    press(staff_client(bob), chat, "close")
    ticket, client = Ticket.objects.get(), staff_client(make_staff_who_may(VIEW))
    assert judge_url(ticket) not in read_page(client, ticket_page(ticket))
    assert client.post(judge_url(ticket), {"needed_person": "yes"}).status_code == 403
    assert client.get(judge_url(ticket)).status_code == 405
    ticket.refresh_from_db()
    assert ticket.needed_person is None


def make_ticket(
    reason: str, *, age: float = 1, reply: float | None = None, end: float | None = None, needed: bool | None = None
) -> None:
    """A ticket opened `age` days ago, replied to and ended so many minutes later."""
    ticket = Ticket.objects.create(conversation=Conversation.objects.create(), reason=reason, summary={})
    opened = now() - timedelta(days=age)
    times = {
        name: None if minutes is None else opened + timedelta(minutes=minutes)
        for name, minutes in (("first_reply_at", reply), ("closed_at", end))
    }
    Ticket.objects.filter(pk=ticket.pk).update(opened_at=opened, needed_person=needed, **times)


def test_the_report_counts_answers_and_waits_by_reason() -> None:
    for minutes in range(1, 21):
        make_ticket("customer", reply=minutes, end=minutes * 10, needed=minutes > 5)
    make_ticket("final_refusal", end=3)
    make_ticket("final_refusal")
    # Neither counts: too old, and nobody was called.
    make_ticket("customer", age=40, reply=1, end=1, needed=True)
    make_ticket("staff", reply=1, end=1, needed=True)
    whole, [asked, refused] = measure_handoffs(since=now() - timedelta(days=30))
    assert (whole.tickets, whole.needed, whole.judged, whole.unanswered) == (22, 15, 20, 1)
    assert whole.precision == 0.75
    assert (asked.reason, asked.tickets, asked.reply.median, asked.reply.p95) == (
        *("customer", 20),
        *(timedelta(minutes=10), timedelta(minutes=19)),
    )
    assert (asked.resolution.median, asked.resolution.p95) == (timedelta(minutes=100), timedelta(minutes=190))
    assert (refused.reason, refused.precision, refused.reply.median) == ("final_refusal", None, None)
    assert (refused.without_reply, refused.waiting, refused.resolution.count) == (1, 1, 1)


@pytest.mark.parametrize(
    ("waits", "median", "p95"),
    [([], None, None), ([7], 7, 7), ([1, 9], 1, 9), ([1, 2, 3], 2, 3), (list(range(1, 101)), 50, 95)],
)
def test_a_percentile_is_a_wait_that_somebody_had(waits: list[int], median: int | None, p95: int | None) -> None:
    times = Times(waits=[timedelta(seconds=wait) for wait in waits])
    wanted = [None if value is None else timedelta(seconds=value) for value in (median, p95)]
    assert [times.median, times.p95] == wanted


@pytest.mark.parametrize(
    ("seconds", "said"), [(0, "0 s"), (59, "59 s"), (400, "6 min 40 s"), (7_260, "2 h 1 min"), (180_000, "2 d 2 h")]
)
def test_a_wait_is_said_in_two_units(seconds: int, said: str) -> None:
    assert say_time(timedelta(seconds=seconds)) == said


def test_the_report_page_shows_the_figures_and_is_friendly_when_there_are_none(bob: User) -> None:
    client = staff_client(make_staff_who_may(VIEW))
    assert "No chat was handed to a person in the last 30 days." in read_page(client, REPORT)
    assert REPORT in read_page(client, TICKETS)
    make_ticket("customer", reply=2, end=60, needed=True)
    make_ticket("customer", reply=4, end=120, needed=False)
    make_ticket(HOSTILE[0][:40], age=20)
    page = read_page(client, REPORT)
    for shown in ("50%", "1 of 2", "2 min 0 s", "4 min 0 s", "1 h 0 min", "Asked for a person"):
        assert shown in page, shown
    assert escape(HOSTILE[0][:40].capitalize()) in page
    week = read_page(client, f"{REPORT}?days=7")
    assert escape(HOSTILE[0][:40].capitalize()) not in week
    assert read_page(client, f"{REPORT}?days=x").count("in the last 30 days") == 1


def test_the_report_is_only_for_who_may_see_tickets() -> None:
    client = staff_client(make_staff_who_may("conversations.view_conversation"))
    assert client.get(REPORT).status_code == 403
    assert client.post(REPORT).status_code == 405
