"""The authors' page: what nothing answers, what answers rest on, and what is worth another look."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from audit.operations import Details, record
from helpcenter import reports
from helpcenter.models import ArticleVersion, Question, Vote
from helpcenter.operations import Draft, get_or_create_article, note_question, publish, write
from tests.factories import staff_client, start_chat
from tests.scripted import Scripted, call, say

pytestmark = pytest.mark.django_db
READER, AGENT = Question.Asker.READER, Question.Asker.AGENT
PAGE = "/admin/helpcenter/article/reports/"
NOW = timezone.now


def make_article(slug: str, body: str = "Something true.", title: str = "") -> ArticleVersion:
    article = get_or_create_article(slug=slug, category="general")
    write(article=article, draft=Draft(title=title or slug.capitalize(), body=body), author="mia")
    return publish(article=article, author="mia")


def answer_with(*passages: str) -> None:
    with transaction.atomic():
        details = Details(facts={"seq": 3, "passages": list(passages)})
        record(event="answer_cited", subject=str(uuid.uuid4()), actor="agent", details=details)


def test_searches_without_an_answer_are_listed_with_who_asked_and_whether_something_answers_now() -> None:
    for asker in (READER, READER, AGENT):
        note_question(text="Sourdough hydration", asker=asker, best=None)
    note_question(text="engraving", asker=READER, best=None)
    note_question(text="long ago", asker=READER, best=None)
    Question.objects.filter(text="long ago").update(day=NOW().date() - timedelta(days=31))
    make_article("engraving", "We engrave kettles.", title="Engraving")
    found = reports.list_unanswered(now=NOW(), limit=9)
    assert [(one.text, one.times, one.by_agent, one.answered) for one in found] == [
        ("sourdough hydration", 3, 1, False),
        ("engraving", 1, 0, True),
    ]


def test_articles_stand_in_the_order_of_the_answers_that_rest_on_them() -> None:
    first, second = make_article("vouchers"), make_article("returns")
    make_article("unused")
    answer_with(f"[1] returns v{second.number} #how", "[2] returns v9")
    answer_with("[1] returns v1", "[2] vouchers v1")
    answer_with("[1] gone v1", "nonsense", "[x] returns v1")
    note_question(text="voucher", asker=READER, best=("vouchers", first.number))
    note_question(text="voucher", asker=READER, best=("vouchers", first.number))
    used = [(one.version.article.slug, one.answers, one.searches) for one in reports.list_used(now=NOW())]
    assert used == [("returns", 2, 0), ("vouchers", 1, 2), ("unused", 0, 0)]
    later = [(one.version.article.slug, one.answers) for one in reports.list_used(now=NOW() + timedelta(days=31))]
    assert [answers for _, answers in later] == [0, 0, 0]


def vote(version: ArticleVersion, *, helpful: int, not_helpful: int) -> None:
    for number in range(helpful + not_helpful):
        Vote.objects.create(version=version, reader=f"r{number}", helpful=number < helpful)


ASKED: dict[str, Any] = {"text": "it", "asker": READER}
LONG, SHORT = timedelta(days=reports.STALE_DAYS + 1), timedelta(days=reports.STALE_DAYS)


@pytest.mark.parametrize(
    ("body", "age", "asked", "votes", "reasons"),
    [
        ("True.", SHORT, True, (5, 5), 0),
        ("True.", LONG, False, (0, 4), 0),
        ("True.", LONG, True, (0, 0), 1),
        ("True.", SHORT, False, (2, 3), 1),
        ("Refunds above $500.00 are checked by a person.", SHORT, False, (0, 0), 1),
        ("Refunds above $500.00 are checked by a person.", LONG, True, (0, 5), 3),
    ],
)
def test_an_article_is_worth_another_look_when_it_is_old_and_asked_for_wrong_or_found_poor(
    body: str, age: timedelta, asked: bool, votes: tuple[int, int], reasons: int
) -> None:
    version = make_article("it", body)
    vote(version, helpful=votes[0], not_helpful=votes[1])
    now = NOW() + age
    if asked:
        note_question(text="it", asker=READER, best=("it", version.number))
        Question.objects.update(day=now.date())
    [one] = reports.list_used(now=now)
    assert len(one.reasons) == reasons, one.reasons


def test_the_page_says_kindly_that_there_is_nothing_yet(bob: User) -> None:
    page = staff_client(bob).get(PAGE).content.decode()
    for words in ("nobody has searched yet", "No article says another number", "No article is published yet"):
        assert words in page


def test_hostile_searches_are_text_on_the_page_and_lead_to_a_new_article(bob: User) -> None:
    client = staff_client(bob)
    text = '<script>alert(1)</script>" onfocus="x'
    note_question(text=text, asker=READER, best=None)
    make_article("returns")
    answer_with("[1] returns v1")
    page = client.get(PAGE).content.decode()
    assert ("<script>alert" in page, ' onfocus="x' in page) == (False, False)
    assert "100 % of the most cited" in page
    address = page.partition("article/add/?")[2].partition('"')[0]
    form = client.get(f"/admin/helpcenter/article/add/?{address}").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in form
    assert "<script>alert" not in form


def test_a_stranger_and_staff_without_the_right_see_no_report() -> None:
    assert Client().get(PAGE).status_code == 302
    assert staff_client(User.objects.create_user("eve", is_staff=True)).get(PAGE).status_code == 403


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("desk")
def test_an_answer_of_the_agent_counts_for_the_article_that_it_cites(model: Scripted) -> None:
    make_article("gift-cards", "Gift cards do not expire.\n\n## Lost cards\n\nWrite to us.", title="Gift cards")
    model.plays(call("search_help_center", query="do gift cards expire"), say("Gift cards do not expire [1]."))
    start_chat().say("Do gift cards expire?")
    [one] = reports.list_used(now=NOW())
    assert (one.answers, one.searches) == (1, 1)
