"""Customers and staff who do not give up: what failed on the way is sent again, as the widget and a browser would."""

import threading
import time
from typing import Any

import httpx2

from tests.kills.shop import email_of, number_of
from tests.process import PASSWORD

PATIENCE_SECONDS = 150
# Half of what a test like this costs is customers who look for news.
LOOK_EVERY = 1.0


class GaveUp(AssertionError):
    """Nothing came within a customer's patience."""


class Caller:
    """One browser: keeps its cookies, and tries again while the desk is away."""

    def __init__(self, url: str) -> None:
        self.http = httpx2.Client(base_url=url, timeout=40)
        self.until = time.monotonic() + PATIENCE_SECONDS

    def call(self, method: str, path: str, **request: Any) -> httpx2.Response:
        while time.monotonic() < self.until:
            try:
                answer = self.http.request(method, path, **request)
            except httpx2.HTTPError:
                answer = None
            if answer is not None and answer.status_code < 500:
                return answer
            time.sleep(0.2)
        raise GaveUp(f"{method} {path}")


class Customer(threading.Thread):
    """Asks for one order to be cancelled, says yes to the card, and waits for receipt and reply."""

    def __init__(self, url: str, number: int, staff: "Staff | None" = None) -> None:
        super().__init__(daemon=True)
        self.caller, self.number, self.staff = Caller(url), number, staff
        self.id = self.token = ""
        self.began_at = self.finished_at = 0.0
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            self.began_at = time.monotonic()
            self.cancel_order()
            self.finished_at = time.monotonic()
        except (GaveUp, AssertionError, KeyError) as failure:
            self.failure = failure
        finally:
            self.caller.http.close()

    def cancel_order(self) -> None:
        card = self.open_card()
        self.answer(card, "yes")
        if self.staff is not None:
            self.staff.approve(card["request_id"])
        self.wait_for_end()

    def open_card(self) -> dict[str, Any]:
        number, email = number_of(self.number), email_of(self.number)
        self.say(f"Please cancel order {number}, I don't need it anymore. My e-mail is {email}")
        return self.wait_for("request")

    def say(self, words: str) -> None:
        if not self.id:
            started = self.caller.call("POST", "/api/v1/conversations/", json={}).json()
            self.id, self.token = started["id"], started["token"]
        sent = self.post("messages", {"client_id": "1", "text": words})
        assert sent.status_code in (200, 202), sent.text

    def answer(self, card: dict[str, Any], answer: str) -> None:
        said = self.post("answers", {"request_id": card["request_id"], "answer": answer})
        # Not open: the answer was committed before the word of it got lost.
        assert said.status_code in (202, 409), said.text

    def wait_for_end(self) -> None:
        """The receipt that says done, and the agent's words after it."""
        receipt = self.wait_for("receipt", status="done")
        self.wait_for("message", after=receipt["seq"])

    def post(self, path: str, body: dict[str, Any]) -> httpx2.Response:
        return self.caller.call("POST", f"/api/v1/conversations/{self.id}/{path}/", json=body, headers=self.headers)

    def wait_for(self, kind: str, after: int = 0, status: str = "") -> dict[str, Any]:
        while time.monotonic() < self.caller.until:
            path = f"/api/v1/conversations/{self.id}/events/?after={after}&wait=0"
            events = self.caller.call("GET", path, headers=self.headers).json()["events"]
            for event in events:
                if (
                    event["kind"] == kind
                    and event.get("role", "agent") == "agent"
                    and status in ("", event.get("status"))
                ):
                    return dict(event)
            time.sleep(LOOK_EVERY)
        raise GaveUp(f"no {kind}")

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


class Staff:
    """Bob, signed in once, who approves what he is asked to."""

    def __init__(self, url: str) -> None:
        self.url = url
        with httpx2.Client(base_url=url, timeout=40) as http:
            http.get("/admin/login/")
            form = {"username": "bob", "password": PASSWORD, "csrfmiddlewaretoken": http.cookies["csrftoken"]}
            assert http.post("/admin/login/", data=form).status_code == 302
            self.cookies = dict(http.cookies)

    def approve(self, request_id: str) -> None:
        caller = Caller(self.url)
        caller.http.cookies.update(self.cookies)
        with caller.http:
            decided = self._decide(caller, request_id)
        assert decided.status_code in (200, 409), decided.text

    def _decide(self, caller: Caller, request_id: str) -> httpx2.Response:
        return caller.call(
            "POST",
            f"/api/v1/staff/requests/{request_id}/decision/",
            json={"decision": "approve", "note": ""},
            headers={"X-CSRFToken": self.cookies["csrftoken"]},
        )
