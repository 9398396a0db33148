"""The first landing's promise in a real browser: a small and a large cancellation, as customer and as staff."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.factories import LARGE, NORA_EMAIL, SMALL
from tests.process import PASSWORD, DeskProcess

pytestmark = pytest.mark.browser
CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskProcess]:
    running = DeskProcess(tmp_path_factory.mktemp("desk")).prepare().start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert shutil.which("chromium"), "install Debian's package chromium"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def faults() -> list[str]:
    return []


def open_page(browser: Browser, faults: list[str], url: str) -> Page:
    """A page of a new visitor; script errors, refused resources and dialogs are collected."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("dialog", lambda dialog: (faults.append(dialog.message), dialog.dismiss()))
    page.goto(url)
    return page


def send(page: Page, text: str) -> None:
    page.locator("[data-act=text]").fill(text)
    page.locator("[data-act=send]").click()


def sign_in(browser: Browser, faults: list[str], desk: DeskProcess) -> Page:
    staff = open_page(browser, faults, f"{desk.url}/admin/")
    staff.fill("#id_username", "bob")
    staff.fill("#id_password", PASSWORD)
    staff.click("input[type=submit]")
    return staff


def test_a_customer_cancels_one_order_at_once_and_a_large_one_after_approval(
    desk: DeskProcess, browser: Browser, faults: list[str], tmp_path: Path
) -> None:
    shop = open_page(browser, faults, desk.url)
    shop.click("[data-act=open]")
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

    staff = sign_in(browser, faults, desk)
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
    assert faults == []


def test_reload_and_a_second_tab_show_the_same_chat(desk: DeskProcess, browser: Browser, faults: list[str]) -> None:
    page = open_page(browser, faults, desk.url)
    page.click("[data-act=open]")
    send(page, "Hello there <img src=x onerror=alert(1)>")
    expect(page.locator("[data-kind=message][data-role=agent]")).to_have_count(1)
    page.reload()
    page.click("[data-act=open]")
    expect(page.locator("[data-kind=message]")).to_have_count(2)
    expect(page.locator("[data-role=customer]")).to_contain_text("<img src=x onerror=alert(1)>")
    second = page.context.new_page()
    second.goto(desk.url)
    second.click("[data-act=open]")
    expect(second.locator("[data-kind=message]")).to_have_count(2)
    assert faults == []


def test_a_person_takes_over_replies_and_hands_back(desk: DeskProcess, browser: Browser, faults: list[str]) -> None:
    shop = open_page(browser, faults, desk.url)
    shop.click("[data-act=open]")
    shop.click("[data-act=handoff]")
    expect(shop.locator("[data-act=handoff]")).to_have_text("Person asked for")
    staff = sign_in(browser, faults, desk)
    staff.goto(f"{desk.url}/admin/conversations/conversation/")
    staff.locator("#result_list tbody a").first.click()
    staff.get_by_role("button", name="Take over").click()
    staff.locator("textarea").first.fill("Hello, this is Bob.")
    staff.get_by_role("button", name="Send").click()
    expect(shop.locator("[data-role=staff]")).to_contain_text("Hello, this is Bob.")
    staff.get_by_role("button", name="Hand back").click()
    expect(shop.locator("[data-role=agent]").last).to_contain_text("I am back in this chat")
    assert faults == []
