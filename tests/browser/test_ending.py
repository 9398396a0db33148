"""In a real browser: the rating as a customer gives it, and a reply that staff let the agent draft."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits, said_by, send
from tests.factories import NORA_EMAIL, SMALL
from tests.process import DeskProcess

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=alert(1)> & more"


def open_newest_chat(desk: DeskProcess, visits: Visits) -> Page:
    staff = visits.sign_in(desk)
    staff.goto(f"{desk.url}/admin/conversations/conversation/")
    staff.locator("#result_list tbody a").first.click()
    return staff


def test_a_customer_rates_with_the_keyboard_and_staff_read_it(desk: DeskProcess, visits: Visits) -> None:
    shop = visits.chat(desk)
    send(shop, "Hello")
    expect(said_by(shop, "agent")).to_have_count(1)
    shop.click("[data-act=handoff]")
    staff = open_newest_chat(desk, visits)
    staff.get_by_role("button", name="Take over").click()
    staff.get_by_role("button", name="Close", exact=True).click()

    form = shop.get_by_role("form", name="How did we do?")
    expect(form).to_be_visible()
    expect(form.get_by_role("radio")).to_have_count(5)
    form.get_by_role("button", name="Send rating").click()
    expect(form.get_by_role("alert")).to_have_text("Please choose one of the five.")
    expect(form.get_by_role("radio", name="Bad")).to_be_focused()
    for _ in range(3):
        shop.keyboard.press("ArrowRight")
    expect(form.get_by_role("radio", name="Good")).to_be_checked()
    shop.keyboard.press("Tab")
    shop.keyboard.type(HOSTILE)
    shop.keyboard.press("Tab")
    shop.keyboard.press("Enter")
    thanks = shop.get_by_text("Thank you, that helps.")
    expect(thanks).to_be_focused()
    expect(form).to_have_count(0)

    shop.reload()
    shop.click("[data-act=open]")
    expect(thanks).to_be_visible()
    expect(form).to_have_count(0)

    staff.reload()
    expect(staff.get_by_role("region", name="Rating")).to_contain_text("Good, 4 of 5")
    expect(staff.locator("blockquote")).to_have_text(HOSTILE)
    staff.goto(f"{desk.url}/admin/conversations/rating/")
    expect(staff.get_by_role("row", name=re.compile("^All"))).to_contain_text("100% (1 of 1)")
    expect(staff.locator("#result_list")).to_contain_text(HOSTILE)
    assert visits.faults == []


def test_staff_let_the_agent_draft_a_reply_edit_and_send_it(desk: DeskProcess, visits: Visits) -> None:
    shop = visits.chat(desk)
    send(shop, f"Hi, I'm {NORA_EMAIL}")
    expect(said_by(shop, "agent")).to_have_count(1)
    shop.click("[data-act=handoff]")
    staff = open_newest_chat(desk, visits)
    staff.get_by_role("button", name="Take over").click()
    send(shop, f"Where is order {SMALL}?")
    # Stored, and no longer on its way.
    expect(shop.locator("[data-kind=message][data-role=customer]:not([data-status])")).to_have_count(2)

    staff.get_by_role("button", name="Suggest a reply").click()
    box = staff.get_by_label("Reply to")
    expect(box).to_have_value(re.compile(SMALL))
    expect(staff.locator("#suggested")).to_contain_text("Nothing is sent until you press Send.")
    expect(said_by(shop, "staff")).to_have_count(0)
    box.fill(f"{box.input_value()} Bye, Bob")
    staff.get_by_role("button", name="Send").click()
    expect(said_by(shop, "staff")).to_contain_text("Bye, Bob")
    expect(staff.locator("#suggested")).to_have_count(0)

    # What was typed meanwhile stays until staff take the draft instead.
    box.fill("My own words")
    staff.get_by_role("button", name="Suggest a reply").click()
    expect(box).to_have_value("My own words")
    staff.get_by_role("button", name="Use it instead").click()
    expect(box).not_to_have_value("My own words")
    expect(box).to_be_focused()
    assert visits.faults == []
