"""Requests in the console: read, approve and decline through the pages that staff see."""

import re
from html import escape
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from approvals.models import ActionRequest, State
from audit.models import Entry
from orders.models import Customer, Effect, Line, Order, PaymentMethod
from tests.factories import LARGE, NORA_EMAIL, SMALL, Chat, make_staff, run_turns, staff_client, start_chat

pytestmark = pytest.mark.usefixtures("desk")
LIST = reverse("admin:approvals_actionrequest_changelist")
# Texts that would do something if a page took them for markup.
NAME = '<script>alert("name")</script>'
ITEM = "<svg onload=alert('item')>"
BRAND = "<b>{{ 7*7 }}"
NOTE = "<img src=x onerror='alert(\"note\")'> {% now 'Y' %}"
HOSTILE = (NAME, ITEM, NOTE)


class Inline(HTMLParser):
    """Collects what the content security policy would refuse: inline scripts, styles and handlers."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        if tag == "style" or (tag == "script" and "src" not in names):
            self.found.append(tag)
        self.found += [name for name in names if name == "style" or name.startswith("on")]


def read_page(client: Client, url: str) -> str:
    """The page's HTML, after checking that no outside text and nothing inline got into its markup."""
    answer = client.get(url)
    assert answer.status_code == 200, (url, answer.status_code)
    html = answer.content.decode()
    check_page(html)
    return html


def check_page(html: str) -> None:
    assert [text for text in HOSTILE if text in html] == []
    assert Inline(html).found == []


def page_of(request_id: object) -> str:
    return reverse("admin:approvals_actionrequest_change", args=[request_id])


def decide_url(request_id: object) -> str:
    return reverse("admin:approvals_decide", args=[request_id])


def make_staff_who_may(*rights: str, name: str = "eve") -> User:
    user = make_staff(name)
    for right in rights:
        app, codename = right.split(".")
        user.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))
    return User.objects.get(pk=user.pk)


def ask_to_cancel(number: str) -> Chat:
    chat = start_chat()
    chat.say(f"Please cancel order {number}, I don't need it anymore. My e-mail is {NORA_EMAIL}")
    return chat


def make_waiting() -> ActionRequest:
    chat = ask_to_cancel(LARGE)
    chat.press("yes")
    return ActionRequest.objects.get(state=State.AWAITING_STAFF)


def messages_of(html: str) -> str:
    found = re.search(r'<ul class="messagelist">(.*?)</ul>', html, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split()) if found else ""


def post_decision(client: Client, request: ActionRequest, decision: str, note: str = "") -> str:
    """Press a button and follow to the page; its messages."""
    answer = client.post(decide_url(request.pk), {"decision": decision, "note": note}, follow=True)
    assert answer.redirect_chain == [(page_of(request.pk), 302)]
    check_page(answer.content.decode())
    return messages_of(answer.content.decode())


def test_what_waits_for_staff_stands_on_top_of_the_list(bob: User) -> None:
    waiting = make_waiting()
    granted = ask_to_cancel(SMALL)
    granted.press("yes")
    html = read_page(staff_client(bob), LIST)
    assert html.index(page_of(waiting.pk)) < html.index(page_of(granted.card()["request_id"]))
    for shown in ("$1,284.50", "Nora Lindahl", LARGE, waiting.reason, "awaiting staff"):
        assert shown in html


def test_the_list_can_be_narrowed_to_one_state(bob: User) -> None:
    waiting = make_waiting()
    html = read_page(staff_client(bob), f"{LIST}?state__exact=granted")
    assert page_of(waiting.pk) not in html


def test_the_page_shows_what_who_why_and_the_way_to_the_chat(bob: User) -> None:
    waiting = make_waiting()
    html = read_page(staff_client(bob), page_of(waiting.pk))
    chat_page = reverse("admin:conversations_conversation_change", args=[waiting.session.conversation])
    for shown in ("$1,284.50", waiting.destination, waiting.rule, waiting.reason, "button", chat_page):
        assert shown in html
    assert 'class="changed"' not in html


def test_a_fact_that_changed_since_is_marked(bob: User) -> None:
    waiting = make_waiting()
    Order.objects.filter(number=LARGE).update(status="processed")
    html = read_page(staff_client(bob), page_of(waiting.pk))
    [row] = re.findall(r'<tr class="changed">(.*?)</tr>', html)
    assert re.sub(r"<[^>]+>", " ", row).split() == ["Order", "status", "pending", "processed", "changed"]


def test_approving_runs_once_and_a_second_press_says_who_was_first(bob: User) -> None:
    waiting, client = make_waiting(), staff_client(bob)
    first = post_decision(client, waiting, "approve", "fine")
    assert first == f"Approved: Cancel order {LARGE}, $1,284.50 to {waiting.destination}."
    second = post_decision(client, waiting, "approve", "fine")
    assert re.fullmatch(r"Bob approved this at \d\d:\d\d UTC\. Nothing ran\.", second)
    assert Effect.objects.get().approved_by == "bob"
    assert Order.objects.get(number=LARGE).status == "cancelled"
    html = read_page(client, page_of(waiting.pk))
    assert decide_url(waiting.pk) not in html
    assert "<strong>bob</strong> approved" in html


def test_declining_changes_nothing_and_keeps_the_note(bob: User) -> None:
    waiting, client = make_waiting(), staff_client(bob)
    assert post_decision(client, waiting, "decline", f"first\r\n{NOTE}").startswith("Declined:")
    waiting.refresh_from_db()
    assert (waiting.state, waiting.note) == (State.DECLINED_BY_STAFF, f"first\n{NOTE}")
    assert not Effect.objects.exists()
    assert "<strong>bob</strong> declined" in read_page(client, page_of(waiting.pk))


def test_approving_after_the_order_changed_runs_nothing(bob: User) -> None:
    waiting = make_waiting()
    Order.objects.filter(number=LARGE).update(status="processed")
    said = post_decision(staff_client(bob), waiting, "approve")
    assert "is now processed" in said
    assert "Nothing ran." in said
    assert not Effect.objects.exists()


@pytest.mark.parametrize("decision", ["approve", "decline"])
def test_staff_who_may_only_look_cannot_decide_and_the_attempt_is_recorded(decision: str) -> None:
    waiting = make_waiting()
    client = staff_client(make_staff_who_may("approvals.view_actionrequest"))
    assert decide_url(waiting.pk) not in read_page(client, page_of(waiting.pk))

    answer = client.post(decide_url(waiting.pk), {"decision": decision, "note": ""})

    assert answer.status_code == 403
    waiting.refresh_from_db()
    assert (waiting.state, waiting.decided_by) == (State.AWAITING_STAFF, None)
    assert not Effect.objects.exists()
    entry = Entry.objects.get(event="approval_refused")
    assert (entry.actor, entry.verdict) == ("staff:eve", "NotPermitted")


@pytest.mark.parametrize("right", ["", "approvals.decide_actionrequest"])
def test_staff_who_may_not_look_see_no_request(right: str) -> None:
    waiting = make_waiting()
    client = staff_client(make_staff_who_may(*filter(None, [right])))
    assert [client.get(url).status_code for url in (LIST, page_of(waiting.pk))] == [403, 403]
    too_long = {"decision": "approve", "note": "x" * 2_001}
    assert client.post(decide_url(waiting.pk), too_long).status_code == 403


def test_a_decision_needs_a_post_a_sign_in_and_the_forms_token(bob: User) -> None:
    waiting = make_waiting()
    url, body = decide_url(waiting.pk), {"decision": "approve"}
    assert staff_client(bob).get(url).status_code == 405
    assert staff_client(bob).post(page_of(waiting.pk), body).status_code == 405
    stranger = Client().post(url, body)
    assert (stranger.status_code, stranger["Location"].split("?")[0]) == (302, reverse("admin:login"))
    forger = Client(enforce_csrf_checks=True)
    forger.force_login(bob)
    assert forger.post(url, body).status_code == 403
    waiting.refresh_from_db()
    assert waiting.state == State.AWAITING_STAFF


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"decision": "approve", "note": "ö" * 2_001}, "at most 2000 characters"),
        ({"decision": "approve", "note": "a\0b"}, "Null characters"),
        ({"decision": "perhaps", "note": "kept"}, "not one of the available choices"),
        ({"note": "kept"}, "required"),
    ],
)
def test_a_form_that_is_not_right_decides_nothing_and_keeps_the_note(
    bob: User, body: dict[str, str], said: str
) -> None:
    waiting = make_waiting()
    answer = staff_client(bob).post(decide_url(waiting.pk), body)
    html = answer.content.decode()
    assert answer.status_code == 400
    assert said in messages_of(html)
    assert f"\n{body['note']}</textarea>" in html
    waiting.refresh_from_db()
    assert waiting.state == State.AWAITING_STAFF


def test_a_note_of_the_longest_length_counts_a_line_end_once(bob: User) -> None:
    waiting = make_waiting()
    post_decision(staff_client(bob), waiting, "decline", "x" * 1_000 + "\r\n" + "y" * 999)
    waiting.refresh_from_db()
    assert len(waiting.note) == 2_000


def test_an_unknown_request_leads_back_to_the_list(bob: User) -> None:
    client, unknown = staff_client(bob), "00000000-0000-0000-0000-000000000000"
    for answer in (
        client.post(decide_url(unknown), {"decision": "approve"}, follow=True),
        client.get(page_of(unknown), follow=True),
        client.get(page_of("nonsense"), follow=True),
    ):
        assert answer.redirect_chain == [(LIST, 302)]
        assert messages_of(answer.content.decode()) == "There is no such action request."


def test_a_request_is_never_added_changed_or_deleted_in_the_console(bob: User) -> None:
    waiting, client = make_waiting(), staff_client(bob)
    assert client.get(f"{LIST}add/").status_code == 403
    assert client.get(page_of(waiting.pk).replace("change", "delete")).status_code == 403
    bulk = {"action": "delete_selected", "_selected_action": str(waiting.pk), "post": "yes"}
    client.post(LIST, bulk)
    assert ActionRequest.objects.filter(pk=waiting.pk).exists()


def test_hostile_text_is_text_on_every_page_about_a_request(bob: User) -> None:
    Customer.objects.filter(email=NORA_EMAIL).update(first_name=NAME, city=NAME)
    Line.objects.filter(order__number__in=[SMALL, LARGE]).update(name=ITEM)
    PaymentMethod.objects.filter(customer__email=NORA_EMAIL).update(brand=BRAND)
    waiting, client = make_waiting(), staff_client(bob)
    ask_to_cancel(SMALL).press("yes")
    post_decision(client, waiting, "decline", NOTE)
    run_turns()
    effect, declined = Effect.objects.get(), Entry.objects.get(event="approval_declined")
    customer, order = Customer.objects.get(email=NORA_EMAIL), Order.objects.get(number=LARGE)
    pages = {
        LIST: NAME,
        page_of(waiting.pk): NOTE,
        page_of(effect.request.pk): ITEM,
        reverse("admin:audit_entry_changelist"): "",
        reverse("admin:audit_entry_change", args=[declined.pk]): NOTE[:10],
        reverse("admin:orders_order_changelist"): NAME,
        reverse("admin:orders_order_change", args=[order.pk]): ITEM,
        reverse("admin:orders_customer_changelist"): NAME,
        reverse("admin:orders_customer_change", args=[customer.pk]): NAME,
        reverse("admin:orders_effect_changelist"): "",
        reverse("admin:orders_effect_change", args=[effect.pk]): ITEM.split("'")[0],
        reverse("admin:index"): "",
        reverse("admin:approvals_actionrequest_history", args=[waiting.pk]): "",
    }
    for url, shown in pages.items():
        assert escape(shown) in read_page(client, url), url
