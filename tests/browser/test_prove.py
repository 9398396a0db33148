"""The form in the chat by which a customer of a cautious shop proves who they are."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.conftest import Visits, said_by, send
from tests.factories import NORA_EMAIL, OTHER_USER
from tests.process import DeskProcess, make_desk
from tests.proofs import SECRET, other_code, sign
from tests.writes import DELIVERED

pytestmark = pytest.mark.browser
CODE = re.compile(r"^Your code is (\d{6})$", re.MULTILINE)


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mails")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, mails: Path) -> Iterator[DeskProcess]:
    running = make_desk(tmp_path_factory.mktemp("desk"))
    running.env |= {
        "DESKAGENT_POLICY": "cautious",
        "DESKAGENT_IDENTITY_SECRET": SECRET,
        "EMAIL_URL": f"filemail:///{mails}",
    }
    running.prepare().start()
    yield running
    running.stop()


def wait_for_code(page: Page, mails: Path) -> str:
    """The code of the one mail that comes; the desk sends it on its own."""
    for _ in range(100):
        found = [code for file in mails.iterdir() for code in CODE.findall(file.read_text())]
        if found:
            return str(found[-1])
        page.wait_for_timeout(100)
    raise AssertionError("no mail came")


Held = list[tuple[Route, APIResponse]]


def hold(page: Page, address: str) -> Held:
    """The next answer of `address` goes no further until it is released."""
    held: Held = []
    # Not `times=1`: Playwright lets go of what is held with the last route.
    page.route(address, lambda route: route.continue_() if held else held.append((route, route.fetch())))
    return held


def release(held: Held) -> None:
    ((route, answer),) = held
    route.fulfill(response=answer)


def test_a_customer_proves_who_they_are_in_the_chat_and_the_agent_goes_on(
    desk: DeskProcess, visits: Visits, mails: Path
) -> None:
    page = visits.chat(desk)
    form, field = page.locator(".da-prove"), page.locator("[data-act=prove-field]")
    expect(form).to_be_hidden()
    send(page, f"Where is my order {DELIVERED}? I'm {NORA_EMAIL}")
    expect(form).to_be_visible()
    field.fill(NORA_EMAIL)
    page.keyboard.press("Enter")
    expect(page.get_by_label("The six digits from the mail")).to_be_visible()
    code = wait_for_code(page, mails)

    field.fill(other_code(code))
    page.locator("[data-act=prove]").click()
    expect(said_by(page, "system").last).to_contain_text("wrong or no longer valid")
    expect(form).to_be_visible()
    expect(field).to_have_value("")

    # The line in the chat may be there before the answer is, and answers may overtake each other.
    answers, standings = hold(page, "**/identity/"), hold(page, "**/api/v1/conversations/*/")
    field.fill(other_code(code))
    page.locator("[data-act=prove]").click()
    expect(said_by(page, "system").filter(has_text="wrong or no longer valid")).to_have_count(2)
    field.fill(code)
    release(answers)
    expect(page.locator("[data-act=prove]")).to_be_enabled()
    expect(field).to_have_value(code)
    page.locator("[data-act=prove]").click()

    expect(form).to_be_hidden()
    release(standings)
    page.wait_for_timeout(300)
    expect(form).to_be_hidden()
    expect(said_by(page, "agent").last).to_contain_text("delivered")
    assert code not in page.locator(".da-log").inner_text()
    assert visits.faults == []


def test_a_customer_who_is_signed_in_at_the_shop_sees_no_form(desk: DeskProcess, visits: Visits) -> None:
    page = visits.chat(desk)
    page.evaluate("token => { document.querySelector('desk-chat').dataset.identity = token }", sign())
    send(page, f"Where is my order {DELIVERED}?")
    expect(said_by(page, "agent").last).to_contain_text("delivered")
    expect(page.locator(".da-prove")).to_be_hidden()
    assert visits.faults == []


def test_a_bad_identity_opens_no_chat_and_the_text_stays(desk: DeskProcess, visits: Visits) -> None:
    page = visits.chat(desk)
    page.evaluate("token => { document.querySelector('desk-chat').dataset.identity = token }", sign(lives=-60))
    send(page, "Where is my order?")
    expect(page.get_by_role("alert").filter(has_text="not accepted")).to_be_visible()
    assert page.evaluate("localStorage.getItem('desk.conversation')") is None
    page.evaluate("token => { document.querySelector('desk-chat').dataset.identity = token }", sign(sub=OTHER_USER))
    send(page, "Hello")
    expect(said_by(page, "agent").last).to_contain_text("Hello")
