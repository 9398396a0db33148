"""A real Chromium, and pages that tell what went wrong in them."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from tests.process import PASSWORD, DeskProcess, make_desk

CHROMIUM = "/usr/bin/chromium"
# Two desks and two browsers share the machine's cores; what is wrong stays wrong for this long too.
expect.set_options(timeout=15_000)
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"]


# Not of the session: Playwright's loop counts as running for as long as it lives, and other tests need their own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    assert shutil.which("chromium"), "install Debian's package chromium"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="package")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskProcess]:
    """The demo shop with the offline model."""
    running = make_desk(tmp_path_factory.mktemp("desk")).prepare().start()
    yield running
    running.stop()


@pytest.fixture
def visits(browser: Browser) -> Iterator["Visits"]:
    """Opens pages; they are closed with the test."""
    opened = Visits(browser)
    yield opened
    for context in opened.contexts:
        context.close()


@dataclass
class Visits:
    """Visitors' pages. `faults`: script errors, refused resources and dialogs; `requests`: every address asked for."""

    browser: Browser
    contexts: list[BrowserContext] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def context(self, width: int = 1440, height: int = 900) -> BrowserContext:
        """A browser of a new visitor."""
        context = self.browser.new_context(viewport={"width": width, "height": height})
        self.contexts.append(context)
        return context

    def tab(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        page.on("dialog", lambda dialog: (self.faults.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("websocket", lambda socket: self.requests.append(socket.url))
        return page

    def open(self, url: str) -> Page:
        page = self.tab(self.context())
        page.goto(url)
        return page

    def chat(self, desk: DeskProcess, context: BrowserContext | None = None) -> Page:
        """The shop's page with the chat open."""
        page = self.tab(context or self.context())
        page.goto(desk.url)
        page.click("[data-act=open]")
        return page

    def sign_in(self, desk: DeskProcess, name: str = "bob") -> Page:
        staff = self.open(f"{desk.url}/admin/")
        staff.fill("#id_username", name)
        staff.fill("#id_password", PASSWORD)
        staff.click("input[type=submit]")
        return staff


def send(page: Page, text: str) -> None:
    page.locator("[data-act=text]").fill(text)
    page.locator("[data-act=send]").click()


def said_by(page: Page, role: str) -> Locator:
    return page.locator(f"[data-kind=message][data-role={role}]")
