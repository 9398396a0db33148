"""What strangers leave behind in the help center is counted, bounded, and names nobody."""

import secrets
from datetime import timedelta
from ipaddress import IPv6Address
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from helpcenter import operations
from helpcenter.models import ArticleVersion, Question, Vote
from helpcenter.operations import Draft, get_or_create_article, note_question, publish, write
from helpcenter.queries import list_unanswered

pytestmark = pytest.mark.django_db
READER, AGENT = Question.Asker.READER, Question.Asker.AGENT


def make_article() -> ArticleVersion:
    article = get_or_create_article(slug="gift-cards", category="paying")
    write(article=article, draft=Draft(title="Gift cards", body="Gift cards do not expire."), author="mia")
    return publish(article=article, author="mia")


def fresh_address() -> str:
    """Redis remembers for an hour, also what an earlier run of these tests did."""
    return str(IPv6Address(0x20010DB8 << 96 | secrets.randbits(32) << 64))


def list_counts() -> list[tuple[str, str, int]]:
    return list(Question.objects.order_by("pk").values_list("text", "asker", "count"))


def test_the_same_words_of_one_day_are_one_row_with_a_count() -> None:
    for text in ("Sourdough  Starter", "sourdough starter", " SOURDOUGH starter "):
        note_question(text=text, asker=READER, best=None)
    note_question(text="sourdough starter", asker=AGENT, best=None)
    assert list_counts() == [("sourdough starter", "reader", 3), ("sourdough starter", "agent", 1)]
    Question.objects.update(day=timezone.now().date() - timedelta(days=1))
    note_question(text="sourdough starter", asker=READER, best=None)
    assert list_counts()[-1] == ("sourdough starter", "reader", 1)
    assert list_unanswered(limit=5) == [("sourdough starter", 5)]


def test_a_question_that_finds_an_answer_later_in_the_day_is_answered() -> None:
    version = make_article()
    note_question(text="vouchers", asker=READER, best=None)
    note_question(text="vouchers", asker=READER, best=("gift-cards", version.number))
    assert (Question.objects.get().found, Question.objects.get().best) == (True, version)
    assert list_unanswered(limit=5) == []


def test_an_address_in_a_search_is_not_kept() -> None:
    note_question(text="Where is the parcel of nora.lindahl@example.com", asker=READER, best=None)
    assert "nora" not in Question.objects.get().text


def test_a_day_keeps_so_many_texts_and_counts_those_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "MOST_QUESTIONS_A_DAY", 3)
    for number in range(6):
        note_question(text=f"question {number}", asker=READER, best=None)
    note_question(text="question 0", asker=READER, best=None)
    note_question(text="of the agent", asker=AGENT, best=None)
    assert list_counts() == [
        ("question 0", "reader", 2),
        ("question 1", "reader", 1),
        ("question 2", "reader", 1),
        ("of the agent", "agent", 1),
    ]


def test_what_was_asked_long_ago_is_forgotten_with_the_first_question_of_a_day() -> None:
    today = timezone.now().date()
    for age in (operations.DAYS_KEPT, operations.DAYS_KEPT + 1):
        note_question(text=f"{age} days ago", asker=READER, best=None)
        Question.objects.filter(text=f"{age} days ago").update(day=today - timedelta(days=age))
    note_question(text="new", asker=READER, best=None)
    assert [text for text, _, _ in list_counts()] == [f"{operations.DAYS_KEPT} days ago", "new"]


def test_over_the_limit_of_an_address_pages_answer_and_nothing_is_kept(settings: Settings) -> None:
    make_article()
    settings.DESKAGENT_HELP_NOTES_ADDRESS_HOUR = 3
    flood, other = {"REMOTE_ADDR": fresh_address()}, {"REMOTE_ADDR": fresh_address()}
    for number in range(5):
        answer = Client(**flood).get("/help/search/", {"q": f"gift card {number}"})
        assert answer.status_code == 200
        assert "/help/gift-cards/" in answer.content.decode()
    assert Client(**flood).post("/help/gift-cards/helpful/", {"helpful": "yes"}).status_code == 302
    assert (Question.objects.count(), Vote.objects.count()) == (3, 0)
    assert Client(**other).post("/help/gift-cards/helpful/", {"helpful": "yes"}).status_code == 302
    assert Vote.objects.count() == 1


def test_reading_and_empty_searches_do_not_count(settings: Settings) -> None:
    make_article()
    settings.DESKAGENT_HELP_NOTES_ADDRESS_HOUR = 1
    client = Client(REMOTE_ADDR=fresh_address())
    for path in ("/help/", "/help/gift-cards/", "/help/search/", "/help/search/?q=", "/help/search/?q=%20"):
        assert client.get(path).status_code == 200
    client.get("/help/search/", {"q": "gift"})
    assert Question.objects.count() == 1


def test_a_vote_needs_no_session_and_a_forged_cookie_is_nobody() -> None:
    version, client = make_article(), Client()
    client.post("/help/gift-cards/helpful/", {"helpful": "no"})
    assert Session.objects.count() == 0
    cookie = client.cookies["help_reader"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert "Thank you" in client.get("/help/gift-cards/").content.decode()
    reader = Vote.objects.get(version=version).reader
    forger = Client()
    for forged in (reader, f"{reader}:x:y", "x" * 5_000):
        forger.cookies["help_reader"] = forged
        assert "Thank you" not in forger.get("/help/gift-cards/").content.decode()
        forger.post("/help/gift-cards/helpful/", {"helpful": "yes"})
    assert Vote.objects.get(reader=reader).helpful is False


def test_the_shops_name_is_one_setting(settings: Settings) -> None:
    settings.DESKAGENT_SHOP_NAME = "Kettle & <b>Sons</b>"
    make_article()
    for path in ("/", "/help/", "/help/gift-cards/", "/help/search/?q=gift"):
        page = Client().get(path).content.decode()
        assert "Kettle &amp; &lt;b&gt;Sons" in page, path
        assert ("<b>Sons" in page, "Wrenfield" in page) == (False, False), path


@pytest.mark.django_db(transaction=True)
def test_rows_of_single_searches_are_folded_into_one_a_day() -> None:
    now = timezone.now()
    older = migrate("0002_append_only")
    try:
        rows = older.get_model("helpcenter", "Question").objects
        for text, found, age in (("Sourdough", False, 0), ("sourdough ", True, 0), ("sourdough", False, 1)):
            made = rows.create(text=text, asker="reader", found=found)
            rows.filter(pk=made.pk).update(at=now - timedelta(days=age))
    finally:
        migrate("0005_one_question_a_day")
    told = Question.objects.order_by("day").values_list("day", "text", "count", "found")
    assert list(told) == [
        ((now - timedelta(days=1)).date(), "sourdough", 1, False),
        (now.date(), "sourdough", 2, True),
    ]


def migrate(name: str) -> Any:
    executor = MigrationExecutor(connection)
    return executor.migrate([("helpcenter", name)]).apps
