"""A customer who is too quick loses no word: what was refused waits in the chat and goes out by itself, in order."""

import json
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visits, said_by, send
from tests.process import DeskProcess

pytestmark = pytest.mark.browser
WAIT = 60


def refuse(route: Route, detail: str) -> None:
    body = json.dumps({"code": "slow_down", "detail": detail})
    route.fulfill(status=429, headers={"Retry-After": str(WAIT)}, content_type="application/json", body=body)


def wait_until(page: Page, holds: Callable[[], object], seconds: float = 30.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        page.wait_for_timeout(50)


def test_messages_that_came_too_quickly_go_out_by_themselves_in_order(desk: DeskProcess, visits: Visits) -> None:
    page = visits.tab(visits.context())
    page.clock.install()
    page.goto(desk.url)
    page.click("[data-act=open]")
    held: list[Route] = []
    tried: list[str] = []

    def answer(route: Route) -> None:
        tried.append(route.request.post_data_json["text"])
        if len(tried) == 1:
            held.append(route)
        elif len(tried) < 4:
            refuse(route, "There were too many messages in this chat.")
        else:
            route.continue_()

    kept = page.get_by_text("Kept here, sent in a moment")
    page.route("**/messages/", answer)
    send(page, "first")
    expect(said_by(page, "customer")).to_have_count(1)
    send(page, "second")
    expect(said_by(page, "customer")).to_have_count(2)
    wait_until(page, lambda: held)
    refuse(held[0], "There were too many messages in this chat.")
    expect(kept).to_have_count(2)
    expect(page.get_by_text("Your message goes out by itself in")).to_be_visible()
    # The box waits too; what is typed in it stays.
    page.locator("[data-act=text]").fill("third")
    page.locator("[data-act=text]").press("Enter")
    page.clock.fast_forward(WAIT * 1_000)
    wait_until(page, lambda: len(tried) == 3)
    # Refused once more: the second does not overtake it.
    expect(kept).to_have_count(2)
    page.clock.fast_forward(WAIT * 1_000)
    expect(kept).to_have_count(0)
    wait_until(page, lambda: len(tried) == 5)
    assert tried == ["first", "second", "first", "first", "second"]
    expect(said_by(page, "customer")).to_have_text(["first", "second"])
    expect(page.locator("[data-act=text]")).to_have_value("third")
    expect(page.get_by_text("Your message goes out by itself in")).to_be_hidden()


def test_a_person_asked_for_too_quickly_can_be_asked_for_again(desk: DeskProcess, visits: Visits) -> None:
    page = visits.chat(desk)
    detail = "There were too many messages from your network."
    page.route("**/handoff/", lambda route: refuse(route, detail), times=1)
    page.locator("[data-act=handoff]").click()
    expect(page.get_by_text(detail)).to_be_visible()
    page.locator("[data-act=handoff]").click()
    expect(page.get_by_text("Person asked for")).to_be_visible()
