"""Articles: versions, publishing, what readers and the agent see of them, files, and hostile text."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from audit.chains import SHOP
from audit.queries import list_entries
from audit.triggers import create_statements, drop_statements
from helpcenter.index import Index
from helpcenter.interchange import export_folder, import_folder
from helpcenter.models import Article, ArticleVersion, Question, Vote
from helpcenter.operations import Draft, NotAnArticle, get_or_create_article, publish, take_down, write
from helpcenter.passages import Passage, cut
from helpcenter.queries import ArticleNotFound, get_article, list_contradictions, list_unanswered, search
from helpcenter.rendering import render
from policy import append_only as policy_table
from policy.limits import Limits
from policy.models import PolicyVersion
from policy.operations import publish as publish_policy
from policy.operations import read_preset
from policy.placeholders import UnknownNumber
from tests.conftest import ROOT
from tests.factories import staff_client

DEMO = ROOT / "helpcenter" / "demo"
HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "[go](javascript:alert(1))",
    "[go](JaVaScRiPt:alert(1))",
    "[go](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](http://evil.example/x.png)",
    '<a href="x" onclick="alert(1)">x</a>',
    "<iframe src=//evil.example></iframe>",
    "</article></main><script>alert(1)</script>",
    '[x](https://a.example "t\\" onmouseover=\\"alert(1)")',
    "<style>*{display:none}</style>",
    "<form action=//evil.example><input></form>",
]


def make_article(
    slug: str = "return-it", body: str = "Send it back.\n\n## How\n\nUse the label.", **told: Any
) -> Article:
    article = get_or_create_article(slug=slug, category="returns")
    write(article=article, draft=Draft(title=told.get("title", "Return it"), body=body), author="mia")
    return article


@pytest.mark.django_db
def test_customers_see_the_published_version_and_no_draft() -> None:
    article = make_article()
    with pytest.raises(ArticleNotFound):
        get_article(slug="return-it")
    publish(article=article, author="mia")
    write(article=article, draft=Draft(title="Return it", body="Not yet true."), author="mia")
    assert "Send it back" in get_article(slug="return-it").html
    publish(article=article, author="mia")
    assert "Not yet true" in get_article(slug="return-it").html
    publish(article=article, author="mia", number=1)
    assert "Send it back" in get_article(slug="return-it").html
    take_down(article=article, author="mia")
    with pytest.raises(ArticleNotFound):
        get_article(slug="return-it")
    told = [entry.fields["facts"] for entry in list_entries(subject=SHOP).filter(event="article_published")]
    assert [facts["version"] for facts in told] == [1, 2, 1, 1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "change", ["UPDATE helpcenter_articleversion SET body = 'x'", "DELETE FROM helpcenter_articleversion"]
)
def test_a_version_is_never_changed(change: str) -> None:
    make_article()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)
    assert ArticleVersion.objects.get().body.startswith("Send it back")


@pytest.mark.django_db
def test_numbers_come_from_the_active_policy_in_pages_and_answers() -> None:
    article = make_article(body="A person looks at refunds above {{ policy.person_above }} {{policy.currency}}.")
    publish(article=article, author="mia")
    assert "above 1000.00 USD" in get_article(slug="return-it").html
    assert "1000.00" in search("refunds above person", limit=1)[0].passage.text
    publish_policy(source="cautious", limits=read_preset("cautious"), author="mia")
    assert "above 25.00 USD" in get_article(slug="return-it").html
    assert "25.00" in search("refunds above person", limit=1)[0].passage.text


@pytest.mark.django_db
@pytest.mark.parametrize("body", ["{{ policy.nothing }}", "{{ policy.refunds }}", "{{ policy.person_above.x }}"])
def test_a_number_that_no_policy_has_is_told_to_the_author(body: str) -> None:
    article = get_or_create_article(slug="a", category="returns")
    with pytest.raises(UnknownNumber, match="policy"):
        write(article=article, draft=Draft(title="A", body=body), author="mia")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "draft",
    [
        Draft(title=" ", body="x"),
        Draft(title="x", body=" \n"),
        Draft(title="x" * 121, body="x"),
        Draft(title="x", body="x" * 40_001),
    ],
)
def test_what_is_no_article_is_refused_in_words(draft: Draft) -> None:
    with pytest.raises(NotAnArticle):
        write(article=get_or_create_article(slug="a", category="returns"), draft=draft, author="mia")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_markdown_becomes_text(text: str) -> None:
    html, _ = render(f"Hello\n\n{text}\n\n## {text}\n\n| {text} |\n| --- |\n| {text} |")
    seen = Elements()
    seen.feed(html)
    assert seen.tags <= {"p", "h2", "table", "thead", "tbody", "tr", "th", "td", "a", "strong", "em", "code"}
    assert seen.attributes <= {"id", "scope", "href", "title", "rel"}
    assert all(address.startswith(("http://", "https://", "mailto:")) for address in seen.addresses)


class Elements(HTMLParser):
    """Every element, attribute and address, as a browser would read them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses += [value or "" for name, value in attrs if name == "href"]


def test_headings_have_anchors_that_passages_know() -> None:
    body = "Top.\n\n## How to\n\nOne.\n\n## How to\n\nTwo.\n\n### Ünïcode & more\n\nThree."
    html, headings = render(body)
    anchors = [passage.anchor for passage in cut(article="a", version=1, title="T", body=body)]
    assert anchors[0] == ""
    assert anchors[1:3] == [heading.anchor for heading in headings] == ["h-how-to", "h-how-to-2"]
    assert all(f'id="{anchor}"' in html for anchor in anchors[1:])


@pytest.mark.django_db
def test_files_come_back_as_they_went(tmp_path: Path) -> None:
    assert import_folder(DEMO, author="mia") == 19
    assert import_folder(DEMO, author="mia") == 0
    assert export_folder(tmp_path / "out") == 19
    for path in DEMO.glob("*.md"):
        there = (tmp_path / "out" / path.name).read_text(encoding="utf-8")
        assert path.read_text(encoding="utf-8").partition("\n---\n")[2] == there.partition("\n---\n")[2]
    before = ArticleVersion.objects.count()
    assert import_folder(tmp_path / "out", author="mia") == 0
    assert ArticleVersion.objects.count() == before


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no front matter", "no front matter"),
        ("---\ntitle: A\n---\n\nx", "category"),
        ("---\ntitle: [\n---\n\nx", "bad.md"),
        ("---\ntitle: A\ncategory: ../etc\n---\n\nx", "category"),
        ("---\ntitle: A\ncategory: a\nauthor: me\n---\n\nx", "author"),
        ("---\ntitle: A\ncategory: a\n---\n\n{{ policy.nothing }}", "nothing"),
        ("---\ntitle: !!python/object/apply:os.system [id]\ncategory: a\n---\n\nx", "bad.md"),
    ],
)
def test_a_folder_with_one_bad_file_stores_nothing(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "a.md").write_text("---\ntitle: A\ncategory: a\n---\n\nGood.\n", encoding="utf-8")
    (tmp_path / "bad.md").write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=words):
        call_command("import_articles", str(tmp_path))
    assert not Article.objects.exists()


@pytest.fixture
def demo(db: None) -> None:
    import_folder(DEMO, author="mia")


@pytest.mark.django_db
def test_the_public_pages_show_articles_search_and_their_place(demo: None, client: Client) -> None:
    index = client.get("/help/").content.decode()
    assert "Damaged, wrong or missing items" in index
    page = client.get("/help/cancel-an-order/").content.decode()
    assert "A cancelled order cannot be restored" in page
    assert "Breadcrumbs" in page
    structured = page.partition('application/ld+json">')[2].partition("</script>")[0]
    assert json.loads(structured)["headline"] == "Cancel an order"
    assert "/help/cancel-an-order/" in client.get("/help/sitemap.xml").content.decode()
    assert "Cancel an order" in client.get("/help/category/orders/").content.decode()
    found = client.get("/help/search/", {"q": "cancel my order"}).content.decode()
    assert "/help/cancel-an-order/" in found
    assert client.get("/help/nothing-here/").status_code == 404
    assert client.get("/help/category/nothing/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query", ["<script>alert(1)</script>", '" onfocus="x', "\0", "a" * 500, "{{ 7*7 }}", "%00", "'; DROP TABLE"]
)
def test_a_hostile_search_is_text(demo: None, client: Client, query: str) -> None:
    answer = client.get("/help/search/", {"q": query})
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "<script>alert" not in page
    assert 'onfocus="x' not in page.replace("&quot;", "'")


@pytest.mark.django_db
def test_searches_without_an_answer_are_kept_for_the_authors(demo: None, client: Client) -> None:
    for _ in range(2):
        client.get("/help/search/", {"q": "sourdough starter hydration"})
    client.get("/help/search/", {"q": "gift cards"})
    assert list_unanswered(limit=5) == [("sourdough starter hydration", 2)]
    assert Question.objects.get(found=True).best is not None


@pytest.mark.django_db
def test_one_reader_has_one_word(demo: None, client: Client) -> None:
    for word in ("yes", "yes", "no"):
        assert client.post("/help/gift-cards/helpful/", {"helpful": word}).status_code == 302
    assert [vote.helpful for vote in Vote.objects.all()] == [False]
    assert Client(enforce_csrf_checks=True).post("/help/gift-cards/helpful/", {"helpful": "yes"}).status_code == 403
    assert client.get("/help/gift-cards/helpful/").status_code == 405
    assert "Thank you" in client.get("/help/gift-cards/").content.decode()


@pytest.mark.django_db
def test_an_edited_article_answers_differently_at_once(demo: None) -> None:
    assert search("sourdough hydration", limit=1) == []
    article = Article.objects.get(slug="gift-cards")
    write(article=article, draft=Draft(title="Gift cards", body="About sourdough hydration: 70 percent."), author="mia")
    assert search("sourdough hydration", limit=1) == []
    publish(article=article, author="mia")
    assert search("sourdough hydration", limit=1)[0].passage.article == "gift-cards"
    take_down(article=article, author="mia")
    assert search("sourdough hydration", limit=1) == []


def test_in_a_shop_with_seven_articles_the_rare_word_outranks_the_common_one() -> None:
    texts = [
        "order parcel",
        "order parcel",
        "order parcel",
        "order parcel",
        "order parcel",
        "order voucher",
        "order lamp",
    ]
    index = Index(
        [Passage(article=str(n), version=1, title="", heading="", anchor="", text=text) for n, text in enumerate(texts)]
    )
    assert index.search("order voucher", limit=1)[0].passage.article == "5"
    assert Index([]).search("order", limit=3) == []
    assert index.search("", limit=3) == index.search("the of and", limit=3) == []


def staff(name: str, *rights: str) -> Client:
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.add(*Permission.objects.filter(codename__in=rights))
    client = Client()
    client.force_login(user)
    return client


MERCHANT = ("view_article", "add_article", "change_article", "publish_article", "view_category", "add_category")


@pytest.mark.django_db
def test_a_merchant_writes_previews_publishes_and_restores(demo: None) -> None:
    merchant = staff("mia", *MERCHANT)
    article = Article.objects.get(slug="gift-cards")
    url = f"/admin/helpcenter/article/{article.pk}/change/"
    form = {
        "title": "Gift cards",
        "slug": "gift-cards",
        "category": article.category_id,
        "language": "en",
        "position": 1,
    }
    saved = merchant.post(
        url, form | {"body": "New words <b>here</b>.", "keywords": "", "note": "shorter", "_continue": "1"}
    )
    assert saved.status_code == 302, saved.content
    assert [version.number for version in article.versions.all()] == [2, 1]
    assert "New words" in merchant.get(f"/admin/helpcenter/article/{article.pk}/versions/2/preview/").content.decode()
    diff = merchant.get(f"/admin/helpcenter/article/{article.pk}/versions/2/").content.decode()
    assert "+New words &lt;b&gt;here&lt;/b&gt;." in diff
    assert "New words" not in Client().get("/help/gift-cards/").content.decode()
    merchant.post(url, form | {"body": "New words <b>here</b>.", "keywords": "", "note": "", "_publish": "1"})
    assert "New words" in Client().get("/help/gift-cards/").content.decode()
    assert article.versions.count() == 2
    merchant.post(f"/admin/helpcenter/article/{article.pk}/versions/1/restore/")
    assert "do not expire" in Client().get("/help/gift-cards/").content.decode()
    found = merchant.get(url, {"find": "new words"}).content.decode()
    assert "What would the agent find" in found
    assert "Gift cards" in found
    refused = merchant.post(url, form | {"body": "{{ policy.nothing }}", "keywords": "", "note": ""}).content.decode()
    assert "the policy has no number" in refused


@pytest.mark.django_db
def test_who_may_not_publish_cannot_and_a_stranger_sees_nothing(demo: None) -> None:
    article = Article.objects.get(slug="gift-cards")
    base = f"/admin/helpcenter/article/{article.pk}"
    form = {
        "title": "X",
        "slug": "gift-cards",
        "category": article.category_id,
        "language": "en",
        "position": 1,
        "body": "X",
    }
    writer = staff("will", "view_article", "change_article", "view_category")
    assert writer.post(f"{base}/change/", form | {"_publish": "1"}).status_code == 403
    assert writer.post(f"{base}/versions/1/restore/").status_code == 403
    assert writer.post(f"{base}/take-down/").status_code == 403
    reader = staff("rita", "view_article")
    assert reader.post(f"{base}/change/", form).status_code == 403
    stranger = staff("sam")
    for path in ("/change/", "/versions/1/", "/versions/1/preview/"):
        assert stranger.get(base + path).status_code == 403
    article.refresh_from_db()
    assert article.published is not None
    assert "do not expire" in Client().get("/help/gift-cards/").content.decode()


@pytest.mark.django_db
def test_an_article_that_contradicts_the_policy_is_flagged_on_save_and_in_the_report(demo: None) -> None:
    assert list_contradictions() == []
    merchant = staff("mia", *MERCHANT)
    article = Article.objects.get(slug="gift-cards")
    url = f"/admin/helpcenter/article/{article.pk}/change/"
    form = {"title": "G", "slug": "gift-cards", "category": article.category_id, "language": "en", "position": 1}
    wrong = "Refunds above $500.00 are checked by a person. <b>x</b>"
    saved = merchant.post(url, form | {"body": wrong, "keywords": "", "note": "", "_publish": "1"}, follow=True)
    page = saved.content.decode()
    assert "policy.person_above" in page
    assert "<b>x</b>" not in page
    assert [one.path for _, one in list_contradictions()] == ["person_above"]
    assert "Says another number than the policy" in merchant.get("/admin/helpcenter/article/").content.decode()
    right = wrong.replace("$500.00", "{{ policy.person_above }} {{ policy.currency }}")
    merchant.post(url, form | {"body": right, "keywords": "", "note": "", "_publish": "1"})
    assert list_contradictions() == []


@pytest.mark.django_db
def test_without_the_numbers_it_names_an_article_is_not_shown_and_nothing_breaks() -> None:
    """Levels and strengths are named by action, so a later policy may have no such number any more."""
    limits = read_preset("retail").as_data()
    named = limits["identity"] | {"actions": {"resend_receipt": "signed"}}
    publish_policy(source="test", limits=Limits.model_validate(limits | {"identity": named}), author="test")
    article = make_article(body="You need to be {{ policy.identity.actions.resend_receipt }}.")
    publish(article=article, author="mia")
    client = Client()
    assert "You need to be signed" in client.get("/help/return-it/").content.decode()
    publish_policy(source="test", limits=read_preset("retail"), author="test")
    assert client.get("/help/return-it/").status_code == 404
    assert client.get("/help/").status_code == 200


@pytest.mark.django_db
def test_a_reader_whose_words_no_article_has_is_shown_the_nearest() -> None:
    publish(article=make_article(), author="mia")
    publish(article=make_article("bulbs", "Plant tulips in October.", title="Planting"), author="mia")
    page = Client().get("/help/search/?q=red+tulips+bloom+for+aunts").content.decode()
    assert "Nothing here answers" in page
    nearest = page.split("Perhaps one of these")[1]
    assert '<a href="/help/bulbs/">' in nearest
    assert '<a href="/help/return-it/">' not in nearest
    assert "Perhaps" not in Client().get("/help/search/?q=zebras").content.decode()


@pytest.mark.django_db
def test_a_merchant_may_look_for_a_title_of_words_that_say_nothing(bob: User) -> None:
    publish(article=make_article("privacy", "Your orders.", title="What we keep about you"), author="mia")
    page = f"/admin/helpcenter/article/{Article.objects.get().pk}/change/"
    told = staff_client(bob).get(page, {"find": "What we keep about you"})
    assert told.status_code == 200
    assert "100 % of the best" in told.content.decode()


@pytest.mark.django_db
def test_a_shop_without_a_policy_has_a_help_center_that_finds_nothing(bob: User) -> None:
    publish(article=make_article(), author="mia")
    vendor = connection.vendor
    with connection.cursor() as cursor:
        for statement in drop_statements(vendor, policy_table.TABLE):
            cursor.execute(statement)
        PolicyVersion.objects.all().delete()
        for statement in create_statements(vendor, policy_table.TABLE, policy_table.KEYS):
            cursor.execute(statement)
    client = Client()
    assert client.get("/help/").status_code == 200
    assert "Nothing here answers" in client.get("/help/search/?q=return").content.decode()
    assert client.get("/help/return-it/").status_code == 404
    page, console = f"/admin/helpcenter/article/{Article.objects.get().pk}", staff_client(bob)
    assert console.get(f"{page}/change/?find=return").status_code == 200
    assert console.get(f"{page}/versions/1/preview/").status_code == 404
    assert console.post(f"{page}/versions/1/restore/").status_code == 302
    assert Client().get("/help/").status_code == 200


@pytest.mark.django_db
def test_an_article_beyond_every_number_is_not_found(bob: User) -> None:
    for path in (f"{10**25}/versions/1/", f"1/versions/{10**25}/preview/", f"{10**25}/take-down/"):
        address = f"/admin/helpcenter/article/{path}"
        client = staff_client(bob)
        answer = client.post(address) if path.endswith("down/") else client.get(address)
        assert answer.status_code == 404


@pytest.mark.django_db
def test_an_article_that_gets_another_address_is_found_there_at_once(demo: None, bob: User) -> None:
    article = Article.objects.get(slug="gift-cards")
    before = search("do gift cards expire", limit=1)
    assert before[0].passage.article == "gift-cards"
    version = article.versions.first()
    assert version is not None
    form = {
        "title": version.title,
        "body": version.body,
        "keywords": version.keywords,
        "slug": "vouchers",
        "category": article.category_id,
        "language": "en",
        "position": article.position,
    }
    answer = staff_client(bob).post(f"/admin/helpcenter/article/{article.pk}/change/", form)
    assert answer.status_code == 302
    [hit] = search("do gift cards expire", limit=1)
    assert hit.passage.article == "vouchers"
    assert Client().get("/help/search/?q=do+gift+cards+expire").content.decode().count("/help/vouchers/") >= 1
