"""The chat's line to the desk: what is drawn from each frame, and what happens where the line is poor.

The socket's other end is played here, frame by frame; what goes over HTTP is answered by the real desk.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.conftest import Visits, said_by, send
from tests.process import DeskProcess, Visitor

pytestmark = pytest.mark.browser
AT = "2026-01-05T10:00:00+00:00"
LATE = "2999-01-05T10:15:00+00:00"
CARD = {"currency": "USD", "irreversible": False, "expires_at": LATE}
KETTLE = {"label": "Kettle", "detail": "0.9 l → 1.2 l", "amount": "12.50"}
ADDRESS = {"label": "New address", "detail": "4 Mill Lane, Duluth, MN 55802, USA"}
# action, title, amount, lines; then the yes button, the row of money, the receipt's title and its row of money
WORDS = [
    (
        ("cancel_pending_order", "Cancel order #W1", "1284.50", [KETTLE | {"amount": "1284.50"}]),
        ("Yes, cancel and get $1,284.50", "You get back$1,284.50", "Order cancelled", "You get back$1,284.50"),
    ),
    (
        ("return_delivered_order_items", "Return 1 item of order #W1", "12.50", [KETTLE]),
        ("Yes, return and get $12.50", "You get back$12.50", "Return requested", "You will get back$12.50"),
    ),
    (
        ("exchange_delivered_order_items", "Exchange 1 item of order #W1", "-1012.50", [KETTLE]),
        ("Yes, exchange and pay $1,012.50", "You pay$1,012.50", "Exchange requested", "You will pay$1,012.50"),
    ),
    (
        ("exchange_delivered_order_items", "Exchange 1 item of order #W1", "0.00", [KETTLE | {"amount": "0.00"}]),
        ("Yes, exchange them", "", "Exchange requested", ""),
    ),
    (
        ("modify_pending_order_items", "Change 1 item of order #W1", "-12.50", [KETTLE]),
        ("Yes, change and pay $12.50", "You pay$12.50", "Items changed", "You paid$12.50"),
    ),
    (
        ("modify_pending_order_payment", "Pay order #W1 with another method", "0.00", [KETTLE]),
        ("Yes, change the payment", "", "Payment changed", ""),
    ),
    (
        ("modify_pending_order_address", "Send order #W1 to another address", "0.00", [ADDRESS]),
        ("Yes, send it there", "", "Address changed", ""),
    ),
    (
        ("modify_user_address", "Change your default address", "0.00", [ADDRESS]),
        ("Yes, change the address", "", "Address changed", ""),
    ),
]


@dataclass
class Line:
    """The desk's end of a page's sockets. `after`: from where each hello asked."""

    page: Page
    opened: list[WebSocketRoute] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    pings: int = 0
    seq: int = 0

    def answer(self, socket: WebSocketRoute) -> None:
        self.opened.append(socket)
        socket.on_message(lambda text: self._hear(json.loads(text)))

    def _hear(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "hello":
            self.after.append(frame["after"])
            self.frame(type="ready", state="open", last_seq=self.seq)
        self.pings += frame["type"] == "ping"

    def frame(self, **frame: Any) -> None:
        self.opened[-1].send(json.dumps(frame))

    def event(self, kind: str, **body: Any) -> None:
        self.seq += 1
        self.frame(type="event", event={"seq": self.seq, "at": AT, "kind": kind, **body})

    def agent_says(self, text: str, turn: int) -> None:
        self.event("message", role="agent", text=text, turn=turn, citations=[])

    def delta(self, turn: int, offset: int, text: str) -> None:
        self.frame(type="delta", turn=turn, offset=offset, text=text)

    def wait_for(self, hellos: int) -> None:
        for _ in range(200):
            if len(self.after) >= hellos:
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{len(self.after)} of {hellos} hellos")


def new_tab(visits: Visits, visitor: Visitor) -> Page:
    """A tab that has the visitor's conversation; nothing is opened yet."""
    kept = json.dumps({"id": visitor.url.rstrip("/").rsplit("/", 1)[1], "token": visitor.token})
    page = visits.tab(visits.context())
    page.add_init_script(f"localStorage.setItem('desk.conversation', '{kept}')")
    return page


def open_chat(page: Page, desk: DeskProcess) -> None:
    page.goto(desk.url)
    page.click("[data-act=open]")


@pytest.fixture
def line(desk: DeskProcess, visits: Visits) -> Iterator[Line]:
    """A chat that is open and has said hello; no script error may come."""
    page = new_tab(visits, Visitor(desk))
    played = Line(page)
    page.clock.install()
    page.route_web_socket("**/ws/v1/**", played.answer)
    open_chat(page, desk)
    played.wait_for(1)
    yield played
    assert visits.faults == []


def test_an_answer_shows_the_articles_it_rests_on(line: Line, desk: DeskProcess) -> None:
    title = "Gift <b>cards</b>"
    source = {"n": 7, "article": "gift-cards", "version": 2, "title": title, "url": "/help/gift-cards/#h-cash"}
    line.event("message", role="agent", text="They do not expire [7].", turn=7, citations=[source])
    line.agent_says("Anything else?", 8)

    sources = line.page.locator(".da-sources a")
    expect(sources).to_have_count(1)
    expect(sources).to_have_text(f"7{title}")
    expect(sources).to_have_attribute("href", f"{desk.url}/help/gift-cards/#h-cash")
    expect(line.page.locator("[data-role=agent]").first).to_have_text("They do not expire [7].")


def test_a_preview_goes_on_only_where_it_left_off(line: Line) -> None:
    preview = line.page.locator("[data-kind=preview]")
    line.delta(7, 0, "Let me 🧶")
    line.delta(7, 8, " look.")
    expect(preview).to_have_text("Let me 🧶 look.")
    line.delta(7, 20, "lost the middle")
    line.delta(8, 14, "of another turn")
    line.delta(7, 14, " Yes.")
    expect(preview).to_have_text("Let me 🧶 look. Yes.")
    line.delta(7, 0, "Found ")
    expect(preview).to_have_text("Found")
    line.delta(7, 6, "it.")
    expect(preview).to_have_text("Found it.")
    line.agent_says("Found it, for good.", turn=7)
    expect(said_by(line.page, "agent")).to_have_text("Found it, for good.")
    line.delta(7, 0, "too late")
    line.agent_says("Next.", turn=9)
    expect(said_by(line.page, "agent")).to_have_count(2)
    expect(preview).to_have_count(0)


@pytest.mark.parametrize("end", ["card", "person", "closed", "silence"])
def test_a_preview_goes_when_something_else_comes(line: Line, end: str) -> None:
    preview = line.page.locator("[data-kind=preview]")
    line.delta(7, 0, "I will")
    expect(preview).to_be_visible()
    if end == "card":
        line.event(
            "request", request_id="r", action="x", title="Do it", lines=[], amount="0.00", destination="", **CARD
        )
    elif end == "silence":
        line.page.clock.fast_forward(15_000)
    else:
        line.event("state", state="with_person" if end == "person" else "closed")
    expect(preview).to_have_count(0)


def test_dots_say_after_a_while_what_takes_so_long_and_end_in_time(line: Line) -> None:
    dots = line.page.locator(".da-typing")
    line.frame(type="typing", seconds=30)
    expect(dots).to_have_text("The assistant is writing")
    line.page.clock.fast_forward(4_000)
    expect(dots).to_have_text("Looking that up")
    line.page.clock.fast_forward(26_000)
    expect(dots).to_have_count(0)
    line.frame(type="typing", seconds=30)
    expect(dots).to_be_visible()
    line.agent_says("There.", turn=1)
    expect(dots).to_have_count(0)


def test_cards_and_receipts_name_the_act_and_who_pays(line: Line) -> None:
    page = line.page
    for (action, title, amount, lines), (yes, money, receipt, received) in WORDS:
        said = {"action": action, "amount": amount, "destination": "Visa ending 4417", "lines": lines}
        line.event("request", request_id=f"r{line.seq}", title=title, **said, **CARD)
        card = page.locator("[data-kind=request]")
        expect(card.locator("[data-act=yes]")).to_have_text(yes)
        expect(card.locator("li")).to_contain_text(lines[0]["detail"])
        expect(card.locator(".sum")).to_have_count(1 if money else 0)
        expect(card).to_contain_text(money)
        line.event("request_closed", request_id=f"r{line.seq - 1}", outcome="granted")
        line.event("receipt", order_id="#W1", status="done", currency="USD", **said)
        shown = page.locator("[data-kind=receipt]").last
        expect(shown.locator("h3")).to_have_text(f"Receipt: {receipt}")
        expect(shown).to_contain_text(received)
        assert ("Visa" in (shown.text_content() or "")) == bool(money)


def test_a_line_that_stays_silent_is_given_up_and_taken_up_where_it_ended(line: Line) -> None:
    line.agent_says("Hello.", turn=1)
    expect(said_by(line.page, "agent")).to_have_count(1)
    line.page.clock.fast_forward(20_000)
    line.page.wait_for_timeout(100)
    assert line.pings == 1
    line.page.clock.fast_forward(10_000)
    line.page.clock.run_for(1_000)
    line.wait_for(2)
    assert line.after == [0, 1]
    expect(line.page.get_by_text("No connection")).to_be_hidden()


def test_a_lost_event_is_read_again(desk: DeskProcess, visits: Visits) -> None:
    visitor = Visitor(desk)
    page = new_tab(visits, visitor)
    line = Line(page)
    page.route_web_socket("**/ws/v1/**", line.answer)
    open_chat(page, desk)
    line.wait_for(1)
    visitor.call("messages/", {"client_id": "a", "text": "Hello"})
    told = visitor.wait_for("message", 2)
    line.frame(type="event", event=told[-1])
    expect(page.locator("[data-kind=message]")).to_have_text([event["text"] for event in told])
    line.frame(type="event", event=told[0])
    line.frame(type="event", event=told[-1])
    page.wait_for_timeout(200)
    expect(page.locator("[data-kind=message]")).to_have_count(2)
    assert visits.faults == []


def test_a_message_whose_answer_was_lost_stands_there_once(desk: DeskProcess, visits: Visits) -> None:
    page = new_tab(visits, Visitor(desk))
    stored: list[int] = []

    def lose(route: Route) -> None:
        stored.append(route.fetch().status)
        expect(said_by(page, "agent")).to_have_count(len(stored))
        route.abort()

    page.route("**/messages/", lose)
    open_chat(page, desk)
    send(page, "Hello")
    expect(said_by(page, "agent")).to_have_count(1)
    page.wait_for_timeout(200)
    expect(said_by(page, "customer")).to_have_text(["Hello"])
    expect(page.locator("[data-act=resend]")).to_have_count(0)
    assert stored == [202]


def test_where_sockets_are_blocked_the_chat_goes_on_over_http_and_comes_back(desk: DeskProcess, visits: Visits) -> None:
    page = new_tab(visits, Visitor(desk))
    line = Line(page)
    blocked: list[bool] = []

    def answer(socket: WebSocketRoute) -> None:
        if len(blocked) < 2:
            blocked.append(True)
            socket.close()
        else:
            line.answer(socket)

    page.route_web_socket("**/ws/v1/**", answer)
    page.clock.install()
    open_chat(page, desk)
    send(page, "Hello over HTTP")
    page.clock.run_for(3_000)
    expect(said_by(page, "agent")).to_have_count(1)
    expect(page.get_by_text("No connection")).to_be_hidden()
    assert len(blocked) == 2
    line.seq = 2
    page.clock.fast_forward(60_000)
    send(page, "And again")
    line.wait_for(1)
    assert line.after[0] >= 2
    assert visits.faults == []


def test_a_merchant_sets_colour_mark_and_name_and_nothing_else(desk: DeskProcess, visits: Visits) -> None:
    page = visits.tab(visits.context())

    def brand(route: Route) -> None:
        answer = route.fetch()
        wanted = f'<desk-chat data-api="{desk.url}" data-accent="#ffc72c" data-mark="Öx<b>" data-shop="Å & <i>Co</i>"'
        route.fulfill(response=answer, body=re.sub(r"<desk-chat data-shop=\S+", wanted, answer.text()))

    page.route(f"{desk.url}/", brand)
    open_chat(page, desk)
    expect(page.locator(".da-mark")).to_have_text("Öx")
    expect(page.locator(".da-title")).to_have_text("Å & <i>Co</i>")
    # The colour stays; what is written on it turns dark, so that it can be read.
    expect(page.locator(".da-mark")).to_have_css("background-color", "rgb(255, 199, 44)")
    expect(page.locator(".da-mark")).to_have_css("color", "rgb(20, 25, 29)")
    expect(page.locator("desk-chat")).not_to_have_attribute("style", re.compile("."))
    assert visits.faults == []
