"""Plain functions that make what a test needs: a shop, a chat as a customer sees it, and staff."""

import itertools
import uuid
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from conversations import tasks
from conversations.models import Turn
from tests.quick import load_shop as load_shop

# Orders of the demo shop.
NORA_EMAIL = "nora.lindahl@example.com"
SMALL, LARGE = "#W5918442", "#W6120933"
# Pending, 160.00, of another customer: Mallory's target.
OTHERS = "#W8810356"
OTHER_EMAIL = "zoe.marchetti@example.com"
OTHER_USER = "zoe_marchetti_5136"


def run_turns() -> int:
    """Do what the worker does: run every queued turn until none is left; how many ran."""
    ran = 0
    while (turn := Turn.objects.filter(state=Turn.State.QUEUED).order_by("pk").first()) is not None:
        tasks.run_turn(turn_id=turn.pk)
        ran += 1
        turn.refresh_from_db()
        assert turn.state != Turn.State.QUEUED
    return ran


@dataclass
class Chat:
    """A customer in the chat, through the HTTP API alone."""

    client: Client = field(default_factory=Client)
    id: str = ""
    token: str = ""
    _ids: Any = field(default_factory=itertools.count)

    def start(self) -> "Chat":
        answer = self.client.post("/api/v1/conversations/", {}, content_type="application/json")
        assert answer.status_code == 201, answer.content
        self.id, self.token = answer.json()["id"], answer.json()["token"]
        return self

    def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        return self.client.post(
            f"/api/v1/conversations/{self.id}/{path}/",
            body or {},
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.token}"},
        )

    def get(self, path: str = "") -> Any:
        url = f"/api/v1/conversations/{self.id}/{path}"
        return self.client.get(url, headers={"Authorization": f"Bearer {self.token}"})

    def send(self, text: str, *, client_id: str = "") -> Any:
        return self.post("messages", {"client_id": client_id or f"c{next(self._ids)}", "text": text})

    def say(self, text: str) -> None:
        """Send and let the worker answer."""
        answer = self.send(text)
        assert answer.status_code == 202, answer.content
        run_turns()

    def answer(self, answer: str, request_id: str = "") -> Any:
        return self.post("answers", {"request_id": request_id or self.card()["request_id"], "answer": answer})

    def press(self, answer: str) -> None:
        got = self.answer(answer)
        assert got.status_code == 202, got.content
        run_turns()

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        got = self.get("events/?after=0").json()["events"]
        assert [event["seq"] for event in got] == list(range(1, len(got) + 1))
        return [event for event in got if kind in ("", event["kind"])]

    def card(self) -> dict[str, Any]:
        return self.events("request")[-1]

    def texts(self, role: str = "agent") -> list[str]:
        return [event["text"] for event in self.events("message") if event["role"] == role]

    def state(self) -> str:
        return str(self.get().json()["state"])


def start_chat() -> Chat:
    return Chat().start()


def staff_client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def decide(user: User, request_id: str, decision: str, note: str = "") -> Any:
    return staff_client(user).post(
        f"/api/v1/staff/requests/{request_id}/decision/",
        {"decision": decision, "note": note},
        content_type="application/json",
    )


def make_staff(name: str = "eve") -> User:
    """Staff with no right at all."""
    return User.objects.create_user(name, password=uuid.uuid4().hex, is_staff=True)


def now() -> Any:
    return timezone.now()
