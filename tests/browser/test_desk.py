"""The first landing's promise in a real browser: a small and a large cancellation, as customer and as staff."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visits, send
from tests.factories import LARGE, NORA_EMAIL, SMALL
from tests.process import DeskProcess

pytestmark = pytest.mark.browser


def test_a_customer_cancels_one_order_at_once_and_a_large_one_after_approval(desk: DeskProcess, visits: Visits) -> None:
    shop = visits.chat(desk)
    send(shop, f"Please cancel order {SMALL}, I don't need it anymore. I'm {NORA_EMAIL}")
    expect(shop.locator("[data-kind=request]")).to_contain_text(f"Cancel order {SMALL}")
    shop.locator("[data-act=yes]").click()
    receipt = shop.locator("[data-kind=receipt]")
    expect(receipt).to_contain_text("$122.00")
    expect(receipt).to_have_attribute("data-status", "done")

    send(shop, f"And cancel {LARGE} too, I ordered it by mistake")
    shop.locator("[data-act=yes]:visible").click()
    expect(shop.get_by_text("A person has to approve this")).to_be_visible()
    expect(receipt).to_have_count(1)

    staff = visits.sign_in(desk)
    staff.get_by_role("link", name="Action requests").first.click()
    staff.locator("#result_list tbody a").first.click()
    expect(staff.locator("#content")).to_contain_text("1,284.50")
    staff.get_by_role("button", name=re.compile("^Approve")).click()
    expect(staff.locator(".messagelist")).to_contain_text("pproved")

    # No reload on the customer's side.
    expect(receipt).to_have_count(2)
    expect(receipt.last).to_contain_text(LARGE)
    expect(shop.locator("[data-kind=message][data-role=agent]").last).to_contain_text("is cancelled")
    assert desk.manage("verify_audit").startswith("ok ")
    assert visits.faults == []


def test_reload_and_a_second_tab_show_the_same_chat(desk: DeskProcess, visits: Visits) -> None:
    page = visits.chat(desk)
    send(page, "Hello there <img src=x onerror=alert(1)>")
    expect(page.locator("[data-kind=message][data-role=agent]")).to_have_count(1)
    page.reload()
    page.click("[data-act=open]")
    expect(page.locator("[data-kind=message]")).to_have_count(2)
    expect(page.locator("[data-role=customer]")).to_contain_text("<img src=x onerror=alert(1)>")
    second = visits.chat(desk, page.context)
    expect(second.locator("[data-kind=message]")).to_have_count(2)
    assert visits.faults == []


def test_a_person_takes_over_replies_and_hands_back(desk: DeskProcess, visits: Visits) -> None:
    shop = visits.chat(desk)
    shop.click("[data-act=handoff]")
    expect(shop.locator("[data-act=handoff]")).to_have_text("Person asked for")
    staff = visits.sign_in(desk)
    staff.goto(f"{desk.url}/admin/conversations/conversation/")
    staff.locator("#result_list tbody a").first.click()
    staff.get_by_role("button", name="Take over").click()
    staff.locator("textarea").first.fill("Hello, this is Bob.")
    staff.get_by_role("button", name="Send").click()
    expect(shop.locator("[data-role=staff]")).to_contain_text("Hello, this is Bob.")
    staff.get_by_role("button", name="Hand back").click()
    expect(shop.locator("[data-role=agent]").last).to_contain_text("I am back in this chat")
    assert visits.faults == []
