"""What the customer sees is what is stored: through streaming, cuts, a second tab and a restart of the desk."""

import json
import random
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from conversations.fake_anthropic import FakeAnthropic
from tests.browser.conftest import Visits, said_by, send
from tests.browser.played_shop import DELIVERED, LONG, MARKUP, SCRIPT, with_hostile_names
from tests.factories import LARGE, NORA_EMAIL, OTHER_EMAIL, OTHERS, SMALL
from tests.process import DeskProcess, make_desk

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def model() -> Iterator[FakeAnthropic]:
    with FakeAnthropic(SCRIPT) as running:
        yield running


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, model: FakeAnthropic) -> Iterator[DeskProcess]:
    folder = tmp_path_factory.mktemp("desk")
    running = make_desk(folder)
    running.env |= {
        "DESKAGENT_MODEL": "claude-test",
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "test",
    }
    running.prepare()
    running.manage("load_store", str(with_hostile_names(folder / "shop")), "--replace")
    running.start()
    yield running
    running.stop()


def kept_by(page: Page) -> dict[str, str]:
    kept: dict[str, str] = page.evaluate("JSON.parse(localStorage.getItem('desk.conversation'))")
    return kept


def call(desk: DeskProcess, page: Page, path: str, body: dict[str, Any] | None = None) -> Any:
    """The page's own conversation through the API, past the page."""
    kept = kept_by(page)
    request = urllib.request.Request(
        f"{desk.url}/api/v1/conversations/{kept['id']}/{path}",
        data=json.dumps(body).encode() if body else None,
        headers={"Authorization": f"Bearer {kept['token']}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def stored_texts(desk: DeskProcess, page: Page) -> list[tuple[str, str]]:
    events = call(desk, page, "events/?after=0")["events"]
    return [(event["role"], event["text"]) for event in events if event["kind"] == "message"]


def shown_texts(page: Page) -> list[tuple[str, str]]:
    found = page.locator("[data-kind=message]").evaluate_all("all => all.map(n => [n.dataset.role, n.textContent])")
    return [(role, text) for role, text in found]


def wait_until_same(desk: DeskProcess, page: Page, count: int, seconds: float = 30.0) -> None:
    """Every stored text on the screen, letter for letter, in order, once; `count` of them."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        stored = stored_texts(desk, page)
        if len(stored) >= count and shown_texts(page) == stored:
            break
        page.wait_for_timeout(100)
    assert shown_texts(page) == stored_texts(desk, page)
    assert len(shown_texts(page)) == count


def wait_until_quiet(desk: DeskProcess, page: Page) -> None:
    """Two seconds without an event: nobody is answering any more."""
    last = 0
    while events := call(desk, page, f"events/?after={last}&wait=2")["events"]:
        last = events[-1]["seq"]


WATCH_PREVIEWS = """chat => {
  const log = chat.shadowRoot.querySelector(".da-log");
  window.previews = [];
  new MutationObserver(() => {
    const preview = log.querySelector("[data-kind=preview]");
    if (preview) window.previews.push([preview.getAttribute("aria-hidden"), preview.textContent]);
  }).observe(log, { subtree: true, childList: true, characterData: true });
}"""


def test_the_answer_streams_as_a_preview_and_then_stands_exactly_as_it_is_stored(
    desk: DeskProcess, visits: Visits
) -> None:
    page = visits.chat(desk)
    page.locator("desk-chat").evaluate(WATCH_PREVIEWS)
    send(page, "Please stream it")
    expect(said_by(page, "agent")).to_have_count(1)
    assert said_by(page, "agent").evaluate("node => node.textContent") == LONG
    assert said_by(page, "agent").evaluate("node => node.childElementCount") == 0
    previews = page.evaluate("window.previews")
    assert len(previews) >= 2
    assert all(hidden == "true" and LONG.startswith(text) for hidden, text in previews)
    assert previews[0][1] != LONG
    expect(page.locator("[data-kind=preview]")).to_have_count(0)
    expect(page.locator(".da-typing")).to_have_count(0)
    assert visits.faults == []


def test_twenty_cuts_lose_and_double_nothing(desk: DeskProcess, visits: Visits) -> None:
    dice = random.Random(20)
    page = visits.chat(desk)
    sent = 0
    for cut in range(20):
        if cut % 2 == 0:
            send(page, f"Message {sent}, during the cuts")
            sent += 1
        page.wait_for_timeout(dice.randint(0, 250))
        page.context.set_offline(True)
        if cut % 6 == 3:
            send(page, f"Message {sent}, written without a network")
            sent += 1
        page.wait_for_timeout(dice.randint(20, 500))
        page.context.set_offline(False)
        page.wait_for_timeout(dice.randint(0, 400))
    expect(page.locator("[data-status=kept], [data-status=failed], [data-status=sending]")).to_have_count(0)
    customers = [text for role, text in stored_texts(desk, page) if role == "customer"]
    assert sorted(customers) == sorted(set(customers))
    assert len(customers) == sent == 13
    wait_until_quiet(desk, page)
    wait_until_same(desk, page, len(stored_texts(desk, page)))


def test_two_tabs_show_one_chat_once(desk: DeskProcess, visits: Visits) -> None:
    first = visits.chat(desk)
    send(first, "From the first tab")
    expect(said_by(first, "agent")).to_have_count(1)
    second = visits.chat(desk, first.context)
    wait_until_same(desk, second, 2)
    send(second, "From the second tab")
    wait_until_same(desk, first, 4)
    wait_until_same(desk, second, 4)
    assert visits.faults == []


def test_a_restarted_desk_is_found_again_with_everything_said_since(desk: DeskProcess, visits: Visits) -> None:
    page = visits.chat(desk)
    send(page, "Before the restart")
    expect(said_by(page, "agent")).to_have_count(1)
    wait_until_same(desk, page, 2)
    desk.stop()
    expect(page.get_by_text("No connection. Trying again in")).to_be_visible()
    send(page, "Written while the desk was away")
    expect(page.get_by_text("Kept here, sent when you’re back online")).to_be_visible()
    desk.start()
    call(desk, page, "messages/", {"client_id": "phone", "text": "From another device"})
    # The longest pause between two tries is shorter than this.
    expect(page.get_by_text("From another device")).to_be_visible(timeout=15_000)
    expect(page.get_by_text("No connection")).to_be_hidden()
    expect(page.locator("[data-status=kept]")).to_have_count(0)
    wait_until_quiet(desk, page)
    wait_until_same(desk, page, len(stored_texts(desk, page)))
    assert [text for role, text in shown_texts(page) if role == "customer"].count(
        "Written while the desk was away"
    ) == 1


def test_a_typed_yes_counts_like_the_button(desk: DeskProcess, visits: Visits) -> None:
    page = visits.chat(desk)
    send(page, f"I want the other kettle in {SMALL}. {NORA_EMAIL}")
    card = page.locator("[data-kind=request]")
    expect(card).to_contain_text("→")
    expect(card.locator(".da-facts")).to_contain_text("You pay$12.50")
    expect(card.locator("[data-act=yes]")).to_have_text("Yes, change and pay $12.50")
    send(page, "yes")
    receipt = page.locator("[data-kind=receipt]")
    expect(receipt).to_contain_text("Items changed")
    expect(receipt).to_contain_text("You paid$12.50")
    expect(page.locator("[data-kind=request_closed]")).to_contain_text("You said yes")
    expect(said_by(page, "agent").last).to_have_text("The kettle is changed.")
    assert visits.faults == []


def test_a_return_shows_its_items_and_what_comes_back(desk: DeskProcess, visits: Visits) -> None:
    page = visits.chat(desk)
    send(page, f"I send back the lamp and the backpack of {DELIVERED}. {NORA_EMAIL}")
    card = page.locator("[data-kind=request]")
    expect(card.locator("li")).to_have_count(2)
    expect(card.locator("li").nth(0)).to_contain_text("$96.00")
    expect(card.locator("[data-act=yes]")).to_have_text("Yes, return and get $214.00")
    page.locator("[data-act=yes]").click()
    receipt = page.locator("[data-kind=receipt]")
    expect(receipt.locator("h3")).to_contain_text("Return requested")
    expect(receipt).to_contain_text("You will get back$214.00")
    expect(receipt).to_contain_text("Canvas Backpack")
    assert (
        page.evaluate("document.querySelector('desk-chat').shadowRoot.activeElement.dataset.kind") == "request_closed"
    )
    expect(said_by(page, "agent").last).to_have_text("Both are registered.")
    assert visits.faults == []


def test_an_address_change_speaks_of_no_money(desk: DeskProcess, visits: Visits) -> None:
    page = visits.chat(desk)
    send(page, f"Send {LARGE} to the other address please. {NORA_EMAIL}")
    card = page.locator("[data-kind=request]")
    expect(card).to_contain_text("4 Mill Lane, Duluth, MN 55802, USA")
    expect(card).to_contain_text("18 Tannery Row")
    expect(card).not_to_contain_text("$")
    expect(card.locator(".da-facts")).to_have_count(0)
    expect(card.locator("[data-act=yes]")).to_have_text("Yes, send it there")
    card.locator("[data-act=yes]").click()
    receipt = page.locator("[data-kind=receipt]")
    expect(receipt.locator("h3")).to_contain_text("Address changed")
    expect(receipt).not_to_contain_text("$")
    assert visits.faults == []


def test_hostile_names_stay_text_and_nothing_leaves_the_origin(desk: DeskProcess, visits: Visits) -> None:
    page = visits.chat(desk)
    send(page, f"hostile: cancel {OTHERS}. {OTHER_EMAIL} {MARKUP}")
    card = page.locator("[data-kind=request]")
    expect(card).to_contain_text("<script>alert(1)</script><img src=x onerror=alert(1)>")
    expect(card).to_contain_text('"><svg onload=alert(1)>')
    card.locator("[data-act=yes]").click()
    expect(page.locator("[data-kind=receipt]")).to_contain_text("<script>alert(1)</script>")
    expect(said_by(page, "agent").last).to_have_text(f"Cancelled. {MARKUP}")
    page.get_by_text("Demo shop: try it").click()
    expect(page.locator(".da-log").locator("script, img, a, iframe")).to_have_count(0)
    ours = (desk.url, desk.url.replace("http", "ws"))
    assert [url for url in visits.requests if not url.startswith(ours)] == []
    assert any(url.startswith("ws") for url in visits.requests)
    assert visits.faults == []
