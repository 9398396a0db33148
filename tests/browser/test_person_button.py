"""The way to a person is on the screen in every state of the chat, on a wide screen and on the narrowest."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visits, said_by, send
from tests.process import DeskProcess

pytestmark = pytest.mark.browser


def assert_in_reach(page: Page) -> None:
    """Seen, inside the window, and pressed by a pointer without anything over it."""
    button = page.locator("[data-act=handoff]")
    expect(button).to_be_visible()
    expect(button).to_be_enabled()
    expect(button).to_be_in_viewport(ratio=1)
    button.click(trial=True)


# Orders above the limit that no other test of this desk touches: all share one shop.
@pytest.mark.parametrize(
    ("width", "order", "email"),
    [(1440, "#W9264071", "hanna.bui@example.com"), (320, "#W8737968", "ingrid.solheim@example.com")],
)
def test_the_button_is_in_reach_from_the_welcome_to_the_review(
    desk: DeskProcess, visits: Visits, width: int, order: str, email: str
) -> None:
    page = visits.chat(desk, visits.context(width, 640))
    assert_in_reach(page)
    send(page, f"Please cancel order {order}, I ordered it by mistake. I'm {email}")
    expect(page.locator("[data-kind=request]")).to_be_visible()
    assert_in_reach(page)
    page.context.set_offline(True)
    assert_in_reach(page)
    page.context.set_offline(False)
    page.locator("[data-act=yes]").click()
    expect(page.get_by_text("A person has to approve this")).to_be_visible()
    assert_in_reach(page)
    page.reload()
    page.click("[data-act=open]")
    expect(page.get_by_text("A person has to approve this")).to_be_visible()
    assert_in_reach(page)
    page.locator("[data-act=handoff]").click()
    expect(page.locator("[data-act=handoff]")).to_have_text("Person asked for")


def test_in_a_closed_chat_the_button_brings_a_person_back(desk: DeskProcess, visits: Visits) -> None:
    page = visits.chat(desk)
    page.locator("[data-act=handoff]").click()
    expect(page.locator("[data-act=handoff]")).to_have_text("Person asked for")
    staff = visits.sign_in(desk)
    staff.goto(f"{desk.url}/admin/conversations/conversation/")
    staff.locator("#result_list tbody a").first.click()
    staff.get_by_role("button", name="Take over").click()
    staff.get_by_role("button", name=re.compile("^Close")).click()
    expect(said_by(page, "system").last).to_contain_text("closed this chat")
    assert_in_reach(page)
    page.locator("[data-act=handoff]").click()
    expect(page.locator("[data-act=handoff]")).to_have_text("Person asked for")
    assert visits.faults == []
