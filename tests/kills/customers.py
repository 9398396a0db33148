"""Customers and staff who do not give up: what failed on the way is sent again, as the widget and a browser would."""

import threading
import time
from typing import Any

import httpx2

from tests.kills.shop import email_of, number_of
from tests.process import PASSWORD

PATIENCE_SECONDS = 150


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

    def __init__(self, url: str, number: int, staff: "Staff | None") -> None:
        super().__init__(daemon=True)
        self.caller, self.number, self.staff = Caller(url), number, staff
        self.id = self.token = ""
        self.finished_at = 0.0
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            self.cancel_order()
            self.finished_at = time.monotonic()
        except (GaveUp, AssertionError, KeyError) as failure:
            self.failure = failure
        finally:
            self.caller.http.close()

    def cancel_order(self) -> None:
        started = self.caller.call("POST", "/api/v1/conversations/", json={}).json()
        self.id, self.token = started["id"], started["token"]
        number, email = number_of(self.number), email_of(self.number)
        words = f"Please cancel order {number}, I don't need it anymore. My e-mail is {email}"
        sent = self.post("messages", {"client_id": "1", "text": words})
        assert sent.status_code in (200, 202), sent.text
        card = self.wait_for("request")
        said = self.post("answers", {"request_id": card["request_id"], "answer": "yes"})
        # Not open: the yes was committed before the answer got lost.
        assert said.status_code in (202, 409), said.text
        if self.staff is not None:
            self.staff.approve(card["request_id"])
        receipt = self.wait_for("receipt")
        self.wait_for("message", after=receipt["seq"])

    def post(self, path: str, body: dict[str, Any]) -> httpx2.Response:
        return self.caller.call("POST", f"/api/v1/conversations/{self.id}/{path}/", json=body, headers=self.headers)

    def wait_for(self, kind: str, after: int = 0) -> dict[str, Any]:
        while time.monotonic() < self.caller.until:
            path = f"/api/v1/conversations/{self.id}/events/?after={after}&wait=0"
            events = self.caller.call("GET", path, headers=self.headers).json()["events"]
            for event in events:
                if event["kind"] == kind and event.get("role", "agent") == "agent":
                    return dict(event)
            time.sleep(0.3)
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
