"""What a search makes of the words that customers type, over articles made for the test; and what it costs."""

import time

import pytest

from eval.bench.searching import make_shop, time_searches
from helpcenter.index import Index
from helpcenter.interchange import read_folder
from helpcenter.passages import cut
from helpcenter.spelling import Speller
from helpcenter.words import list_words
from tests.conftest import ROOT

DEMO = ROOT / "helpcenter" / "demo"

ARTICLES = {
    "returns": ("Return something", "send back, return label", "Put it in any box.\n\n## Cost\n\nThe label is free."),
    "refunds": ("How long refunds take", "refund, money not arrived", "PayPal takes 5 days."),
    "kettles": ("Warranty for kettles", "kettle broken, kettle warranty", "Kettles have a warranty of 5 years."),
    "account": ("Sign in", "password, newsletter", "A link for a new password arrives by e-mail."),
    "person": ("Talk to a person", "human, telephone", "Press the button, on weekdays."),
    "parcel": ("Where is my parcel?", "track, not here yet, delayed", "The tracking number is in the e-mail."),
}


@pytest.fixture(scope="module")
def index() -> Index:
    return Index(
        [
            passage
            for slug, (title, keywords, body) in ARTICLES.items()
            for passage in cut(article=slug, version=1, title=title, body=body, keywords=keywords)
        ]
    )


def find(index: Index, text: str) -> str | None:
    hits = index.search(text, limit=1)
    return hits[0].passage.article if hits else None


@pytest.mark.parametrize(
    ("text", "article"),
    [
        ("returns", "returns"),
        ("I'd like to give these back", "returns"),
        ("can i send it back to you?", "returns"),
        ("when do I get my money back", "refunds"),
        ("reimbursement", "refunds"),
        ("refnd", "refunds"),
        ("pasword", "account"),
        ("passowrd", "account"),
        ("I CAN'T LOG IN!!", "account"),
        ("i can’t log in", "account"),
        ("unsubscribe", "account"),
        ("let me speak to a human", "person"),
        ("Könnte: pässword", "account"),
        ("it still hasn't come", "parcel"),
        ("wheres my package", "parcel"),
        ("my kettle stopped working", "kettles"),
        ("the guarantee of a kettle", "kettles"),
    ],
)
def test_what_customers_call_otherwise_is_found(index: Index, text: str, article: str) -> None:
    assert find(index, text) == article


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?!",
        "the of and",
        "12345",
        "sourdough hydration",
        "how loud is the kettle",
        "which kettle is quiet and cheap",
        "my favourite colour of kettle",
        "cost of living in paris",
        "\0\ud800",
    ],
)
def test_what_no_article_answers_finds_nothing(index: Index, text: str) -> None:
    assert find(index, text) is None


def test_a_long_story_is_found_by_the_phrase_in_it(index: Index) -> None:
    story = "My aunt visited from Denmark with her violin and saw that the {} while we cooked spaghetti."
    assert find(index, story.format("kettle stopped working")) == "kettles"
    assert find(index, story.format("kettle shines")) is None


def test_a_heading_of_one_word_is_no_topic_of_its_own(index: Index) -> None:
    assert find(index, "cost of a violin lesson") is None
    assert index.search("what does the return label cost", limit=1)[0].passage.heading == "Cost"


def test_a_number_without_meaning_here_takes_nothing_away(index: Index) -> None:
    plain, numbered = (index.search(text, limit=1)[0] for text in ("return label", "return label 4711"))
    assert numbered.covers == plain.covers
    assert index.search("return label violin", limit=1)[0].covers < plain.covers


def test_the_nearest_articles_are_listed_each_once_whether_they_answer_or_not(index: Index) -> None:
    nearest = index.list_nearest("a warranty for the tracking number of paint")
    assert [passage.article for passage, shared in nearest if shared] == ["parcel", "kettles"]
    assert sorted(passage.article for passage, _ in nearest) == sorted(ARTICLES)
    assert all(passage.anchor == "" for passage, _ in nearest)
    assert Index([]).list_nearest("paint") == []


@pytest.mark.parametrize("typed", ["What we keep about you", "  what we keep about you? ", "What we keep\nabout you."])
def test_a_title_is_found_as_it_stands_even_one_of_words_that_say_nothing(typed: str) -> None:
    rows = {"privacy": ("What we keep about you", "Your orders."), "legal": ("Terms & conditions", "Ours.")}
    of_titles = Index(
        [one for slug, (title, body) in rows.items() for one in cut(article=slug, version=1, title=title, body=body)]
    )
    assert find(of_titles, typed) == "privacy"
    assert find(of_titles, "Terms &amp; conditions") == "legal"
    assert find(of_titles, "we about you") is None


def test_of_an_article_that_was_named_the_nearest_passage_comes_first_and_each_counts(index: Index) -> None:
    hits = index.search("Return something", limit=9)
    assert {hit.passage.article for hit in hits} == {"returns"}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(hit.score >= 1 for hit in hits)
    keep = Index(cut(article="keep", version=1, title="What we keep about you", body="Orders."))
    assert [hit.score for hit in keep.search("What we keep about you", limit=1)] == [1.0]


def test_every_title_of_the_demo_shop_finds_its_own_article() -> None:
    files = read_folder(DEMO)
    whole = Index(
        [one for file in files for one in cut(article=file.slug, version=1, title=file.front.title, body=file.body)]
    )
    assert len(files) >= 19
    assert [find(whole, file.front.title) for file in files] == [file.slug for file in files]


@pytest.mark.parametrize("text", ["can I get my order delivered separately", "I want to pay separately"])
def test_separately_is_no_spare_part_by_itself(text: str) -> None:
    assert "spare" not in list_words(text)


@pytest.mark.parametrize(
    ("typed", "mended"),
    [
        ("pasword", "password"),
        ("passsword", "password"),
        ("passwrod", "password"),
        ("passwird", "password"),
        ("psword", "psword"),
        ("assword", "assword"),
        ("chart", "chart"),
        ("writing", "writing"),
        ("trak", "trak"),
        ("passw0rd", "passw0rd"),
        ("waters", "waters"),
    ],
)
def test_one_slip_is_mended_and_another_word_is_left_alone(typed: str, mended: str) -> None:
    speller = Speller(["password", "chat", "waiting", "track", "waiters", "watters"])
    assert speller.mend(typed) == mended


def test_words_lose_case_accents_apostrophes_and_endings() -> None:
    assert list_words("The RÉFUNDS, refunding; jacket's lámps") == ["refund", "refund", "jacket", "lamp"]
    assert list_words("don't isn’t can't") == []


def test_a_hostile_question_is_cut_before_it_is_read(index: Index) -> None:
    for text in ("not " * 100_000, "send " * 100_000, "a" * 500_000, "delivered to " * 50_000):
        started = time.process_time()
        index.search(text, limit=3)
        assert time.process_time() - started < 0.5


def test_a_search_costs_little_and_grows_slower_than_the_shop() -> None:
    small, large = (sorted(time_searches(*make_shop(passages))) for passages in (1_000, 10_000))
    assert small[int(len(small) * 0.95)] < 0.005
    assert large[int(len(large) * 0.95)] < 0.02
    assert sum(large) < 10 * sum(small)
