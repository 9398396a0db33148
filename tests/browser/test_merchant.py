"""A Merchant at work in a real browser: an article from the first word to the customer, and nothing beside articles."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits
from tests.process import PASSWORD, DeskProcess

pytestmark = pytest.mark.browser
MAKE_MIA = f"""
from django.contrib.auth.models import Group, User
user = User.objects.create_user("mia", password="{PASSWORD}", is_staff=True)
user.groups.add(Group.objects.get(name="Merchant"))
"""
QUESTION = "Do you engrave a kettle?"
FORBIDDEN = [
    *("approvals/actionrequest/", "approvals/actionrequest/would-be/", "approvals/harm/ladder/"),
    *("audit/entry/", "policy/policyversion/", "policy/policyversion/switches/", "planning/capacity/"),
    *("conversations/ticket/", "conversations/conversation/", "orders/order/", "orders/customer/", "auth/user/"),
]


def find_in_shop(page: Page, desk: DeskProcess) -> None:
    page.goto(f"{desk.url}/help/search/?q=engrave+kettle")


def test_a_merchant_writes_previews_and_publishes_an_article_and_opens_nothing_else(
    desk: DeskProcess, visits: Visits
) -> None:
    desk.manage("shell", "-c", MAKE_MIA)
    shop = visits.open(f"{desk.url}/help/search/?q=engrave+kettle")
    expect(shop.locator("main")).to_contain_text("Nothing here answers")

    mia = visits.sign_in(desk, "mia")
    expect(mia.locator("#content")).to_contain_text("Articles")
    expect(mia.locator("#content")).not_to_contain_text("Action requests")
    mia.goto(f"{desk.url}/admin/helpcenter/category/add/")
    mia.locator("#id_name").press_sequentially("Gifts")
    expect(mia.locator("#id_slug")).to_have_value("gifts")
    mia.get_by_role("button", name="Save", exact=True).click()
    mia.goto(f"{desk.url}/admin/helpcenter/article/add/")
    mia.fill("#id_title", "Engraving")
    mia.fill("#id_slug", "engraving")
    mia.select_option("#id_category", label="Gifts")
    mia.fill("#id_body", "We engrave a kettle with up to {{ policy.person_above }} letters.\n\n## How\n\nAsk us.")
    mia.get_by_role("button", name="Save as draft").click()
    expect(mia.locator(".messagelist")).to_be_visible()

    mia.locator("#find-q").fill(QUESTION)
    mia.get_by_role("button", name="Find", exact=True).click()
    expect(mia.locator("#content")).to_contain_text("up to 1000.00 letters")
    mia.get_by_role("link", name="Preview").click()
    expect(mia.locator("article h1")).to_have_text("Engraving")
    expect(mia.locator("article")).to_contain_text("up to 1000.00 letters")
    find_in_shop(shop, desk)
    expect(shop.locator("main")).to_contain_text("Nothing here answers")

    mia.go_back()
    mia.get_by_role("button", name="Save and publish").click()
    expect(mia.locator(".messagelist")).to_contain_text("Published")
    find_in_shop(shop, desk)
    shop.get_by_role("link", name="Engraving").first.click()
    expect(shop.locator("article")).to_contain_text("up to 1000.00 letters")
    expect(shop.locator("article h2")).to_have_text("How")

    assert visits.faults == []
    assert {path: mia.goto(f"{desk.url}/admin/{path}").status for path in FORBIDDEN} == dict.fromkeys(FORBIDDEN, 403)  # type: ignore[union-attr]
